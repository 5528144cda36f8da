import { z } from "zod";
import { categoryOrNull, conditionId, marketId, platformOrNull, slugOrNull, titleOrNull } from "../fields.ts";
import { NET_FLOW } from "../net-flow.ts";

/** Given out twice, under two names; without an id of its own, so that each stands in the document by itself. */
const sharpMoney = (description: string) => z.object(NET_FLOW).meta({ description });

export const SmartMoneyFlowMarket = z
  .object({
    market: z
      .object({
        id: marketId,
        condition_id: conditionId,
        title: titleOrNull,
        slug: slugOrNull,
        category: categoryOrNull,
        platform: platformOrNull,
      })
      .meta({ description: "Which market." }),
    sharp_money: sharpMoney("What wallets of the grades asked for moved through the market within the timeframe, by their large trades."),
    smart_money: sharpMoney("The same object under its old name."),
    timeframe: z.string().meta({ description: "The window: 1h, 4h, 24h or 7d, up to when the ranking was built.", example: "24h" }),
  })
  .meta({ id: "SmartMoneyFlowMarket", description: "What graded wallets moved through one market." });
