import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { bytes, instant, microShares, microUsd, rowId, textSearch, xid8 } from "./columns.ts";

const id = () => rowId("id").primaryKey().generatedAlwaysAsIdentity();

// ---------------------------------------------------------------- accounts

export const accounts = pgTable(
  "accounts",
  {
    id: id(),
    email: text("email").notNull().unique(),
    plan: text("plan").notNull(),
    state: text("state").notNull().default("active"),
    /** Whether requests beyond the included ones of a month are served and billed, up to the ceiling. */
    payAsYouGo: boolean("pay_as_you_go").notNull().default(false),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [
    check("accounts_plan", sql`${table.plan} in ('free', 'pro', 'max')`),
    check("accounts_state", sql`${table.state} in ('active', 'lapsed', 'deleted', 'locked')`),
  ],
);

/**
 * A named integration and what its keys may do. It has one live key, or two until `overlap_ends_at`, when the older one expires. A name
 * is free again once its integration is revoked, not when its key expires.
 */
export const integrations = pgTable(
  "integrations",
  {
    id: id(),
    accountId: rowId("account_id")
      .notNull()
      .references(() => accounts.id),
    name: text("name").notNull(),
    scopes: text("scopes").array().notNull(),
    /** Of each of its keys, from when the key is made. */
    lifetimeDays: smallint("lifetime_days").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    revokedAt: instant("revoked_at"),
    /** Null before the first rotation. */
    overlapEndsAt: instant("overlap_ends_at"),
  },
  (table) => [
    uniqueIndex("integrations_live_name")
      .on(table.accountId, table.name)
      .where(sql`${table.revokedAt} is null`),
    index("integrations_account").on(table.accountId, table.id),
    check("integrations_lifetime", sql`${table.lifetimeDays} between 1 and 90`),
  ],
);

/** Only the keyed hash of a key is stored; `prefix` is what lists may show. */
export const apiKeys = pgTable(
  "api_keys",
  {
    id: id(),
    accountId: rowId("account_id")
      .notNull()
      .references(() => accounts.id),
    /** Null on default keys. */
    integrationId: rowId("integration_id").references(() => integrations.id),
    /** What its owner calls a default key; null on keys of integrations, which have a name of their own. */
    name: text("name"),
    keyHash: text("key_hash").notNull().unique(),
    prefix: text("prefix").notNull(),
    scopes: text("scopes").array().notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at"),
    revokedAt: instant("revoked_at"),
  },
  (table) => [
    index("api_keys_account").on(table.accountId, table.id),
    index("api_keys_integration")
      .on(table.integrationId, table.id)
      .where(sql`${table.integrationId} is not null`),
  ],
);

/**
 * Requests a UTC day by key and operation, as the user's meter counted them. Written as totals, not as additions, so that writing twice
 * changes nothing.
 */
export const usageDays = pgTable(
  "usage_days",
  {
    accountId: rowId("account_id").notNull(),
    keyId: rowId("key_id").notNull(),
    day: date("day").notNull(),
    operation: text("operation").notNull(),
    requests: rowId("requests").notNull(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.day, table.keyId, table.operation] })],
);

/** The first outcome of a request with an Idempotency-Key, served again to whoever repeats it. */
export const idempotencyRecords = pgTable(
  "idempotency_records",
  {
    accountId: rowId("account_id").notNull(),
    operation: text("operation").notNull(),
    key: text("key").notNull(),
    /** SHA-256 of method, path and body, in hex. */
    requestHash: text("request_hash").notNull(),
    /** Null while the first request runs. */
    status: integer("status"),
    body: text("body"),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.operation, table.key] }),
    index("idempotency_records_expires").on(table.expiresAt),
  ],
);

// ---------------------------------------------------------------- the provider's objects

/** The provider's event: the group that one or more markets belong to. */
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

/**
 * One market (condition). A row may start as a stub from a trade that named it; `hydrated_at` is null until the provider's
 * own market object has been read. `payouts_ppm` holds the payout per outcome index in millionths, null until resolved.
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
    /** When the volume, liquidity and price figures above and on the outcomes were read from the provider. */
    figuresAsOf: instant("figures_as_of"),
    resolutionStatus: text("resolution_status"),
    payoutsPpm: integer("payouts_ppm").array(),
    resolvedAt: instant("resolved_at"),
    /** The UTC day its results count on: that of `resolved_at`, or the day we read the payouts when the provider gives no time. */
    settledOn: date("settled_on"),
    resolutionCheckedAt: instant("resolution_checked_at"),
    resolutionEnqueuedAt: instant("resolution_enqueued_at"),
    hydratedAt: instant("hydrated_at"),
    hydrateEnqueuedAt: instant("hydrate_enqueued_at"),
    /** How often the provider was asked for the market; each further try waits twice as long. */
    hydrateAttempts: smallint("hydrate_attempts").notNull().default(0),
    largeTradeCount: integer("large_trade_count").notNull().default(0),
    largeTradeUsdMicro: microUsd("large_trade_usd_micro")
      .notNull()
      .default(sql`0`),
    largeTradeLastAt: instant("large_trade_last_at"),
    search: textSearch("search").generatedAlwaysAs(sql`to_tsvector('simple', coalesce(title, '') || ' ' || coalesce(slug, ''))`),
  },
  (table) => [
    index("markets_event").on(table.eventId),
    index("markets_search").using("gin", table.search),
    index("markets_title_trigrams").using("gin", sql`lower(${table.title}) gin_trgm_ops`),
    index("markets_category_volume").on(sql`lower(${table.category})`, sql`coalesce(volume_usd, -1) desc`, table.id),
    index("markets_volume").on(sql`coalesce(volume_usd, -1) desc`, table.id),
    index("markets_title_start").on(sql`left(lower(${table.title}), 200)`),
    index("markets_unhydrated")
      .on(table.id)
      .where(sql`hydrated_at is null`),
    index("markets_unresolved")
      .on(table.resolutionCheckedAt)
      .where(sql`payouts_ppm is null`),
    index("markets_settled")
      .on(table.settledOn)
      .where(sql`payouts_ppm is not null`),
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
    /** Null while only fresh trades (which say 999) have named the token. */
    outcomeIndex: smallint("outcome_index"),
    label: text("label"),
    price: numeric("price"),
    lastTradePrice: numeric("last_trade_price"),
    bestBid: numeric("best_bid"),
    bestAsk: numeric("best_ask"),
    bidDepthUsd: numeric("bid_depth_usd"),
    askDepthUsd: numeric("ask_depth_usd"),
    /** Which answer the bid and ask came from: `clob_book` or `gamma_market`. */
    bookSource: text("book_source"),
    bookAsOf: instant("book_as_of"),
    /** What a share is worth now, as `currentPrice` of src/scoring/top-of-book.ts defines it; null when nothing tells. */
    markPrice: numeric("mark_price").generatedAlwaysAs(
      sql`case when best_bid is not null and best_ask is not null and best_ask >= best_bid and best_ask - best_bid <= 0.1
        then (best_bid + best_ask) / 2 else last_trade_price end`,
    ),
    /** The mark price that its positions are valued at; brought up to `mark_price` by a job. */
    valuedPrice: numeric("valued_price"),
  },
  (table) => [
    uniqueIndex("outcomes_market_index").on(table.marketId, table.outcomeIndex),
    index("outcomes_revalued")
      .on(table.id)
      .where(sql`mark_price is distinct from valued_price`),
  ],
);

// ---------------------------------------------------------------- wallets

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
 * reached the end: the wallet's history up to `covered_to` is ours from the first time on. `gaps` names activity that was stored but not yet applied to
 * positions (conversions their rows do not prove, migrations): the wallet's P&L is then partial.
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
    enqueuedAt: instant("enqueued_at"),
    gaps: text("gaps")
      .array()
      .notNull()
      .default(sql`'{}'`),
    lastError: text("last_error"),
  },
  (table) => [index("wallet_syncs_due").on(table.dueAt)],
);

/**
 * One change of a wallet's holding in one outcome, as the provider reported it: a trade (buy, sell), or one leg of a split, merge or
 * conversion.
 * The facts are immutable; `realized_micro` is the profit this entry realized in the average-cost fold (null for entries that add).
 * The unique key is the provider's identity of a row: it gives no row id, so equal rows of one transaction are told apart by `ordinal`.
 */
export const ledgerEntries = pgTable(
  "ledger_entries",
  {
    id: id(),
    txHash: bytes("tx_hash").notNull(),
    traderId: rowId("trader_id").notNull(),
    outcomeId: rowId("outcome_id").notNull(),
    marketId: rowId("market_id").notNull(),
    kind: text("kind").notNull(),
    sharesMicro: microShares("shares_micro").notNull(),
    ordinal: smallint("ordinal").notNull(),
    usdMicro: microUsd("usd_micro").notNull(),
    /** Null while the fee is unknown: the trade feed does not tell it, the wallet's activity does. */
    feeMicro: microUsd("fee_micro"),
    price: numeric("price").notNull(),
    /** `taker` when the provider's taker feed has shown the row, else null. */
    role: text("role"),
    tradedAt: instant("traded_at").notNull(),
    realizedMicro: microUsd("realized_micro"),
    recordedAt: instant("recorded_at").notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex("ledger_entries_identity").on(table.txHash, table.traderId, table.outcomeId, table.kind, table.sharesMicro, table.ordinal),
    index("ledger_entries_position").on(table.traderId, table.outcomeId, table.tradedAt, table.marketId, table.kind),
    index("ledger_entries_market").on(table.marketId, table.tradedAt),
    check("ledger_entries_kind", sql`${table.kind} in ('buy', 'sell', 'split', 'merge', 'convert_in', 'convert_out')`),
  ],
);

/** Activity of a wallet that is no trade (splits, merges, redemptions, conversions, rewards, rebates, transfers), as reported. */
export const walletActivity = pgTable(
  "wallet_activity",
  {
    id: id(),
    txHash: bytes("tx_hash").notNull(),
    traderId: rowId("trader_id").notNull(),
    type: text("type").notNull(),
    /** Empty when the activity belongs to no market. */
    conditionId: text("condition_id").notNull(),
    tokenId: text("token_id").notNull(),
    sharesMicro: microShares("shares_micro").notNull(),
    ordinal: smallint("ordinal").notNull(),
    usdMicro: microUsd("usd_micro").notNull(),
    happenedAt: instant("happened_at").notNull(),
  },
  (table) => [
    uniqueIndex("wallet_activity_identity").on(
      table.txHash,
      table.traderId,
      table.type,
      table.conditionId,
      table.tokenId,
      table.sharesMicro,
      table.ordinal,
    ),
    index("wallet_activity_trader").on(table.traderId, table.happenedAt),
  ],
);

/** The average-cost state of one wallet in one outcome; always what a fold over its ledger entries gives. */
export const positions = pgTable(
  "positions",
  {
    traderId: rowId("trader_id").notNull(),
    outcomeId: rowId("outcome_id").notNull(),
    marketId: rowId("market_id").notNull(),
    sharesMicro: microShares("shares_micro").notNull(),
    costMicro: microUsd("cost_micro").notNull(),
    realizedMicro: microUsd("realized_micro").notNull(),
    /** Payout of the held shares less their cost, once the market has resolved; null before. */
    settledMicro: microUsd("settled_micro"),
    boughtSharesMicro: microShares("bought_shares_micro").notNull(),
    boughtUsdMicro: microUsd("bought_usd_micro").notNull(),
    soldSharesMicro: microShares("sold_shares_micro").notNull(),
    soldUsdMicro: microUsd("sold_usd_micro").notNull(),
    feesMicro: microUsd("fees_micro").notNull(),
    /** Shares sold beyond what we saw acquired: their basis is unknown, no profit is booked on them. */
    unmatchedSharesMicro: microShares("unmatched_shares_micro").notNull(),
    entryCount: integer("entry_count").notNull(),
    firstAt: instant("first_at").notNull(),
    lastAt: instant("last_at").notNull(),
    /** The held shares at the outcome's `valued_price`; null while there is no price and once settled, 0 without shares. */
    valueMicro: microUsd("value_micro"),
  },
  (table) => [
    primaryKey({ columns: [table.traderId, table.outcomeId] }),
    index("positions_market").on(table.marketId, table.traderId),
    index("positions_outcome_held")
      .on(table.outcomeId, table.valueMicro)
      .where(sql`settled_micro is null and shares_micro > 0`),
    // Ascending, read backward.
    index("positions_value")
      .on(table.valueMicro, table.traderId, table.outcomeId)
      .where(sql`settled_micro is null and value_micro >= 100000000`),
    index("positions_trader_value")
      .on(table.traderId, table.valueMicro, table.outcomeId, table.costMicro)
      .where(sql`settled_micro is null and shares_micro > 0`),
  ],
);

/** Sums of one wallet over its positions, kept by differences in the transaction that changes them. */
export const traderTotals = pgTable("trader_totals", {
  traderId: rowId("trader_id").primaryKey(),
  realizedMicro: microUsd("realized_micro").notNull(),
  settledMicro: microUsd("settled_micro").notNull(),
  /** Trades only, buys and sells. */
  volumeMicro: microUsd("volume_micro").notNull(),
  feesMicro: microUsd("fees_micro").notNull(),
  /** Maker and taker rebates received; they belong to no position. */
  rebatesMicro: microUsd("rebates_micro")
    .notNull()
    .default(sql`0`),
  /** Liquidity and referral rewards and yield received; they are no result of trading. */
  rewardsMicro: microUsd("rewards_micro")
    .notNull()
    .default(sql`0`),
  entryCount: integer("entry_count").notNull(),
  firstAt: instant("first_at").notNull(),
  lastAt: instant("last_at").notNull(),
  /** Markets it has a position in; of those the ones whose every position has settled, with a profit, and with any profit or loss. */
  marketsTraded: integer("markets_traded").notNull().default(0),
  marketsResolved: integer("markets_resolved").notNull().default(0),
  marketsWon: integer("markets_won").notNull().default(0),
  marketsDecided: integer("markets_decided").notNull().default(0),
});

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
 * What one wallet did and made on one UTC day, kept by differences in the transaction that changes it; its sums over all days are those
 * of `trader_totals`. Sales count on the day of the trade, results of held shares on the day their market settled.
 */
export const traderDays = pgTable(
  "trader_days",
  {
    traderId: rowId("trader_id").notNull(),
    day: date("day").notNull(),
    realizedMicro: microUsd("realized_micro").notNull(),
    settledMicro: microUsd("settled_micro").notNull(),
    feesMicro: microUsd("fees_micro").notNull(),
    rebatesMicro: microUsd("rebates_micro").notNull(),
    rewardsMicro: microUsd("rewards_micro").notNull(),
    volumeMicro: microUsd("volume_micro").notNull(),
    entryCount: integer("entry_count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.traderId, table.day] })],
);

// ---------------------------------------------------------------- skill and grades

/**
 * The settled bets of one wallet in one market, as the integer sums of `src/scoring/skill/cluster-sums.ts`. `cluster` is the provider event
 * the market belongs to, or the negated market id where no event is known.
 */
export const skillMarkets = pgTable(
  "skill_markets",
  {
    marketId: rowId("market_id").notNull(),
    traderId: rowId("trader_id").notNull(),
    cluster: rowId("cluster").notNull(),
    bets: integer("bets").notNull(),
    usdMicro: microUsd("usd_micro").notNull(),
    edgeMicro: microUsd("edge_micro").notNull(),
    varianceMicro: microUsd("variance_micro").notNull(),
  },
  (table) => [primaryKey({ columns: [table.marketId, table.traderId] }), index("skill_markets_cluster").on(table.traderId, table.cluster)],
);

/** Markets whose bets have to be read again: they have settled, settled otherwise, moved to another event, or got a late fill. */
export const skillDue = pgTable("skill_due", {
  marketId: rowId("market_id").primaryKey(),
  since: instant("since").notNull().defaultNow(),
  /** The wallets whose bets these are; null is all that have any. */
  traderIds: rowId("trader_ids").array(),
});

/** All a wallet's grade rests on: the sums of `src/scoring/skill/evidence.ts` over its clusters, all but the counts in parts of 1e-9. */
export const traderSkill = pgTable(
  "trader_skill",
  {
    traderId: rowId("trader_id").primaryKey(),
    bets: integer("bets").notNull(),
    clusters: integer("clusters").notNull(),
    weight: rowId("weight").notNull(),
    edge: rowId("edge").notNull(),
    information: rowId("information").notNull(),
    squareInformation: rowId("square_information").notNull(),
    edgeEdge: rowId("edge_edge").notNull(),
    edgeVariance: rowId("edge_variance").notNull(),
    varianceVariance: rowId("variance_variance").notNull(),
    /** Whether it has changed since it was last graded. */
    isDue: boolean("is_due").notNull(),
  },
  (table) => [
    index("trader_skill_due")
      .on(table.traderId)
      .where(sql`is_due`),
  ],
);

/** The population that wallets are shrunk toward, as estimated at one time. Never updated: every grade names the one it was made with. */
export const skillPopulations = pgTable("skill_populations", {
  id: id(),
  methodVersion: text("method_version").notNull(),
  asOf: instant("as_of").notNull(),
  wallets: integer("wallets").notNull(),
  mean: doublePrecision("mean").notNull(),
  variance: doublePrecision("variance").notNull(),
  dispersion: doublePrecision("dispersion").notNull(),
  typicalVariance: doublePrecision("typical_variance").notNull(),
});

/** Every published grade of a wallet, from `valid_from` until the next row's. Never updated. */
export const traderGrades = pgTable(
  "trader_grades",
  {
    id: id(),
    traderId: rowId("trader_id").notNull(),
    /** When it was computed: no grade is claimed for any time before. */
    validFrom: instant("valid_from").notNull(),
    publishedAt: instant("published_at").notNull().defaultNow(),
    methodVersion: text("method_version").notNull(),
    /** Null when there was no population to shrink toward. */
    populationId: rowId("population_id").references(() => skillPopulations.id),
    /** SHA-256 of `canonicalGradeInput`, in hex. */
    inputHash: text("input_hash").notNull(),
    grade: text("grade"),
    score: doublePrecision("score"),
    forecastScore: doublePrecision("forecast_score"),
    forecastEvidence: doublePrecision("forecast_evidence"),
    /** Why there is no grade; null with one. */
    ungradedReason: text("ungraded_reason"),
    /** `GradeComponents` and the evidence, so that the grade can be explained and computed again. */
    components: jsonb("components").notNull(),
  },
  (table) => [
    index("trader_grades_at").on(table.traderId, table.validFrom, table.id),
    check("trader_grades_grade", sql`${table.grade} in ('S', 'A', 'B', 'C', 'D', 'F')`),
  ],
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

// ---------------------------------------------------------------- large trades and the outbox

/** A taker trade at or above the capture floor. Scores are null until something has computed them. */
export const largeTrades = pgTable(
  "large_trades",
  {
    id: id(),
    commitXid: xid8("commit_xid")
      .notNull()
      .default(sql`pg_current_xact_id()`),
    entryId: rowId("entry_id")
      .notNull()
      .unique()
      .references(() => ledgerEntries.id),
    traderId: rowId("trader_id").notNull(),
    marketId: rowId("market_id").notNull(),
    outcomeId: rowId("outcome_id").notNull(),
    side: text("side").notNull(),
    sizeUsdMicro: microUsd("size_usd_micro").notNull(),
    sharesMicro: microShares("shares_micro").notNull(),
    price: numeric("price").notNull(),
    tradedAt: instant("traded_at").notNull(),
    /** The market's category, repeated here so that a filtered list reads one index. */
    category: text("category"),
    reviewScore: doublePrecision("review_score").notNull(),
    recordedReviewScore: doublePrecision("recorded_review_score"),
    suspicionScore: smallint("suspicion_score"),
    suspicionTrack: text("suspicion_track"),
    /** When its suspicion was judged; null until its wallet's history has been read. */
    judgedAt: instant("judged_at"),
    gradeAtTrade: text("grade_at_trade"),
    gradeAtTradeStatus: text("grade_at_trade_status").notNull(),
    marketVolumeShare: numeric("market_volume_share"),
    recordedAt: instant("recorded_at").notNull().defaultNow(),
  },
  (table) => [
    // Ascending, read backward: `desc` in an index means nulls last, and `order by … desc` nulls first, so that neither serves the other.
    index("large_trades_recent").on(table.tradedAt, table.id),
    index("large_trades_commit").on(table.commitXid, table.id),
    index("large_trades_unjudged")
      .on(table.tradedAt)
      .where(sql`judged_at is null`),
    index("large_trades_share")
      .on(table.marketVolumeShare, table.tradedAt, table.id)
      .where(sql`market_volume_share is not null`),
    index("large_trades_suspicious")
      .on(table.tradedAt, table.id)
      .where(sql`suspicion_score >= 60`),
    index("large_trades_category").on(sql`lower(${table.category})`, table.tradedAt, table.id),
    index("large_trades_trader").on(table.traderId, table.tradedAt, table.id),
    index("large_trades_market").on(table.marketId, table.tradedAt, table.id),
  ],
);

/** A large trade whose suspicion reached the floor. Written once, when it first did; what is known later does not change it. */
export const suspiciousTrades = pgTable(
  "suspicious_trades",
  {
    id: id(),
    largeTradeId: rowId("large_trade_id")
      .notNull()
      .unique()
      .references(() => largeTrades.id),
    traderId: rowId("trader_id").notNull(),
    marketId: rowId("market_id").notNull(),
    track: text("track").notNull(),
    side: text("side").notNull(),
    score: smallint("score").notNull(),
    /** Components 0 to 100: `{timing, edge, size, fresh_wallet}`; null is not measured or not known. */
    scores: jsonb("scores").notNull(),
    evidence: jsonb("evidence").notNull(),
    tradedAt: instant("traded_at").notNull(),
    recordedAt: instant("recorded_at").notNull().defaultNow(),
  },
  (table) => [
    index("suspicious_trades_recent").on(table.tradedAt, table.id),
    index("suspicious_trades_score").on(table.score, table.id),
    index("suspicious_trades_trader").on(table.traderId, table.tradedAt, table.id),
    index("suspicious_trades_market").on(table.marketId, table.tradedAt, table.id),
    check("suspicious_trades_track", sql`${table.track} in ('whale', 'fresh_conviction', 'sliced_position')`),
    check("suspicious_trades_side", sql`${table.side} in ('yes', 'no')`),
    check("suspicious_trades_score", sql`${table.score} between 60 and 100`),
  ],
);

/** First, highest, lowest and last price of one outcome on one UTC day on which it traded. */
export const outcomeDays = pgTable(
  "outcome_days",
  {
    outcomeId: rowId("outcome_id").notNull(),
    day: date("day").notNull(),
    open: numeric("open").notNull(),
    high: numeric("high").notNull(),
    low: numeric("low").notNull(),
    close: numeric("close").notNull(),
  },
  (table) => [primaryKey({ columns: [table.outcomeId, table.day] })],
);

/** One row an epoch; the highest is in force. After a restore or failover another is begun, and every older cursor is then expired. */
export const outboxEpoch = pgTable("outbox_epoch", {
  epoch: integer("epoch").primaryKey(),
  startedAt: instant("started_at").notNull().defaultNow(),
  /** The last event taken away for its age; null while all are kept. A reader that stands before it has lost events. */
  prunedXid: xid8("pruned_xid"),
  prunedId: rowId("pruned_id"),
});

/**
 * The outbox. Readers compare the pair `(commit_xid, id)` as a row value and stay below `pg_snapshot_xmin(pg_current_snapshot())`:
 * an id alone is handed out before its transaction commits, so reading by id loses rows.
 */
export const events = pgTable(
  "events",
  {
    id: id(),
    epoch: integer("epoch").notNull(),
    commitXid: xid8("commit_xid")
      .notNull()
      .default(sql`pg_current_xact_id()`),
    type: text("type").notNull(),
    payload: jsonb("payload").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** The large trade that a `large_trade_inserted_v2` tells of; null on other events. */
    largeTradeId: rowId("large_trade_id"),
    /** Whose event it is; null on those that are everybody's. */
    accountId: rowId("account_id"),
  },
  (table) => [
    index("events_commit").on(table.commitXid, table.id),
    index("events_large_trades")
      .on(table.commitXid, table.id)
      .where(sql`large_trade_id is not null`),
  ],
);

/** How far a reader of the outbox that keeps its place here has come: all events up to this pair are done with. */
export const outboxReaders = pgTable("outbox_readers", {
  name: text("name").primaryKey(),
  epoch: integer("epoch").notNull(),
  commitXid: xid8("commit_xid").notNull(),
  eventId: rowId("event_id").notNull(),
  updatedAt: instant("updated_at").notNull().defaultNow(),
});

// ---------------------------------------------------------------- webhooks

/**
 * Where an account wants events posted. Secrets and the verification token are sealed (`src/lib/sealed-text.ts`), each for a purpose of its own.
 */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: id(),
    accountId: rowId("account_id")
      .notNull()
      .references(() => accounts.id),
    name: text("name").notNull(),
    url: text("url").notNull(),
    /** The URL as it is compared: one of an account's endpoints has it. */
    urlKey: text("url_key").notNull(),
    /** As registered, in the spelling that deliveries carry. */
    eventTypes: text("event_types").array().notNull(),
    /** `condition_id`, `wallet`, `min_grade`, `min_size_usd`: which large trades pass; `{}` all. */
    tradeFilters: jsonb("trade_filters").notNull(),
    status: text("status").notNull(),
    /** Why it is disabled: `owner`, `failures` or `gone` (the receiver answered 410); null otherwise. */
    disabledReason: text("disabled_reason"),
    verifiedAt: instant("verified_at"),
    verificationTokenSealed: text("verification_token_sealed").notNull(),
    verificationExpiresAt: instant("verification_expires_at").notNull(),
    secretSealed: text("secret_sealed").notNull(),
    /** Prepared and not yet in force. */
    stagedSecretSealed: text("staged_secret_sealed"),
    /** Signs beside the one in force until `overlapExpiresAt`. */
    previousSecretSealed: text("previous_secret_sealed"),
    overlapExpiresAt: instant("overlap_expires_at"),
    /** Attempts that failed in a row, over all its deliveries. */
    failureCount: integer("failure_count").notNull().default(0),
    /** While the circuit is open nothing is posted to it. */
    openUntil: instant("open_until"),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
    deletedAt: instant("deleted_at"),
  },
  (table) => [
    index("webhook_endpoints_account").on(table.accountId, table.id),
    uniqueIndex("webhook_endpoints_url")
      .on(table.accountId, table.urlKey)
      .where(sql`deleted_at is null`),
    index("webhook_endpoints_active")
      .on(table.id)
      .where(sql`status = 'active'`),
    check("webhook_endpoints_status", sql`${table.status} in ('pending_verification', 'active', 'disabled')`),
  ],
);

/** One event on its way to one endpoint. What is posted is `body`, byte for byte the same at every attempt. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: id(),
    endpointId: rowId("endpoint_id")
      .notNull()
      .references(() => webhookEndpoints.id),
    /** The event's public id, by which receivers tell repeats. */
    eventId: text("event_id").notNull(),
    /** In the spelling that the endpoint registered. */
    eventType: text("event_type").notNull(),
    body: text("body").notNull(),
    status: text("status").notNull().default("pending"),
    attemptCount: integer("attempt_count").notNull().default(0),
    /** Null while processing and once it is over. */
    nextAttemptAt: instant("next_attempt_at"),
    scheduleReason: text("schedule_reason"),
    /** Whose attempt is under way, and until when that is believed. */
    lease: text("lease"),
    leaseUntil: instant("lease_until"),
    lastResponseStatus: smallint("last_response_status"),
    lastError: text("last_error"),
    deliveredAt: instant("delivered_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex("webhook_deliveries_event").on(table.endpointId, table.eventId),
    index("webhook_deliveries_newest").on(table.endpointId, table.id),
    index("webhook_deliveries_due")
      .on(table.endpointId, table.nextAttemptAt)
      .where(sql`status in ('pending', 'retry')`),
    index("webhook_deliveries_overdue")
      .on(table.nextAttemptAt)
      .where(sql`status in ('pending', 'retry')`),
    index("webhook_deliveries_processing")
      .on(table.endpointId, table.leaseUntil)
      .where(sql`status = 'processing'`),
    index("webhook_deliveries_age").on(table.createdAt),
    check("webhook_deliveries_status", sql`${table.status} in ('pending', 'processing', 'retry', 'delivered', 'dead_letter')`),
  ],
);

/** The asynchronous form of verification: a signed challenge to the receiver, tried up to four times. */
export const webhookVerificationAttempts = pgTable(
  "webhook_verification_attempts",
  {
    id: text("id").primaryKey(),
    endpointId: rowId("endpoint_id")
      .notNull()
      .references(() => webhookEndpoints.id),
    state: text("state").notNull(),
    outcome: text("outcome"),
    attemptCount: smallint("attempt_count").notNull().default(0),
    lease: text("lease"),
    leaseUntil: instant("lease_until"),
    expiresAt: instant("expires_at").notNull(),
    nextAttemptAt: instant("next_attempt_at"),
    lastResponseStatus: smallint("last_response_status"),
    startedAt: instant("started_at"),
    completedAt: instant("completed_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [
    index("webhook_verification_attempts_endpoint").on(table.endpointId, table.createdAt),
    index("webhook_verification_attempts_due")
      .on(table.nextAttemptAt)
      .where(sql`state = 'queued'`),
    check(
      "webhook_verification_attempts_state",
      sql`${table.state} in ('queued', 'running', 'verified', 'failed', 'cancelled', 'expired')`,
    ),
  ],
);

// ---------------------------------------------------------------- read models

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
  (table) => [primaryKey({ columns: [table.generation, table.category, table.rank] })],
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

/** One entry of market exploration: an event with several markets, or one standalone market. */
export const exploreEntries = pgTable(
  "explore_entries",
  {
    generation: rowId("generation")
      .notNull()
      .references(() => listGenerations.id, { onDelete: "cascade" }),
    id: integer("id").notNull(),
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
    /**
     * What the discover score is made of, of the representative, and what graded wallets hold of each shown market; null in generations older
     * than the column.
     */
    scoreComponents: jsonb("score_components"),
    endAt: instant("end_at"),
    /** `endAt` where that was still to come when the generation was built: judged then, so that no entry moves during a walk. */
    expiresAt: instant("expires_at"),
    createdAt: instant("created_at"),
    searchText: text("search_text").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.generation, table.id] }),
    index("explore_entries_trending").on(table.generation, table.trendingScore.desc(), table.id),
    index("explore_entries_volume").on(table.generation, table.volumeUsd.desc().nullsLast(), table.id),
    index("explore_entries_hot").on(table.generation, table.discoverScore.desc().nullsLast(), table.id),
    index("explore_entries_large_trades").on(table.generation, table.largeTradeCount.desc().nullsLast(), table.id),
    index("explore_entries_expiring").on(table.generation, table.expiresAt, table.id),
    index("explore_entries_newest").on(table.generation, table.createdAt.desc().nullsLast(), table.id),
  ],
);

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

/** Where a market's ranked flow stands against the threshold of its window: an event is due when it comes to stand on another side. */
export const flowAlerts = pgTable(
  "flow_alerts",
  {
    marketId: rowId("market_id").notNull(),
    window: text("window").notNull(),
    /** `yes` or `no` beyond the threshold on that side, `none` between. */
    side: text("side").notNull(),
    changedAt: instant("changed_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.marketId, table.window] }),
    check("flow_alerts_side", sql`${table.side} in ('yes', 'no', 'none')`),
  ],
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

/** The scan of everybody who holds a market's outcomes, made while somebody asks for it. */
export const holderScans = pgTable(
  "holder_scans",
  {
    marketId: rowId("market_id").primaryKey(),
    requestedAt: instant("requested_at").notNull(),
    enqueuedAt: instant("enqueued_at"),
    /** When the last whole scan was read; null before the first. */
    fetchedAt: instant("fetched_at"),
    /** Wallets holding any outcome, graded or not. */
    walletCount: integer("wallet_count"),
    lastError: text("last_error"),
  },
  (table) => [index("holder_scans_requested").on(table.requestedAt)],
);

/** The graded wallets of a market's last whole scan, replaced with each. */
export const marketHolders = pgTable(
  "market_holders",
  {
    marketId: rowId("market_id").notNull(),
    traderId: rowId("trader_id").notNull(),
    outcomeIndex: smallint("outcome_index").notNull(),
    sharesMicro: microShares("shares_micro").notNull(),
    /** As the provider values them; null when it does not. */
    valueMicro: microUsd("value_micro"),
  },
  (table) => [primaryKey({ columns: [table.marketId, table.traderId, table.outcomeIndex] })],
);

/** The stored report of one UTC day, ISO week or month. `version` counts how often its content has changed. */
export const reportSnapshots = pgTable(
  "report_snapshots",
  {
    kind: text("kind").notNull(),
    /** `2026-11-20`, `2026-47` or `2026-11`. */
    period: text("period").notNull(),
    startOn: date("start_on").notNull(),
    endOn: date("end_on").notNull(),
    version: integer("version").notNull(),
    status: text("status").notNull(),
    generatedAt: instant("generated_at").notNull(),
    sourceReadStartedAt: instant("source_read_started_at").notNull(),
    /** What it was computed from: while it is the same, so is the report. */
    basis: text("basis").notNull(),
    /** As the schema beside the query says. */
    report: jsonb("report").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.period] }),
    index("report_snapshots_rolling")
      .on(table.endOn)
      .where(sql`status = 'rolling'`),
    check("report_snapshots_kind", sql`${table.kind} in ('daily', 'weekly', 'monthly')`),
    check("report_snapshots_status", sql`${table.status} in ('rolling', 'final')`),
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

// ---------------------------------------------------------------- running the ingest

/** Where each feed stands. Written in the transaction that applies the page it describes. */
export const ingestCheckpoints = pgTable("ingest_checkpoints", {
  feed: text("feed").primaryKey(),
  state: jsonb("state").notNull(),
  updatedAt: instant("updated_at").notNull().defaultNow(),
});

/** Records the provider sent that do not fit their schema: kept whole, with the reason, once each. */
export const setAsideRecords = pgTable("set_aside_records", {
  id: id(),
  feed: text("feed").notNull(),
  reason: text("reason").notNull(),
  digest: text("digest").notNull().unique(),
  record: jsonb("record").notNull(),
  seenAt: instant("seen_at").notNull().defaultNow(),
});

/** Last success of each background job; health compares it with the job's declared interval. */
export const jobHeartbeats = pgTable("job_heartbeats", {
  job: text("job").primaryKey(),
  succeededAt: instant("succeeded_at"),
  failedAt: instant("failed_at"),
  lastError: text("last_error"),
});
