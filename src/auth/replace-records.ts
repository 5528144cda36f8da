import type { Cache } from "../ports/cache.ts";
import { findCredential } from "../queries/credentials.ts";
import type { Runtime } from "../runtime.ts";
import { RECORD_TTL_SECONDS, recordKey, type CredentialRecord } from "./credential-record.ts";

const REFUSED = JSON.stringify({ kind: "unknown" } satisfies CredentialRecord);

/**
 * Has keys refused from now on, whatever Redis knew of them. It comes before their revocation is written: when Redis is away nothing has
 * been changed yet, and no answer says that a key has stopped while Redis could still let it in.
 *
 * Who looked a key up before it was revoked fills its record in afterwards; filling leaves what is there, and this stays for longer than
 * any request that could still be on its way.
 *
 * @throws CacheUnavailable
 */
export async function refuseKeys(cache: Cache, keyHashes: readonly string[]): Promise<void> {
  await Promise.all(keyHashes.map((hash) => cache.set(recordKey(hash), REFUSED, RECORD_TTL_SECONDS)));
}

/**
 * Brings what Redis knows of keys up to date after their account has changed.
 *
 * @throws CacheUnavailable
 */
export async function renewKeys({ db, cache }: Pick<Runtime, "db" | "cache">, keyHashes: readonly string[]): Promise<void> {
  for (const hash of keyHashes) {
    let written: string | null = null;
    // Looked at again after each write: what was revoked in between must not be let in by it.
    for (let stored = await readRecord(db, hash); stored !== written; stored = await readRecord(db, hash)) {
      await cache.set(recordKey(hash), stored, RECORD_TTL_SECONDS);
      written = stored;
    }
  }
}

async function readRecord(db: Runtime["db"], hash: string): Promise<string> {
  const row = await findCredential(db, hash);
  return row === null ? REFUSED : JSON.stringify({ kind: "key", ...row } satisfies CredentialRecord);
}
