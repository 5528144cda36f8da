import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "./client.ts";
import { HORIZON, startOfEpoch, type OutboxPosition } from "./outbox.ts";

const Pair = z.object({ epoch: z.number().int(), commit_xid: z.string(), id: z.string() }).nullable();
const Row = z.object({ epoch: z.number().int(), last: Pair, pruned: Pair });

const placeOf = (pair: z.output<typeof Pair>): OutboxPosition | null =>
  pair === null ? null : { epoch: pair.epoch, commitXid: pair.commit_xid, id: pair.id };

/** Places from which a reader can go on in the epoch in force. */
export interface OutboxEnds {
  /** Behind every event that is readable now: only what comes is ahead of it. */
  readonly end: OutboxPosition;
  /** Behind the events that have been taken away for their age: all that are kept are ahead of it. */
  readonly start: OutboxPosition;
}

/** @returns null while the outbox has no epoch */
export async function findOutboxEnds(db: Database): Promise<OutboxEnds | null> {
  const { rows } = await db.execute(sql`
    select n.epoch,
      (select json_build_object('epoch', e.epoch, 'commit_xid', e.commit_xid::text, 'id', e.id::text) from events e
        where e.epoch = n.epoch and e.commit_xid < ${HORIZON} order by e.commit_xid desc, e.id desc limit 1) as last,
      case when n.pruned_xid is not null
        then json_build_object('epoch', n.epoch, 'commit_xid', n.pruned_xid::text, 'id', n.pruned_id::text) end as pruned
    from outbox_epoch n order by n.epoch desc limit 1`);
  if (rows[0] === undefined) return null;
  const { epoch, last, pruned } = Row.parse(rows[0]);
  const start = placeOf(pruned) ?? startOfEpoch(epoch);
  return { end: placeOf(last) ?? start, start };
}
