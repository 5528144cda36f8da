import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { delivery, endpoint, isWaiting } from "../../db/fragments/webhooks.ts";
import { webhookEndpoints } from "../../db/schema.ts";
import { array, columnName, epochMs } from "../../db/sql.ts";
import {
  decideOutcome,
  ENDPOINT_STATUSES,
  type DeliveryOutcome,
  type AttemptResult,
  type EndpointState,
} from "../rules/delivery-state.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";

/** An attempt with its result. */
export interface EndedAttempt {
  readonly delivery: Pick<ClaimedDelivery, "id" | "attemptCount" | "lease">;
  readonly result: AttemptResult;
  readonly endedAtMs: number;
  /** 0 to 1, 1 excluded. */
  readonly random: number;
}

export interface RecordedAttempts {
  /** One per attempt; null where the lease was lost. */
  readonly outcomes: readonly (DeliveryOutcome | null)[];
  /** The endpoint after these attempts. */
  readonly endpointState: EndpointState;
}

/**
 * Limit of retries when the endpoint changes between decision and record. After it the record fails; the
 * leases expire and the attempts are made again.
 */
const MAX_DECISIONS = 20;

const StatementResult = z.tuple([
  z.object({
    status: z.enum(ENDPOINT_STATUSES),
    failure_count: z.number().int(),
    open_until_ms: z.number().nullable(),
    leased: z.array(z.string()),
    recorded: z.number().int(),
  }),
]);

/**
 * Records the results of attempts at one endpoint, in the order in which they ended: on their deliveries, on
 * the endpoint and, when they disable it, on its pending deliveries. One statement, which takes effect only
 * while every lease is held, so that a worker that counts as dead changes nothing, and only while the
 * endpoint is as it was when the outcomes were decided. Otherwise the outcomes are decided again.
 *
 * @param endpointState the endpoint as last observed
 */
export async function recordAttempts(
  db: Database,
  endpointId: string,
  attempts: readonly EndedAttempt[],
  endpointState: EndpointState,
): Promise<RecordedAttempts> {
  let leased = attempts;
  let observed = endpointState;
  for (let decisions = 0; decisions < MAX_DECISIONS; decisions++) {
    const decision = decideOutcomes(leased, observed);
    const result = await store(db, endpointId, leased, observed, decision);
    if (result.recorded === leased.length) {
      const outcomes = new Map(leased.map((attempt, index) => [attempt, decision.outcomes[index] ?? null]));
      return {
        outcomes: attempts.map((attempt) => outcomes.get(attempt) ?? null),
        endpointState: decision.endpointState,
      };
    }
    leased = leased.filter((attempt) => result.leased.includes(attempt.delivery.id));
    observed = { status: result.status, failureCount: result.failure_count, openUntilMs: result.open_until_ms };
    if (leased.length === 0) return { outcomes: attempts.map(() => null), endpointState: observed };
  }
  throw new Error(`endpoint ${endpointId} changed ${MAX_DECISIONS} times while its attempts were recorded`);
}

interface Decision {
  readonly outcomes: readonly DeliveryOutcome[];
  readonly endpointState: EndpointState;
  readonly disabled: { readonly reason: "failures" | "gone"; readonly atMs: number } | null;
}

/** Each attempt is decided on the endpoint state after the previous attempt. */
function decideOutcomes(attempts: readonly EndedAttempt[], observed: EndpointState): Decision {
  let endpointState = observed;
  let disabled: Decision["disabled"] = null;
  const outcomes = attempts.map(({ delivery: { attemptCount }, result, endedAtMs, random }) => {
    const outcome = decideOutcome(result, attemptCount, endpointState, endedAtMs, random);
    const { failureCount, openUntilMs, disabledReason } = outcome.endpoint;
    if (disabledReason !== null) disabled = { reason: disabledReason, atMs: endedAtMs };
    endpointState = { status: disabledReason === null ? endpointState.status : "disabled", failureCount, openUntilMs };
    return outcome;
  });
  return { outcomes, endpointState, disabled };
}

async function store(
  db: Database,
  endpointId: string,
  attempts: readonly EndedAttempt[],
  observed: EndpointState,
  decision: Decision,
) {
  const statement = recordStatement(endpointId, attempts, observed, decision);
  if (decision.disabled === null) return StatementResult.parse((await db.execute(statement)).rows)[0];
  // Locked by a separate statement first, so that the second one takes its snapshot after the lock and sees
  // deliveries that were published in between.
  const [, stored] = await db.batch([
    db.execute(
      sql`select from ${webhookEndpoints} where ${webhookEndpoints.id} = ${endpointId}::bigint for no key update`,
    ),
    db.execute(statement),
  ]);
  return StatementResult.parse(stored.rows)[0];
}

function recordStatement(
  endpointId: string,
  attempts: readonly EndedAttempt[],
  observed: EndpointState,
  decision: Decision,
): SQL {
  const results = JSON.stringify(
    attempts.map((attempt, index) => ({ ...leaseColumns(attempt), ...outcomeColumns(decision.outcomes[index]) })),
  );
  // Passed as an array as well: with the join alone, the planner may read every delivery in flight.
  const ids = array(
    attempts.map((attempt) => attempt.delivery.id),
    "bigint",
  );
  return sql`
    with endpoint as (
      select ${endpoint.id},
        case when ${endpoint.deletedAt} is null then ${endpoint.status} else 'disabled' end as status,
        ${endpoint.failureCount}, ${endpoint.openUntil}
      from ${endpoint} where ${endpoint.id} = ${endpointId}::bigint for no key update
    ), result as materialized (
      select * from jsonb_to_recordset(${results}::jsonb) as r(id bigint, lease text, status text, attempt_count int,
        next_attempt_at timestamptz, schedule_reason text, response_status smallint, error text, ended_at timestamptz)
    ), leased as (
      select ${delivery.id} from result r join ${delivery} on ${delivery.id} = r.id
      where ${delivery.id} = any(${ids}) and ${delivery.status} = 'processing' and ${delivery.lease} = r.lease
        and ${delivery.endpointId} = (select id from endpoint) for update of d
    ), unchanged as (
      select id from endpoint where status = ${observed.status} and failure_count = ${observed.failureCount}
        and open_until is not distinct from ${instant(observed.openUntilMs)}
        and (select count(*) from leased) = ${attempts.length}::int
    ), recorded as (
      update ${delivery}
      set ${columnName(delivery.status)} = r.status, ${columnName(delivery.attemptCount)} = r.attempt_count,
        ${columnName(delivery.lease)} = null, ${columnName(delivery.leaseUntil)} = null,
        ${columnName(delivery.nextAttemptAt)} = r.next_attempt_at,
        ${columnName(delivery.scheduleReason)} = r.schedule_reason,
        ${columnName(delivery.lastResponseStatus)} = r.response_status, ${columnName(delivery.lastError)} = r.error,
        ${columnName(delivery.deliveredAt)} = case when r.status = 'delivered'
          then coalesce(${delivery.deliveredAt}, r.ended_at) else ${delivery.deliveredAt} end
      from result r, unchanged u where ${delivery.id} = any(${ids}) and ${delivery.id} = r.id returning ${delivery.id}
    ), ${updateEndpoint(decision)}, ${deadLetterWaiting(decision)}
    select e.status, e.failure_count, ${epochMs(sql`e.open_until`)} as open_until_ms,
      to_json(array(select id::text from leased)) as leased, (select count(*) from recorded)::int as recorded
    from endpoint e`;
}

/** The part of the statement that changes the endpoint, if the decision does. */
const updateEndpoint = ({ endpointState, disabled }: Decision): SQL => sql`
  changed as (
    update ${endpoint} set ${columnName(endpoint.failureCount)} = ${endpointState.failureCount},
      ${columnName(endpoint.openUntil)} = ${instant(endpointState.openUntilMs)},
      ${columnName(endpoint.status)} = case when ${disabled !== null} then 'disabled' else ${endpoint.status} end,
      ${columnName(endpoint.disabledReason)} = case when ${disabled !== null} then ${disabled?.reason ?? null}
        else ${endpoint.disabledReason} end,
      ${columnName(endpoint.updatedAt)} = case when ${disabled !== null} then ${instant(disabled?.atMs ?? null)}
        else ${endpoint.updatedAt} end
    from unchanged u where ${endpoint.id} = u.id
      and (${disabled !== null} or (${endpoint.failureCount}, ${endpoint.openUntil}) is distinct from
        (${endpointState.failureCount}::int, ${instant(endpointState.openUntilMs)}))
    returning ${endpoint.id}
  )`;

/** The part of the statement that turns the deliveries of a disabled endpoint into dead letters. */
const deadLetterWaiting = ({ disabled }: Decision): SQL => sql`
  dead_lettered as (
    update ${delivery} set ${columnName(delivery.status)} = 'dead_letter', ${columnName(delivery.nextAttemptAt)} = null,
      ${columnName(delivery.scheduleReason)} = null,
      ${columnName(delivery.lastError)} = ${"The endpoint was disabled before this could be delivered."}
    from unchanged u
    where ${disabled !== null} and ${delivery.endpointId} = u.id and ${isWaiting(delivery)} returning ${delivery.id}
  )`;

const leaseColumns = ({ delivery: { id, lease }, endedAtMs }: EndedAttempt) => ({
  id,
  lease,
  ended_at: new Date(endedAtMs).toISOString(),
});

function outcomeColumns(outcome: DeliveryOutcome | undefined) {
  const { status, attemptCount, nextAttemptAtMs, scheduleReason, responseStatus, error } = outcome?.delivery ?? {};
  return {
    ...{ status, attempt_count: attemptCount, schedule_reason: scheduleReason, response_status: responseStatus, error },
    next_attempt_at: nextAttemptAtMs == null ? null : new Date(nextAttemptAtMs).toISOString(),
  };
}

const instant = (ms: number | null) => sql`${ms === null ? null : new Date(ms).toISOString()}::timestamptz`;
