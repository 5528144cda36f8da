import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { delivery, endpoint } from "../../db/fragments/webhooks.ts";
import { columnName, integer, isoText, selectRows, timestamp } from "../../db/sql.ts";
import { RETENTION_MS } from "../../domain/retention.ts";
import { SCHEDULE_REASONS } from "../../webhooks/rules/delivery-state.ts";
import { lockEndpoint, isOfAccount, isOwned, type EndpointRef } from "./endpoint-row.ts";

/** A delivery as its owner may see it, without the posted body. */
const DeliveryRow = z.object({
  id: integer,
  event_id: z.string(),
  event_type: z.string(),
  status: z.string(),
  attempt_count: z.number().int(),
  next_attempt_at: z.string().nullable(),
  schedule_reason: z.enum(SCHEDULE_REASONS).nullable(),
  last_response_status: z.number().int().nullable(),
  last_error: z.string().nullable(),
  delivered_at: z.string().nullable(),
  created_at: z.string(),
});

export type DeliveryRow = z.output<typeof DeliveryRow>;

/** The maximum bigint, above every row id. */
const MAX_ID = "9223372036854775807";

const deliveryColumns: SQL = sql`
  ${delivery.id}::text as id, ${delivery.eventId}, ${delivery.eventType}, ${delivery.status}, ${delivery.attemptCount},
  ${isoText(delivery.nextAttemptAt)} as next_attempt_at, ${delivery.scheduleReason},
  ${delivery.lastResponseStatus}, ${delivery.lastError}, ${isoText(delivery.deliveredAt)} as delivered_at,
  ${isoText(delivery.createdAt)} as created_at`;

const isRetained = (now: Date): SQL =>
  sql`${delivery.createdAt} > ${timestamp(new Date(now.getTime() - RETENTION_MS))}`;

const Page = z.object({ delivery: DeliveryRow.nullable() });

/**
 * An endpoint's deliveries of the last seven days below `beforeId` (null: all), newest first, also for a
 * deleted endpoint.
 *
 * @returns null when the account never had the endpoint
 */
export async function listDeliveries(
  db: Database,
  ref: EndpointRef,
  page: { readonly beforeId: string | null; readonly limit: number },
  now: Date,
): Promise<DeliveryRow[] | null> {
  const rows = await selectRows(
    db,
    sql`
      select to_json(d.*) as delivery from ${endpoint}
      left join lateral (
        select ${deliveryColumns} from ${delivery}
        -- A range instead of an equality: for an equality Postgres may scan the deliveries of all endpoints
        -- in id order.
        where ${delivery.endpointId} >= ${endpoint.id}
          and (${delivery.endpointId}, ${delivery.id}) < (${endpoint.id}, ${page.beforeId ?? MAX_ID}::bigint)
          and ${isRetained(now)}
        order by ${delivery.endpointId} desc, ${delivery.id} desc limit ${page.limit}) d on true
      where ${isOfAccount(ref)}
      order by d.id::bigint desc`,
    Page,
  );
  return rows.length === 0 ? null : rows.flatMap((row) => row.delivery ?? []);
}

const Redelivery = z.array(z.object({ has_delivery: z.boolean(), is_open: z.boolean() }).loose());

export type RedeliveryResult =
  | { readonly kind: "redelivered"; readonly row: DeliveryRow }
  /**
   * `closed`: the endpoint is not active, or has not registered the event. `not_dead`: the delivery is
   * delivered or pending.
   */
  | { readonly kind: "no_endpoint" | "no_delivery" | "closed" | "not_dead" };

/** Makes a dead letter due again, with no attempts counted. */
export async function redeliver(
  db: Database,
  ref: EndpointRef,
  deliveryId: number,
  now: Date,
): Promise<RedeliveryResult> {
  const [, stored] = await db.batch([
    lockEndpoint(db, ref),
    db.execute(sql`
      with found as (
        select ${endpoint.id} as endpoint_id, ${delivery.id} as delivery_id, ${delivery.status},
          ${delivery.id} is not null as has_delivery,
          coalesce(${endpoint.status} = 'active' and ${delivery.eventType} = any (${endpoint.eventTypes}), false)
            as is_open
        from ${endpoint}
        left join ${delivery} on ${delivery.endpointId} = ${endpoint.id} and ${delivery.id} = ${deliveryId}::bigint
          and ${isRetained(now)}
        where ${isOwned(ref)}
      ), changed as (
        update ${delivery} set ${columnName(delivery.status)} = 'pending', ${columnName(delivery.attemptCount)} = 0,
          ${columnName(delivery.nextAttemptAt)} = ${timestamp(now)},
          ${columnName(delivery.scheduleReason)} = 'manual_redelivery', ${columnName(delivery.lease)} = null,
          ${columnName(delivery.leaseUntil)} = null, ${columnName(delivery.lastResponseStatus)} = null,
          ${columnName(delivery.lastError)} = null
        from found f where ${delivery.id} = f.delivery_id and f.is_open and ${delivery.status} = 'dead_letter'
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
