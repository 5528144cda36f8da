import { z } from "zod";
import { FLOW_WINDOWS } from "../../../domain/markets/flow-windows.ts";
import { GRADES } from "../../../domain/traders/grades.ts";
import { MAX_BATCH_ITEMS, batchItemSchema } from "../../batch.ts";
import {
  nullableCategory,
  conditionId,
  EXAMPLE_CONDITION_ID,
  marketId,
  nullablePlatform,
  positionId,
  nullableSlug,
  nullableTokenId,
  nullableUsername,
  walletAddress,
} from "../../shared-fields.ts";
import { NET_FLOW } from "../../net-flow.ts";

const usd = (description: string, example: number) =>
  z.number().meta({ description: `Dollars: ${description}.`, example });

const TopPosition = z.object({
  id: positionId,
  address: walletAddress,
  username: nullableUsername,
  grade: z
    .enum(GRADES)
    .nullable()
    .meta({ description: "The trader's current grade, S best and F worst; null when ungraded.", example: "A" }),
  side: z.enum(["YES", "NO"]).meta({ description: "Outcome of the position.", example: "YES" }),
  token_id: nullableTokenId,
  size_usd: usd("value of the shares at the current price of the outcome, as in the market snapshot", 12_500),
});

/**
 * The response has this object under two names. No schema id, so that the document inlines both descriptions.
 */
const sharpMoney = (description: string) =>
  z
    .object({
      ...NET_FLOW,
      top_positions: z.array(TopPosition).max(5).meta({
        description:
          "The most valuable current positions of graded traders with known history, independent of the timeframe.",
      }),
      oldest_snapshot_as_of: z.iso
        .datetime()
        .nullable()
        .meta({
          description:
            "Oldest confirmation time of the entries of top_positions, UTC. A position is confirmed by the last " +
            "complete read of the trader's activity, or by its newest fill. Null when the list is empty.",
          example: "2026-11-20T12:05:00.000Z",
        }),
    })
    .meta({ description });

export const MarketFlow = z
  .object({
    market: z
      .object({
        id: marketId,
        condition_id: conditionId,
        title: z.string().meta({
          description: "The market's question; its slug or condition id until the market is read from the provider.",
          example: "Will it rain?",
        }),
        slug: nullableSlug,
        category: nullableCategory,
        platform: nullablePlatform,
      })
      .meta({ description: "The market." }),
    sharp_money: sharpMoney(
      "Net flow of every recorded large trade in the market within the timeframe, by any trader.",
    ),
    smart_money: sharpMoney("The same object under its old name."),
    timeframe: z.string().meta({ description: "Time window up to now: 1h, 4h, 24h or 7d.", example: "24h" }),
  })
  .meta({ id: "MarketFlow", description: "Net flow of large trades in one market within a time window." });

export const BatchMarketFlowRequest = z
  .object({
    condition_ids: z
      .array(z.string())
      .min(1)
      .max(MAX_BATCH_ITEMS)
      .meta({
        description:
          "1 to 25 markets by condition id. An item that is not a condition id, such as a mkt_ id, fails alone. " +
          "Order and repeats are kept; each item takes one item unit.",
        example: [EXAMPLE_CONDITION_ID],
      }),
    timeframe: z
      .enum(FLOW_WINDOWS)
      .default("24h")
      .meta({ description: "Time window up to now; 24h when left out.", example: "24h" }),
  })
  .meta({ id: "BatchMarketFlowRequest", description: "Markets and time window of the request." });

export const BatchMarketFlowItem = batchItemSchema(MarketFlow, EXAMPLE_CONDITION_ID).meta({
  id: "BatchMarketFlowItem",
  description: "One market of the request, or the error of the item.",
});
