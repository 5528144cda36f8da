import { z } from "zod";
import { GRADES } from "../../domain/grades.ts";

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
    end_date: day("Last UTC day of the range, included.", "2026-11-22"),
    timezone: z.literal("UTC").meta({ description: "Days begin and end at midnight UTC." }),
  })
  .meta({ id: "ReportSourceRange", description: "The days the report is about." });

const SnapshotState = z
  .object({
    version: z
      .int()
      .meta({ description: "Counts how often the stored content has changed; 0 for a report that is not stored.", examples: [3] }),
    storage: z.enum(["durable", "ephemeral"]).meta({
      description: "durable: stored. ephemeral: computed for this request and not stored, as every explicit range of days is.",
      examples: ["durable"],
    }),
    status: z.enum(["final", "rolling"]).meta({
      description: "final: read when no more trades were to be expected, and never changed again. rolling: may still change.",
      examples: ["rolling"],
    }),
    generated_at: instant("When the report was put together, UTC.", "2026-11-20T12:01:00.000Z"),
    mutable_until: z.iso
      .date()
      .nullable()
      .meta({ description: "The UTC day of final_after; null once the report is final.", examples: ["2026-11-23"] }),
    period_closed: z
      .boolean()
      .meta({ description: "Whether the range's last day has passed. Late trades may still come in.", examples: [false] }),
    final_after: instant("7,530 seconds after the range's end, UTC: what is read from then on may be final.", "2026-11-23T02:05:30.000Z"),
    source_read_started_at: z.iso
      .datetime()
      .nullable()
      .meta({
        description: "When reading the recorded trades began, UTC; null when it was not noted.",
        examples: ["2026-11-20T12:01:00.000Z"],
      }),
  })
  .meta({ id: "SnapshotState", description: "How settled the report is." });

const SnapshotCompleteness = z
  .object({
    status: z.enum(["complete", "partial", "empty"]).meta({
      description:
        "complete: final, and every day was covered. partial: neither of both. empty: no large trade in the range; the reason says whether there was none or none is known.",
      examples: ["partial"],
    }),
    reason: z.string().meta({ description: "Why, in a sentence.", examples: ["The range has not ended."] }),
    expected_days: z.int().meta({ description: "Days in the range.", examples: [7] }),
    covered_days_with_large_trade_activity: z.int().meta({ description: "Days of the range with a detected large trade.", examples: [5] }),
    covered_days_with_whale_activity: z.int().meta({ description: "The same figure under its old name.", examples: [5] }),
  })
  .meta({ id: "SnapshotCompleteness", description: "How much of the range the report knows." });

const ReportReconciliation = z
  .object({
    volume_kind: z
      .literal("local_whale_activity_volume")
      .meta({ description: "Volume of the large trades detected here, not of the provider." }),
    whale_volume_source: z.string().meta({
      description: "The column the volume is summed from, with a note in parentheses.",
      examples: ["large_trades.size_usd_micro (takers' trades at or above the capture floor)"],
    }),
    notes: z.string().meta({ description: "What the figures leave out.", examples: ["Smaller trades are not counted."] }),
  })
  .meta({ id: "ReportReconciliation", description: "What the volume is, so that it is not taken for the provider's." });

const ReportTopTrade = z
  .object({
    outcome: text("Name of the traded outcome; null while the market has not been read.", "Yes"),
    side: z
      .enum(["BUY", "SELL"])
      .nullable()
      .meta({ description: "Whether the taker bought or sold; null when not known.", examples: ["BUY"] }),
    title: text("The market's question; null while it has not been read.", "Will it rain in Paris on Sunday?"),
    size: usd("Dollars paid or received, without fees; null when not known.", 25000),
    price: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({ description: "Dollars a share, 0 to 1: the average over the order; null when not known.", examples: [0.62] }),
    token_id: text("The outcome's token, a decimal text; null while it is not known.", "1234567890"),
    id: z
      .int()
      .nullable()
      .meta({ description: "The number in the trade's wt_ id; null when not known.", examples: [81] }),
    trade_time: z.iso
      .datetime()
      .nullable()
      .meta({ description: "When it was settled, UTC; null when not known.", examples: ["2026-11-20T11:58:03.000Z"] }),
    market_category: text("Our category of the market; null when the provider's tags name none.", "Politics"),
    platform: z
      .enum(["polymarket"])
      .nullable()
      .meta({ description: "Where it was made; null when not known.", examples: ["polymarket"] }),
    name: text("The wallet's name on the provider; null when it has none.", "early_bird"),
    pseudonym: z
      .string()
      .nullable()
      .meta({ description: "Always null: pseudonyms are not recorded.", examples: [null] }),
    trader_grade: Grade.nullable().meta({
      description: "The wallet's grade when the report was put together; null when ungraded.",
      examples: ["A"],
    }),
  })
  .meta({ id: "ReportTopTrade", description: "One of the range's largest trades." });

const trades = (description: string) => z.array(ReportTopTrade).nullable().meta({ description });

const ReportPayload = z
  .object({
    total_large_trades: count("Large trades detected in the range; null when the range has not been read.", 412),
    total_whale_trades: count("The same figure under its old name.", 412),
    total_large_trade_volume: usd("Dollars those come to; null when the range has not been read.", 8120455.12),
    total_whale_volume: usd("The same figure under its old name.", 8120455.12),
    biggest_trade_size: usd("Dollars of the largest of those; null without one.", 250000),
    active_traders: count("Wallets that made one; null when the range has not been read.", 187),
    top_large_trades: trades(
      "The largest by size: 50 of a day, 100 of a week or a range of days, 200 of a month. Null when the range has not been read.",
    ),
    top_whale_trades: trades("The same list under its old name."),
    categories: z
      .array(
        z.object({
          category: z.string().meta({ description: "Our category of the markets.", examples: ["Politics"] }),
          whale_trade_count: z.int().meta({ description: "Large trades in it.", examples: [120] }),
          category_volume: z.number().meta({ description: "Dollars those come to.", examples: [2400100.5] }),
        }),
      )
      .nullable()
      .meta({
        description:
          "Large trades by category, largest volume first. Markets without a category are in none. Null when the range has not been read.",
      }),
    grade_distribution: z
      .array(
        z.object({
          grade: Grade.nullable().meta({ description: "A letter; null for wallets without one.", examples: ["A"] }),
          count: z.int().meta({ description: "Wallets that have it.", examples: [14] }),
        }),
      )
      .nullable()
      .meta({ description: "The active wallets by their grade when the report was put together. Null when the range has not been read." }),
  })
  .meta({
    id: "ReportPayload",
    description: "What the detected large trades come to. All fields are null when the range has not been read.",
  });

export const ReportSnapshot = z
  .object({
    kind: z
      .enum(["daily", "weekly", "monthly"])
      .meta({ description: "Whether the range is a day, a week (or any range of days) or a month.", examples: ["weekly"] }),
    generated_at: instant("When the report was put together, UTC.", "2026-11-20T12:01:00.000Z"),
    source_range: ReportSourceRange,
    snapshot: SnapshotState,
    completeness: SnapshotCompleteness,
    reconciliation: ReportReconciliation,
    report: ReportPayload,
  })
  .meta({ id: "ReportSnapshot", description: "The large trades of a day, a week, a month or a range of days." });
