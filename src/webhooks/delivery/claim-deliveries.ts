import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { account } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { delivery, endpoint, isActive, isWaiting, signingSecretsJson } from "../../db/fragments/webhooks.ts";
import { webhookDeliveries } from "../../db/schema.ts";
import { columnName, epochMs, selectRow, timestamp } from "../../db/sql.ts";
import { ACCOUNT_STATES, PLANS } from "../../domain/accounts/accounts.ts";
import { countStartableAttempts, type EndpointState, type Entitlement } from "../rules/delivery-state.ts";

/** The endpoint at the time of the claim. */
export interface ClaimedEndpoint extends Entitlement {
  readonly id: string;
  readonly accountId: number;
  readonly url: string;
  /** The active signing secrets, sealed: the current one and, during an overlap, the previous one. */
  readonly secretsSealed: readonly string[];
  readonly endpointState: EndpointState;
}

export interface ClaimedDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly body: string;
  /** Number of attempts before this one. */
  readonly attemptCount: number;
  readonly lease: string;
  /** The schedule before the claim, restored when the delivery is released. */
  readonly dueAt: string;
  readonly scheduleReason: string | null;
}

export interface Claim {
  readonly endpoint: ClaimedEndpoint;
  readonly deliveries: readonly ClaimedDelivery[];
  /**
   * When the next delivery that was not claimed is due, Unix milliseconds; in the past when it is already
   * due. Null when none is pending.
   */
  readonly nextDueAtMs: number | null;
}

/**
 * After this the worker of a delivery counts as dead. A claimed delivery begins within 3 seconds and takes at
 * most two concurrent DNS queries of 5 seconds and a POST of 15 seconds.
 */
const LEASE_MS = 45_000;

const { id, status, nextAttemptAt, leaseUntil } = webhookDeliveries;

const Row = z.object({
  account_id: z.number().int(),
  url: z.string(),
  secrets: z.array(z.string()),
  failure_count: z.number().int(),
  open_until_ms: z.number().nullable(),
  state: z.enum(ACCOUNT_STATES),
  plan: z.enum(PLANS),
  deliveries: z.array(
    z.object({
      id: z.string(),
      event_id: z.string(),
      event_type: z.string(),
      body: z.string(),
      attempt_count: z.number().int(),
      due_at: z.string(),
      schedule_reason: z.string().nullable(),
    }),
  ),
  next_due_ms: z.number().nullable(),
});

/**
 * When the next delivery of endpoint `e` that is not in `taken` is due. By time and id, as only one index has them:
 * the index by time alone also has the deliveries of all other endpoints.
 */
const NEXT_DUE = sql`least(
  (select ${delivery.nextAttemptAt} from ${delivery}
    where ${delivery.endpointId} = ${endpoint.id} and ${isWaiting(delivery)}
      and ${delivery.id} <> all (array(select id from taken))
    order by ${delivery.nextAttemptAt}, ${delivery.id} limit 1),
  (select ${delivery.leaseUntil} from ${delivery}
    where ${delivery.endpointId} = ${endpoint.id} and ${delivery.status} = 'processing'
      and ${delivery.id} <> all (array(select id from taken)) order by ${delivery.leaseUntil} limit 1))`;

export interface ClaimCapacity {
  /** Attempts of the caller that are in flight, and its claimed deliveries that begin before the new ones. */
  readonly started: number;
  /** Number of deliveries to claim beyond those that may begin at once; ignored for a failing endpoint. */
  readonly prefetch: number;
}

/**
 * Leases as many due deliveries of an endpoint as may be attempted now, oldest first, in one statement:
 * scheduled ones that are due, and those whose worker counts as dead. Until the lease expires no other worker
 * gets them.
 *
 * @param lease unique id of this claim
 * @returns null when the endpoint is not active
 */
export async function claimDeliveries(
  db: Database,
  endpointId: string,
  { started, prefetch }: ClaimCapacity,
  lease: string,
  now: Date,
): Promise<Claim | null> {
  const roomAfter = (failureCount: number) =>
    countStartableAttempts({ status: "active", failureCount, openUntilMs: null }, started, now.getTime());
  const room = { healthy: roomAfter(0) + prefetch, failing: roomAfter(1) };
  const row = await selectRow(db, claimStatement(endpointId, room, lease, now), Row);
  if (row === null) return null;
  return {
    endpoint: {
      id: endpointId,
      accountId: row.account_id,
      url: row.url,
      secretsSealed: row.secrets,
      state: row.state,
      plan: row.plan,
      endpointState: { status: "active", failureCount: row.failure_count, openUntilMs: row.open_until_ms },
    },
    deliveries: row.deliveries.map((claimed) => ({
      id: claimed.id,
      eventId: claimed.event_id,
      eventType: claimed.event_type,
      body: claimed.body,
      attemptCount: claimed.attempt_count,
      lease,
      dueAt: claimed.due_at,
      scheduleReason: claimed.schedule_reason,
    })),
    nextDueAtMs: row.next_due_ms,
  };
}

/** @param room how many deliveries may be claimed from a healthy and from a failing endpoint */
function claimStatement(
  endpointId: string,
  room: { readonly healthy: number; readonly failing: number },
  lease: string,
  now: Date,
): SQL {
  const at = timestamp(now);
  // `for share` holds the endpoint's row until the claim is visible: a change of URL or secret locks the row
  // first and then sees the deliveries in flight.
  return sql`
    with endpoint as (
      select e.*, ${account.state}, ${account.plan}, case when ${endpoint.openUntil} > ${at} then 0
        when ${endpoint.failureCount} > 0 then ${room.failing}::int else ${room.healthy}::int end as room
      from ${endpoint} join ${account} on ${account.id} = ${endpoint.accountId}
      where ${endpoint.id} = ${endpointId}::bigint and ${isActive(endpoint)} for share of e
    ), candidates as (
      (select ${id}, ${nextAttemptAt} as due_at from ${webhookDeliveries}
        where ${webhookDeliveries.endpointId} = ${endpointId}::bigint and ${isWaiting(webhookDeliveries)}
          and ${nextAttemptAt} <= ${at}
        order by ${nextAttemptAt}, ${id} limit coalesce((select room from endpoint), 0))
      union all
      (select ${id}, ${leaseUntil} from ${webhookDeliveries}
        where ${webhookDeliveries.endpointId} = ${endpointId}::bigint and ${status} = 'processing'
          and ${leaseUntil} <= ${at}
        order by ${leaseUntil} limit coalesce((select room from endpoint), 0))
    ), taken as (
      select ${delivery.id}, c.due_at, ${delivery.scheduleReason}
      from ${delivery} join candidates c on c.id = ${delivery.id}
      where exists (select from endpoint)
        and (${isWaiting(delivery)} and ${delivery.nextAttemptAt} <= ${at}
          or ${delivery.status} = 'processing' and ${delivery.leaseUntil} <= ${at})
      order by c.due_at, ${delivery.id} limit coalesce((select room from endpoint), 0) for update of d skip locked
    ), claimed as (
      update ${delivery} set ${columnName(delivery.status)} = 'processing', ${columnName(delivery.lease)} = ${lease},
        ${columnName(delivery.leaseUntil)} = ${timestamp(new Date(now.getTime() + LEASE_MS))},
        ${columnName(delivery.nextAttemptAt)} = null, ${columnName(delivery.scheduleReason)} = null
      from taken where ${delivery.id} = taken.id
      returning ${delivery.id}, ${delivery.eventId}, ${delivery.eventType}, ${delivery.body}, ${delivery.attemptCount},
        taken.due_at, taken.schedule_reason
    )
    select ${endpoint.accountId}::int, ${endpoint.url}, ${endpoint.failureCount}, e.state, e.plan,
      ${epochMs(endpoint.openUntil)} as open_until_ms, ${signingSecretsJson(at)} as secrets,
      (select coalesce(json_agg(json_build_object('id', c.id::text, 'event_id', c.event_id, 'event_type', c.event_type,
        'body', c.body, 'attempt_count', c.attempt_count, 'due_at', c.due_at,
        'schedule_reason', c.schedule_reason) order by c.due_at, c.id), '[]') from claimed c) as deliveries,
      ${epochMs(NEXT_DUE)} as next_due_ms
    from endpoint e`;
}
