import { sql } from "drizzle-orm";
import { boolean, doublePrecision, index, integer, jsonb, numeric, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { id, instant, microShares, microUsd, rowId } from "../columns.ts";

/** One rebuilt list. A cursor names its generation; a dropped generation expires it. */
export const listGenerations = pgTable(
  "list_generations",
  {
    id: id(),
    list: text("list").notNull(),
    builtAt: instant("built_at").notNull(),
    rowCount: integer("row_count").notNull(),
    /** What belongs to the generation as a whole (explore's facets, the provider's clock of a board). */
    detail: jsonb("detail")
      .notNull()
      .default(sql`'{}'`),
  },
  (table) => [index("list_generations_newest").on(table.list, table.id)],
);

/** Ranked wallets with complete history. `category` is empty for the overall board. */
export const leaderboardEntries = pgTable(
  "leaderboard_entries",
  {
    generation: rowId("generation")
      .notNull()
      .references(() => listGenerations.id, { onDelete: "cascade" }),
    category: text("category").notNull(),
    rank: integer("rank").notNull(),
    traderId: rowId("trader_id").notNull(),
    /** As published when the generation was built; null in generations older than these columns. */
    grade: text("grade"),
    score: doublePrecision("score"),
    realizedMicro: microUsd("realized_micro").notNull(),
    volumeMicro: microUsd("volume_micro").notNull(),
    marketsTraded: integer("markets_traded").notNull(),
    /**
     * Settled markets won, and settled markets with any profit or loss, over all categories on every board; of that category alone in
     * generations without grades.
     */
    marketsWon: integer("markets_won").notNull(),
    marketsDecided: integer("markets_decided").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.generation, table.category, table.rank] }),
    index("leaderboard_entries_wallet").on(table.generation, table.traderId, table.category),
  ],
);

/** The provider's own weekly or monthly P&L board, as fetched, with what we know of each wallet in the window. */
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
 * One entry of market exploration: an event with several markets, or one standalone market. A row stands in the generations from `added_in`
 * on and before `removed_in`; it is written anew only when the entry has changed, and dropped once no kept generation shows it.
 */
export const exploreEntries = pgTable(
  "explore_entries",
  {
    /** `explore_key` of its markets: twice the event's id, or twice the market's and one. */
    id: rowId("id").notNull(),
    /** Numbers of generations, of which the first may not be published yet. */
    addedIn: rowId("added_in").notNull(),
    /** Null while no later generation is without the row. */
    removedIn: rowId("removed_in"),
    eventId: rowId("event_id"),
    /** Ordered by volume, at most 12; the representative is always among them. */
    marketIds: rowId("market_ids").array().notNull(),
    representativeId: rowId("representative_id").notNull(),
    category: text("category"),
    hasActive: boolean("has_active").notNull(),
    hasClosed: boolean("has_closed").notNull(),
    volumeUsd: numeric("volume_usd"),
    largeTradeCount: integer("large_trade_count").notNull(),
    trendingScore: doublePrecision("trending_score").notNull(),
    discoverScore: doublePrecision("discover_score").notNull(),
    /** What the discover score is made of, of the representative; null where it is not told. */
    scoreComponents: jsonb("score_components"),
    endAt: instant("end_at"),
    /** `endAt` where that was still to come when the row was written: judged then, so that no entry moves during a walk. */
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
    index("explore_entries_removed")
      .on(table.removedIn)
      .where(sql`removed_in is not null`),
  ],
);

/**
 * Entries of exploration that something they rest on has changed for, as triggers on `markets`, `outcomes` and `provider_events` note it (in the
 * migrations, with the columns that count). Rows are only added, so that no writer ever waits for another here; the build takes them away.
 */
export const exploreChanges = pgTable("explore_changes", { id: id(), entryKey: rowId("entry_key").notNull() });

/** When an entry of exploration is to be computed though nothing has changed for it. Written by the build alone. */
export const exploreDue = pgTable(
  "explore_due",
  { entryKey: rowId("entry_key").primaryKey(), dueAt: instant("due_at").notNull() },
  (table) => [index("explore_due_at").on(table.dueAt, table.entryKey)],
);

/**
 * What wallets graded S, A or B do in a market of two outcomes: the shares they hold, each on its net side, and the net of their large trades of
 * the last 24 hours, null where there is none. Brought up to date with each build of exploration.
 */
export const gradedMarkets = pgTable("graded_markets", {
  marketId: rowId("market_id").primaryKey(),
  wallets: integer("wallets").notNull(),
  yesSharesMicro: microShares("yes_shares_micro").notNull(),
  noSharesMicro: microShares("no_shares_micro").notNull(),
  sharpNetMicro: microUsd("sharp_net_micro"),
});

/**
 * What wallets of one grade moved through one market within a window, as large trades show it. `grade` is the wallets' grade when the
 * generation was built, empty for ungraded ones.
 */
export const flowEntries = pgTable(
  "flow_entries",
  {
    generation: rowId("generation")
      .notNull()
      .references(() => listGenerations.id, { onDelete: "cascade" }),
    marketId: rowId("market_id").notNull(),
    grade: text("grade").notNull(),
    /** YES less NO. */
    netMicro: microUsd("net_micro").notNull(),
    buyMicro: microUsd("buy_micro").notNull(),
    sellMicro: microUsd("sell_micro").notNull(),
    tradeCount: integer("trade_count").notNull(),
    walletCount: integer("wallet_count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.generation, table.marketId, table.grade] })],
);

/** A graded wallet's open holdings in one market, worth at least the floor of large positions. Ranked by what they are worth together. */
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
    /** Of all its outcomes that have a price. */
    valueMicro: microUsd("value_micro").notNull(),
    /** One entry an outcome held, the most valuable first, as the schema beside the query says. */
    holdings: jsonb("holdings").notNull(),
    /** When the scan first saw it at the floor, carried from generation to generation. */
    firstSeenAt: instant("first_seen_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.generation, table.rank] }),
    index("large_position_entries_key").on(table.generation, table.traderId, table.marketId),
  ],
);

/** The frozen rows of one key's position list, replaced by its next. */
export const positionSnapshots = pgTable("position_snapshots", {
  keyId: text("key_id").primaryKey(),
  id: text("id").notNull(),
  filters: text("filters").notNull(),
  asOf: instant("as_of").notNull(),
  expiresAt: instant("expires_at").notNull(),
  rows: jsonb("rows").notNull(),
});
