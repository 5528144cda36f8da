import type { CredentialIdentity } from "../domain/accounts/credential-record.ts";
import { findCredential } from "../queries/accounts/credentials.ts";
import type { Runtime } from "../runtime.ts";

/** Lifetime of an identity in Redis, where it is read only when Postgres cannot be asked. It grants no access. */
const IDENTITY_TTL_SECONDS = 30 * 86_400;

export const identityKey = (hash: string): string => `identity:${hash}`;

interface IdentifyContext {
  readonly runtime: Pick<Runtime, "credentials" | "db" | "cache">;
  readonly now: Date;
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/**
 * The stored credential of one of these hashes: from this isolate, else from Postgres.
 *
 * @param hashes of `hashesOf`
 * @param mayLookUp whether Postgres may be asked for a credential that this isolate has not met. If not, one that was
 *   found within the last 30 days is found in Redis
 * @returns null for an unknown credential
 * @throws errors of the database, when Redis does not know the credential either
 */
export async function identifyCredential(
  hashes: readonly string[],
  { runtime, now, waitUntil }: IdentifyContext,
  mayLookUp: () => boolean,
): Promise<CredentialIdentity | null> {
  const [presented = ""] = hashes;
  const { credentials, cache } = runtime;
  const known = credentials.find(presented);
  if (known !== null) return known;
  if (credentials.isUnknown(presented, now.getTime())) return null;
  const remember = (identity: CredentialIdentity): CredentialIdentity => {
    credentials.add(presented, identity);
    return identity;
  };
  if (!mayLookUp()) {
    const stored = await findInRedis(hashes, cache);
    return stored === null ? null : remember(stored);
  }
  try {
    const row = await findCredential(runtime.db, hashes);
    if (row === null) {
      credentials.addUnknown(presented, now.getTime());
      return null;
    }
    const { hash, account_id: accountId } = row;
    waitUntil(cache.set(identityKey(hash), String(accountId), IDENTITY_TTL_SECONDS).catch(() => undefined));
    return remember({ hash, accountId });
  } catch (error) {
    const stored = await findInRedis(hashes, cache);
    if (stored === null) throw error;
    return remember(stored);
  }
}

async function findInRedis(hashes: readonly string[], cache: Runtime["cache"]): Promise<CredentialIdentity | null> {
  const stored = await cache.getMany(hashes.map(identityKey)).catch(() => []);
  const found = hashes.flatMap((hash, index) => {
    const text = stored[index] ?? "";
    return /^[1-9]\d*$/.test(text) ? [{ hash, accountId: Number(text) }] : [];
  });
  return found[0] ?? null;
}
