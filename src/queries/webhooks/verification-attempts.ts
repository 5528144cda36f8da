import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { attempt, endpoint, isUnended } from "../../db/fragments/webhooks.ts";
import { webhookVerificationAttempts } from "../../db/schema.ts";
import { columnNames, integer, isoText, selectRow, timestamp } from "../../db/sql.ts";
import { RETENTION_MS } from "../../domain/retention.ts";
import {
  VERIFICATION_ATTEMPT_MS,
  VERIFICATION_OUTCOMES,
  VERIFICATION_STATES,
} from "../../webhooks/rules/verify-schedule.ts";
import { lockEndpoint, isOwned, type EndpointRef } from "./endpoint-row.ts";

const AttemptRow = z.object({
  id: z.string(),
  endpoint_id: integer,
  state: z.enum(VERIFICATION_STATES),
  outcome: z.enum(VERIFICATION_OUTCOMES).nullable(),
  attempt_count: z.number().int(),
  expires_at: z.string(),
  next_attempt_at: z.string().nullable(),
  last_response_status: z.number().int().nullable(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** An attempt to verify an endpoint's receiver by challenges. */
export type AttemptRow = z.output<typeof AttemptRow>;

const attemptColumns: SQL = sql`
  ${attempt.id}, ${attempt.endpointId}::text as endpoint_id, ${attempt.state}, ${attempt.outcome},
  ${attempt.attemptCount},
  ${isoText(attempt.expiresAt)} as expires_at, ${isoText(attempt.nextAttemptAt)} as next_attempt_at,
  ${attempt.lastResponseStatus}, ${isoText(attempt.startedAt)} as started_at,
  ${isoText(attempt.completedAt)} as completed_at, ${isoText(attempt.createdAt)} as created_at,
  ${isoText(attempt.updatedAt)} as updated_at`;

const INSERTED = columnNames(
  attempt.id,
  attempt.endpointId,
  attempt.state,
  attempt.expiresAt,
  attempt.nextAttemptAt,
  attempt.createdAt,
  attempt.updatedAt,
);

/**
 * Starts a verification attempt, if the endpoint is still pending verification with the given token. A
 * running attempt is returned instead, so that concurrent requests challenge the receiver once.
 *
 * @param tokenSealed the token as it was read
 * @returns null when the endpoint's state has changed in the meantime
 */
export async function startVerificationAttempt(
  db: Database,
  ref: EndpointRef,
  { id, tokenSealed }: { readonly id: string; readonly tokenSealed: string },
  now: Date,
): Promise<AttemptRow | null> {
  const latestEnd = timestamp(new Date(now.getTime() + VERIFICATION_ATTEMPT_MS));
  const [, begun] = await db.batch([
    lockEndpoint(db, ref),
    db.execute(sql`
      with endpoint as (
        select e.* from ${endpoint}
        where ${isOwned(ref)} and ${endpoint.status} = 'pending_verification'
          and ${endpoint.verificationTokenSealed} = ${tokenSealed}
          and ${endpoint.verificationExpiresAt} > ${timestamp(now)}
      ), present as (
        select a.* from ${attempt} join endpoint e on e.id = ${attempt.endpointId}
        where ${isUnended(attempt)} and ${attempt.expiresAt} > ${timestamp(now)}
        order by ${attempt.createdAt} desc limit 1
      ), added as (
        insert into ${webhookVerificationAttempts} (${INSERTED})
        select ${id}, e.id, 'queued', least(e.verification_expires_at, ${latestEnd}),
          ${timestamp(now)}, ${timestamp(now)}, ${timestamp(now)}
        from endpoint e where not exists (select from present)
        returning *
      )
      select ${attemptColumns} from (table present union all table added) a`),
  ]);
  return z.array(AttemptRow).parse(begun.rows)[0] ?? null;
}

/**
 * @returns null when the endpoint does not belong to the account, or has had no such attempt in the last
 *   seven days
 */
export function findVerificationAttempt(
  db: Database,
  ref: EndpointRef,
  attemptId: string,
  now: Date,
): Promise<AttemptRow | null> {
  return selectRow(
    db,
    sql`
      select ${attemptColumns} from ${attempt} join ${endpoint} on ${endpoint.id} = ${attempt.endpointId}
      where ${attempt.id} = ${attemptId} and ${isOwned(ref)}
        and ${attempt.createdAt} > ${timestamp(new Date(now.getTime() - RETENTION_MS))}`,
    AttemptRow,
  );
}
