import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { delivery, endpoint, isActive, isWaiting } from "../../db/fragments/webhooks.ts";
import { integer, selectRow, selectRows, timestamp } from "../../db/sql.ts";
import { RETENTION_MS } from "../../domain/retention.ts";

/**
 * A due delivery is normally attempted at once. If its message was lost, its endpoint is woken again after
 * this time.
 */
const OVERDUE_MS = 30_000;
const MAX_PRUNED = 5_000;

/**
 * Decimal ids of active endpoints with a closed circuit and deliveries that are overdue or whose worker
 * counts as dead.
 */
export async function listOverdueEndpoints(db: Database, now: Date): Promise<string[]> {
  const at = timestamp(now);
  // One existence check per endpoint, so that one endpoint's long queue does not hide the others.
  const rows = await selectRows(
    db,
    sql`
      select ${endpoint.id}::text from ${endpoint}
      where ${isActive(endpoint)} and (${endpoint.openUntil} is null or ${endpoint.openUntil} <= ${at})
        and (exists (select from ${delivery} where ${delivery.endpointId} = ${endpoint.id} and ${isWaiting(delivery)}
            and ${delivery.nextAttemptAt} < ${timestamp(new Date(now.getTime() - OVERDUE_MS))})
          or exists (select from ${delivery}
            where ${delivery.endpointId} = ${endpoint.id} and ${delivery.status} = 'processing'
              and ${delivery.leaseUntil} < ${at}))`,
    z.object({ id: z.string() }),
  );
  return rows.map(({ id }) => id);
}

/**
 * Deletes deliveries older than seven days, at most MAX_PRUNED per call, except pending ones of active
 * endpoints.
 *
 * @returns whether more may be left
 */
export async function pruneDeliveries(db: Database, now: Date): Promise<boolean> {
  const pruned = await selectRow(
    db,
    sql`
      with old as (
        select ${delivery.id} from ${delivery}
        where ${delivery.createdAt} < ${timestamp(new Date(now.getTime() - RETENTION_MS))}
          and (${delivery.status} in ('delivered', 'dead_letter')
            or not exists (select from ${endpoint}
              where ${endpoint.id} = ${delivery.endpointId} and ${isActive(endpoint)}))
        order by ${delivery.createdAt} limit ${MAX_PRUNED}
      ), pruned as (delete from ${delivery} using old where ${delivery.id} = old.id returning ${delivery.id})
      select count(*)::int as count from pruned`,
    z.object({ count: integer }),
  );
  return pruned?.count === MAX_PRUNED;
}
