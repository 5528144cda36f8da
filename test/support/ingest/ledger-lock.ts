import type { Pool, PoolClient } from "@neondatabase/serverless";
import { LEDGER_LOCK, LEDGER_TURN_LOCK } from "../../../src/ingest/ledger/record-ledger-entries.ts";

/** Runs `work` while another session holds the ledger lock in an open transaction. */
export async function whileLedgerIsLocked<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query(`select pg_advisory_xact_lock(${LEDGER_LOCK})`);
    return await work();
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/** Resolves when so many sessions of the database wait for the ledger lock, or for their turn to wait. */
export const waitForLedgerWaiters = (pool: Pool | PoolClient, count = 1): Promise<void> =>
  waitForWaiters(pool, `locktype = 'advisory' and objid in (${LEDGER_LOCK}, ${LEDGER_TURN_LOCK})`, count);

/** Resolves when so many sessions of the database wait for a row that another transaction has locked. */
export const waitForRowWaiters = (pool: Pool | PoolClient, count = 1): Promise<void> =>
  waitForWaiters(pool, "locktype in ('transactionid', 'tuple')", count);

/** Long enough for a busy machine. */
const WAITERS_MS = 20_000;

/** @throws Error when they do not come in time */
async function waitForWaiters(pool: Pool | PoolClient, condition: string, count: number): Promise<void> {
  for (const endsAt = Date.now() + WAITERS_MS; ;) {
    const { rows } = await pool.query<{ waiting: number }>(
      `select count(distinct l.pid)::int as waiting from pg_locks l join pg_stat_activity a on a.pid = l.pid
       where not l.granted and a.datname = current_database() and ${condition}`,
    );
    if ((rows[0]?.waiting ?? 0) >= count) return;
    if (Date.now() > endsAt) throw new Error(`fewer than ${count} sessions wait: ${condition}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}
