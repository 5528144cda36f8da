import { sql } from "drizzle-orm";
import { check, integer, numeric, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant, microUsd, rowId } from "../../columns.ts";

/** The counts and sums of the public record. Each claim is in one of the counts from `pending` on. */
const counts = {
  claims: integer("claims").notNull(),
  /** Without a result. */
  pending: integer("pending").notNull(),
  /** Published when the market already had its result. */
  late: integer("late").notNull(),
  /** Without a price between 0 and 1. */
  unpriced: integer("unpriced").notNull(),
  won: integer("won").notNull(),
  lost: integer("lost").notNull(),
  /** Paid neither 0 nor 1. */
  voided: integer("voided").notNull(),
  /** Sum of the prices of claims that won or lost, in millionths of a dollar. */
  pricePpm: microUsd("price_ppm").notNull(),
  /** What one dollar on each settled claim paid. */
  returnMicro: microUsd("return_micro").notNull(),
};

/**
 * The public record by event: the claims of one kind and month on one event, or the random purchases drawn for claims of
 * that kind and month. `cluster` is the provider event, or the negated market id where no event is known.
 */
export const recordClusters = pgTable(
  "record_clusters",
  {
    kind: text("kind").notNull(),
    /** `2026-11`: the UTC month of the claims' prices. */
    month: text("month").notNull(),
    sample: text("sample").notNull(),
    cluster: rowId("cluster").notNull(),
    ...counts,
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.month, table.sample, table.cluster] }),
    check("record_clusters_kind", sql`${table.kind} in ('flag', 'grade', 'flow_alert', 'pick')`),
    check("record_clusters_sample", sql`${table.sample} in ('claim', 'random')`),
  ],
);

/** The public record by month, and over all months in the period `all`: sums over `record_clusters`. */
export const recordPeriods = pgTable(
  "record_periods",
  {
    kind: text("kind").notNull(),
    period: text("period").notNull(),
    sample: text("sample").notNull(),
    ...counts,
    /** Events with a claim that won or lost. */
    events: integer("events").notNull(),
    /** Over these events: sums of e², e n and n², with an event's sum e of payout less price in millionths, and its n. */
    edgeSquares: numeric("edge_squares").notNull(),
    edgeCounts: numeric("edge_counts").notNull(),
    countSquares: numeric("count_squares").notNull(),
    /** When the row last changed. */
    changedAt: instant("changed_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.period, table.sample] })],
);
