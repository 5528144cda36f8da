import type { CredentialIdentity } from "../domain/accounts/credential-record.ts";
import { findCredential } from "../queries/accounts/credentials.ts";
import type { Runtime } from "../runtime.ts";
import type { LookUp } from "./known-credentials.ts";

/** Lifetime of an identity in Redis, where it is read only when Postgres cannot be asked. It grants no access. */
const IDENTITY_TTL_SECONDS = 30 * 86_400;

/**
 * How long a request waits for the look-up of another one, longer than the timeout of a statement: a look-up that fails
 * fails for all. Only one that never settles, because workerd has cancelled its request, takes this long.
 */
const SHARED_LOOK_UP_MS = 12_000;
/** The first wait until a look-up is watched again, and the longest. */
const FIRST_POLL_MS = 2;
const MAX_POLL_MS = 250;

export const identityKey = (hash: string): string => `identity:${hash}`;

interface IdentifyContext {
  readonly runtime: Pick<Runtime, "credentials" | "db" | "cache" | "wait">;
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
    const outcome = await watch(inFlight, runtime.wait);
    if (outcome === null) {
      credentials.dropLookUp(presented, inFlight);
      return identifyCredential(hashes, { runtime, now, waitUntil }, mayLookUp);
    }
    if ("error" in outcome) throw outcome.error;
    return outcome.identity;
  }
  if (!mayLookUp()) {
    const stored = await findInRedis(hashes, cache);
    if (stored !== null) credentials.add(presented, stored);
    return stored;
  }
  const lookUp = credentials.addLookUp(presented);
  const lookingUp = settle(lookUp, findIdentity(hashes, { runtime, now, waitUntil })).finally(() =>
    credentials.dropLookUp(presented, lookUp),
  );
  // Other requests may watch it after this client has disconnected.
  waitUntil(lookingUp.catch(() => undefined));
  return lookingUp;
}

async function settle(lookUp: LookUp, work: Promise<CredentialIdentity | null>): Promise<CredentialIdentity | null> {
  try {
    const identity = await work;
    lookUp.outcome = { identity };
    return identity;
  } catch (error) {
    lookUp.outcome = { error };
    throw error;
  }
}

/** The outcome of another request's look-up; null when it does not settle in time. */
async function watch(lookUp: LookUp, wait: Runtime["wait"]): Promise<LookUp["outcome"]> {
  let waitedMs = 0;
  for (let pollMs = FIRST_POLL_MS; lookUp.outcome === null && waitedMs < SHARED_LOOK_UP_MS;) {
    await wait(pollMs);
    waitedMs += pollMs;
    pollMs = Math.min(2 * pollMs, MAX_POLL_MS);
  }
  return lookUp.outcome;
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
