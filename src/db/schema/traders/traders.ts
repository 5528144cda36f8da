import { sql } from "drizzle-orm";
import { check, doublePrecision, index, integer, jsonb, numeric, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { id, instant, microUsd, rowId } from "../../columns.ts";

/**
 * One trader. `tier` is how its history is followed: the activity of hot and warm traders is synced, cold
 * traders are known only from the trade feed. `grade` is null until one has been published.
 */
export const traders = pgTable(
  "traders",
  {
    id: id(),
    address: text("address").notNull().unique(),
    username: text("username"),
    profileImage: text("profile_image"),
    /**
     * The published grade, equal to the newest row of `trader_grades`; null while there is none or the trader
     * is ungraded.
     */
    grade: text("grade"),
    score: doublePrecision("score"),
    forecastScore: doublePrecision("forecast_score"),
    forecastEvidence: doublePrecision("forecast_evidence"),
    /** When the current grade, or that there is none, was published; null before the first time. */
    gradedAt: instant("graded_at"),
    tier: text("tier").notNull().default("cold"),
    firstSeenAt: instant("first_seen_at").notNull().defaultNow(),
  },
  (table) => [
    index("traders_username").on(sql`lower(${table.username})`),
    index("traders_graded")
      .on(table.grade, table.id)
      .where(sql`grade is not null`),
    index("traders_username_trigrams").using("gin", sql`lower(${table.username}) gin_trgm_ops`),
    check("traders_tier", sql`${table.tier} in ('hot', 'warm', 'cold')`),
    check("traders_grade", sql`${table.grade} in ('S', 'A', 'B', 'C', 'D', 'F')`),
  ],
);

/**
 * The activity sync of one followed trader. `resume` is stored with every page. `complete_at` is when a walk
 * last reached the end: from the first time on, the trader's history up to `covered_to` is complete. `gaps`
 * lists activity that positions do not include (conversions that their rows do not prove, migrations, splits
 * and merges of markets without a description, combinations of markets with an unknown leg or an unproven event)
 * or that could not be read. With gaps
 * the trader's P&L is withheld; with combinations alone it is partial.
 */
export const traderSyncs = pgTable(
  "trader_syncs",
  {
    traderId: rowId("trader_id")
      .primaryKey()
      .references(() => traders.id),
    /**
     * Where an unfinished walk continues: `{since_ms, cursor, carry}`; null when the next sync starts a new
     * walk.
     */
    resume: jsonb("resume"),
    coveredTo: instant("covered_to"),
    completeAt: instant("complete_at"),
    dueAt: instant("due_at").notNull().defaultNow(),
    gaps: text("gaps")
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** Error and time of the last failed read; null once a page succeeds. */
    lastError: text("last_error"),
    failedAt: instant("failed_at"),
    /** When the trader's combos are read next; null while there is nothing to read. */
    combosDueAt: instant("combos_due_at"),
    /** When its combo positions and combo activity were last read to their end; null before the first time. */
    combosReadAt: instant("combos_read_at"),
    /** Where an unfinished read of its combo activity continues: the provider's cursor. */
    combosCursor: text("combos_cursor"),
    /** Reads in a row after which something was still open; each further read waits longer. */
    combosAttempts: smallint("combos_attempts").notNull().default(0),
  },
  (table) => [
    index("trader_syncs_due").on(table.dueAt),
    index("trader_syncs_combos_due")
      .on(table.combosDueAt)
      .where(sql`combos_due_at is not null`),
  ],
);

/**
 * The provider's own figures of a followed trader, and their difference from ours in the markets where both
 * can be measured. Shown next to our figures and never mixed with them.
 */
export const providerFigures = pgTable(
  "provider_figures",
  {
    traderId: rowId("trader_id")
      .primaryKey()
      .references(() => traders.id),
    /**
     * All-time P&L on the provider's leaderboard, a plain decimal in dollars; null when the trader is not
     * ranked there.
     */
    allTimePnlUsd: numeric("all_time_pnl_usd"),
    /** All-time volume on the same leaderboard, in shares of both sides. */
    allTimeVolumeShares: numeric("all_time_volume_shares"),
    boardAsOf: instant("board_as_of"),
    /**
     * Ours minus theirs over the measured markets: negative where the provider overstates. Null when nothing
     * was measured, or when rounding explains the difference.
     */
    correctionMicro: microUsd("correction_micro"),
    /** Our realized and our total profit in the measured markets. */
    realizedMicro: microUsd("realized_micro"),
    netMicro: microUsd("net_micro"),
    marketsMeasured: integer("markets_measured"),
    marketsExcluded: integer("markets_excluded"),
    measuredAt: instant("measured_at"),
    dueAt: instant("due_at").notNull().defaultNow(),
    enqueuedAt: instant("enqueued_at"),
    lastError: text("last_error"),
  },
  (table) => [index("provider_figures_due").on(table.dueAt)],
);

/**
 * Figures from the whole history of a followed trader, recomputed from time to time. The columns next to
 * `profile` are those that lists filter by and that populations are built from; null is too little history.
 */
export const traderProfiles = pgTable(
  "trader_profiles",
  {
    traderId: rowId("trader_id").primaryKey(),
    computedAt: instant("computed_at").notNull(),
    /**
     * A fingerprint of the trader's totals it was computed from: an equal fingerprint means an equal profile.
     */
    basis: text("basis").notNull(),
    strategy: text("strategy"),
    streakTier: text("streak_tier"),
    /** Trailing form, 30-day Sharpe ratio, profit factor and consistency: the inputs of the percentiles. */
    form: doublePrecision("form"),
    sharpe30d: doublePrecision("sharpe_30d"),
    profitFactor: doublePrecision("profit_factor"),
    edgeConsistency: doublePrecision("edge_consistency"),
    smartScore: doublePrecision("smart_score"),
    copyScore: doublePrecision("copy_score"),
    /** All other figures; `StoredProfile` of src/domain/traders/stored-profile.ts describes them. */
    profile: jsonb("profile").notNull(),
  },
  (table) => [index("trader_profiles_computed").on(table.computedAt)],
);
