import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { decideOutcome, type AttemptOutcome, type AttemptResult, type EndpointState } from "../domain/webhooks/delivery-state.ts";
import type { ClaimedDelivery } from "./claim-deliveries.ts";

/** An attempt that has ended. */
export interface EndedAttempt {
  readonly delivery: Pick<ClaimedDelivery, "id" | "attemptCount" | "lease">;
  readonly result: AttemptResult;
  readonly endedAtMs: number;
  /** 0 to 1, 1 excluded. */
  readonly random: number;
}

export interface Recorded {
  /** Of each attempt; null where the lease was not held any more. */
  readonly outcomes: readonly (AttemptOutcome | null)[];
  /** The endpoint with all this. */
  readonly standing: EndpointState;
}

/** An endpoint that keeps changing between decision and record is given up on; the leases end and the attempts are made again. */
const MOST_DECISIONS = 20;

const Answer = z.tuple([
  z.object({
    status: z.enum(["pending_verification", "active", "disabled"]),
    failure_count: z.number().int(),
    open_until_ms: z.number().nullable(),
    held: z.array(z.string()),
    recorded: z.number().int(),
  }),
]);

/**
 * Records what came of attempts at one endpoint, in the order in which they ended: on their deliveries and on the endpoint, and when they
 * disable it on all that waits for it. One statement, which counts only while each of the leases is held, so that a worker that was taken for
 * dead changes nothing, and only while the endpoint stands as it stood when the outcomes were decided; else they are decided again.
 *
 * @param standing the endpoint as it was last seen
 */
export async function recordAttempts(
  db: Database,
  endpointId: string,
  attempts: readonly EndedAttempt[],
  standing: EndpointState,
): Promise<Recorded> {
  let held = attempts;
  let seen = standing;
  for (let decided = 0; decided < MOST_DECISIONS; decided++) {
    const decision = decideOutcomes(held, seen);
    const answer = await store(db, endpointId, held, seen, decision);
    if (answer.recorded === held.length) {
      const outcomes = new Map(held.map((attempt, index) => [attempt, decision.outcomes[index] ?? null]));
      return { outcomes: attempts.map((attempt) => outcomes.get(attempt) ?? null), standing: decision.standing };
    }
    held = held.filter(({ delivery }) => answer.held.includes(delivery.id));
    seen = { status: answer.status, failureCount: answer.failure_count, openUntilMs: answer.open_until_ms };
    if (held.length === 0) return { outcomes: attempts.map(() => null), standing: seen };
  }
  throw new Error(`endpoint ${endpointId} does not stand still`);
}

interface Decision {
  readonly outcomes: readonly AttemptOutcome[];
  readonly standing: EndpointState;
  readonly disabled: { readonly reason: "failures" | "gone"; readonly atMs: number } | null;
}

/** Each attempt is decided on the endpoint as the one before it left it. */
function decideOutcomes(attempts: readonly EndedAttempt[], seen: EndpointState): Decision {
  let standing = seen;
  let disabled: Decision["disabled"] = null;
  const outcomes = attempts.map(({ delivery, result, endedAtMs, random }) => {
    const outcome = decideOutcome(result, delivery.attemptCount, standing, endedAtMs, random);
    const { failureCount, openUntilMs, disabledReason } = outcome.endpoint;
    if (disabledReason !== null) disabled = { reason: disabledReason, atMs: endedAtMs };
    standing = { status: disabledReason === null ? standing.status : "disabled", failureCount, openUntilMs };
    return outcome;
  });
  return { outcomes, standing, disabled };
}

async function store(db: Database, endpointId: string, attempts: readonly EndedAttempt[], seen: EndpointState, decision: Decision) {
  const statement = recordStatement(endpointId, attempts, seen, decision);
  if (decision.disabled === null) return Answer.parse((await db.execute(statement)).rows)[0];
  // Held by a statement of its own first: what is published meanwhile must be seen by the one that empties the queue.
  const [, stored] = await db.batch([
    db.execute(sql`select from webhook_endpoints where id = ${endpointId}::bigint for no key update`),
    db.execute(statement),
  ]);
  return Answer.parse(stored.rows)[0];
}

function recordStatement(endpointId: string, attempts: readonly EndedAttempt[], seen: EndpointState, decision: Decision): SQL {
  const { standing, disabled } = decision;
  const results = JSON.stringify(attempts.map((attempt, index) => ({ ...columnsOf(attempt), ...storedOutcome(decision.outcomes[index]) })));
  // Named besides, since a statement that only joins them may read everything that is under way.
  const ids = `{${attempts.map(({ delivery }) => delivery.id).join(",")}}`;
  return sql`
    with endpoint as (
      select e.id, case when e.deleted_at is null then e.status else 'disabled' end as status, e.failure_count, e.open_until
      from webhook_endpoints e where e.id = ${endpointId}::bigint for no key update
    ), result as materialized (
      select * from jsonb_to_recordset(${results}::jsonb) as r(id bigint, lease text, status text, attempt_count int, next_attempt_at timestamptz,
        schedule_reason text, response_status smallint, error text, ended_at timestamptz)
    ), held as (
      select d.id from result r join webhook_deliveries d on d.id = r.id
      where d.id = any(${ids}::bigint[]) and d.status = 'processing' and d.lease = r.lease and d.endpoint_id = (select id from endpoint) for update of d
    ), unchanged as (
      select id from endpoint where status = ${seen.status} and failure_count = ${seen.failureCount}
        and open_until is not distinct from ${instant(seen.openUntilMs)} and (select count(*) from held) = ${attempts.length}::int
    ), recorded as (
      update webhook_deliveries d set status = r.status, attempt_count = r.attempt_count, lease = null, lease_until = null,
        next_attempt_at = r.next_attempt_at, schedule_reason = r.schedule_reason, last_response_status = r.response_status,
        last_error = r.error, delivered_at = case when r.status = 'delivered' then coalesce(d.delivered_at, r.ended_at) else d.delivered_at end
      from result r, unchanged u where d.id = any(${ids}::bigint[]) and d.id = r.id returning d.id
    ), changed as (
      update webhook_endpoints e set failure_count = ${standing.failureCount}, open_until = ${instant(standing.openUntilMs)},
        status = case when ${disabled !== null} then 'disabled' else e.status end,
        disabled_reason = case when ${disabled !== null} then ${disabled?.reason ?? null} else e.disabled_reason end,
        updated_at = case when ${disabled !== null} then ${instant(disabled?.atMs ?? null)} else e.updated_at end
      from unchanged u where e.id = u.id
        and (${disabled !== null} or (e.failure_count, e.open_until) is distinct from (${standing.failureCount}::int, ${instant(standing.openUntilMs)}))
      returning e.id
    ), waiting as (
      update webhook_deliveries d set status = 'dead_letter', next_attempt_at = null, schedule_reason = null,
        last_error = ${"The endpoint was disabled before this could be delivered."}
      from unchanged u where ${disabled !== null} and d.endpoint_id = u.id and d.status in ('pending', 'retry') returning d.id
    )
    select e.status, e.failure_count, (extract(epoch from e.open_until) * 1000)::float8 as open_until_ms,
      to_json(array(select id::text from held)) as held, (select count(*) from recorded)::int as recorded
    from endpoint e`;
}

const columnsOf = ({ delivery, endedAtMs }: EndedAttempt) => ({
  id: delivery.id,
  lease: delivery.lease,
  ended_at: new Date(endedAtMs).toISOString(),
});

function storedOutcome(outcome: AttemptOutcome | undefined) {
  const { status, attemptCount, nextAttemptAtMs, scheduleReason, responseStatus, error } = outcome?.delivery ?? {};
  return {
    ...{ status, attempt_count: attemptCount, schedule_reason: scheduleReason, response_status: responseStatus, error },
    next_attempt_at: nextAttemptAtMs == null ? null : new Date(nextAttemptAtMs).toISOString(),
  };
}

const instant = (ms: number | null) => sql`${ms === null ? null : new Date(ms).toISOString()}::timestamptz`;
