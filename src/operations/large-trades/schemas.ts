import { z } from "zod";
import { GRADES } from "../../domain/grades.ts";
import { CounterpartyAnalysis } from "./counterparties/schemas.ts";
import { categoryIfAny, conditionId, marketId, slugIfAny, tokenIdOrNull, traderId, usernameIfAny, walletAddress } from "../fields.ts";

const grade = (words: string) => ({ description: `${words}. S is the best, F the worst.`, example: "A" });
const Grade = z.enum(GRADES);
const fraction = () => z.number().min(0).max(1);
const score = (description: string) => fraction().meta({ description: `${description}, from 0 to 1.`, example: 0.62 });
const recordedScore = (description: string) => fraction().nullable().meta({ description, example: 0.62 });

export const LargeTrade = z
  .object({
    id: z.string().meta({ description: "The trade's wt_ id.", example: "wt_81" }),
    traded_at: z.iso.datetime().meta({ description: "When it was settled, UTC, to the second.", example: "2026-11-20T12:00:00.000Z" }),
    size_usd: z.number().meta({ description: "Dollars paid or received by the taker, without fees.", example: 12_345.99 }),
    side: z.enum(["BUY", "SELL"]).meta({ description: "Whether the taker bought or sold.", example: "BUY" }),
    outcome: z.string().nullable().meta({
      description: "Label of the traded outcome; null in markets of more than two, and while the market is not read.",
      example: "Yes",
    }),
    token_id: tokenIdOrNull,
    price: z.number().meta({ description: "Dollars a share, 0 to 1: the average over the order.", example: 0.4569 }),
    review_score: score("How much the trade deserves a look, which is no probability"),
    signal_score: score("The value of review_score under its old name"),
    recorded_review_score: recordedScore(
      "review_score as it was when the trade was captured, from 0 to 1, never changed since; null when it was not recorded.",
    ),
    recorded_signal_score: recordedScore("The value of recorded_review_score under its old name."),
    suspicion_score: z.int().min(0).max(100).nullable().meta({
      description:
        "How much it looks like somebody knowing more, points from 0 to 100; null while it is not judged, and when it shows none of the patterns that are judged: suspicion_status tells them apart.",
      example: 73,
    }),
    suspicion_track: z.enum(["whale", "fresh_conviction", "sliced_position"]).nullable().meta({
      description:
        "Which pattern the score rests on. whale: its size. fresh_conviction: a new wallet that put most of its money on an open outcome. sliced_position: one purchase cut into many. Null with its score.",
      example: "whale",
    }),
    suspicion_status: z.enum(["scored", "nothing_found", "not_judged"]).meta({
      description:
        "scored: it has a suspicion_score. nothing_found: it was judged by what was recorded, and shows none of the patterns. not_judged: it waits for what led to it to be read.",
      example: "scored",
    }),
    market_volume_share: fraction().optional().meta({
      description:
        "Its shares as a fraction, from 0 to 1, of all shares traded in the market by then; left out where these are not all recorded.",
      example: 0.1234,
    }),
    trader: z
      .object({
        id: traderId,
        address: walletAddress,
        username: usernameIfAny,
        grade: Grade.optional().meta(grade("Today's grade; left out when ungraded")),
        grade_at_trade: Grade.nullable().meta(grade("The grade that could be read when the trade was made; null unless graded")),
        grade_at_trade_status: z.enum(["graded", "ungraded", "unknown"]).meta({
          description:
            "graded: it had a letter. ungraded: it was judged and had none. unknown: nothing had been published of the wallet by then.",
          example: "graded",
        }),
      })
      .meta({ description: "The taker." }),
    market: z
      .object({
        id: marketId,
        condition_id: conditionId,
        title: z.string().meta({
          description: "The market's question; its slug or condition id while the market has not been read.",
          example: "Will it rain?",
        }),
        slug: slugIfAny,
        category: categoryIfAny,
      })
      .meta({ description: "What was traded." }),
  })
  .meta({ id: "LargeTrade", description: "One taker's order of many dollars." });

export const LargeTradeDetail = LargeTrade.extend({ counterparty_analysis: CounterpartyAnalysis }).meta({
  id: "LargeTradeDetail",
  description: "One large trade, and what is known of the other side.",
});

/** What history adds to `meta`: it is read from stored rows alone. */
export const HistoryMeta = {
  source: z
    .object({
      kind: z.literal("local_replay").meta({ description: "Stored rows are read again." }),
      table: z.literal("whale_alerts").meta({ description: "A constant of the format: the stored large trades." }),
      provider_fetch_at_request_time: z.literal(false).meta({ description: "The provider is not asked for this answer." }),
    })
    .meta({ description: "Where the rows come from." }),
  completeness: z
    .object({
      status: z.literal("best_effort").meta({ description: "What was detected is there; what was missed is not." }),
      reason: z.string().meta({
        description: "What may be missing, in words.",
        example: "Trades are kept from when the service first read the provider's feed.",
      }),
    })
    .meta({ description: "How whole the rows are." }),
};
