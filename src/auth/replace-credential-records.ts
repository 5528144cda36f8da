import type { Cache } from "../platform/redis/cache.ts";
import { findCredential } from "../queries/accounts/credentials.ts";
import type { Runtime } from "../runtime.ts";
import { RECORD_TTL_SECONDS, recordKey, recordOf, type CredentialRecord } from "./credential-record.ts";

const REFUSED_RECORD = JSON.stringify({ kind: "unknown" } satisfies CredentialRecord);

/**
 * Makes Redis refuse these keys from now on. Call it before the revocation is written: when Redis is
 * unavailable, nothing has changed yet, and no response reports a revocation while Redis could still grant
 * access.
 *
 * A request that read the key before its revocation may write its record afterwards. That write is
 * conditional on absence, and this entry outlives every such request.
 *
 * @throws CacheUnavailable
 */
export async function refuseKeys(cache: Pick<Cache, "set">, keyHashes: readonly string[]): Promise<void> {
  await Promise.all(keyHashes.map((hash) => cache.set(recordKey(hash), REFUSED_RECORD, RECORD_TTL_SECONDS)));
}

/**
 * Refreshes the cached records of keys after their account has changed.
 *
 * @throws CacheUnavailable
 */
export async function refreshKeys(
  { db, cache }: Pick<Runtime, "db" | "cache">,
  keyHashes: readonly string[],
): Promise<void> {
  for (const hash of keyHashes) {
    let written: string | null = null;
    // Read again after each write: the write must not restore access to a key that was revoked in between.
    for (let record = await readRecord(db, hash); record !== written; record = await readRecord(db, hash)) {
      await cache.set(recordKey(hash), record, RECORD_TTL_SECONDS);
      written = record;
    }
  }
}

async function readRecord(db: Runtime["db"], hash: string): Promise<string> {
  const row = await findCredential(db, [hash]);
  return row === null ? REFUSED_RECORD : JSON.stringify(recordOf(row));
}
