import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";

/** What is due is attempted at once by its endpoint's object, unless it was not told; after this long it is told again. */
const OVERDUE_MS = 30_000;
/** Deliveries are kept this long. */
const KEPT_MS = 7 * 86_400_000;
const PRUNED_AT_ONCE = 5_000;

/** Active endpoints with deliveries that are long due or whose worker is dead, and no open circuit before them. Ids, decimal. */
export async function listOverdueEndpoints(db: Database, now: Date): Promise<string[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  // Asked endpoint by endpoint, so that the long queue of one hides nobody's.
  const { rows } = await db.execute(sql`
    select e.id::text from webhook_endpoints e
    where e.status = 'active' and e.deleted_at is null and (e.open_until is null or e.open_until <= ${at})
      and (exists (select from webhook_deliveries d where d.endpoint_id = e.id and d.status in ('pending', 'retry')
          and d.next_attempt_at < ${new Date(now.getTime() - OVERDUE_MS).toISOString()}::timestamptz)
        or exists (select from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'processing' and d.lease_until < ${at}))`);
  return z
    .array(z.object({ id: z.string() }))
    .parse(rows)
    .map(({ id }) => id);
}

/**
 * Takes away deliveries older than seven days, some thousands at most, but none that an active endpoint is still to get.
 *
 * @returns whether more may be left
 */
export async function pruneDeliveries(db: Database, now: Date): Promise<boolean> {
  const { rows } = await db.execute(sql`
    with old as (
      select d.id from webhook_deliveries d
      where d.created_at < ${new Date(now.getTime() - KEPT_MS).toISOString()}::timestamptz
        and (d.status in ('delivered', 'dead_letter')
          or not exists (select from webhook_endpoints e where e.id = d.endpoint_id and e.status = 'active' and e.deleted_at is null))
      order by d.created_at limit ${PRUNED_AT_ONCE}
    ), pruned as (delete from webhook_deliveries d using old where d.id = old.id returning d.id)
    select count(*)::int as count from pruned`);
  const [{ count }] = z.tuple([z.object({ count: z.number().int() })]).parse(rows);
  return count === PRUNED_AT_ONCE;
}
