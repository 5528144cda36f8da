import { z } from "zod";
import { CounterpartyAnalysis } from "./counterparties/schemas.ts";

const grade = (words: string) => ({ description: `${words}: S, A, B, C, D or F.`, example: "A" });
const Grade = z.enum(["S", "A", "B", "C", "D", "F"]);
const score = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .max(1)
    .meta({ description: `${description}, 0 to 1.`, example });

export const LargeTrade = z
  .object({
    id: z.string().meta({ description: "wt_ id.", example: "wt_81" }),
    traded_at: z.iso.datetime().meta({ description: "When it was settled, to the second.", example: "2026-11-20T12:00:00.000Z" }),
    size_usd: z.number().meta({ description: "Dollars, without fees.", example: 12_345.99 }),
    side: z.enum(["BUY", "SELL"]).meta({ description: "What the taker did.", example: "BUY" }),
    outcome: z.string().nullable().meta({
      description: "Label of the traded outcome; null in markets of more than two, and while the market is not read.",
      example: "Yes",
    }),
    token_id: z.string().nullable().meta({ description: "The outcome's token, a decimal string.", example: "1000001" }),
    price: z.number().meta({ description: "Dollars a share, 0 to 1: the average of the order.", example: 0.4569 }),
    review_score: score("How much the trade deserves a look; not a probability", 0.62),
    signal_score: score("The same value under its old name", 0.62),
    recorded_review_score: score("Written once when the trade was captured", 0.62).nullable(),
    recorded_signal_score: score("The same value under its old name", 0.62).nullable(),
    suspicion_score: z.int().min(0).max(100).nullable().meta({
      description: "How much it looks like somebody knowing more, 0 to 100; null: not judged yet, or not admitted by any track.",
      example: 73,
    }),
    suspicion_track: z.enum(["whale", "fresh_conviction", "sliced_position"]).nullable().meta({
      description: "What the suspicion rests on; null with its score.",
      example: "whale",
    }),
    market_volume_share: score(
      "Its shares as a fraction of all shares traded in the market by then; left out where these are not all recorded",
      0.1234,
    ).optional(),
    trader: z.object({
      id: z.string().meta({ description: "trd_ id.", example: "trd_12" }),
      address: z.string().meta({ description: "The taker's wallet, in lower case.", example: `0x${"1".repeat(40)}` }),
      username: z.string().optional().meta({ description: "Its name on the provider; left out when it has none.", example: "Known" }),
      grade: Grade.optional().meta(grade("Today's grade, left out when ungraded")),
      grade_at_trade: Grade.nullable().meta(grade("The grade that was published when the trade was made, null unless graded")),
      grade_at_trade_status: z.enum(["graded", "ungraded", "unknown"]).meta({
        description: "unknown: nothing had been published of the wallet by then.",
        example: "graded",
      }),
    }),
    market: z.object({
      id: z.string().meta({ description: "mkt_ id.", example: "mkt_7" }),
      condition_id: z.string().meta({ description: "The provider's id of the market.", example: `0x${"7".repeat(64)}` }),
      title: z.string().meta({ description: "Its slug or condition id while the market has not been read.", example: "Will it rain?" }),
      slug: z
        .string()
        .optional()
        .meta({ description: "The provider's name in addresses; left out while unknown.", example: "will-it-rain" }),
      category: z
        .string()
        .optional()
        .meta({ description: "Our category; left out when the provider's tags name none.", example: "Politics" }),
    }),
  })
  .meta({ id: "LargeTrade" });

export const LargeTradeDetail = LargeTrade.extend({ counterparty_analysis: CounterpartyAnalysis }).meta({ id: "LargeTradeDetail" });

/** What history adds to `meta`: it is read from stored rows alone. */
export const HistoryMeta = {
  source: z.object({
    kind: z.literal("local_replay"),
    table: z.literal("whale_alerts"),
    provider_fetch_at_request_time: z.literal(false),
  }),
  completeness: z.object({ status: z.literal("best_effort"), reason: z.string() }),
};
