import { and, eq, sql, type SQL } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { idempotencyRecords as records } from "../../db/schema.ts";
import { columnName, columnNames, excluded, setEach } from "../../db/sql.ts";

/** The scope of an idempotency key: the same key for another operation is a different key. */
export interface IdempotencyKey {
  readonly accountId: number;
  readonly operation: string;
  readonly key: string;
}

export interface IdempotencyClaim extends IdempotencyKey {
  /** SHA-256 of the request's content, in hex. */
  readonly requestHash: string;
  /** When the claim was created. Also distinguishes the claims of one key. */
  readonly now: Date;
}

export interface IdempotencyRow {
  readonly request_hash: string;
  readonly status: number | null;
  readonly body: string | null;
}

const KEY_COLUMNS = columnNames(records.accountId, records.operation, records.key);

/** How many expired records a claim deletes: more than the one it adds. */
const EXPIRED_PER_CLAIM = 20;

/**
 * Claims a key until `expiresAt`, if it is free or its record has expired. Of several concurrent claims
 * exactly one succeeds.
 *
 * Also deletes expired records of other keys. The statement locks its own key first and then skips records
 * that another statement has locked: it never waits while it holds a lock, so two of them cannot deadlock.
 */
export async function claimIdempotencyKey(db: Database, claim: IdempotencyClaim, expiresAt: Date): Promise<boolean> {
  const { accountId, operation, key, requestHash, now } = claim;
  const at = now.toISOString();
  const { rows } = await db.execute(sql`
    with claimed as (
      insert into ${records} (${KEY_COLUMNS}, ${columnNames(records.requestHash, records.createdAt, records.expiresAt)})
      values (${accountId}, ${operation}, ${key}, ${requestHash}, ${at}, ${expiresAt.toISOString()})
      on conflict (${KEY_COLUMNS}) do update
        set ${setEach([records.requestHash], excluded)}, ${columnName(records.status)} = null,
          ${columnName(records.body)} = null,
          ${setEach([records.createdAt, records.expiresAt], excluded)}
        where ${records.expiresAt} <= excluded.${columnName(records.createdAt)}
      returning ${KEY_COLUMNS}
    ), swept as (
      delete from ${records} where ctid = any (array(
        select ctid from ${records}
        where ${records.expiresAt} <= ${at} and (${KEY_COLUMNS}) not in (table claimed)
        order by ${records.expiresAt} limit ${EXPIRED_PER_CLAIM} for update skip locked))
    )
    select from claimed`);
  return rows.length === 1;
}

/** SQL condition: the record is of this key. */
const isOfKey = ({ accountId, operation, key }: IdempotencyKey): SQL | undefined =>
  and(eq(records.accountId, accountId), eq(records.operation, operation), eq(records.key, key));

/** SQL condition: the record is of this claim. */
const isOfClaim = (claim: IdempotencyClaim): SQL | undefined => and(isOfKey(claim), eq(records.createdAt, claim.now));

/**
 * The record of a key; null once it has been released. `status` and `body` are null while the first request
 * runs.
 */
export async function findIdempotencyRecord(db: Database, key: IdempotencyKey): Promise<IdempotencyRow | null> {
  const [row] = await db
    .select({ request_hash: records.requestHash, status: records.status, body: records.body })
    .from(records)
    .where(isOfKey(key));
  return row ?? null;
}

/** Stores the outcome of a claim, unless a later claim owns the key. */
export async function storeIdempotentOutcome(
  db: Database,
  claim: IdempotencyClaim,
  { status, body }: { status: number; body: string },
  expiresAt: Date,
): Promise<void> {
  await db.update(records).set({ status, body, expiresAt }).where(isOfClaim(claim));
}

/** Releases a claimed key, unless a later claim owns it. */
export async function freeIdempotencyKey(db: Database, claim: IdempotencyClaim): Promise<void> {
  await db.delete(records).where(isOfClaim(claim));
}
