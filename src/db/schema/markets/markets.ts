import { sql } from "drizzle-orm";
import { boolean, date, index, integer, numeric, pgTable, smallint, text, uniqueIndex } from "drizzle-orm/pg-core";
import { bytes, id, instant, microUsd, rowId, textSearch } from "../../columns.ts";

/** The provider's event: a group of one or more markets. */
export const providerEvents = pgTable("provider_events", {
  id: id(),
  providerEventId: text("provider_event_id").unique(),
  slug: text("slug").notNull().unique(),
  title: text("title"),
  image: text("image"),
  seriesSlug: text("series_slug"),
  category: text("category"),
  tags: text("tags")
    .array()
    .notNull()
    .default(sql`'{}'`),
  startAt: instant("start_at"),
  endAt: instant("end_at"),
  hydratedAt: instant("hydrated_at"),
});

/** The market is no combination: the predicate of `isCombinationSql`, which needs the columns of a table, for indexes. */
const IS_ORDINARY = sql`not (length(condition_id) = 64 and condition_id like '0x03%')`;

/**
 * One market (condition). A row may start as a stub from a trade that references it: `hydrated_at` is null
 * until the provider's market object has been read. `payouts_ppm` is the payout by outcome index in
 * millionths, null until resolved.
 */
export const markets = pgTable(
  "markets",
  {
    id: id(),
    conditionId: text("condition_id").notNull().unique(),
    providerMarketId: text("provider_market_id"),
    eventId: rowId("event_id").references(() => providerEvents.id),
    title: text("title"),
    slug: text("slug"),
    description: text("description"),
    image: text("image"),
    icon: text("icon"),
    category: text("category"),
    tags: text("tags")
      .array()
      .notNull()
      .default(sql`'{}'`),
    protocolVersion: text("protocol_version"),
    negRisk: boolean("neg_risk"),
    marketType: text("market_type"),
    gameId: text("game_id"),
    seriesSlug: text("series_slug"),
    closed: boolean("closed").notNull().default(false),
    providerCreatedAt: instant("provider_created_at"),
    startAt: instant("start_at"),
    endAt: instant("end_at"),
    closedAt: instant("closed_at"),
    gameStartAt: instant("game_start_at"),
    volumeUsd: numeric("volume_usd"),
    volume24hUsd: numeric("volume_24h_usd"),
    liquidityUsd: numeric("liquidity_usd"),
    /** When the volume, liquidity and price figures here and on the outcomes were read from the provider. */
    figuresAsOf: instant("figures_as_of"),
    resolutionStatus: text("resolution_status"),
    payoutsPpm: integer("payouts_ppm").array(),
    resolvedAt: instant("resolved_at"),
    /**
     * The UTC day on which the market's results count: the day of `resolved_at`, or the day we read the
     * payouts when the provider gives no time.
     */
    settledOn: date("settled_on"),
    /** When the provider last responded to a request for the market's result. */
    resolutionCheckedAt: instant("resolution_checked_at"),
    /**
     * When the result is requested next, by src/domain/markets/result-schedule.ts; null while there is
     * nothing to request.
     */
    resultDueAt: instant("result_due_at"),
    /**
     * When the market object was first read; `figures_as_of` has the last time. An index has it in its condition, so a
     * write of it would be one to all indexes.
     */
    hydratedAt: instant("hydrated_at"),
    hydrateEnqueuedAt: instant("hydrate_enqueued_at"),
    /** How often the market object was requested; each further attempt waits twice as long. */
    hydrateAttempts: smallint("hydrate_attempts").notNull().default(0),
    largeTradeCount: integer("large_trade_count").notNull().default(0),
    largeTradeUsdMicro: microUsd("large_trade_usd_micro")
      .notNull()
      .default(sql`0`),
    largeTradeLastAt: instant("large_trade_last_at"),
    /** Not read since `market_texts` has its words. The next release drops it (docs/decisions/0011-expand-and-contract.md). */
    search: textSearch("search").generatedAlwaysAs(
      sql`to_tsvector('simple', coalesce(title, '') || ' ' || coalesce(slug, ''))`,
    ),
  },
  (table) => [
    index("markets_event").on(table.eventId),
    index("markets_category_volume").on(sql`lower(${table.category})`, sql`coalesce(volume_usd, -1) desc`, table.id),
    index("markets_volume").on(sql`coalesce(volume_usd, -1) desc`, table.id),
    index("markets_undescribed")
      .on(table.id)
      .where(sql`hydrated_at is null and ${IS_ORDINARY}`)
      .concurrently(),
    index("markets_largely_traded")
      .on(table.largeTradeLastAt)
      .where(
        sql`not closed and payouts_ppm is null and large_trade_last_at is not null
          and ${IS_ORDINARY}`,
      )
      .concurrently(),
    index("markets_result_due")
      .on(table.resultDueAt)
      .where(sql`payouts_ppm is null and result_due_at is not null`),
    index("markets_reversal_due")
      .on(table.resultDueAt)
      .where(sql`payouts_ppm is not null and result_due_at is not null`),
    index("markets_game")
      .on(table.gameId)
      .where(sql`game_id is not null`),
    index("markets_settled")
      .on(table.settledOn)
      .where(sql`payouts_ppm is not null`),
  ],
);

/**
 * What searches compare of a market that is no combination and has a title, written by triggers of `markets`. Why it is apart:
 * docs/decisions/0022-market-texts.md.
 */
export const marketTexts = pgTable(
  "market_texts",
  {
    marketId: rowId("market_id")
      .primaryKey()
      .references(() => markets.id, { onDelete: "cascade" }),
    /** Not empty. */
    title: text("title").notNull(),
    slug: text("slug"),
    search: textSearch("search").generatedAlwaysAs(sql`to_tsvector('simple', title || ' ' || coalesce(slug, ''))`),
  },
  (table) => [
    index("market_texts_search").using("gin", table.search).concurrently(),
    index("market_texts_title_trigrams")
      .using("gin", sql`lower(${table.title}) gin_trgm_ops`)
      .concurrently(),
    index("market_texts_title_start")
      .on(sql`left(lower(${table.title}), 200)`)
      .concurrently(),
  ],
);

/** One outcome token of a market. Prices are fractions 0 to 1; null means the provider gave none. */
export const outcomes = pgTable(
  "outcomes",
  {
    id: id(),
    marketId: rowId("market_id")
      .notNull()
      .references(() => markets.id),
    tokenId: text("token_id").notNull().unique(),
    /** Null while only fresh trades, which carry the index 999, have referenced the token. */
    outcomeIndex: smallint("outcome_index"),
    label: text("label"),
    /** The provider's own outcome price, as its market object has it. Only games show it. */
    price: numeric("price"),
    /** Price of the newest known trade, recorded by us or given by the provider; null while none is known. */
    lastTradePrice: numeric("last_trade_price"),
    /**
     * Time of that trade. Where the provider gave the price: a time that its first response with it is certainly not older
     * than.
     */
    lastTradeAt: instant("last_trade_at"),
    /**
     * Transaction of that trade, which orders trades within one second; null where the provider gave the
     * price.
     */
    lastTradeTx: bytes("last_trade_tx"),
    bestBid: numeric("best_bid"),
    bestAsk: numeric("best_ask"),
    bidDepthUsd: numeric("bid_depth_usd"),
    askDepthUsd: numeric("ask_depth_usd"),
    /** Which provider response the bid and ask came from: `clob_book` or `gamma_market`. */
    bookSource: text("book_source"),
    /** When a `clob_book` was read. Null for quotes of a market object: they are as old as the market's `figures_as_of`. */
    bookAsOf: instant("book_as_of"),
    /**
     * The mark price from the book, as `currentPrice` of src/scoring/top-of-book.ts defines it; null without
     * book and trade.
     */
    markPrice: numeric("mark_price").generatedAlwaysAs(
      sql`case when best_bid is not null and best_ask is not null and best_ask >= best_bid
        and best_ask - best_bid <= 0.1
        then (best_bid + best_ask) / 2 else last_trade_price end`,
    ),
    /** The mark price at which the outcome's positions are valued. A job updates it to `mark_price`. */
    valuedPrice: numeric("valued_price"),
  },
  (table) => [
    uniqueIndex("outcomes_market_index").on(table.marketId, table.outcomeIndex),
    index("outcomes_revalued")
      .on(table.id)
      .where(sql`mark_price is distinct from valued_price`),
  ],
);
