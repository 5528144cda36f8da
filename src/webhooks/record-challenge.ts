import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import type { AttemptStep } from "../domain/webhooks/verify-schedule.ts";
import type { ClaimedChallenge } from "./claim-challenge.ts";

const Recorded = z.array(z.object({ state: z.string(), resumed: z.number().int() }));

/**
 * Records what came of a challenge. One statement, which counts only while the lease is held. An accepted one makes the endpoint active,
 * provided that it still waits for verification with the token that the receiver was shown; else the attempt is cancelled.
 *
 * @returns the state of the attempt, and how many deliveries have become due with it; null when the lease is not held any more
 */
export async function recordChallenge(
  db: Database,
  { attemptId, lease, tokenSealed }: Pick<ClaimedChallenge, "attemptId" | "lease" | "tokenSealed">,
  step: AttemptStep,
  now: Date,
): Promise<{ readonly state: string; readonly resumed: number } | null> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const isVerified = step.state === "verified";
  const nextAt = step.waitMs === null ? null : new Date(now.getTime() + step.waitMs).toISOString();
  const { rows } = await db.execute(sql`
    with endpoint as materialized (
      select e.* from webhook_endpoints e
      where e.id = (select endpoint_id from webhook_verification_attempts where id = ${attemptId}) for no key update
    ), held as (
      select a.id, e.id as endpoint_id, e.deleted_at is null and e.status = 'pending_verification'
        and e.verification_token_sealed = ${tokenSealed} and e.verification_expires_at > ${at} as stands
      from webhook_verification_attempts a join endpoint e on e.id = a.endpoint_id
      where a.id = ${attemptId} and a.state = 'running' and a.lease = ${lease}
      for no key update of a
    ), activated as (
      update webhook_endpoints e set status = 'active', verified_at = ${at}, disabled_reason = null, failure_count = 0, open_until = null,
        updated_at = ${at}
      from held h where e.id = h.endpoint_id and h.stands and ${isVerified} returning e.id
    ), resumed as (
      update webhook_deliveries d set next_attempt_at = ${at}, schedule_reason = 'configuration_changed'
      from activated e where d.endpoint_id = e.id and d.status in ('pending', 'retry') returning d.id
    ), others as (
      update webhook_verification_attempts a set state = 'cancelled', outcome = 'endpoint_changed', next_attempt_at = null, lease = null,
        lease_until = null, completed_at = ${at}, updated_at = ${at}
      from activated e where a.endpoint_id = e.id and a.id <> ${attemptId} and a.state in ('queued', 'running') returning a.id
    ), recorded as (
      update webhook_verification_attempts a set
        state = case when ${isVerified} and not h.stands then 'cancelled' else ${step.state} end,
        outcome = case when ${isVerified} and not h.stands then 'endpoint_changed' else ${step.outcome} end,
        attempt_count = ${step.count}, lease = null, lease_until = null,
        -- An attempt that ends before its next challenge ends then.
        next_attempt_at = least(${nextAt}::timestamptz, case when ${nextAt !== null} then a.expires_at end),
        last_response_status = coalesce(${step.responseStatus}::smallint, a.last_response_status),
        completed_at = case when ${nextAt === null} then ${at} end, updated_at = ${at}
      from held h where a.id = h.id returning a.state
    )
    select state, (select count(*) from resumed)::int as resumed from recorded`);
  return Recorded.parse(rows)[0] ?? null;
}
