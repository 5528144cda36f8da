import { sql } from "drizzle-orm";
import { check, date, index, integer, numeric, pgTable, primaryKey, smallint, text, uniqueIndex } from "drizzle-orm/pg-core";
import { bytes, id, instant, microShares, microUsd, rowId } from "../columns.ts";

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
    /** What those shares brought. */
    unmatchedUsdMicro: microUsd("unmatched_usd_micro")
      .notNull()
      .default(sql`0`),
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
      .where(sql`settled_micro is null and value_micro >= 99995000`),
    // With all that sums over a wallet's holdings add up: read from the table they would touch a page for each.
    index("positions_trader_value")
      .on(
        table.traderId,
        table.valueMicro,
        table.outcomeId,
        table.costMicro,
        table.marketId,
        table.sharesMicro,
        table.realizedMicro,
        table.feesMicro,
      )
      .where(sql`settled_micro is null and shares_micro > 0`),
  ],
);

/**
 * Sums of one wallet over its positions, kept by differences in the transaction that changes them. Profit and fees are of ordinary markets: the
 * results of combinations are not known, so nothing of them is a profit or loss. Volume, counts of entries and markets traded have both.
 */
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
  /**
   * Markets it has a position in; of those the ones whose every position has settled; of these, where no shares are unmatched, the ones with a
   * profit, and with any profit or loss.
   */
  marketsTraded: integer("markets_traded").notNull().default(0),
  marketsResolved: integer("markets_resolved").notNull().default(0),
  marketsWon: integer("markets_won").notNull().default(0),
  marketsDecided: integer("markets_decided").notNull().default(0),
  /** Positions in ordinary markets with unmatched shares, and what those shares brought: no profit is booked on it. */
  unmatchedPositions: integer("unmatched_positions").notNull().default(0),
  unmatchedUsdMicro: microUsd("unmatched_usd_micro")
    .notNull()
    .default(sql`0`),
  /** Of the markets and the volume above: combinations of markets. */
  combinationMarkets: integer("combination_markets").notNull().default(0),
  combinationVolumeMicro: microUsd("combination_volume_micro")
    .notNull()
    .default(sql`0`),
});

/**
 * What one wallet did and made on one UTC day, kept by differences in the transaction that changes it; its sums over all days are those
 * of `trader_totals`, which leave out the profit and fees of combinations. Sales count on the day of the trade, results of held shares on the day their market settled.
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
