import { z } from "zod";
import {
  nullableCategory,
  conditionId,
  marketId,
  nullablePlatform,
  nullableSlug,
  nullableTitle,
} from "../shared-fields.ts";
import { NET_FLOW } from "../net-flow.ts";

/**
 * The response has this object under two names. No schema id, so that the document inlines both descriptions.
 */
const sharpMoney = (description: string) => z.object(NET_FLOW).meta({ description });

export const SmartMoneyFlowMarket = z
  .object({
    market: z
      .object({
        id: marketId,
        condition_id: conditionId,
        title: nullableTitle,
        slug: nullableSlug,
        category: nullableCategory,
        platform: nullablePlatform,
      })
      .meta({ description: "The market." }),
    sharp_money: sharpMoney("Net flow of the large trades by traders of the requested grades within the timeframe."),
    smart_money: sharpMoney("The same object under its old name."),
    timeframe: z
      .string()
      .meta({ description: "Time window, 1h, 4h, 24h or 7d. It ends when the ranking was built.", example: "24h" }),
  })
  .meta({ id: "SmartMoneyFlowMarket", description: "Net flow of graded traders in one market." });
