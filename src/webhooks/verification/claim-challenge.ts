import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { account } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { attempt, endpoint, signingSecretsJson } from "../../db/fragments/webhooks.ts";
import { webhookVerificationAttempts } from "../../db/schema.ts";
import { columnName, selectRow, timestamp } from "../../db/sql.ts";
import { MAX_CHALLENGES } from "../rules/verify-schedule.ts";

/** A challenge to post for one verification attempt. */
export interface ClaimedChallenge {
  readonly attemptId: string;
  readonly endpointId: number;
  readonly accountId: number;
  readonly url: string;
  /** The active signing secrets, sealed. */
  readonly secretsSealed: readonly string[];
  readonly tokenSealed: string;
  /** Number of challenges begun, including this one. */
  readonly count: number;
  readonly lease: string;
}

/**
 * After this the worker of a challenge counts as dead. A challenge takes at most two concurrent DNS queries
 * of 5 seconds and a POST of 10 seconds.
 */
const LEASE_MS = 30_000;

const Row = z.object({
  is_over: z.boolean(),
  endpoint_id: z.number().int(),
  account_id: z.number().int(),
  url: z.string(),
  secrets: z.array(z.string()),
  token_sealed: z.string(),
  attempt_count: z.number().int(),
});

/**
 * Leases the next challenge of a verification attempt when it is due, or when the worker of the previous one
 * counts as dead. An attempt that can no longer succeed is ended with its outcome. One statement; until the
 * lease expires no other worker gets a challenge of this attempt.
 *
 * @returns null when there is no challenge to post
 */
export async function claimChallenge(
  db: Database,
  attemptId: string,
  lease: string,
  now: Date,
): Promise<ClaimedChallenge | null> {
  const row = await selectRow(db, claimStatement(attemptId, lease, now), Row);
  if (row === null || row.is_over) return null;
  const {
    endpoint_id: endpointId,
    account_id: accountId,
    url,
    secrets,
    token_sealed: tokenSealed,
    attempt_count: count,
  } = row;
  return { attemptId, endpointId, accountId, url, secretsSealed: secrets, tokenSealed, count, lease };
}

function claimStatement(attemptId: string, lease: string, now: Date): SQL {
  const at = timestamp(now);
  const leaseUntil = timestamp(new Date(now.getTime() + LEASE_MS));
  return sql`
    with endpoint as materialized (
      select e.* from ${endpoint}
      where ${endpoint.id} = (select ${webhookVerificationAttempts.endpointId} from ${webhookVerificationAttempts}
        where ${webhookVerificationAttempts.id} = ${attemptId}) for share
    ), due as (
      select ${attempt.id}, ${attempt.attemptCount}, ${attempt.outcome}, ${selectEnding(at)} as ending
      from ${attempt} join endpoint e on ${endpoint.id} = ${attempt.endpointId}
      where ${attempt.id} = ${attemptId}
        and (${attempt.state} = 'queued' and ${attempt.nextAttemptAt} <= ${at}
          or ${attempt.state} = 'running' and ${attempt.leaseUntil} <= ${at})
      for no key update of a
    ), taken as (
      update ${attempt} set
        ${columnName(attempt.state)} = case when d.ending is null then 'running'
          when d.ending in ('endpoint_changed', 'owner_revoked') then 'cancelled'
          when d.ending = 'attempts_exhausted' then 'failed' else 'expired' end,
        ${columnName(attempt.outcome)} = case when d.ending is null then ${attempt.outcome}
          when d.ending = 'late' then coalesce(${attempt.outcome}, 'internal_error') else d.ending end,
        ${columnName(attempt.attemptCount)} = ${attempt.attemptCount} + case when d.ending is null then 1 else 0 end,
        ${columnName(attempt.lease)} = case when d.ending is null then ${lease} end,
        ${columnName(attempt.leaseUntil)} = case when d.ending is null then ${leaseUntil} end,
        ${columnName(attempt.nextAttemptAt)} = null,
        ${columnName(attempt.startedAt)} = case when d.ending is null then coalesce(${attempt.startedAt}, ${at})
          else ${attempt.startedAt} end,
        ${columnName(attempt.completedAt)} = case when d.ending is null then null else ${at} end,
        ${columnName(attempt.updatedAt)} = ${at}
      from due d where ${attempt.id} = d.id
      returning ${attempt.attemptCount}, d.ending is not null as is_over
    )
    select t.is_over, t.attempt_count, ${endpoint.id}::float8 as endpoint_id,
      ${endpoint.accountId}::float8 as account_id, ${endpoint.url},
      ${endpoint.verificationTokenSealed} as token_sealed, ${signingSecretsJson(at)} as secrets
    from taken t, endpoint e`;
}

/** Why attempt `a` at endpoint `e` can no longer succeed; null while it can. */
const selectEnding = (at: SQL): SQL => sql`
  case when ${endpoint.deletedAt} is not null or ${endpoint.status} <> 'pending_verification' then 'endpoint_changed'
    when not exists (select from ${account} where ${account.id} = ${endpoint.accountId} and ${account.state} = 'active'
      and ${account.plan} <> 'free') then 'owner_revoked'
    when ${endpoint.verificationExpiresAt} <= ${at} then 'token_expired'
    when ${attempt.expiresAt} <= ${at} then 'late'
    when ${attempt.attemptCount} >= ${MAX_CHALLENGES} then 'attempts_exhausted' end`;
