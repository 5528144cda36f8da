import { LEDGER_LOCK, LEDGER_TURN_LOCK } from "../../../../src/ingest/ledger/record-ledger-entries.ts";
import { namedWork, NO_WORK } from "./statement-figures.ts";

/** A session that holds the ledger lock, or waits for it or for its turn to wait, at one look. */
export interface LockedSession {
  readonly pid: number;
  /** When its transaction began, as text: with the pid it names the transaction. */
  readonly transaction: string;
  /** Its last statement, with the comment that names the work. */
  readonly query: string;
  /** False: it waits. */
  readonly granted: boolean;
}

export interface LedgerLockTimes {
  readonly work: string;
  readonly heldMs: number;
  readonly waitedMs: number;
}

export const LEDGER_LOCK_SESSIONS = `
  select a.pid, a.xact_start::text as transaction, a.query, l.granted
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.classid = 0 and l.objsubid = 1
    and (l.objid = ${LEDGER_LOCK} or l.objid = ${LEDGER_TURN_LOCK} and not l.granted)
    and a.datname = current_database() and a.xact_start is not null`;

/**
 * Sums how long each work holds the ledger lock and waits for it, from looks at the sessions: each session that a look
 * shows counts for the time since the look before. Right on average, with an error of about a look per transaction.
 */
export class LedgerLockWatch {
  readonly #times = new Map<string, { heldMs: number; waitedMs: number }>();
  #works = new Map<string, string>();

  add(sessions: readonly LockedSession[], sinceLastMs: number): void {
    const works = new Map<string, string>();
    for (const { pid, transaction, query, granted } of sessions) {
      const key = `${pid} ${transaction}`;
      // A commit has no comment: its work is that of the transaction's statements before.
      const work = namedWork(query) ?? this.#works.get(key) ?? NO_WORK;
      works.set(key, work);
      const times = this.#times.get(work) ?? { heldMs: 0, waitedMs: 0 };
      if (granted) times.heldMs += sinceLastMs;
      else times.waitedMs += sinceLastMs;
      this.#times.set(work, times);
    }
    this.#works = works;
  }

  /** The longest waiting work first. */
  list(): readonly LedgerLockTimes[] {
    return [...this.#times]
      .map(([work, times]) => ({ work, ...times }))
      .toSorted((a, b) => b.waitedMs - a.waitedMs || b.heldMs - a.heldMs);
  }
}
