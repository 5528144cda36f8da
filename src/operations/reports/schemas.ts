import { z } from "zod";
import { GRADES } from "../../domain/traders/grades.ts";

const day = (description: string, example: string) => z.iso.date().meta({ description, examples: [example] });
const instant = (description: string, example: string) => z.iso.datetime().meta({ description, examples: [example] });
const count = (description: string, example: number) =>
  z
    .int()
    .nullable()
    .meta({ description, examples: [example] });
const usd = (description: string, example: number) =>
  z
    .number()
    .nullable()
    .meta({ description, examples: [example] });
const text = (description: string, example: string) =>
  z
    .string()
    .nullable()
    .meta({ description, examples: [example] });
const Grade = z.enum(GRADES);

const ReportSourceRange = z
  .object({
    start_date: day("First UTC day of the range.", "2026-11-16"),
    end_date: day("Last UTC day of the range, inclusive.", "2026-11-22"),
    timezone: z.literal("UTC").meta({ description: "Days start and end at midnight UTC." }),
  })
  .meta({ id: "ReportSourceRange", description: "The days that the report covers." });

const SnapshotState = z
  .object({
    version: z.int().meta({
      description: "Number of changes of the stored content; 0 for a report that is not stored.",
      examples: [3],
    }),
    storage: z.enum(["durable", "ephemeral"]).meta({
      description:
        "durable: stored. ephemeral: computed for this request and not stored, which includes every " +
        "explicit range of days.",
      examples: ["durable"],
    }),
    status: z.enum(["final", "rolling"]).meta({
      description:
        "final: read after the last time at which trades can arrive; it never changes again. rolling: may " +
        "still change.",
      examples: ["rolling"],
    }),
    generated_at: instant("Time at which the report was built, UTC.", "2026-11-20T12:01:00.000Z"),
    mutable_until: z.iso
      .date()
      .nullable()
      .meta({ description: "The UTC day of final_after; null once the report is final.", examples: ["2026-11-23"] }),
    period_closed: z.boolean().meta({
      description: "Whether the last day of the range has passed. Late trades may still arrive.",
      examples: [false],
    }),
    final_after: instant(
      "7,530 seconds after the end of the range, UTC. A report that is read from this time on can be final.",
      "2026-11-23T02:05:30.000Z",
    ),
    source_read_started_at: z.iso
      .datetime()
      .nullable()
      .meta({
        description: "Time at which the read of the recorded trades started, UTC; null when not recorded.",
        examples: ["2026-11-20T12:01:00.000Z"],
      }),
  })
  .meta({ id: "SnapshotState", description: "Version, storage and finality of the report." });

const SnapshotCompleteness = z
  .object({
    status: z.enum(["complete", "partial", "empty"]).meta({
      description:
        "complete: the report is final and covers every day. partial: any other report with large trades. " +
        "empty: no large trade in the range; `reason` says whether there was none or whether none is known.",
      examples: ["partial"],
    }),
    reason: z
      .string()
      .meta({ description: "Explanation of the status, in sentences.", examples: ["The range has not ended."] }),
    expected_days: z.int().meta({ description: "Days in the range.", examples: [7] }),
    covered_days_with_large_trade_activity: z
      .int()
      .meta({ description: "Days of the range with at least one detected large trade.", examples: [5] }),
    covered_days_with_whale_activity: z.int().meta({ description: "Same value under the old name.", examples: [5] }),
  })
  .meta({ id: "SnapshotCompleteness", description: "Coverage of the range by the report." });

const ReportReconciliation = z
  .object({
    volume_kind: z.literal("local_whale_activity_volume").meta({
      description: "The volume of the large trades that this service detected, not the volume of the provider.",
    }),
    whale_volume_source: z.string().meta({
      description: "The column that the volume sums, with a note in parentheses.",
      examples: ["large_trades.size_usd_micro (takers' trades at or above the capture floor)"],
    }),
    notes: z
      .string()
      .meta({ description: "What the figures do not include.", examples: ["Smaller trades are not counted."] }),
  })
  .meta({
    id: "ReportReconciliation",
    description: "Definition of the volume, which differs from the volume of the provider.",
  });

const ReportTopTrade = z
  .object({
    outcome: text("Name of the traded outcome; null until the market has been read.", "Yes"),
    side: z
      .enum(["BUY", "SELL"])
      .nullable()
      .meta({ description: "Whether the taker bought or sold; null when unknown.", examples: ["BUY"] }),
    title: text("The market's question; null until the market has been read.", "Will it rain in Paris on Sunday?"),
    size: usd("Dollars paid or received, excluding fees; null when unknown.", 25000),
    price: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({
        description: "Average price of the order in dollars per share, 0 to 1; null when unknown.",
        examples: [0.62],
      }),
    token_id: text("Token id of the outcome, a decimal string; null while unknown.", "1234567890"),
    id: z
      .int()
      .nullable()
      .meta({ description: "The number in the wt_ id of the trade; null when unknown.", examples: [81] }),
    trade_time: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Settlement time, UTC; null when unknown.", examples: ["2026-11-20T11:58:03.000Z"] }),
    market_category: text("Category of the market; null when the provider's tags contain none.", "Politics"),
    platform: z
      .enum(["polymarket"])
      .nullable()
      .meta({ description: "The provider; null when unknown.", examples: ["polymarket"] }),
    name: text("Username of the trader on the provider; null when there is none.", "early_bird"),
    pseudonym: z
      .string()
      .nullable()
      .meta({ description: "Always null: pseudonyms are not recorded.", examples: [null] }),
    trader_grade: Grade.nullable().meta({
      description: "Grade of the trader when the report was built; null when ungraded.",
      examples: ["A"],
    }),
  })
  .meta({ id: "ReportTopTrade", description: "One of the largest trades of the range." });

const trades = (description: string) => z.array(ReportTopTrade).nullable().meta({ description });

const ReportPayload = z
  .object({
    total_large_trades: count(
      "Number of large trades detected in the range; null when the range has not been read.",
      412,
    ),
    total_whale_trades: count("Same value under the old name.", 412),
    total_large_trade_volume: usd(
      "Volume of these trades in dollars; null when the range has not been read.",
      8120455.12,
    ),
    total_whale_volume: usd("Same value under the old name.", 8120455.12),
    biggest_trade_size: usd("Size of the largest of these trades in dollars; null when there is none.", 250000),
    active_traders: count(
      "Number of traders with at least one of these trades; null when the range has not been read.",
      187,
    ),
    top_large_trades: trades(
      "The largest trades by size: at most 50 for a day, 100 for a week or a range of days, 200 for a " +
        "month. Null when the range has not been read.",
    ),
    top_whale_trades: trades("Same list under the old name; null in the same case."),
    categories: z
      .array(
        z.object({
          category: z.string().meta({ description: "Category of the markets.", examples: ["Politics"] }),
          whale_trade_count: z.int().meta({ description: "Number of large trades in the category.", examples: [120] }),
          category_volume: z
            .number()
            .meta({ description: "Volume of these trades in dollars.", examples: [2400100.5] }),
        }),
      )
      .nullable()
      .meta({
        description:
          "Large trades by category, highest volume first. Trades in markets without a category are not " +
          "included. Null when the range has not been read.",
      }),
    grade_distribution: z
      .array(
        z.object({
          grade: Grade.nullable().meta({ description: "Grade letter; null for ungraded traders.", examples: ["A"] }),
          count: z.int().meta({ description: "Number of traders with this grade.", examples: [14] }),
        }),
      )
      .nullable()
      .meta({
        description: "Active traders by their grade when the report was built. Null when the range has not been read.",
      }),
  })
  .meta({
    id: "ReportPayload",
    description: "Totals of the detected large trades. All fields are null when the range has not been read.",
  });

export const ReportSnapshot = z
  .object({
    kind: z.enum(["daily", "weekly", "monthly"]).meta({
      description: "daily: a day. weekly: a week or a range of days. monthly: a month.",
      examples: ["weekly"],
    }),
    generated_at: instant("Time at which the report was built, UTC.", "2026-11-20T12:01:00.000Z"),
    source_range: ReportSourceRange,
    snapshot: SnapshotState,
    completeness: SnapshotCompleteness,
    reconciliation: ReportReconciliation,
    report: ReportPayload,
  })
  .meta({
    id: "ReportSnapshot",
    description: "Report on the large trades of a day, a week, a month or a range of days.",
  });
