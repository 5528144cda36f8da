import { sql } from "drizzle-orm";
import { check, doublePrecision, index, integer, jsonb, numeric, pgTable, text } from "drizzle-orm/pg-core";
import { id, instant, microUsd, rowId } from "../columns.ts";

/**
 * One wallet. `tier` says how its history is followed: hot and warm wallets have their activity synced, cold ones are known
 * only from the trade feed. `grade` is null until a grading has published one.
 */
export const traders = pgTable(
  "traders",
  {
    id: id(),
    address: text("address").notNull().unique(),
    username: text("username"),
    profileImage: text("profile_image"),
    /** The published grade, as the newest row of `trader_grades` has it; null while there is none, or the wallet is ungraded. */
    grade: text("grade"),
    score: doublePrecision("score"),
    forecastScore: doublePrecision("forecast_score"),
    forecastEvidence: doublePrecision("forecast_evidence"),
    /** When what is published was published; null while nothing ever was. */
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
 * The sync of one followed wallet's activity. `resume` is kept with every page; `complete_at` is when a walk last
 * reached the end: the wallet's history up to `covered_to` is ours from the first time on. `gaps` names activity that positions
 * do not follow (conversions their rows do not prove, migrations, splits and merges of undescribed markets, combinations of markets) or that could not
 * be read: the wallet's P&L is then withheld, and with combinations alone partial.
 */
export const walletSyncs = pgTable(
  "wallet_syncs",
  {
    traderId: rowId("trader_id")
      .primaryKey()
      .references(() => traders.id),
    /** Where an unfinished walk goes on: `{since_ms, cursor, carry}`; null when the next sync starts a new one. */
    resume: jsonb("resume"),
    coveredTo: instant("covered_to"),
    completeAt: instant("complete_at"),
    dueAt: instant("due_at").notNull().defaultNow(),
    gaps: text("gaps")
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** Of the last reading that failed, and when that was; null once a page succeeds. */
    lastError: text("last_error"),
    failedAt: instant("failed_at"),
  },
  (table) => [index("wallet_syncs_due").on(table.dueAt)],
);

/**
 * What the provider itself says of a followed wallet, and how far its account differs from ours in the markets where both can be measured.
 * Shown beside our figures and never mixed with them.
 */
export const providerFigures = pgTable(
  "provider_figures",
  {
    traderId: rowId("trader_id")
      .primaryKey()
      .references(() => traders.id),
    /** All-time P&L of the provider's board, a plain decimal in dollars; null when it ranks no such wallet. */
    allTimePnlUsd: numeric("all_time_pnl_usd"),
    /** Shares, both sides, of the same board. */
    allTimeVolumeShares: numeric("all_time_volume_shares"),
    boardAsOf: instant("board_as_of"),
    /** Ours less theirs over the measured markets: negative where the provider overstates. Null when nothing was measured, or rounding explains it. */
    correctionMicro: microUsd("correction_micro"),
    /** Our realized and our whole profit in the measured markets. */
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
 * What a followed wallet's whole history says of how it trades, from time to time computed anew. The columns beside `profile` are those that
 * lists filter and populations are made of; null is too little history.
 */
export const traderProfiles = pgTable(
  "trader_profiles",
  {
    traderId: rowId("trader_id").primaryKey(),
    computedAt: instant("computed_at").notNull(),
    /** The wallet's totals it was computed from: while they are the same, so is the profile. */
    basis: text("basis").notNull(),
    strategy: text("strategy"),
    streakTier: text("streak_tier"),
    /** Trailing form, the thirty-day ratio, profit factor and consistency: what percentiles are taken of. */
    form: doublePrecision("form"),
    sharpe30d: doublePrecision("sharpe_30d"),
    profitFactor: doublePrecision("profit_factor"),
    edgeConsistency: doublePrecision("edge_consistency"),
    smartScore: doublePrecision("smart_score"),
    copyScore: doublePrecision("copy_score"),
    /** Everything else, as its schema beside the code that computes it says. */
    profile: jsonb("profile").notNull(),
  },
  (table) => [index("trader_profiles_computed").on(table.computedAt)],
);
