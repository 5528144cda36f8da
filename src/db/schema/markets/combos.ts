import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
} from "drizzle-orm/pg-core";
import { id, instant, microShares, microUsd, rowId } from "../../columns.ts";
import type { ProviderComboLeg } from "../../../platform/provider.ts";
import { markets } from "./markets.ts";

/** What the provider's combo reads say of the market of a leg. */
export type StoredLegMarket = ProviderComboLeg["market"];

/**
 * One combo: a conjunction of legs, traded under its own condition id, which is a row of `markets`. A row starts
 * with the first trade and knows its legs once a holder's combo positions or activity have been read.
 */
export const combos = pgTable(
  "combos",
  {
    marketId: rowId("market_id")
      .primaryKey()
      .references(() => markets.id),
    /** Null until the legs are known. */
    legCount: smallint("leg_count"),
    /** When the legs became known; null before. */
    legsKnownAt: instant("legs_known_at"),
    /** Of the YES conjunction, by src/domain/combos: `pending`, `won`, `lost` or `unknown`. */
    status: text("status").notNull().default("unknown"),
    /** Why the status is unknown, such as `legs_not_indexed`; null for other states. */
    statusReason: text("status_reason"),
    /** When the legs are requested next; null when nothing is to request. */
    readDueAt: instant("read_due_at"),
    readAttempts: smallint("read_attempts").notNull().default(0),
  },
  (table) => [
    index("combos_read_due")
      .on(table.readDueAt)
      .where(sql`read_due_at is not null`),
    // Counts the combos that are still open.
    index("combos_undecided")
      .on(table.status, table.marketId)
      .where(sql`status in ('pending', 'unknown')`),
    check("combos_status", sql`${table.status} in ('pending', 'won', 'lost', 'unknown')`),
  ],
);

/** One leg of a combo, in the provider's order. */
export const comboLegs = pgTable(
  "combo_legs",
  {
    marketId: rowId("market_id")
      .notNull()
      .references(() => combos.marketId),
    legIndex: smallint("leg_index").notNull(),
    /** The provider's position id, decimal. */
    positionId: numeric("position_id").notNull(),
    /** From the position id: 1 binary, 2 neg-risk. */
    moduleId: smallint("module_id").notNull(),
    /** From the position id: 0 YES, 1 NO. */
    outcomeIndex: smallint("outcome_index").notNull(),
    /** The leg's condition id as the provider last stated it: of either protocol. */
    providerConditionId: text("provider_condition_id").notNull(),
    /** Our row of the leg's market; null while it is not known. */
    legMarketId: rowId("leg_market_id").references(() => markets.id),
    /** By src/domain/combos: `pending`, `won`, `lost`, `void` or `unknown`. Changes with the market's result. */
    state: text("state").notNull(),
    /** The leg's payout in millionths; null until it is known. */
    payoutPpm: integer("payout_ppm"),
    /** Verbatim. */
    providerStatus: text("provider_status"),
    providerResolvedAt: instant("provider_resolved_at"),
    /** The provider's price of the leg when it was read, a fraction; null when it gave none. */
    providerPrice: numeric("provider_price"),
    providerMarket: jsonb("provider_market").$type<StoredLegMarket>().notNull(),
    readAt: instant("read_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.marketId, table.legIndex] }),
    index("combo_legs_market").on(table.legMarketId),
    index("combo_legs_position").on(table.positionId),
    check("combo_legs_state", sql`${table.state} in ('pending', 'won', 'lost', 'void', 'unknown')`),
  ],
);

/** A lifecycle event of a combo, of the provider's combo activity. Buys and sells are ledger entries. */
export const comboEvents = pgTable(
  "combo_events",
  {
    id: id(),
    /** The provider's id: transaction hash, `-`, log index. */
    providerId: text("provider_id").notNull().unique(),
    marketId: rowId("market_id")
      .notNull()
      .references(() => combos.marketId),
    traderId: rowId("trader_id").notNull(),
    /** `split`, `merge`, `convert`, `compress`, `wrap`, `unwrap` or `redeem`. */
    kind: text("kind").notNull(),
    /** Of the combo's position that the event names: 0 YES, 1 NO; null when it names none. */
    outcomeIndex: smallint("outcome_index"),
    /** Null when the provider gave none; the same holds for the payout, which only redemptions have. */
    amountMicro: microUsd("amount_micro"),
    payoutMicro: microUsd("payout_micro"),
    sharesMicro: microShares("shares_micro"),
    blockNumber: bigint("block_number", { mode: "number" }).notNull(),
    logIndex: integer("log_index").notNull(),
    happenedAt: instant("happened_at").notNull(),
  },
  (table) => [
    index("combo_events_market").on(table.marketId, table.happenedAt),
    index("combo_events_trader").on(table.traderId, table.happenedAt),
  ],
);

/**
 * The fills of combos, in the orders of their list: an index over `ledger_entries`, which cannot have one
 * that depends on the market. A trigger adds a row with each buy or sell of a combo, of takers and makers.
 * Another one follows the entry's role, which may become known later.
 */
export const comboFills = pgTable(
  "combo_fills",
  {
    /** The row of `ledger_entries`. */
    entryId: rowId("entry_id").primaryKey(),
    marketId: rowId("market_id").notNull(),
    /** The time of the entry, cut to the second: a cursor names it as an integer. */
    tradedAt: instant("traded_at").notNull(),
    isBuy: boolean("is_buy").notNull(),
    sharesMicro: microShares("shares_micro").notNull(),
    usdMicro: microUsd("usd_micro").notNull(),
    /**
     * The price that `tradePrice` of src/domain/trades shows is 0.95 or less: the quotient is, or it becomes
     * 0.95 as a tick within a millionth of a dollar or by rounding to six decimals.
     */
    isListed: boolean("is_listed").generatedAlwaysAs(
      sql`shares_micro > 0 and (usd_micro::numeric * 100 <= shares_micro::numeric * 95
        or usd_micro::numeric * 20000 < shares_micro::numeric * 19001
          and usd_micro::numeric * 10000 <= shares_micro::numeric * 9500 + 10000
        or usd_micro::numeric * 2000000 < shares_micro::numeric * 1900001)`,
    ),
    /**
     * Whether the entry's role is `taker`. Null only in rows from before the column, until the job that reads combos
     * has filled them.
     */
    isTaker: boolean("is_taker"),
  },
  (table) => [
    index("combo_fills_recent")
      .on(table.tradedAt, table.entryId)
      .where(sql`is_listed`),
    index("combo_fills_largest")
      .on(table.usdMicro, table.entryId)
      .where(sql`is_listed`),
    index("combo_fills_payout")
      .on(table.sharesMicro, table.entryId)
      .where(sql`is_listed and is_buy`),
    index("combo_fills_market").on(table.marketId, table.tradedAt, table.entryId),
    // With what decides whether a fill is listed: a page far down skips its fills by the index alone.
    index("combo_fills_takers_recent")
      .on(table.tradedAt, table.entryId, table.isTaker)
      .where(sql`is_listed and is_taker is not false`)
      .concurrently(),
    index("combo_fills_takers_largest")
      .on(table.usdMicro, table.entryId, table.tradedAt, table.isTaker)
      .where(sql`is_listed and is_taker is not false`)
      .concurrently(),
    index("combo_fills_takers_payout")
      .on(table.sharesMicro, table.entryId, table.tradedAt, table.isTaker)
      .where(sql`is_listed and is_buy and is_taker is not false`)
      .concurrently(),
    index("combo_fills_unfilled")
      .on(table.entryId)
      .where(sql`is_taker is null`)
      .concurrently(),
  ],
);
