import { sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";

/**
 * Gives deliveries back that were claimed and never begun: they are due as they were. Of an endpoint that has been stopped meanwhile they become
 * dead letters, as all else that waited for it. One statement; what is not held any more is left alone.
 */
export async function releaseDeliveries(db: Database, endpointId: string, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const held = deliveries.map(({ id, lease, dueAt, scheduleReason }) => ({ id, lease, due_at: dueAt, schedule_reason: scheduleReason }));
  const ids = `{${deliveries.map(({ id }) => id).join(",")}}`;
  // Shares the endpoint's row, so that whoever stops it finds these waiting or lets them find that it is stopped.
  await db.execute(sql`
    with endpoint as (
      select e.status = 'disabled' or e.deleted_at is not null as is_stopped from webhook_endpoints e where e.id = ${endpointId}::bigint for share
    )
    update webhook_deliveries d set lease = null, lease_until = null,
      status = case when e.is_stopped then 'dead_letter' when d.attempt_count > 0 then 'retry' else 'pending' end,
      next_attempt_at = case when not e.is_stopped then h.due_at end,
      schedule_reason = case when not e.is_stopped then h.schedule_reason end,
      last_error = case when e.is_stopped then ${"The endpoint was disabled before this could be delivered."} else d.last_error end
    from endpoint e, jsonb_to_recordset(${JSON.stringify(held)}::jsonb) as h(id bigint, lease text, due_at timestamptz, schedule_reason text)
    where d.id = any(${ids}::bigint[]) and d.id = h.id and d.status = 'processing' and d.lease = h.lease`);
}
