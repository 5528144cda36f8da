import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { attempt, delivery, endpoint, isUnended, isWaiting } from "../../db/fragments/webhooks.ts";
import { webhookVerificationAttempts } from "../../db/schema.ts";
import { columnName, selectRow, timestamp } from "../../db/sql.ts";
import type { VerificationStep } from "../rules/verify-schedule.ts";
import type { ClaimedChallenge } from "./claim-challenge.ts";

const Recorded = z.object({ state: z.string(), resumed: z.number().int() });

type ChallengeClaim = Pick<ClaimedChallenge, "attemptId" | "lease" | "tokenSealed">;

/**
 * Records the result of a challenge. One statement, which takes effect only while the lease is held. An
 * accepted challenge activates the endpoint if it still waits for verification with the token that was sent;
 * otherwise the attempt is cancelled.
 *
 * @returns the state of the attempt and the number of deliveries that became due; null when the lease was
 *   lost
 */
export function recordChallenge(
  db: Database,
  claim: ChallengeClaim,
  step: VerificationStep,
  now: Date,
): Promise<{ readonly state: string; readonly resumed: number } | null> {
  return selectRow(db, recordStatement(claim, step, now), Recorded);
}

function recordStatement({ attemptId, lease, tokenSealed }: ChallengeClaim, step: VerificationStep, now: Date): SQL {
  const at = timestamp(now);
  const isVerified = step.state === "verified";
  const nextAt = step.waitMs === null ? null : new Date(now.getTime() + step.waitMs).toISOString();
  return sql`
    with endpoint as materialized (
      select e.* from ${endpoint}
      where ${endpoint.id} = (select ${webhookVerificationAttempts.endpointId} from ${webhookVerificationAttempts}
        where ${webhookVerificationAttempts.id} = ${attemptId}) for no key update
    ), leased as (
      select ${attempt.id}, ${endpoint.id} as endpoint_id,
        ${endpoint.deletedAt} is null and ${endpoint.status} = 'pending_verification'
          and ${endpoint.verificationTokenSealed} = ${tokenSealed} and ${endpoint.verificationExpiresAt} > ${at}
          as is_current
      from ${attempt} join endpoint e on ${endpoint.id} = ${attempt.endpointId}
      where ${attempt.id} = ${attemptId} and ${attempt.state} = 'running' and ${attempt.lease} = ${lease}
      for no key update of a
    ), activated as (
      update ${endpoint}
      set ${columnName(endpoint.status)} = 'active', ${columnName(endpoint.verifiedAt)} = ${at},
        ${columnName(endpoint.disabledReason)} = null, ${columnName(endpoint.failureCount)} = 0,
        ${columnName(endpoint.openUntil)} = null, ${columnName(endpoint.updatedAt)} = ${at}
      from leased l where ${endpoint.id} = l.endpoint_id and l.is_current and ${isVerified} returning ${endpoint.id}
    ), resumed as (
      update ${delivery}
      set ${columnName(delivery.nextAttemptAt)} = ${at},
        ${columnName(delivery.scheduleReason)} = 'configuration_changed'
      from activated e where ${delivery.endpointId} = e.id and ${isWaiting(delivery)} returning ${delivery.id}
    ), others as (
      update ${attempt}
      set ${columnName(attempt.state)} = 'cancelled', ${columnName(attempt.outcome)} = 'endpoint_changed',
        ${columnName(attempt.nextAttemptAt)} = null, ${columnName(attempt.lease)} = null,
        ${columnName(attempt.leaseUntil)} = null, ${columnName(attempt.completedAt)} = ${at},
        ${columnName(attempt.updatedAt)} = ${at}
      from activated e
      where ${attempt.endpointId} = e.id and ${attempt.id} <> ${attemptId} and ${isUnended(attempt)}
      returning ${attempt.id}
    ), recorded as (
      update ${attempt} set
        ${columnName(attempt.state)} = case when ${isVerified} and not l.is_current then 'cancelled'
          else ${step.state} end,
        ${columnName(attempt.outcome)} = case when ${isVerified} and not l.is_current then 'endpoint_changed'
          else ${step.outcome} end,
        ${columnName(attempt.attemptCount)} = ${step.count}, ${columnName(attempt.lease)} = null,
        ${columnName(attempt.leaseUntil)} = null,
        -- An attempt that expires before its next challenge is due at its expiry.
        ${columnName(attempt.nextAttemptAt)} = least(${nextAt}::timestamptz, case when ${nextAt !== null}
          then ${attempt.expiresAt} end),
        ${columnName(attempt.lastResponseStatus)} = coalesce(${step.responseStatus}::smallint,
          ${attempt.lastResponseStatus}),
        ${columnName(attempt.completedAt)} = case when ${nextAt === null} then ${at} end,
        ${columnName(attempt.updatedAt)} = ${at}
      from leased l where ${attempt.id} = l.id returning ${attempt.state}
    )
    select state, (select count(*) from resumed)::int as resumed from recorded`;
}
