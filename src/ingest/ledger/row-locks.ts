import { sql, type SQL } from "drizzle-orm";
import { m, o, s } from "../../db/aliases.ts";

/*
 * The order of locks, which keeps writers from deadlocks (docs/decisions/0020-order-of-locks.md):
 *
 * 1. the ledger lock, after the turn to wait for it, before any row lock and before the first write
 * 2. rows of events, by slug
 * 3. rows of markets, by id
 * 4. rows of outcomes, by id
 * 5. rows of other tables
 *
 * A transaction locks the rows of one table with one of the statements below before it writes them, unless it skips locked
 * rows, or writes rows whose other writers hold the ledger lock or skip locked rows: events, combos and their outcomes. A
 * transaction that
 * records entries several times locks all their outcomes before the first time. The locks are statements of their own, so
 * that the statement after them reads what other transactions have committed until then.
 */

/** A statement that locks the markets `m` of a condition, so that the transaction can write them. */
export const lockMarkets = (condition: SQL): SQL =>
  sql`select from ${m} where ${condition} order by ${m.id} for no key update`;

/** A statement that keeps others from writing the markets `m` of a condition. The transaction must not write them either. */
export const shareMarkets = (condition: SQL): SQL =>
  sql`select from ${m} where ${condition} order by ${m.id} for share`;

/** A statement that locks the outcomes `o` of a condition, so that the transaction can write them. */
export const lockOutcomes = (condition: SQL): SQL =>
  sql`select from ${o} where ${condition} order by ${o.id} for no key update`;

/**
 * A statement that locks the sync of a followed trader. Every page of its activity writes that row with its commit, so none can
 * commit until the transaction ends. It must not take the ledger lock afterwards.
 */
export const lockSync = (traderId: number): SQL =>
  sql`select from ${s} where ${s.traderId} = ${traderId} for no key update`;
