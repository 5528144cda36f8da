import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { MAX_CHALLENGES } from "../domain/webhooks/verify-schedule.ts";

/** A challenge to post, of an attempt to verify an endpoint. */
export interface ClaimedChallenge {
  readonly attemptId: string;
  readonly endpointId: number;
  readonly accountId: number;
  readonly url: string;
  /** The secrets that sign now, sealed. */
  readonly secretsSealed: readonly string[];
  readonly tokenSealed: string;
  /** Challenges begun, this one among them. */
  readonly count: number;
  readonly lease: string;
}

/** A challenge takes at most two DNS questions of 5 seconds at once and a POST of 10; after this long its worker counts as dead. */
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
 * Takes the next challenge of an attempt, when its time has come or the worker of the last one counts as dead. An attempt that has nothing to
 * wait for any more ends with this, and says why. One statement; until the lease ends nobody else takes a challenge of it.
 *
 * @returns null when there is no challenge to post
 */
export async function claimChallenge(db: Database, attemptId: string, lease: string, now: Date): Promise<ClaimedChallenge | null> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const { rows } = await db.execute(sql`
    with endpoint as materialized (
      select e.* from webhook_endpoints e
      where e.id = (select endpoint_id from webhook_verification_attempts where id = ${attemptId}) for share
    ), due as (
      select a.id, a.attempt_count, a.outcome,
        case when e.deleted_at is not null or e.status <> 'pending_verification' then 'endpoint_changed'
          when not exists (select from accounts o where o.id = e.account_id and o.state = 'active' and o.plan <> 'free') then 'owner_revoked'
          when e.verification_expires_at <= ${at} then 'token_expired'
          when a.expires_at <= ${at} then 'late'
          when a.attempt_count >= ${MAX_CHALLENGES} then 'attempts_exhausted' end as ending
      from webhook_verification_attempts a join endpoint e on e.id = a.endpoint_id
      where a.id = ${attemptId}
        and (a.state = 'queued' and a.next_attempt_at <= ${at} or a.state = 'running' and a.lease_until <= ${at})
      for no key update of a
    ), taken as (
      update webhook_verification_attempts a set
        state = case when d.ending is null then 'running' when d.ending in ('endpoint_changed', 'owner_revoked') then 'cancelled'
          when d.ending = 'attempts_exhausted' then 'failed' else 'expired' end,
        outcome = case when d.ending is null then a.outcome when d.ending = 'late' then coalesce(a.outcome, 'internal_error') else d.ending end,
        attempt_count = a.attempt_count + case when d.ending is null then 1 else 0 end,
        lease = case when d.ending is null then ${lease} end,
        lease_until = case when d.ending is null then ${new Date(now.getTime() + LEASE_MS).toISOString()}::timestamptz end,
        next_attempt_at = null,
        started_at = case when d.ending is null then coalesce(a.started_at, ${at}) else a.started_at end,
        completed_at = case when d.ending is null then null else ${at} end,
        updated_at = ${at}
      from due d where a.id = d.id
      returning a.attempt_count, d.ending is not null as is_over
    )
    select t.is_over, t.attempt_count, e.id::float8 as endpoint_id, e.account_id::float8 as account_id, e.url,
      e.verification_token_sealed as token_sealed,
      to_json(array_remove(array[e.secret_sealed, case when e.overlap_expires_at > ${at} then e.previous_secret_sealed end], null)) as secrets
    from taken t, endpoint e`);
  const [row] = z.array(Row).parse(rows);
  if (row === undefined || row.is_over) return null;
  const { endpoint_id: endpointId, account_id: accountId, url, secrets, token_sealed: tokenSealed, attempt_count: count } = row;
  return { attemptId, endpointId, accountId, url, secretsSealed: secrets, tokenSealed, count, lease };
}
