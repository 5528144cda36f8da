import { sql } from "drizzle-orm";
import type { Database } from "../../src/db/client.ts";
import { OperatorError } from "./arguments.ts";

/**
 * Begins another epoch of the outbox, as has to be done after a restore or a failover that lost transactions, before anything is written: every
 * place that was given out before is then refused, and no event gets an id that another one had. The epoch's number is the clock's seconds,
 * since two restores of one backup both find the number that the backup has.
 */
export async function beginEpoch(db: Database, now: Date): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000);
  const { rows } = await db.execute(sql`
    insert into outbox_epoch (epoch) select ${seconds}::int where ${seconds}::int > all (select epoch from outbox_epoch) returning epoch`);
  if (rows.length === 0)
    throw new OperatorError("The epoch in force began this very second or is ahead of this clock. Nothing has changed.");
  return `Epoch ${seconds} of the events has begun. Cursors from before are refused with cursor_expired.`;
}
