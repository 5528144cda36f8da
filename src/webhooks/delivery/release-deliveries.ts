import { sql } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { delivery, endpoint } from "../../db/fragments/webhooks.ts";
import { array, columnName } from "../../db/sql.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";

/**
 * Releases claimed deliveries that have not begun and restores their schedule. If the endpoint was disabled
 * or deleted in the meantime, they become dead letters like its other pending deliveries. One statement;
 * deliveries whose lease was lost are not changed.
 */
export async function releaseDeliveries(
  db: Database,
  endpointId: string,
  deliveries: readonly ClaimedDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const leased = deliveries.map(({ id, lease, dueAt, scheduleReason }) => ({
    id,
    lease,
    due_at: dueAt,
    schedule_reason: scheduleReason,
  }));
  const ids = deliveries.map(({ id }) => id);
  // `for share` orders this with a concurrent disablement: either it finds these deliveries pending, or this
  // statement finds the endpoint disabled.
  await db.execute(sql`
    with endpoint as (
      select ${endpoint.status} = 'disabled' or ${endpoint.deletedAt} is not null as is_stopped
      from ${endpoint} where ${endpoint.id} = ${endpointId}::bigint for share
    )
    update ${delivery} set ${columnName(delivery.lease)} = null, ${columnName(delivery.leaseUntil)} = null,
      ${columnName(delivery.status)} = case when e.is_stopped then 'dead_letter'
        when ${delivery.attemptCount} > 0 then 'retry' else 'pending' end,
      ${columnName(delivery.nextAttemptAt)} = case when not e.is_stopped then l.due_at end,
      ${columnName(delivery.scheduleReason)} = case when not e.is_stopped then l.schedule_reason end,
      ${columnName(delivery.lastError)} = case when e.is_stopped
        then ${"The endpoint was disabled before this could be delivered."} else ${delivery.lastError} end
    from endpoint e, jsonb_to_recordset(${JSON.stringify(leased)}::jsonb)
      as l(id bigint, lease text, due_at timestamptz, schedule_reason text)
    where ${delivery.id} = any(${array(ids, "bigint")}) and ${delivery.id} = l.id and ${delivery.status} = 'processing'
      and ${delivery.lease} = l.lease`);
}
