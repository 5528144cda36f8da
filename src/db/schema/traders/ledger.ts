import { sql } from "drizzle-orm";
import {
  check,
  date,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { bytes, id, instant, microShares, microUsd, rowId } from "../../columns.ts";

/**
 * A ledger entry: one change of a trader's position in one outcome, as the provider reported it. It is a fill
 * (buy, sell), or one leg of a split, merge or conversion.
 *
 * The facts are immutable. `realized_micro` is the profit that this entry realized in the average-cost fold,
 * null for entries that add shares. The unique key is the provider's identity of an entry: the provider gives
 * no row id, so `ordinal` distinguishes equal entries of one transaction.
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
    /** Null while the fee is unknown: the trade feed does not include it, the trader's activity does. */
    feeMicro: microUsd("fee_micro"),
    price: numeric("price").notNull(),
    /** `taker` when the provider's taker feed has shown the fill, else null. */
    role: text("role"),
    tradedAt: instant("traded_at").notNull(),
    realizedMicro: microUsd("realized_micro"),
    recordedAt: instant("recorded_at").notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex("ledger_entries_identity").on(
      table.txHash,
      table.traderId,
      table.outcomeId,
      table.kind,
      table.sharesMicro,
      table.ordinal,
    ),
    index("ledger_entries_position").on(table.traderId, table.outcomeId, table.tradedAt, table.marketId, table.kind),
    index("ledger_entries_market").on(table.marketId, table.tradedAt),
    // The archive reads a day in the order of recording.
    index("ledger_entries_recorded").on(table.recordedAt, table.id),
    check("ledger_entries_kind", sql`${table.kind} in ('buy', 'sell', 'split', 'merge', 'convert_in', 'convert_out')`),
  ],
);

/**
 * Activity of a trader other than trades (splits, merges, redemptions, conversions, rewards, rebates,
 * transfers), as reported.
 */
export const traderActivity = pgTable(
  "trader_activity",
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
    uniqueIndex("trader_activity_identity").on(
      table.txHash,
      table.traderId,
      table.type,
      table.conditionId,
      table.tokenId,
      table.sharesMicro,
      table.ordinal,
    ),
    index("trader_activity_trader").on(table.traderId, table.happenedAt),
  ],
);

/**
 * The average-cost position of one trader in one outcome. It always equals the fold over its ledger entries.
 */
export const positions = pgTable(
  "positions",
  {
    traderId: rowId("trader_id").notNull(),
    outcomeId: rowId("outcome_id").notNull(),
    marketId: rowId("market_id").notNull(),
    sharesMicro: microShares("shares_micro").notNull(),
    costMicro: microUsd("cost_micro").notNull(),
    realizedMicro: microUsd("realized_micro").notNull(),
    /** Payout of the open shares minus their cost, once the market has resolved; null before. */
    settledMicro: microUsd("settled_micro"),
    boughtSharesMicro: microShares("bought_shares_micro").notNull(),
    boughtUsdMicro: microUsd("bought_usd_micro").notNull(),
    soldSharesMicro: microShares("sold_shares_micro").notNull(),
    soldUsdMicro: microUsd("sold_usd_micro").notNull(),
    feesMicro: microUsd("fees_micro").notNull(),
    /**
     * Shares removed without a recorded acquisition: their cost basis is unknown, so no profit is booked on
     * them.
     */
    unmatchedSharesMicro: microShares("unmatched_shares_micro").notNull(),
    /** Proceeds of those shares. */
    unmatchedUsdMicro: microUsd("unmatched_usd_micro")
      .notNull()
      .default(sql`0`),
    entryCount: integer("entry_count").notNull(),
    firstAt: instant("first_at").notNull(),
    lastAt: instant("last_at").notNull(),
    /**
     * Value of the open shares at the outcome's `valued_price`. Null without a price and once settled, 0
     * without shares.
     */
    valueMicro: microUsd("value_micro"),
  },
  (table) => [
    primaryKey({ columns: [table.traderId, table.outcomeId] }),
    index("positions_market").on(table.marketId, table.traderId),
    // Why the value is in keys: docs/decisions/0021-stored-position-values.md.
    index("positions_outcome_held")
      .on(table.outcomeId, table.valueMicro)
      .where(sql`settled_micro is null and shares_micro > 0`),
    // Ascending, and scanned backward.
    index("positions_value")
      .on(table.valueMicro, table.traderId, table.outcomeId)
      .where(sql`settled_micro is null and value_micro >= 99995000`),
    // Covers all columns that sums over a trader's open positions need. From the table, each position would
    // cost one page read.
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
 * Sums over the positions of one trader, updated by differences in the transaction that changes them. Profit
 * and fees leave out combinations with unknown legs, until the transaction in which the legs become known.
 * Volume, entry counts and markets traded cover all markets.
 */
export const traderTotals = pgTable("trader_totals", {
  traderId: rowId("trader_id").primaryKey(),
  realizedMicro: microUsd("realized_micro").notNull(),
  settledMicro: microUsd("settled_micro").notNull(),
  /** Buys and sells only. */
  volumeMicro: microUsd("volume_micro").notNull(),
  feesMicro: microUsd("fees_micro").notNull(),
  /** Maker and taker rebates received; they are not part of any position. */
  rebatesMicro: microUsd("rebates_micro")
    .notNull()
    .default(sql`0`),
  /** Liquidity rewards, referral rewards and yield received; they are not a trading result. */
  rewardsMicro: microUsd("rewards_micro")
    .notNull()
    .default(sql`0`),
  entryCount: integer("entry_count").notNull(),
  /** The first activity, which may be a rebate or a reward. */
  firstAt: instant("first_at").notNull(),
  /** The last ledger entry; null while only rebates or rewards are known, which the trader does nothing for. */
  lastAt: instant("last_at"),
  /**
   * `markets_traded`: markets with a position. `markets_resolved`: those in which every position has settled.
   * Of these, without unmatched shares: `markets_won` made a profit, `markets_decided` made any profit or
   * loss.
   */
  marketsTraded: integer("markets_traded").notNull().default(0),
  marketsResolved: integer("markets_resolved").notNull().default(0),
  marketsWon: integer("markets_won").notNull().default(0),
  marketsDecided: integer("markets_decided").notNull().default(0),
  /**
   * Positions in known markets with unmatched shares, and the proceeds of those shares: no profit is
   * booked on them.
   */
  unmatchedPositions: integer("unmatched_positions").notNull().default(0),
  unmatchedUsdMicro: microUsd("unmatched_usd_micro")
    .notNull()
    .default(sql`0`),
  /** The part of the markets and the volume above that is in combinations of markets with unknown legs. */
  combinationMarkets: integer("combination_markets").notNull().default(0),
  combinationVolumeMicro: microUsd("combination_volume_micro")
    .notNull()
    .default(sql`0`),
});

/**
 * Sums of one trader on one UTC day, updated by differences in the transaction that changes them. Over all
 * days they equal `trader_totals`, which excludes the profit and fees of unknown combinations. Sales count on the day
 * of the trade; results of shares held to resolution count on the day their market settled.
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
