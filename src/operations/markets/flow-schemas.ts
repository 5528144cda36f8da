import { z } from "zod";
import { FLOW_WINDOWS } from "../../domain/flow-windows.ts";
import { GRADES } from "../../domain/grades.ts";
import { BATCH_ITEMS, batchItem } from "../batch.ts";
import {
  categoryOrNull,
  conditionId,
  EXAMPLE_CONDITION_ID,
  marketId,
  platformOrNull,
  positionId,
  slugOrNull,
  tokenIdOrNull,
  usernameOrNull,
  walletAddress,
} from "../fields.ts";
import { NET_FLOW } from "../net-flow.ts";

const usd = (description: string, example: number) => z.number().meta({ description: `Dollars: ${description}.`, example });

const TopPosition = z.object({
  id: positionId,
  address: walletAddress,
  username: usernameOrNull,
  grade: z.enum(GRADES).nullable().meta({ description: "The wallet's grade now, S best and F worst; null when ungraded.", example: "A" }),
  side: z.enum(["YES", "NO"]).meta({ description: "The outcome held.", example: "YES" }),
  token_id: tokenIdOrNull,
  size_usd: usd("what the shares are worth at the outcome's current price, that of the market's snapshot", 12_500),
});

/** Given out twice, under two names; without an id of its own, so that each stands in the document by itself. */
const sharpMoney = (description: string) =>
  z
    .object({
      ...NET_FLOW,
      top_positions: z
        .array(TopPosition)
        .max(5)
        .meta({ description: "The most valuable positions that graded wallets of known history hold there now, whatever the timeframe." }),
      oldest_snapshot_as_of: z.iso.datetime().nullable().meta({
        description:
          "When the entry of top_positions that was confirmed longest ago was last known to be so, UTC: at the last reading of its wallet's whole activity, or at its newest fill. Null when that list is empty.",
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
        title: z
          .string()
          .meta({ description: "The market's question; its slug or condition id while that has not been read.", example: "Will it rain?" }),
        slug: slugOrNull,
        category: categoryOrNull,
        platform: platformOrNull,
      })
      .meta({ description: "Which market." }),
    sharp_money: sharpMoney("Every large trade recorded in the market within the timeframe, whoever made it."),
    smart_money: sharpMoney("The same object under its old name."),
    timeframe: z.string().meta({ description: "The window, up to now: 1h, 4h, 24h or 7d.", example: "24h" }),
  })
  .meta({ id: "MarketFlow", description: "What large trades moved through one market within a window." });

export const BatchMarketFlowRequest = z
  .object({
    condition_ids: z
      .array(z.string())
      .min(1)
      .max(BATCH_ITEMS)
      .meta({
        description:
          "1 to 25 markets by condition id; an item that is none, such as a mkt_ id, fails alone. Their order is kept, as are repeats; each takes an item unit.",
        example: [EXAMPLE_CONDITION_ID],
      }),
    timeframe: z.enum(FLOW_WINDOWS).default("24h").meta({ description: "The window, up to now; 24h when left out.", example: "24h" }),
  })
  .meta({ id: "BatchMarketFlowRequest", description: "Which markets, and over which window." });

export const BatchMarketFlowItem = batchItem(MarketFlow, EXAMPLE_CONDITION_ID).meta({
  id: "BatchMarketFlowItem",
  description: "One market of the request, or why it could not be read.",
});
