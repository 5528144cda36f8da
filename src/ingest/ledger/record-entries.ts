import type { Session } from "../../db/client.ts";
import { markFilled } from "../skill/mark-due.ts";
import { identityArrays, identityKey, positionKey, type Entry, type PositionKey } from "./entry.ts";
import { foldPositions, type LearnedFee } from "./fold-positions.ts";
import { writeLastTrades } from "./last-trades.ts";
import { loadPositions } from "./load-positions.ts";
import { writeDays } from "./write-days.ts";
import { writeEntries, writePositions, writeRealized, writeTotals } from "./write-ledger.ts";

export interface RecordedPage {
  /** How many of the entries were new. */
  readonly added: number;
}

// Any number unique to this purpose. One writer at a time: the folds below read, compute and write back.
const LEDGER_LOCK = 7_201_441;

/** Taken first in every transaction that records entries: transaction ids are then handed out in commit order among ledger writers. */
export async function lockLedger(session: Session): Promise<void> {
  await session.query(`select pg_advisory_xact_lock(${LEDGER_LOCK})`);
}

/**
 * Records entries and brings positions, totals, days and last trades up to date, inside the caller's transaction, which holds the ledger lock. Entries
 * already recorded change nothing, except that a taker role or a fee not known before is filled in.
 */
export async function recordEntries(session: Session, reported: readonly Entry[]): Promise<RecordedPage> {
  // A page may hold the same row twice.
  const entries = [...new Map(reported.map((entry) => [identityKey(entry), entry])).values()];
  if (entries.length === 0) return { added: 0 };
  const { fresh, learnedFees } = await splitRecorded(session, entries);
  const affected = new Map<string, PositionKey>(learnedFees.map(({ key }) => [positionKey(key), key]));
  for (const entry of fresh) affected.set(positionKey(entry), entry);
  if (affected.size === 0) return { added: 0 };

  const changed = new Set(learnedFees.map(({ key }) => positionKey(key)));
  const loaded = await loadPositions(session, [...affected.values()], fresh, changed);
  const folded = foldPositions(loaded, fresh, learnedFees);
  // An outcome that is no row of this database has no position to load: its entries must not vanish while the checkpoint moves on.
  if (folded.freshRealized.length !== fresh.length) throw new Error("entries name outcomes that are not in this database");
  await writeEntries(session, folded.freshRealized);
  await writeLastTrades(session, fresh);
  await writeRealized(session, folded.changedRealized);
  await writePositions(session, folded.positions);
  await writeTotals(session, folded.totals);
  await writeDays(session, folded.days);
  await markFilled(session, fresh);
  return { added: fresh.length };
}

/**
 * Which entries are new, and which recorded ones learn their fee, which changes their positions. Roles are filled in on the way; they
 * change no figure.
 */
async function splitRecorded(session: Session, entries: readonly Entry[]): Promise<{ fresh: Entry[]; learnedFees: LearnedFee[] }> {
  const { rows } = await session.query<{ ord: string; id: string; role: string | null; fee_micro: string | null; traded_ms: number }>(
    `select t.ord, e.id, e.role, e.fee_micro, (extract(epoch from e.traded_at) * 1000)::float8 as traded_ms
     from unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::smallint[])
       with ordinality as t(tx_hash, trader_id, outcome_id, kind, shares_micro, ordinal, ord)
     -- One look into the index a row: joined freely, a table of some hundred thousand is read whole for each page.
     cross join lateral (
       select id, role, fee_micro, traded_at from ledger_entries e
       where (e.tx_hash, e.trader_id, e.outcome_id, e.kind, e.shares_micro, e.ordinal)
         = (t.tx_hash, t.trader_id, t.outcome_id, t.kind, t.shares_micro, t.ordinal)
       limit 1
     ) e`,
    identityArrays(entries),
  );
  const recorded = new Map(rows.map((row) => [Number(row.ord) - 1, row]));
  const learnedRole: string[] = [];
  const learnedFees: (LearnedFee & { id: string })[] = [];
  for (const [index, row] of recorded) {
    const entry = entries[index];
    if (entry === undefined) continue;
    if (row.role === null && entry.role !== null) learnedRole.push(row.id);
    if (row.fee_micro === null && entry.feeMicro !== null) {
      learnedFees.push({ id: row.id, key: entry, feeMicro: entry.feeMicro, tradedAtMs: row.traded_ms });
    }
  }
  if (learnedRole.length > 0) {
    await session.query(`update ledger_entries set role = 'taker' where id = any($1::bigint[])`, [learnedRole]);
  }
  if (learnedFees.length > 0) {
    await session.query(
      `update ledger_entries e set fee_micro = t.fee_micro
       from unnest($1::bigint[], $2::bigint[]) as t(id, fee_micro) where e.id = t.id`,
      [learnedFees.map((row) => row.id), learnedFees.map((row) => String(row.feeMicro))],
    );
  }
  return { fresh: entries.filter((_, index) => !recorded.has(index)), learnedFees };
}
