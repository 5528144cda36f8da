import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { count, iso, selectRows } from "../rows.ts";
import { at, holdEndpoint, isOwned, type EndpointRef } from "./endpoint-row.ts";

/** A delivery as its owner may see it: without what is posted. */
const DeliveryRow = z.object({
  id: count,
  event_id: z.string(),
  event_type: z.string(),
  status: z.string(),
  attempt_count: z.number().int(),
  next_attempt_at: z.string().nullable(),
  schedule_reason: z
    .enum(["receiver_retry_after", "transient_failure", "permanent_or_auth_failure", "manual_redelivery", "configuration_changed"])
    .nullable(),
  last_response_status: z.number().int().nullable(),
  last_error: z.string().nullable(),
  delivered_at: z.string().nullable(),
  created_at: z.string(),
});

export type DeliveryRow = z.output<typeof DeliveryRow>;

const KEPT_MS = 7 * 86_400_000;
/** No row has an id beyond it. */
const MOST_ID = "9223372036854775807";

const deliveryColumns: SQL = sql`
  d.id::text as id, d.event_id, d.event_type, d.status, d.attempt_count, ${iso(sql`d.next_attempt_at`)} as next_attempt_at, d.schedule_reason,
  d.last_response_status, d.last_error, ${iso(sql`d.delivered_at`)} as delivered_at, ${iso(sql`d.created_at`)} as created_at`;

const isKept = (now: Date): SQL => sql`d.created_at > ${at(new Date(now.getTime() - KEPT_MS))}`;

const Page = z.object({ delivery: DeliveryRow.nullable() });

/**
 * An endpoint's deliveries of the last seven days below `beforeId` (null: all), newest first. A deleted endpoint has its own still.
 *
 * @returns null when the account never had the endpoint
 */
export async function listDeliveries(
  db: Database,
  { accountId, id }: EndpointRef,
  page: { readonly beforeId: string | null; readonly limit: number },
  now: Date,
): Promise<DeliveryRow[] | null> {
  const rows = await selectRows(
    db,
    sql`
      select to_json(d.*) as delivery from webhook_endpoints e
      left join lateral (
        select ${deliveryColumns} from webhook_deliveries d
        -- As a range and not as an equality: with that Postgres may walk all endpoints' deliveries in the order of their ids.
        where d.endpoint_id >= e.id and (d.endpoint_id, d.id) < (e.id, ${page.beforeId ?? MOST_ID}::bigint) and ${isKept(now)}
        order by d.endpoint_id desc, d.id desc limit ${page.limit}) d on true
      where e.id = ${id}::bigint and e.account_id = ${accountId}::bigint
      order by d.id::bigint desc`,
    Page,
  );
  return rows.length === 0 ? null : rows.flatMap(({ delivery }) => delivery ?? []);
}

const Redelivery = z.array(z.object({ has_delivery: z.boolean(), is_open: z.boolean() }).loose());

export type Redelivered =
  | { readonly kind: "redelivered"; readonly row: DeliveryRow }
  /** `closed`: the endpoint is not active, or has not registered the event. `not_dead`: it is delivered, or still to be. */
  | { readonly kind: "no_endpoint" | "no_delivery" | "closed" | "not_dead" };

/** Makes a dead letter due again, as if it had never been attempted. */
export async function redeliver(db: Database, ref: EndpointRef, deliveryId: number, now: Date): Promise<Redelivered> {
  const [, stored] = await db.batch([
    holdEndpoint(db, ref),
    db.execute(sql`
      with found as (
        select e.id as endpoint_id, d.id as delivery_id, d.status, d.id is not null as has_delivery,
          coalesce(e.status = 'active' and d.event_type = any (e.event_types), false) as is_open
        from webhook_endpoints e
        left join webhook_deliveries d on d.endpoint_id = e.id and d.id = ${deliveryId}::bigint and ${isKept(now)}
        where ${isOwned(ref)}
      ), changed as (
        update webhook_deliveries d set status = 'pending', attempt_count = 0, next_attempt_at = ${at(now)}, schedule_reason = 'manual_redelivery',
          lease = null, lease_until = null, last_response_status = null, last_error = null
        from found f where d.id = f.delivery_id and f.is_open and d.status = 'dead_letter'
        returning d.*
      )
      select f.has_delivery, f.is_open, ${deliveryColumns} from found f left join changed d on true`),
  ]);
  const [result] = Redelivery.parse(stored.rows);
  if (result === undefined) return { kind: "no_endpoint" };
  if (!result.has_delivery) return { kind: "no_delivery" };
  if (result["id"] !== null) return { kind: "redelivered", row: DeliveryRow.parse(result) };
  return { kind: result.is_open ? "not_dead" : "closed" };
}
