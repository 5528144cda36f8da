import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { WEBHOOK_READER } from "../db/outbox.ts";

export interface Waiting {
  /** Whether any event lies behind the place, though it may not be readable yet. */
  readonly isAnyEvent: boolean;
  /** Whether an endpoint is active, or the next challenge of one that is to be verified is to come. */
  readonly isAnyoneServed: boolean;
}

const Row = z.tuple([z.object({ is_any_event: z.boolean(), is_anyone_served: z.boolean() })]);

/** What there is to do but to read on. */
export async function readWaiting(db: Database): Promise<Waiting> {
  const { rows } = await db.execute(sql`
    select
      coalesce((select true from outbox_readers r, lateral (select from events e
          where e.epoch = r.epoch and (e.commit_xid, e.id) > (r.commit_xid, r.event_id) order by e.commit_xid, e.id limit 1) e
        where r.name = ${WEBHOOK_READER}), false) as is_any_event,
      exists (select from webhook_endpoints where status = 'active' and deleted_at is null)
        or exists (select from webhook_verification_attempts where state = 'queued') as is_anyone_served`);
  const [row] = Row.parse(rows);
  return { isAnyEvent: row.is_any_event, isAnyoneServed: row.is_anyone_served };
}
