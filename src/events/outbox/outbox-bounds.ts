import { sql } from "drizzle-orm";
import { z } from "zod";
import { currentEpoch, outboxEvent as e } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { selectRow } from "../../db/sql.ts";
import { COMMIT_HORIZON, startOfEpoch, type OutboxPosition } from "./outbox-reader.ts";

const Pair = z.object({ epoch: z.number().int(), commit_xid: z.string(), id: z.string() }).nullable();
const Row = z.object({ epoch: z.number().int(), last: Pair, pruned: Pair });

const toPosition = (pair: z.output<typeof Pair>): OutboxPosition | null =>
  pair === null ? null : { epoch: pair.epoch, commitXid: pair.commit_xid, id: pair.id };

/** Positions from which a reader can resume in the current epoch. */
export interface OutboxBounds {
  /** After the last event that is readable now: only future events follow it. */
  readonly end: OutboxPosition;
  /** After the last pruned event: all retained events follow it. */
  readonly start: OutboxPosition;
}

/** @returns null while the outbox has no epoch */
export async function findOutboxBounds(db: Database): Promise<OutboxBounds | null> {
  const row = await selectRow(
    db,
    sql`
      select ${currentEpoch.epoch},
        (select json_build_object('epoch', ${e.epoch}, 'commit_xid', ${e.commitXid}::text, 'id', ${e.id}::text)
          from ${e} where ${e.epoch} = ${currentEpoch.epoch} and ${e.commitXid} < ${COMMIT_HORIZON}
          order by ${e.commitXid} desc, ${e.id} desc limit 1) as last,
        case when ${currentEpoch.prunedXid} is not null
          then json_build_object('epoch', ${currentEpoch.epoch}, 'commit_xid', ${currentEpoch.prunedXid}::text,
            'id', ${currentEpoch.prunedId}::text) end as pruned
      from ${currentEpoch} order by ${currentEpoch.epoch} desc limit 1`,
    Row,
  );
  if (row === null) return null;
  const start = toPosition(row.pruned) ?? startOfEpoch(row.epoch);
  return { end: toPosition(row.last) ?? start, start };
}
