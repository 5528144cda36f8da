import { sql } from "drizzle-orm";
import { z } from "zod";
import { currentEpoch, outboxEvent as e } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { integer, selectRow, timestamp } from "../../db/sql.ts";
import type { OutboxRange } from "../../domain/proofs/day-manifest.ts";
import { COMMIT_HORIZON, startOfEpoch } from "../../events/outbox/outbox-reader.ts";
import type { DayBounds } from "./closed-days.ts";

const Epoch = z.object({ epoch: integer, commit_xid: z.string().nullable(), id: z.string().nullable() });
const Counted = z.object({ commit_xid: z.string().nullable(), id: z.string().nullable(), events: integer });

/**
 * The events from the end of the previous day's range up to the last one that was created before the day's
 * end. The order is that of commits, so an event of the next day that committed earlier is in the range too.
 *
 * @param previous null on the first day of the archive, which begins at the oldest stored event
 * @throws Error while the outbox has no epoch
 */
export async function readOutboxRange(
  session: Session,
  { before }: DayBounds,
  previous: OutboxRange | null,
): Promise<OutboxRange> {
  const current = await selectRow(
    session,
    sql`select ${currentEpoch.epoch}, ${currentEpoch.prunedXid}::text as commit_xid, ${currentEpoch.prunedId}::text as id
      from ${currentEpoch} order by ${currentEpoch.epoch} desc limit 1`,
    Epoch,
  );
  if (current === null) throw new Error("the outbox has no epoch");
  const { epoch, commit_xid, id } = current;
  const origin = startOfEpoch(epoch);
  const oldest =
    commit_xid === null || id === null ? { commit_xid: origin.commitXid, id: origin.id } : { commit_xid, id };
  const gap =
    previous === null
      ? null
      : previous.epoch !== epoch
        ? ("epoch_changed" as const)
        : isAfter(oldest, previous.last)
          ? ("events_deleted" as const)
          : null;
  const after = previous === null || gap !== null ? oldest : previous.last;
  const counted = await selectRow(
    session,
    sql`with last as (
        select ${e.commitXid}, ${e.id} from ${e}
        where ${e.epoch} = ${epoch} and (${e.commitXid}, ${e.id}) > (${after.commit_xid}::xid8, ${after.id}::bigint)
          and ${e.commitXid} < ${COMMIT_HORIZON} and ${e.createdAt} < ${timestamp(before)}
        order by ${e.commitXid} desc, ${e.id} desc limit 1)
      select (select commit_xid::text from last) as commit_xid, (select id::text from last) as id,
        (select count(*) from ${e} where ${e.epoch} = ${epoch} and ${e.accountId} is null
          and (${e.commitXid}, ${e.id}) > (${after.commit_xid}::xid8, ${after.id}::bigint)
          and (${e.commitXid}, ${e.id}) <= (select commit_xid, id from last)) as events`,
    Counted,
  );
  const events = counted?.events ?? 0;
  const last =
    counted?.commit_xid == null || counted.id === null ? after : { commit_xid: counted.commit_xid, id: counted.id };
  const first_sequence = (previous?.last_sequence ?? 0) + 1;
  return { epoch, after, last, events, first_sequence, last_sequence: first_sequence + events - 1, gap };
}

type Position = OutboxRange["last"];

/** Whether one position is behind the other. Transaction ids exceed the safe integers. */
function isAfter(a: Position, b: Position): boolean {
  const [left, right] = [BigInt(a.commit_xid), BigInt(b.commit_xid)];
  return left === right ? BigInt(a.id) > BigInt(b.id) : left > right;
}
