import { z } from "zod";
import { GRADES } from "../../domain/traders/grades.ts";
import { CounterpartyAnalysis } from "./counterparties/schemas.ts";
import {
  optionalCategory,
  conditionId,
  marketId,
  optionalSlug,
  nullableTokenId,
  traderId,
  optionalUsername,
  walletAddress,
} from "../shared-fields.ts";

const grade = (description: string) => ({ description: `${description}. S is the best, F the worst.`, example: "A" });
const Grade = z.enum(GRADES);
const fraction = () => z.number().min(0).max(1);
const score = (description: string) => fraction().meta({ description: `${description}, from 0 to 1.`, example: 0.62 });
const recordedScore = (description: string) => fraction().nullable().meta({ description, example: 0.62 });

export const LargeTrade = z
  .object({
    id: z.string().meta({ description: "The trade's wt_ id.", example: "wt_81" }),
    traded_at: z.iso
      .datetime()
      .meta({ description: "Settlement time, UTC, to the second.", example: "2026-11-20T12:00:00.000Z" }),
    size_usd: z
      .number()
      .meta({ description: "Dollars paid or received by the taker, without fees.", example: 12_345.99 }),
    side: z.enum(["BUY", "SELL"]).meta({ description: "Whether the taker bought or sold.", example: "BUY" }),
    outcome: z
      .string()
      .nullable()
      .meta({
        description:
          "Label of the traded outcome; null in markets with more than two outcomes, and until the market " +
          "is read from the provider.",
        example: "Yes",
      }),
    token_id: nullableTokenId,
    price: z.number().meta({ description: "Dollars per share, 0 to 1: the average over the order.", example: 0.4569 }),
    review_score: score("How much the trade deserves a review; not a probability"),
    signal_score: score("The value of review_score under its old name"),
    recorded_review_score: recordedScore(
      "review_score at the time the trade was captured, from 0 to 1. It never changes; null when it was not recorded.",
    ),
    recorded_signal_score: recordedScore("The value of recorded_review_score under its old name."),
    suspicion_score: z
      .int()
      .min(0)
      .max(100)
      .nullable()
      .meta({
        description:
          "How strongly the trade suggests inside knowledge, points from 0 to 100. Null while it is not assessed, " +
          "and when it matches no pattern; suspicion_status distinguishes the two.",
        example: 73,
      }),
    suspicion_track: z
      .enum(["whale", "fresh_conviction", "sliced_position"])
      .nullable()
      .meta({
        description:
          "Pattern behind the score. whale: the size of the trade. fresh_conviction: a new trader who " +
          "put most of the money on an open outcome. sliced_position: one purchase split into many. " +
          "Null when suspicion_score is null.",
        example: "whale",
      }),
    suspicion_status: z.enum(["scored", "nothing_found", "not_judged"]).meta({
      description:
        "scored: the trade has a suspicion_score. nothing_found: the trade was assessed from the recorded " +
        "data and matches no pattern. not_judged: the trade is not assessed yet, because the activity " +
        "before it has not been read.",
      example: "scored",
    }),
    market_volume_share: fraction()
      .optional()
      .meta({
        description:
          "Shares of the trade as a fraction, from 0 to 1, of all shares traded in the market until then; left " +
          "out when not all of those are recorded.",
        example: 0.1234,
      }),
    trader: z
      .object({
        id: traderId,
        address: walletAddress,
        username: optionalUsername,
        grade: Grade.optional().meta(grade("Current grade; left out when ungraded")),
        grade_at_trade: Grade.nullable().meta(
          grade("Grade that was published at the time of the trade; null unless grade_at_trade_status is graded"),
        ),
        grade_at_trade_status: z.enum(["graded", "ungraded", "unknown"]).meta({
          description:
            "graded: the trader had a grade. ungraded: the trader was rated without a grade. unknown: nothing was " +
            "published about the trader at that time.",
          example: "graded",
        }),
      })
      .meta({ description: "The taker." }),
    market: z
      .object({
        id: marketId,
        condition_id: conditionId,
        title: z.string().meta({
          description: "The market's question; its slug or condition id until the market is read from the provider.",
          example: "Will it rain?",
        }),
        slug: optionalSlug,
        category: optionalCategory,
      })
      .meta({ description: "The market." }),
  })
  .meta({ id: "LargeTrade", description: "One large taker order." });

export const LargeTradeDetail = LargeTrade.extend({ counterparty_analysis: CounterpartyAnalysis }).meta({
  id: "LargeTradeDetail",
  description: "One large trade with its known counterparties.",
});

/** Members that the history adds to `meta`. The history reads stored trades only. */
export const LARGE_TRADE_HISTORY_META = {
  source: z
    .object({
      kind: z.literal("local_replay").meta({ description: "Replay of stored trades." }),
      table: z.literal("whale_alerts").meta({ description: "A constant of the format: the stored large trades." }),
      provider_fetch_at_request_time: z.literal(false).meta({ description: "The response never calls the provider." }),
    })
    .meta({ description: "Source of the trades." }),
  completeness: z
    .object({
      status: z.literal("best_effort").meta({ description: "Every detected trade is listed; missed trades are not." }),
      reason: z.string().meta({
        description: "What can be missing, as text.",
        example: "Trades are kept from when the service first read the provider's feed.",
      }),
    })
    .meta({ description: "Completeness of the trades." }),
};
