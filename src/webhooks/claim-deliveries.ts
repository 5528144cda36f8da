import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { ACCOUNT_STATES, PLANS } from "../domain/accounts.ts";
import { attemptsToBegin, type EndpointState, type Entitlement } from "../domain/webhooks/delivery-state.ts";

/** The endpoint as it stood when deliveries were claimed. */
export interface ClaimedEndpoint extends Entitlement {
  readonly id: string;
  readonly accountId: number;
  readonly url: string;
  /** The secrets that sign now, sealed: the one in force, and during an overlap the one before it. */
  readonly secretsSealed: readonly string[];
  readonly standing: EndpointState;
}

export interface ClaimedDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly body: string;
  /** Before this attempt. */
  readonly attemptCount: number;
  readonly lease: string;
  /** As it was scheduled before it was claimed: so it is again when it is given back. */
  readonly dueAt: string;
  readonly scheduleReason: string | null;
}

export interface Claim {
  readonly endpoint: ClaimedEndpoint;
  readonly deliveries: readonly ClaimedDelivery[];
  /** When something is due that this did not claim, in the past where it could have been; null when nothing waits. */
  readonly nextDueAtMs: number | null;
}

/**
 * What is claimed begins within 3 seconds and takes at most two DNS questions of 5 seconds at once and a POST of 15; after this long its worker
 * counts as dead.
 */
const LEASE_MS = 45_000;

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

export interface ClaimRoom {
  /** Attempts that the caller has not ended yet. */
  readonly underWay: number;
  /** How many to take beside those that may begin at once; none of an endpoint that fails. */
  readonly ahead: number;
}

/**
 * Takes as many due deliveries of an endpoint as may be attempted now, oldest first, as one statement: those whose time has come and those
 * whose worker counts as dead. Until the lease ends nobody else takes them.
 *
 * @param lease tells this claim from any other
 * @returns null when nothing may be posted to the endpoint, which is not active
 */
export async function claimDeliveries(
  db: Database,
  endpointId: string,
  { underWay, ahead }: ClaimRoom,
  lease: string,
  now: Date,
): Promise<Claim | null> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const roomAfter = (failureCount: number) =>
    attemptsToBegin({ status: "active", failureCount, openUntilMs: null }, underWay, now.getTime());
  const [sound, failing] = [roomAfter(0) + ahead, roomAfter(1)];
  // Shares the endpoint's row until the claim can be seen: whoever changes URL or secret holds it first, and then sees what is under way.
  const { rows } = await db.execute(sql`
    with endpoint as (
      select e.*, a.state, a.plan, case when e.open_until > ${at} then 0 when e.failure_count > 0 then ${failing}::int else ${sound}::int end as room
      from webhook_endpoints e join accounts a on a.id = e.account_id
      where e.id = ${endpointId}::bigint and e.status = 'active' and e.deleted_at is null for share of e
    ), candidates as (
      (select id, next_attempt_at as due_at from webhook_deliveries
        where endpoint_id = ${endpointId}::bigint and status in ('pending', 'retry') and next_attempt_at <= ${at}
        order by next_attempt_at, id limit coalesce((select room from endpoint), 0))
      union all
      (select id, lease_until from webhook_deliveries
        where endpoint_id = ${endpointId}::bigint and status = 'processing' and lease_until <= ${at}
        order by lease_until limit coalesce((select room from endpoint), 0))
    ), taken as (
      select d.id, c.due_at, d.schedule_reason from webhook_deliveries d join candidates c on c.id = d.id
      where exists (select from endpoint)
        and (d.status in ('pending', 'retry') and d.next_attempt_at <= ${at} or d.status = 'processing' and d.lease_until <= ${at})
      order by c.due_at, d.id limit coalesce((select room from endpoint), 0) for update of d skip locked
    ), claimed as (
      update webhook_deliveries d set status = 'processing', lease = ${lease}, lease_until = ${new Date(now.getTime() + LEASE_MS).toISOString()}::timestamptz,
        next_attempt_at = null, schedule_reason = null
      from taken where d.id = taken.id
      returning d.id, d.event_id, d.event_type, d.body, d.attempt_count, taken.due_at, taken.schedule_reason
    )
    select e.account_id::int, e.url, e.failure_count, e.state, e.plan, ${millis(sql`e.open_until`)} as open_until_ms,
      to_json(array_remove(array[e.secret_sealed, case when e.overlap_expires_at > ${at} then e.previous_secret_sealed end], null)) as secrets,
      (select coalesce(json_agg(json_build_object('id', c.id::text, 'event_id', c.event_id, 'event_type', c.event_type, 'body', c.body,
        'attempt_count', c.attempt_count, 'due_at', c.due_at, 'schedule_reason', c.schedule_reason) order by c.due_at, c.id), '[]') from claimed c) as deliveries,
      ${millis(sql`least(
        (select d.next_attempt_at from webhook_deliveries d where d.endpoint_id = e.id and d.status in ('pending', 'retry')
          and d.id <> all (array(select id from taken)) order by d.next_attempt_at limit 1),
        (select d.lease_until from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'processing'
          and d.id <> all (array(select id from taken)) order by d.lease_until limit 1))`)} as next_due_ms
    from endpoint e`);
  const [row] = z.array(Row).parse(rows);
  if (row === undefined) return null;
  return {
    endpoint: {
      id: endpointId,
      accountId: row.account_id,
      url: row.url,
      secretsSealed: row.secrets,
      state: row.state,
      plan: row.plan,
      standing: { status: "active", failureCount: row.failure_count, openUntilMs: row.open_until_ms },
    },
    deliveries: row.deliveries.map((delivery) => ({
      id: delivery.id,
      eventId: delivery.event_id,
      eventType: delivery.event_type,
      body: delivery.body,
      attemptCount: delivery.attempt_count,
      lease,
      dueAt: delivery.due_at,
      scheduleReason: delivery.schedule_reason,
    })),
    nextDueAtMs: row.next_due_ms,
  };
}

const millis = (instant: ReturnType<typeof sql>) => sql`(extract(epoch from ${instant}) * 1000)::float8`;
