import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { ATTEMPT_MS } from "../../domain/webhooks/verify-schedule.ts";
import { count, iso, selectRows } from "../rows.ts";
import { at, holdEndpoint, isOwned, type EndpointRef } from "./endpoint-row.ts";

const AttemptRow = z.object({
  id: z.string(),
  endpoint_id: count,
  state: z.enum(["queued", "running", "verified", "failed", "cancelled", "expired"]),
  outcome: z
    .enum([
      ...(["verified", "target_rejected", "challenge_timeout", "transport_failed", "receiver_rejected", "token_expired"] as const),
      ...(["endpoint_changed", "owner_revoked", "attempts_exhausted", "internal_error"] as const),
    ])
    .nullable(),
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

/** Attempts can be read this long. */
const KEPT_MS = 7 * 86_400_000;

const attemptColumns: SQL = sql`
  a.id, a.endpoint_id::text as endpoint_id, a.state, a.outcome, a.attempt_count, ${iso(sql`a.expires_at`)} as expires_at,
  ${iso(sql`a.next_attempt_at`)} as next_attempt_at, a.last_response_status, ${iso(sql`a.started_at`)} as started_at,
  ${iso(sql`a.completed_at`)} as completed_at, ${iso(sql`a.created_at`)} as created_at, ${iso(sql`a.updated_at`)} as updated_at`;

/**
 * Begins an attempt, provided that the endpoint waits for verification with this very token. While one is under way it is that one: several
 * requests at once challenge the receiver as one does.
 *
 * @param tokenSealed as it was read
 * @returns null when the endpoint stands otherwise by now
 */
export async function beginAttempt(
  db: Database,
  ref: EndpointRef,
  { id, tokenSealed }: { readonly id: string; readonly tokenSealed: string },
  now: Date,
): Promise<AttemptRow | null> {
  const [, begun] = await db.batch([
    holdEndpoint(db, ref),
    db.execute(sql`
      with endpoint as (
        select e.* from webhook_endpoints e
        where ${isOwned(ref)} and e.status = 'pending_verification' and e.verification_token_sealed = ${tokenSealed}
          and e.verification_expires_at > ${at(now)}
      ), present as (
        select a.* from webhook_verification_attempts a join endpoint e on e.id = a.endpoint_id
        where a.state in ('queued', 'running') and a.expires_at > ${at(now)}
        order by a.created_at desc limit 1
      ), added as (
        insert into webhook_verification_attempts (id, endpoint_id, state, expires_at, next_attempt_at, created_at, updated_at)
        select ${id}, e.id, 'queued', least(e.verification_expires_at, ${at(new Date(now.getTime() + ATTEMPT_MS))}), ${at(now)}, ${at(now)}, ${at(now)}
        from endpoint e where not exists (select from present)
        returning *
      )
      select ${attemptColumns} from (table present union all table added) a`),
  ]);
  return z.array(AttemptRow).parse(begun.rows)[0] ?? null;
}

/** @returns null when the endpoint is not the account's, or has had no such attempt in the last seven days */
export async function findAttempt(db: Database, ref: EndpointRef, attemptId: string, now: Date): Promise<AttemptRow | null> {
  const [row] = await selectRows(
    db,
    sql`
      select ${attemptColumns} from webhook_verification_attempts a join webhook_endpoints e on e.id = a.endpoint_id
      where a.id = ${attemptId} and ${isOwned(ref)} and a.created_at > ${at(new Date(now.getTime() - KEPT_MS))}`,
    AttemptRow,
  );
  return row ?? null;
}
