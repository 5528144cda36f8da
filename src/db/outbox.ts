import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "./client.ts";

/**
 * A place in the outbox: everything up to this pair, in the order of commit and then of id, is behind it. Both numbers are decimal text,
 * an `xid8` and a row id. A pair means something within its epoch only: a restored database starts another.
 */
export const OutboxPosition = z.object({
  epoch: z.number().int().positive(),
  commitXid: z.string().regex(/^\d{1,20}$/),
  id: z.string().regex(/^\d{1,19}$/),
});

export type OutboxPosition = z.output<typeof OutboxPosition>;

/** The place before the first event of an epoch. */
export const startOfEpoch = (epoch: number): OutboxPosition => ({ epoch, commitXid: "0", id: "0" });

const StoredEvent = z.object({
  id: z.string(),
  commit_xid: z.string(),
  type: z.string(),
  payload: z.record(z.string(), z.unknown()),
  created_at: z.string(),
  large_trade_id: z.number().int().nullable(),
  account_id: z.number().int().nullable(),
});

export type StoredEvent = z.output<typeof StoredEvent>;

const Page = z.object({
  epoch: z.number().int().nullable(),
  /** Whether events after the place are gone. */
  cut_off: z.boolean().nullable(),
  event: StoredEvent.nullable(),
});

/** What a reader finds behind its place. */
export interface OutboxPage {
  /** The epoch in force; null while the outbox has none. */
  readonly epoch: number | null;
  /** False when the place is of another epoch, or events after it are gone: what lies between is lost to this reader. */
  readonly isWhole: boolean;
  readonly events: readonly StoredEvent[];
}

/** Under this name `outbox_readers` has the place up to which webhooks have been told. */
export const WEBHOOK_READER = "webhooks";

/**
 * The checkpoint with the number of large trades' events that are kept below a place, `{epoch, commit_xid, counted}`: counting all of them
 * takes too long for a request.
 */
export const RETAINED_COUNT = "outbox:retained";

/** Below this every transaction has ended: no event can still appear there. */
export const HORIZON: SQL = sql`pg_snapshot_xmin(pg_current_snapshot())`;

/** Whether an event `e` lies behind a place and below the horizon. */
export const isReadable = ({ epoch, commitXid, id }: OutboxPosition): SQL =>
  sql`e.epoch = ${epoch} and (e.commit_xid, e.id) > (${commitXid}::xid8, ${id}::bigint) and e.commit_xid < ${HORIZON}`;

/**
 * Whether events behind a place are gone, by the row `newest` of the epoch in force: taken away for their age, or, for a place beyond the
 * horizon, which no reader of this very history can have reached, lost with the transactions that a failover has taken back.
 */
export const isCutOff = ({ commitXid, id }: OutboxPosition): SQL =>
  sql`(coalesce((newest.pruned_xid, newest.pruned_id) > (${commitXid}::xid8, ${id}::bigint), false) or ${commitXid}::xid8 > ${HORIZON})`;

/** The events behind a place, oldest first, at most `limit` of them, as one statement. */
export async function readOutbox(db: Database, after: OutboxPosition, limit: number): Promise<OutboxPage> {
  const { rows } = await db.execute(sql`
    with newest as (select newest.epoch, ${isCutOff(after)} as cut_off from outbox_epoch newest order by newest.epoch desc limit 1),
    page as (
      select e.commit_xid, e.id, json_build_object('id', e.id::text, 'commit_xid', e.commit_xid::text, 'type', e.type, 'payload', e.payload,
        'created_at', to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'large_trade_id', e.large_trade_id,
        'account_id', e.account_id) as event
      from events e where ${isReadable(after)} order by e.commit_xid, e.id limit ${limit}
    )
    select newest.epoch, newest.cut_off, page.event
    from (select) one left join newest on true left join page on true order by page.commit_xid, page.id`);
  const page = z.array(Page).parse(rows);
  const epoch = page[0]?.epoch ?? null;
  return {
    epoch,
    isWhole: epoch === after.epoch && page[0]?.cut_off !== true,
    events: page.flatMap(({ event }) => event ?? []),
  };
}
