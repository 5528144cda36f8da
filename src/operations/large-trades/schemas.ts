import { z } from "zod";

const Grade = z.enum(["S", "A", "B", "C", "D", "F"]);
const score = () => z.number().min(0).max(1);

export const LargeTrade = z
  .object({
    id: z.string().meta({ description: "wt_ id." }),
    traded_at: z.iso.datetime(),
    size_usd: z.number(),
    side: z.enum(["BUY", "SELL"]),
    outcome: z.string().nullable().meta({ description: "Label of the traded outcome; null while the market is not synced." }),
    token_id: z.string().nullable(),
    price: z.number(),
    review_score: score().meta({ description: "How much the trade deserves a look; not a probability." }),
    signal_score: score().meta({ description: "The same value under its old name." }),
    recorded_review_score: score().nullable().meta({ description: "Written once when the trade was captured." }),
    recorded_signal_score: score().nullable(),
    suspicion_score: z.int().min(0).max(100).nullable().meta({ description: "Null: not computed." }),
    suspicion_track: z.enum(["whale", "fresh_conviction", "sliced_position"]).nullable(),
    market_volume_share: score().optional().meta({ description: "Left out without a trusted denominator." }),
    trader: z.object({
      id: z.string(),
      address: z.string(),
      username: z.string().optional(),
      grade: Grade.optional().meta({ description: "Today's grade; left out when ungraded." }),
      grade_at_trade: Grade.nullable(),
      grade_at_trade_status: z.enum(["graded", "ungraded", "unknown"]),
    }),
    market: z.object({
      id: z.string(),
      condition_id: z.string(),
      title: z.string(),
      slug: z.string().optional(),
      category: z.string().optional(),
    }),
  })
  .meta({ id: "LargeTrade" });

/** Counterparties are not matched yet, so the analysis is always unavailable, with no executions and a reason. */
const CounterpartyAnalysis = z
  .object({
    status: z.enum(["available", "partial", "unavailable"]),
    unavailable_reason: z.string().optional(),
    execution_count: z.int(),
    available_execution_count: z.int(),
    unavailable_execution_count: z.int(),
    executions: z.array(z.never()),
  })
  .meta({ id: "CounterpartyAnalysis" });

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
