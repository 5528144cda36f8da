import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { outboxEvent as e } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { outboxEpoch } from "../../db/schema.ts";
import { alias, isoText, selectRows } from "../../db/sql.ts";

/** The row of the current epoch. */
const newest = alias(outboxEpoch, "newest");

/**
 * A position in the outbox, in the order of commit and then of id: all events up to and including this pair
 * are before it. Both numbers are decimal text, an `xid8` and a row id. A pair is valid within its epoch
 * only: a restored database starts another epoch.
 */
export const OutboxPosition = z.object({
  epoch: z.number().int().positive(),
  commitXid: z.string().regex(/^\d{1,20}$/),
  id: z.string().regex(/^\d{1,19}$/),
});

export type OutboxPosition = z.output<typeof OutboxPosition>;

/** The position before the first event of an epoch. */
export const startOfEpoch = (epoch: number): OutboxPosition => ({ epoch, commitXid: "0", id: "0" });

const StoredEvent = z.object({
  id: z.string(),
  identity: z.guid().nullable(),
  commit_xid: z.string(),
  type: z.string(),
  payload: z.record(z.string(), z.unknown()),
  created_at: z.string(),
  large_trade_id: z.number().int().nullable(),
  account_id: z.number().int().nullable(),
});

export type StoredEvent = z.output<typeof StoredEvent>;

const PageRow = z.object({
  epoch: z.number().int().nullable(),
  /** Whether events after the position have been lost or pruned. */
  cut_off: z.boolean().nullable(),
  event: StoredEvent.nullable(),
});

/** The events that follow a reader's position. */
export interface OutboxPage {
  /** The current epoch; null while the outbox has none. */
  readonly epoch: number | null;
  /**
   * False when the position is of another epoch, or when events after it are gone: this reader has lost the
   * events in between.
   */
  readonly isContiguous: boolean;
  readonly events: readonly StoredEvent[];
}

/**
 * The name in `outbox_readers` under which webhooks store the position up to which deliveries have been
 * enqueued.
 */
export const WEBHOOK_READER = "webhooks";

/**
 * The checkpoint with the number of retained large-trade events below a position, `{epoch, commit_xid,
 * counted}`. Counting all of them takes too long for a request.
 */
export const RETAINED_COUNT_CHECKPOINT = "outbox:retained";

/** The commit horizon. Every transaction below it has ended, so no event can still appear there. */
export const COMMIT_HORIZON: SQL = sql`pg_snapshot_xmin(pg_current_snapshot())`;

/** SQL condition: event `e` is after the position and below the horizon. */
export const isReadableAfter = ({ epoch, commitXid, id }: OutboxPosition): SQL =>
  sql`${e.epoch} = ${epoch} and (${e.commitXid}, ${e.id}) > (${commitXid}::xid8, ${id}::bigint)
    and ${e.commitXid} < ${COMMIT_HORIZON}`;

/**
 * SQL condition: events after the position are gone. `newest` is the row of the current epoch. Either they
 * were pruned for their age, or the position is beyond the horizon. No reader of this database history can be
 * there: a failover has rolled back those transactions.
 */
export const hasLostEventsAfter = ({ commitXid, id }: OutboxPosition): SQL =>
  sql`(coalesce((${newest.prunedXid}, ${newest.prunedId}) > (${commitXid}::xid8, ${id}::bigint), false)
    or ${commitXid}::xid8 > ${COMMIT_HORIZON})`;

/** Reads at most `limit` events after a position, oldest first, in one statement. */
export async function readOutbox(db: Database, after: OutboxPosition, limit: number): Promise<OutboxPage> {
  const page = await selectRows(
    db,
    sql`
      with newest as (select ${newest.epoch}, ${hasLostEventsAfter(after)} as cut_off from ${newest}
        order by ${newest.epoch} desc limit 1),
      page as (
        select ${e.commitXid}, ${e.id}, json_build_object('id', ${e.id}::text, 'identity', ${e.identity}, 'commit_xid', ${e.commitXid}::text,
          'type', ${e.type}, 'payload', ${e.payload}, 'created_at', ${isoText(e.createdAt)},
          'large_trade_id', ${e.largeTradeId}, 'account_id', ${e.accountId}) as event
        from ${e} where ${isReadableAfter(after)} order by ${e.commitXid}, ${e.id} limit ${limit}
      )
      select newest.epoch, newest.cut_off, page.event
      from (select) one left join newest on true left join page on true order by page.commit_xid, page.id`,
    PageRow,
  );
  const epoch = page[0]?.epoch ?? null;
  return {
    epoch,
    isContiguous: epoch === after.epoch && page[0]?.cut_off !== true,
    events: page.flatMap(({ event }) => event ?? []),
  };
}
