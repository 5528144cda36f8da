import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";

/** Whose key it is: the same key on another operation is another key. */
export interface IdempotencyKey {
  readonly accountId: number;
  readonly operation: string;
  readonly key: string;
}

export interface IdempotencyClaim extends IdempotencyKey {
  /** SHA-256 in hex of what the request asks for. */
  readonly requestHash: string;
  /** When the claim was made. Also tells the claims of one key apart. */
  readonly now: Date;
}

const Row = z.object({ request_hash: z.string(), status: z.number().int().nullable(), body: z.string().nullable() });

export type IdempotencyRow = z.output<typeof Row>;

/** How many expired records a claim removes: more than it adds. */
const SWEPT_A_CLAIM = 20;

/**
 * Takes a key that nobody holds, or whose record has expired, until `expiresAt`. Of many at once exactly one gets it.
 *
 * Expired records of others go along. The statement takes its own key before it looks for them, and passes over those that another
 * statement has locked: it never waits while it holds a lock, so two of them cannot wait for each other.
 */
export async function claimIdempotencyKey(db: Database, claim: IdempotencyClaim, expiresAt: Date): Promise<boolean> {
  const { accountId, operation, key, requestHash, now } = claim;
  const at = now.toISOString();
  const { rows } = await db.execute(sql`
    with claimed as (
      insert into idempotency_records as r (account_id, operation, key, request_hash, created_at, expires_at)
      values (${accountId}, ${operation}, ${key}, ${requestHash}, ${at}, ${expiresAt.toISOString()})
      on conflict (account_id, operation, key) do update
        set request_hash = excluded.request_hash, status = null, body = null,
          created_at = excluded.created_at, expires_at = excluded.expires_at
        where r.expires_at <= excluded.created_at
      returning account_id, operation, key
    ), swept as (
      delete from idempotency_records where ctid = any (array(
        select ctid from idempotency_records
        where expires_at <= ${at} and (account_id, operation, key) not in (table claimed)
        order by expires_at limit ${SWEPT_A_CLAIM} for update skip locked))
    )
    select from claimed`);
  return rows.length === 1;
}

/** What is recorded under a key; null once it has been freed. `status` and `body` are null while the first request runs. */
export async function findIdempotencyRecord(db: Database, { accountId, operation, key }: IdempotencyKey): Promise<IdempotencyRow | null> {
  const { rows } = await db.execute(sql`
    select request_hash, status, body from idempotency_records
    where account_id = ${accountId} and operation = ${operation} and key = ${key}`);
  return rows[0] === undefined ? null : Row.parse(rows[0]);
}

/** Keeps the outcome of a claim, unless the key has passed on to a later one. */
export async function storeIdempotentOutcome(
  db: Database,
  { accountId, operation, key, now }: IdempotencyClaim,
  outcome: { status: number; body: string },
  expiresAt: Date,
): Promise<void> {
  await db.execute(sql`
    update idempotency_records set status = ${outcome.status}, body = ${outcome.body}, expires_at = ${expiresAt.toISOString()}
    where account_id = ${accountId} and operation = ${operation} and key = ${key} and created_at = ${now.toISOString()}`);
}

/** Gives a claimed key back, unless it has passed on to a later claim. */
export async function freeIdempotencyKey(db: Database, { accountId, operation, key, now }: IdempotencyClaim): Promise<void> {
  await db.execute(sql`
    delete from idempotency_records
    where account_id = ${accountId} and operation = ${operation} and key = ${key} and created_at = ${now.toISOString()}`);
}
