import { sql } from "drizzle-orm";
import type { Database } from "../../src/db/client.ts";
import { OperatorError } from "./arguments.ts";

/**
 * Begins another epoch of the outbox, as has to be done after a restore or a failover that lost transactions, before anything is written: every
 * place that was given out before is then refused, and no event gets an id that another one had. The epoch's number is the clock's seconds,
 * since two restores of one backup both find the number that the backup has.
 *
 * A logical restore begins transactions' numbers anew, and large trades of before would stand ahead of all that comes. They are then put before
 * it, in the order of their ids, which is that of their commits: all are recorded under one lock.
 */
export async function beginEpoch(db: Database, now: Date): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000);
  const { rows } = await db.execute(sql`
    with begun as (
      insert into outbox_epoch (epoch) select ${seconds}::int where ${seconds}::int > all (select epoch from outbox_epoch) returning epoch
    ), put_back as (
      update large_trades set commit_xid = '1' where exists (select from begun)
        and exists (select from large_trades where commit_xid >= pg_snapshot_xmax(pg_current_snapshot()))
    )
    select epoch from begun`);
  if (rows.length === 0)
    throw new OperatorError("The epoch in force began this very second or is ahead of this clock. Nothing has changed.");
  return `Epoch ${seconds} of the events has begun. Cursors from before are refused with cursor_expired.`;
}
