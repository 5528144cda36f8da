import type { CredentialIdentity } from "../domain/accounts/credential-record.ts";
import { withTimeout } from "../lib/timing/with-timeout.ts";
import { findCredential } from "../queries/accounts/credentials.ts";
import type { Runtime } from "../runtime.ts";

/** Lifetime of an identity in Redis, where it is read only when Postgres cannot be asked. It grants no access. */
const IDENTITY_TTL_SECONDS = 30 * 86_400;

/**
 * How long a request waits for the look-up of another one, longer than the timeout of a statement: a look-up that fails
 * fails for all. Only one that never settles, because workerd has cancelled its request, takes this long.
 */
const SHARED_LOOK_UP_MS = 12_000;

class LookUpCancelled extends Error {
  override name = "LookUpCancelled";
}

export const identityKey = (hash: string): string => `identity:${hash}`;

interface IdentifyContext {
  readonly runtime: Pick<Runtime, "credentials" | "db" | "cache">;
  readonly now: Date;
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/**
 * The stored credential of one of these hashes: from this isolate, else from Postgres. Single-flight: concurrent requests
 * of this isolate share one look-up and its failure, so that a database that is slow is not asked again for each of them.
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
  const inFlight = credentials.findLookUp(presented);
  if (inFlight !== null) {
    try {
      return await withTimeout(inFlight, SHARED_LOOK_UP_MS, () => new LookUpCancelled());
    } catch (error) {
      if (!(error instanceof LookUpCancelled)) throw error;
      credentials.dropLookUp(presented, inFlight);
      return identifyCredential(hashes, { runtime, now, waitUntil }, mayLookUp);
    }
  }
  if (!mayLookUp()) {
    const stored = await findInRedis(hashes, cache);
    if (stored !== null) credentials.add(presented, stored);
    return stored;
  }
  const lookUp = findIdentity(hashes, { runtime, now, waitUntil });
  credentials.addLookUp(presented, lookUp);
  // Other requests may wait for it after this client has disconnected.
  waitUntil(lookUp.catch(() => undefined));
  return lookUp;
}

/** Reads Postgres, or Redis when Postgres does not respond. */
async function findIdentity(
  hashes: readonly string[],
  { runtime, now, waitUntil }: IdentifyContext,
): Promise<CredentialIdentity | null> {
  const [presented = ""] = hashes;
  const { credentials, cache, db } = runtime;
  try {
    const row = await findCredential(db, hashes);
    if (row === null) {
      credentials.addUnknown(presented, now.getTime());
      return null;
    }
    const { hash, account_id: accountId } = row;
    waitUntil(cache.set(identityKey(hash), String(accountId), IDENTITY_TTL_SECONDS).catch(() => undefined));
    credentials.add(presented, { hash, accountId });
    return { hash, accountId };
  } catch (error) {
    const stored = await findInRedis(hashes, cache);
    if (stored === null) throw error;
    credentials.add(presented, stored);
    return stored;
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
