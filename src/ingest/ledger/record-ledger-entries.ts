import { sql } from "drizzle-orm";
import { z } from "zod";
import { e } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { ledgerEntries } from "../../db/schema.ts";
import { array, columnName, epochMs, integer, run, selectRows } from "../../db/sql.ts";
import { markFilled } from "../skill/mark-due.ts";
import { identityArrays, identityKey, positionKey, type LedgerEntry, type PositionKey } from "./ledger-entry.ts";
import { foldPositions, type FeeUpdate } from "./fold-positions.ts";
import { writeLastTrades } from "./last-trades.ts";
import { loadPositions } from "./load-positions.ts";
import { writeTraderDays } from "./write-trader-days.ts";
import { writeLedgerEntries, writePositions, writeRealized, writeTotals } from "./write-ledger.ts";

export interface RecordedPage {
  /** Number of entries that were new. */
  readonly added: number;
  /** Time of the oldest of them, ms; null when there is none. */
  readonly oldestAddedMs: number | null;
}

const UNCHANGED = { page: { added: 0, oldestAddedMs: null }, write: async () => undefined };

// Key of the Postgres advisory lock; any number unique to this purpose. Only one writer at a time, because
// the folds below read, compute and write back.
const LEDGER_LOCK = 7_201_441;

/**
 * Call this first in every transaction that records entries. Ledger writers then get their transaction ids in
 * commit order.
 */
export async function lockLedger(session: Session): Promise<void> {
  await run(session, sql`select pg_advisory_xact_lock(${sql.raw(String(LEDGER_LOCK))})`);
}

/**
 * Records entries and updates positions, totals, days and last trades, inside the caller's transaction, which
 * must hold the ledger lock. Entries that are already recorded change nothing, except that a missing taker
 * role or fee is filled in.
 */
export async function recordLedgerEntries(session: Session, reported: readonly LedgerEntry[]): Promise<RecordedPage> {
  const { page, write } = await foldLedgerEntries(session, reported);
  await write();
  return page;
}

/**
 * The first part of `recordLedgerEntries`: reads what is recorded and computes what changes.
 *
 * @returns the second part, which sends all its statements in one tick, so that others can follow in the same message
 */
export async function foldLedgerEntries(
  session: Session,
  reported: readonly LedgerEntry[],
): Promise<{ readonly page: RecordedPage; readonly write: () => Promise<unknown> }> {
  // A page may contain the same row twice.
  const entries = [...new Map(reported.map((entry) => [identityKey(entry), entry])).values()];
  if (entries.length === 0) return UNCHANGED;
  const { fresh, roleUpdates, feeUpdates } = await findNewEntries(session, entries);
  const affected = new Map<string, PositionKey>(feeUpdates.map(({ key }) => [positionKey(key), key]));
  for (const entry of fresh) affected.set(positionKey(entry), entry);
  const changed = new Set(feeUpdates.map(({ key }) => positionKey(key)));
  const [loaded] = await Promise.all([
    affected.size === 0 ? [] : loadPositions(session, [...affected.values()], fresh, changed),
    fillInRoles(session, roleUpdates),
    markFilled(session, roleUpdates),
    fillInFees(session, feeUpdates),
  ]);
  if (affected.size === 0) return UNCHANGED;
  const folded = foldPositions(loaded, fresh, feeUpdates);
  // An outcome without a row in this database has no position to load. Its entries must not be lost while the
  // checkpoint advances.
  if (folded.freshRealized.length !== fresh.length)
    throw new Error("entries name outcomes that are not in this database");
  const oldestAddedMs = fresh.reduce<number | null>(
    (oldest, { tradedAtMs }) => Math.min(oldest ?? Infinity, tradedAtMs),
    null,
  );
  const write = () =>
    Promise.all([
      writeLedgerEntries(session, folded.freshRealized),
      writeLastTrades(session, fresh),
      writeRealized(session, folded.changedRealized),
      writePositions(session, folded.positions),
      writeTotals(session, folded.totals),
      writeTraderDays(session, folded.days),
      markFilled(session, fresh),
    ]);
  return { page: { added: fresh.length, oldestAddedMs }, write };
}

const RecordedIdentity = z.object({
  /** Place of the entry in the request, from 1. */
  ord: integer,
  id: z.string(),
  role: z.string().nullable(),
  fee_micro: z.string().nullable(),
  traded_ms: z.number(),
});

const listRecorded = (session: Session, entries: readonly LedgerEntry[]) =>
  selectRows(
    session,
    sql`select t.ord, e.id, e.role, e.fee_micro, ${epochMs(sql`e.traded_at`)} as traded_ms
     from unnest(${identityArrays(entries)})
       with ordinality as t(tx_hash, trader_id, outcome_id, kind, shares_micro, ordinal, ord)
     -- One index lookup per row. With a plain join, a table of some hundred thousand rows is scanned for each page.
     cross join lateral (
       select ${e.id}, ${e.role}, ${e.feeMicro}, ${e.tradedAt} from ${e}
       where (${e.txHash}, ${e.traderId}, ${e.outcomeId}, ${e.kind}, ${e.sharesMicro}, ${e.ordinal})
         = (t.tx_hash, t.trader_id, t.outcome_id, t.kind, t.shares_micro, t.ordinal)
       limit 1
     ) e`,
    RecordedIdentity,
  );

type Recorded<T> = T & { readonly id: string };

/**
 * Separates new entries from recorded ones, and finds the recorded ones that lack a role or fee which is reported now. A
 * fee changes their positions; a role changes no position, but settled bets.
 */
async function findNewEntries(
  session: Session,
  entries: readonly LedgerEntry[],
): Promise<{
  fresh: LedgerEntry[];
  roleUpdates: Recorded<LedgerEntry>[];
  feeUpdates: Recorded<FeeUpdate>[];
}> {
  const rows = await listRecorded(session, entries);
  const recorded = new Map(rows.map((row) => [row.ord - 1, row]));
  const roleUpdates: Recorded<LedgerEntry>[] = [];
  const feeUpdates: Recorded<FeeUpdate>[] = [];
  for (const [index, row] of recorded) {
    const entry = entries[index];
    if (entry === undefined) continue;
    if (row.role === null && entry.role !== null) roleUpdates.push({ ...entry, id: row.id });
    if (row.fee_micro === null && entry.feeMicro !== null) {
      feeUpdates.push({ id: row.id, key: entry, feeMicro: entry.feeMicro, tradedAtMs: row.traded_ms });
    }
  }
  return { fresh: entries.filter((_, index) => !recorded.has(index)), roleUpdates, feeUpdates };
}

async function fillInRoles(session: Session, updates: readonly Recorded<LedgerEntry>[]): Promise<void> {
  if (updates.length === 0) return;
  const ids = updates.map(({ id }) => id);
  await run(
    session,
    sql`update ${ledgerEntries} set ${columnName(ledgerEntries.role)} = 'taker'
      where ${ledgerEntries.id} = any(${array(ids, "bigint")})`,
  );
}

async function fillInFees(session: Session, updates: readonly Recorded<FeeUpdate>[]): Promise<void> {
  if (updates.length === 0) return;
  const rows = recordset("t", updates, {
    id: ["bigint", (update) => update.id],
    fee_micro: ["bigint", (update) => String(update.feeMicro)],
  });
  await run(
    session,
    sql`update ${e} set ${columnName(ledgerEntries.feeMicro)} = t.fee_micro from ${rows} where ${e.id} = t.id`,
  );
}
