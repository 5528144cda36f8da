import { sql } from "drizzle-orm";
import {
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import { id, instant, microShares, microUsd, rowId } from "../../columns.ts";

/**
 * One generation of a rebuilt list. A cursor contains the generation's id; once the generation is deleted,
 * the cursor expires.
 */
export const listGenerations = pgTable(
  "list_generations",
  {
    id: id(),
    list: text("list").notNull(),
    builtAt: instant("built_at").notNull(),
    rowCount: integer("row_count").notNull(),
    /** Data of the whole generation (the facets of explore, the provider's as-of time of a leaderboard). */
    detail: jsonb("detail")
      .notNull()
      .default(sql`'{}'`),
  },
  (table) => [index("list_generations_newest").on(table.list, table.id)],
);

/** Ranked traders with complete history. `category` is empty for the overall leaderboard. */
export const leaderboardEntries = pgTable(
  "leaderboard_entries",
  {
    generation: rowId("generation")
      .notNull()
      .references(() => listGenerations.id, { onDelete: "cascade" }),
    category: text("category").notNull(),
    rank: integer("rank").notNull(),
    traderId: rowId("trader_id").notNull(),
    /** The published grade when the generation was built; null in generations older than these columns. */
    grade: text("grade"),
    score: doublePrecision("score"),
    realizedMicro: microUsd("realized_micro").notNull(),
    volumeMicro: microUsd("volume_micro").notNull(),
    marketsTraded: integer("markets_traded").notNull(),
    /**
     * Settled markets won, and settled markets with any profit or loss: over all categories on every
     * leaderboard; only of that category in generations without grades.
     */
    marketsWon: integer("markets_won").notNull(),
    marketsDecided: integer("markets_decided").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.generation, table.category, table.rank] }),
    index("leaderboard_entries_wallet").on(table.generation, table.traderId, table.category),
  ],
);

/**
 * The provider's own weekly or monthly P&L leaderboard, as fetched, with our figures of each trader in the
 * window.
 */
export const trendingEntries = pgTable(
  "trending_entries",
  {
    generation: rowId("generation")
      .notNull()
      .references(() => listGenerations.id, { onDelete: "cascade" }),
    rank: integer("rank").notNull(),
    traderId: rowId("trader_id").notNull(),
    providerPnl: numeric("provider_pnl").notNull(),
    providerVolumeShares: numeric("provider_volume_shares"),
    windowVolumeMicro: microUsd("window_volume_micro"),
    windowMarketsTraded: integer("window_markets_traded").notNull(),
    windowTradeDays: integer("window_trade_days").notNull(),
    /** `[{"date": "2026-11-20", "pnl_micro": "-12000000"}]`, oldest first. */
    dailyPnl: jsonb("daily_pnl").notNull(),
  },
  (table) => [primaryKey({ columns: [table.generation, table.rank] })],
);

/**
 * One entry of market exploration: an event with several markets, or one standalone market. A row is part of
 * the generations from `added_in` until before `removed_in`. A new row is written only when the entry has
 * changed, and a row is deleted once no retained generation shows it.
 */
export const exploreEntries = pgTable(
  "explore_entries",
  {
    /** `explore_key` of its markets: twice the event's id, or twice the market's and one. */
    id: rowId("id").notNull(),
    /** Generation numbers; the first one may not be published yet. */
    addedIn: rowId("added_in").notNull(),
    /**
     * Null while the newest generation still contains the row. It is in no index and pages have room (fillfactor), so that
     * setting it writes to no index.
     */
    removedIn: rowId("removed_in"),
    eventId: rowId("event_id"),
    /** Ordered by volume, at most 12, always including the representative. */
    marketIds: rowId("market_ids").array().notNull(),
    representativeId: rowId("representative_id").notNull(),
    category: text("category"),
    hasActive: boolean("has_active").notNull(),
    hasClosed: boolean("has_closed").notNull(),
    volumeUsd: numeric("volume_usd"),
    largeTradeCount: integer("large_trade_count").notNull(),
    trendingScore: doublePrecision("trending_score").notNull(),
    discoverScore: doublePrecision("discover_score").notNull(),
    /** The components of the representative's discover score; null when they are unknown. */
    scoreComponents: jsonb("score_components"),
    endAt: instant("end_at"),
    /**
     * `endAt` if it was in the future when the row was written. Decided at build time, so that no entry moves
     * during pagination.
     */
    expiresAt: instant("expires_at"),
    createdAt: instant("created_at"),
    searchText: text("search_text").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.id, table.addedIn] }),
    index("explore_entries_category").on(sql`lower(${table.category})`),
    index("explore_entries_trending").on(table.trendingScore.desc().nullsLast(), table.id),
    index("explore_entries_volume").on(table.volumeUsd.desc().nullsLast(), table.id),
    index("explore_entries_hot").on(table.discoverScore.desc().nullsLast(), table.id),
    index("explore_entries_large_trades").on(table.largeTradeCount.desc().nullsLast(), table.id),
    index("explore_entries_expiring").on(table.expiresAt, table.id),
    index("explore_entries_newest").on(table.createdAt.desc().nullsLast(), table.id),
  ],
);

/**
 * Rows of `explore_entries` that end with a generation, by the step of the build that ended them: what is deleted once no
 * retained generation shows it. An index on `removed_in` would find these rows, too, but then an update of it would write to
 * each of the table's indexes.
 */
export const exploreRemovals = pgTable("explore_removals", {
  id: id(),
  /** The generation that is the first without the rows. */
  removedIn: rowId("removed_in").notNull(),
  /** The id and `added_in` of each row. */
  entryIds: rowId("entry_ids").array().notNull(),
  addedIn: rowId("added_in").array().notNull(),
});

/**
 * Explore entries whose source data has changed. Triggers on `markets`, `outcomes` and `provider_events`
 * insert the rows (the migrations list the relevant columns). Rows are only inserted, so that no writer waits
 * for another; the build deletes them.
 */
export const exploreChanges = pgTable("explore_changes", { id: id(), entryKey: rowId("entry_key").notNull() });

/** When an explore entry must be recomputed even without a change. Only the build writes it. */
export const exploreDue = pgTable(
  "explore_due",
  { entryKey: rowId("entry_key").primaryKey(), dueAt: instant("due_at").notNull() },
  (table) => [index("explore_due_at").on(table.dueAt, table.entryKey)],
);

/**
 * Traders graded S, A or B in a market with two outcomes: the shares they hold, each trader on its net side,
 * and the net of their large trades in the last 24 hours, null where there are none. Updated with each
 * explore build.
 */
export const gradedMarkets = pgTable("graded_markets", {
  marketId: rowId("market_id").primaryKey(),
  wallets: integer("wallets").notNull(),
  yesSharesMicro: microShares("yes_shares_micro").notNull(),
  noSharesMicro: microShares("no_shares_micro").notNull(),
  sharpNetMicro: microUsd("sharp_net_micro"),
});

/**
 * The flow of traders of one grade through one market within a window, from large trades. `grade` is the
 * grade when the generation was built, empty for ungraded traders.
 */
export const flowEntries = pgTable(
  "flow_entries",
  {
    generation: rowId("generation")
      .notNull()
      .references(() => listGenerations.id, { onDelete: "cascade" }),
    marketId: rowId("market_id").notNull(),
    grade: text("grade").notNull(),
    /** YES minus NO. */
    netMicro: microUsd("net_micro").notNull(),
    buyMicro: microUsd("buy_micro").notNull(),
    sellMicro: microUsd("sell_micro").notNull(),
    tradeCount: integer("trade_count").notNull(),
    walletCount: integer("wallet_count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.generation, table.marketId, table.grade] })],
);

/**
 * A graded trader's open positions in one market with a total value of at least the large-position floor,
 * ranked by that value.
 */
export const largePositionEntries = pgTable(
  "large_position_entries",
  {
    generation: rowId("generation")
      .notNull()
      .references(() => listGenerations.id, { onDelete: "cascade" }),
    rank: integer("rank").notNull(),
    traderId: rowId("trader_id").notNull(),
    marketId: rowId("market_id").notNull(),
    eventId: rowId("event_id"),
    grade: text("grade").notNull(),
    category: text("category"),
    /** Total over all its outcomes that have a price. */
    valueMicro: microUsd("value_micro").notNull(),
    /**
     * One item per outcome with open shares, the most valuable first; the schema beside the query describes
     * it.
     */
    holdings: jsonb("holdings").notNull(),
    /** When the scan first saw the position at or above the floor; copied from generation to generation. */
    firstSeenAt: instant("first_seen_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.generation, table.rank] }),
    index("large_position_entries_key").on(table.generation, table.traderId, table.marketId),
  ],
);

/** The snapshot of one API key's position list. The key's next snapshot replaces it. */
export const positionSnapshots = pgTable("position_snapshots", {
  keyId: text("key_id").primaryKey(),
  id: text("id").notNull(),
  filters: text("filters").notNull(),
  asOf: instant("as_of").notNull(),
  expiresAt: instant("expires_at").notNull(),
  rows: jsonb("rows").notNull(),
});
