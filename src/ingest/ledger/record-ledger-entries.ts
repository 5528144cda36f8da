import { sql } from "drizzle-orm";
import { z } from "zod";
import { e, o } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { constantStatement } from "../../db/constant-statement.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { ledgerEntries } from "../../db/schema.ts";
import { array, columnName, epochMs, integer, run, selectRows } from "../../db/sql.ts";
import { markFilled } from "../skill/mark-due.ts";
import { identityKey, identityParameters, type LedgerEntry } from "./ledger-entry.ts";
import { foldPositions, type FeeUpdate } from "./fold-positions.ts";
import { writeLastTrades } from "./last-trades.ts";
import { findRecorded, loadPositions, type LoadedPosition } from "./load-positions.ts";
import { lockOutcomes } from "./row-locks.ts";
import { writeTraderDays } from "./write-trader-days.ts";
import { writeLedgerEntries, writePositions, writeRealized, writeTotals } from "./write-ledger.ts";

export interface RecordedPage {
  /** Number of entries that were new. */
  readonly added: number;
  /** Time of the oldest of them, ms; null when there is none. */
  readonly oldestAddedMs: number | null;
  /** Time of the newest of them, ms; null when there is none. */
  readonly newestAddedMs: number | null;
}

export const NOTHING_ADDED: RecordedPage = { added: 0, oldestAddedMs: null, newestAddedMs: null };

/**
 * Key of the Postgres advisory lock; any number unique to this purpose. Only one writer at a time, because the folds
 * below read, compute and write back.
 */
export const LEDGER_LOCK = 7_201_441;

/**
 * Key of the lock for which all writers but pages of trades wait first. One of them at a time waits for the ledger lock, so a page
 * waits for two of their transactions at most, however many are queued.
 */
export const LEDGER_TURN_LOCK = 7_201_442;

/**
 * Call this first in every transaction that records entries. Ledger writers then get their transaction ids in
 * commit order. One message, which others can join.
 */
export async function lockLedger(session: Session): Promise<void> {
  await Promise.all([run(session, TAKE_TURN()), run(session, TAKE_LOCK())]);
}

/** The same for a page of a trade feed, before all other writers that wait. */
export async function lockLedgerForTrades(session: Session): Promise<void> {
  await run(session, TAKE_LOCK());
}

const takeLock = (key: number) => constantStatement(() => sql`select pg_advisory_xact_lock(${sql.raw(String(key))})`);

const TAKE_TURN = takeLock(LEDGER_TURN_LOCK);
const TAKE_LOCK = takeLock(LEDGER_LOCK);

/**
 * Records entries and updates positions, totals, days and last trades, inside the caller's transaction, which
 * must hold the ledger lock. Entries that are already recorded change nothing, except that a missing taker
 * role or fee is filled in.
 */
export async function recordLedgerEntries(session: Session, reported: readonly LedgerEntry[]): Promise<RecordedPage> {
  const { page, write } = await foldLedgerEntries(session, reported);
  await write(session);
  return page;
}

/**
 * The first part of `recordLedgerEntries`: reads what is recorded, in one message, and computes what changes.
 *
 * @returns the second part, whose statements need no results: one message, which others can join, or the one of the commit
 */
export async function foldLedgerEntries(
  session: Session,
  reported: readonly LedgerEntry[],
): Promise<{ readonly page: RecordedPage; readonly write: (to: Session) => Promise<unknown> }> {
  const entries = dropRepeats(reported);
  if (entries.length === 0) return { page: NOTHING_ADDED, write: async () => undefined };
  const [rows, positions] = await Promise.all([listRecorded(session, entries), loadPositions(session, entries)]);
  const { fresh, roleUpdates, feeUpdates } = findNewEntries(entries, rows);
  const fillIn = (to: Session) => [
    fillInRoles(to, roleUpdates),
    fillInFees(to, feeUpdates),
    markFilled(to, roleUpdates),
  ];
  if (positions.length === 0 && fresh.length === 0)
    return { page: NOTHING_ADDED, write: (to) => Promise.all(fillIn(to)) };
  const folded = foldPositions(addFees(positions, feeUpdates), fresh, feeUpdates);
  // An outcome without a row in this database has no position to load. Its entries must not be lost while the
  // checkpoint advances.
  if (folded.freshRealized.length !== fresh.length)
    throw new Error("entries name outcomes that are not in this database");
  const timesMs = fresh.map(({ tradedAtMs }) => tradedAtMs);
  const oldestAddedMs = timesMs.length === 0 ? null : Math.min(...timesMs);
  const newestAddedMs = timesMs.length === 0 ? null : Math.max(...timesMs);
  const outcomeIds = positions.map(({ key }) => key.outcomeId);
  const write = (to: Session) =>
    Promise.all([
      run(to, LOCK_OUTCOMES(outcomeIds)),
      ...fillIn(to),
      writeLedgerEntries(to, folded.freshRealized),
      writeLastTrades(to, fresh),
      writeRealized(to, folded.changedRealized),
      writePositions(to, folded.positions),
      writeTotals(to, folded.totals),
      writeTraderDays(to, folded.days),
      markFilled(to, fresh),
    ]);
  return { page: { added: fresh.length, oldestAddedMs, newestAddedMs }, write };
}

/**
 * The entries that are not recorded with every role and fee that is reported now. Entries are never removed, so the others need
 * not be reported again in a later transaction. One message, and none without entries.
 */
export async function findUnrecorded(session: Session, reported: readonly LedgerEntry[]): Promise<LedgerEntry[]> {
  const entries = dropRepeats(reported);
  if (entries.length === 0) return [];
  const recorded = new Map((await listRecorded(session, entries)).map((row) => [row.ord - 1, row]));
  return entries.filter((entry, index) => {
    const row = recorded.get(index);
    return row === undefined || lacksRole(row, entry) || lacksFee(row, entry);
  });
}

/** A page may contain the same row twice. */
const dropRepeats = (reported: readonly LedgerEntry[]): LedgerEntry[] => [
  ...new Map(reported.map((entry) => [identityKey(entry), entry])).values(),
];

const LOCK_OUTCOMES = constantStatement<readonly number[]>((parameters) =>
  lockOutcomes(sql`${o.id} = any(${parameters.array((ids) => ids, "bigint")})`),
);

/** The positions whose recorded entries have the fees that are filled in. */
function addFees(positions: readonly LoadedPosition[], updates: readonly Recorded<FeeUpdate>[]): LoadedPosition[] {
  const fees = new Map(updates.map(({ id, feeMicro }) => [id, feeMicro]));
  return positions.map((position) => ({
    ...position,
    recorded: position.recorded?.map((entry) => ({ ...entry, feeMicro: fees.get(entry.id) ?? entry.feeMicro })) ?? null,
  }));
}

const RecordedIdentity = z.object({
  /** Place of the entry in the request, from 1. */
  ord: integer,
  id: z.string(),
  role: z.string().nullable(),
  fee_micro: z.string().nullable(),
  traded_ms: z.number(),
});

type RecordedIdentity = z.output<typeof RecordedIdentity>;

const listRecorded = (session: Session, entries: readonly LedgerEntry[]): Promise<RecordedIdentity[]> =>
  selectRows(session, SELECT_RECORDED(entries), RecordedIdentity);

const SELECT_RECORDED = constantStatement<readonly LedgerEntry[]>(
  (parameters) => sql`
    select t.ord, e.id, e.role, e.fee_micro, ${epochMs(sql`e.traded_at`)} as traded_ms
    from unnest(${identityParameters(parameters)})
      with ordinality as t(tx_hash, trader_id, outcome_id, kind, shares_micro, ordinal, ord)
    cross join lateral (${findRecorded(sql`t`)}) e`,
);

type Recorded<T> = T & { readonly id: string };

/**
 * Separates new entries from recorded ones, and finds the recorded ones that lack a role or fee which is reported now. A
 * fee changes their positions; a role changes no position, but settled bets.
 */
function findNewEntries(
  entries: readonly LedgerEntry[],
  rows: readonly RecordedIdentity[],
): {
  fresh: LedgerEntry[];
  roleUpdates: Recorded<LedgerEntry>[];
  feeUpdates: Recorded<FeeUpdate>[];
} {
  const recorded = new Map(rows.map((row) => [row.ord - 1, row]));
  const roleUpdates: Recorded<LedgerEntry>[] = [];
  const feeUpdates: Recorded<FeeUpdate>[] = [];
  for (const [index, row] of recorded) {
    const entry = entries[index];
    if (entry === undefined) continue;
    if (lacksRole(row, entry)) roleUpdates.push({ ...entry, id: row.id });
    if (lacksFee(row, entry)) {
      feeUpdates.push({ id: row.id, key: entry, feeMicro: entry.feeMicro, tradedAtMs: row.traded_ms });
    }
  }
  return { fresh: entries.filter((_, index) => !recorded.has(index)), roleUpdates, feeUpdates };
}

const lacksRole = (row: RecordedIdentity, entry: LedgerEntry): boolean => row.role === null && entry.role !== null;

const lacksFee = (row: RecordedIdentity, entry: LedgerEntry): entry is LedgerEntry & { readonly feeMicro: bigint } =>
  row.fee_micro === null && entry.feeMicro !== null;

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
