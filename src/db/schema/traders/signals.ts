import { sql } from "drizzle-orm";
import {
  check,
  date,
  doublePrecision,
  index,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
} from "drizzle-orm/pg-core";
import { id, instant, microShares, microUsd, rowId, xid8 } from "../../columns.ts";
import { ledgerEntries } from "./ledger.ts";

/** A taker trade at or above the capture floor. Scores are null until a job has computed them. */
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
    /** The market's category, copied so that a filtered list reads one index. */
    category: text("category"),
    reviewScore: doublePrecision("review_score").notNull(),
    recordedReviewScore: doublePrecision("recorded_review_score"),
    suspicionScore: smallint("suspicion_score"),
    suspicionTrack: text("suspicion_track"),
    /** When its suspicion was scored; null until its trader's history has been read. */
    judgedAt: instant("judged_at"),
    gradeAtTrade: text("grade_at_trade"),
    gradeAtTradeStatus: text("grade_at_trade_status").notNull(),
    marketVolumeShare: numeric("market_volume_share"),
    recordedAt: instant("recorded_at").notNull().defaultNow(),
  },
  (table) => [
    // Ascending, and scanned backward: `desc` in an index means nulls last, but `order by … desc` means nulls
    // first, so neither could serve the other.
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
    index("large_trades_recorded").on(table.recordedAt, table.id),
    index("large_trades_market").on(table.marketId, table.tradedAt, table.id, table.traderId),
  ],
);

/**
 * A large trade whose suspicion score reached the floor. Written once, when that first happened; later data
 * does not change it.
 */
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
    /** Components 0 to 100: `{timing, edge, size, fresh_wallet}`; null is not measured or unknown. */
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
  (table) => [
    primaryKey({ columns: [table.outcomeId, table.day] }),
    // Covers the price lines of many outcomes at once.
    index("outcome_days_close").on(table.outcomeId, table.day, table.close),
  ],
);

/**
 * The side of the alert threshold on which a market's ranked flow is, per window. An event is published when
 * the side changes.
 */
export const flowAlerts = pgTable(
  "flow_alerts",
  {
    marketId: rowId("market_id").notNull(),
    window: text("window").notNull(),
    /** `yes` or `no`: beyond the threshold on that side. `none`: between the thresholds. */
    side: text("side").notNull(),
    changedAt: instant("changed_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.marketId, table.window] }),
    check("flow_alerts_side", sql`${table.side} in ('yes', 'no', 'none')`),
  ],
);

/** Every published alert of smart-money flow. Written in the transaction that publishes it, never updated. */
export const publishedFlowAlerts = pgTable(
  "published_flow_alerts",
  {
    id: id(),
    marketId: rowId("market_id").notNull(),
    window: text("window").notNull(),
    side: text("side").notNull(),
    /** The price of the side when the alert was published; null while it had none. */
    price: numeric("price"),
    publishedAt: instant("published_at").notNull(),
  },
  (table) => [
    index("published_flow_alerts_time").on(table.publishedAt),
    check("published_flow_alerts_side", sql`${table.side} in ('yes', 'no')`),
  ],
);
