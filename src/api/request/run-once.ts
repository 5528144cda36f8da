import type { Config } from "../../config.ts";
import type { Database } from "../../db/client.ts";
import { sha256, toHex } from "../../lib/crypto/hmac.ts";
import { openSealedText, sealText } from "../../lib/crypto/sealed-text.ts";
import { describeError } from "../../platform/log/console-log.ts";
import type { Log } from "../../platform/log/log.ts";
import {
  claimIdempotencyKey,
  findIdempotencyRecord,
  freeIdempotencyKey,
  storeIdempotentOutcome,
  type IdempotencyClaim,
  type IdempotencyRow,
} from "../../queries/accounts/idempotency-records.ts";
import { ApiError } from "../errors.ts";
import { DAY_MS } from "../../scoring/utc-calendar.ts";

export interface IdempotentOutcome {
  readonly status: number;
  readonly body: string;
}

/**
 * Store of outcomes, sealed with the credential secret: an outcome may contain a secret that is shown only
 * once.
 */
export interface OutcomeStore {
  readonly db: Database;
  readonly config: Pick<Config, "credentialKeys">;
  readonly log: Log;
  readonly requestId: string;
}

/** How long an outcome is replayed, counted from the arrival of its request. */
export const IDEMPOTENCY_MS = DAY_MS;
/**
 * After this a request without an outcome counts as crashed. Longer than any request can run: 30 s until its
 * response, and 30 s after it.
 */
const LEASE_MS = 90_000;
const MAX_KEY_CHARACTERS = 255;
/** A further lookup is needed only when another request has released the key in between. */
const MAX_LOOKUPS = 3;
const PARAM = { param: "Idempotency-Key" };
const PURPOSE = "idempotency outcomes";

/**
 * Hash of the parts that identify a repeated request: method, path with query, and body.
 *
 * @param body as `readJsonBody` returns it; the output of a schema need not be JSON
 */
export async function hashRequest(method: string, target: string, body: unknown): Promise<string> {
  return toHex(await sha256(JSON.stringify([method, target, body])));
}

/**
 * Runs a request once per idempotency key; a repeat gets the outcome of the first request. An outcome of 500
 * or above is not stored, and nothing is stored when `run` throws: the key is released at once, so that a
 * repeat runs. Put a deadline around this call, not inside `run`: work that outlasts its client still stores
 * its outcome.
 *
 * @throws ApiError bad_request for an invalid key, idempotency_key_reused, idempotency_in_progress,
 *   idempotency_outcome_lost
 */
export async function runOnce(
  store: OutcomeStore,
  claim: IdempotencyClaim,
  run: () => Promise<IdempotentOutcome>,
): Promise<IdempotentOutcome> {
  if (claim.key.length === 0 || claim.key.length > MAX_KEY_CHARACTERS) {
    throw new ApiError("bad_request", {
      ...PARAM,
      message: `Idempotency-Key must have 1 to ${MAX_KEY_CHARACTERS} characters.`,
    });
  }
  for (let lookup = 0; lookup < MAX_LOOKUPS; lookup++) {
    if (await claimIdempotencyKey(store.db, claim, after(claim.now, LEASE_MS))) return runClaimed(store, claim, run);
    const record = await findIdempotencyRecord(store.db, claim);
    if (record !== null) return replay(store, claim, record);
  }
  throw new ApiError("idempotency_in_progress", PARAM);
}

async function runClaimed(
  store: OutcomeStore,
  claim: IdempotencyClaim,
  run: () => Promise<IdempotentOutcome>,
): Promise<IdempotentOutcome> {
  const outcome = await run().catch(async (error: unknown) => {
    await releaseKey(store, claim);
    throw error;
  });
  if (outcome.status >= 500) await releaseKey(store, claim);
  else await storeOutcome(store, claim, outcome);
  return outcome;
}

// A failure of either must not replace the request's own result. A record that was not written expires with
// its lease.
const releaseKey = (store: OutcomeStore, claim: IdempotencyClaim) =>
  freeIdempotencyKey(store.db, claim).catch(logFailure("idempotency.release_failed", store, claim));
const storeOutcome = (store: OutcomeStore, claim: IdempotencyClaim, outcome: IdempotentOutcome) =>
  sealOutcome(store, claim, outcome).catch(logFailure("idempotency.store_failed", store, claim));

/** The log does not have the key, which is the caller's text. */
const logFailure =
  (event: string, { log, requestId }: OutcomeStore, { accountId, operation }: IdempotencyClaim) =>
  (error: unknown): void =>
    log.warn(event, { request_id: requestId, account_id: accountId, operation, error: describeError(error) });

async function sealOutcome(
  { db, config }: OutcomeStore,
  claim: IdempotencyClaim,
  { status, body }: IdempotentOutcome,
): Promise<void> {
  const sealed = await sealText(body, recordIdOf(claim), sealingKeysOf(config), (bytes) =>
    crypto.getRandomValues(bytes),
  );
  await storeIdempotentOutcome(db, claim, { status, body: sealed }, after(claim.now, IDEMPOTENCY_MS));
}

async function replay(
  { config }: OutcomeStore,
  claim: IdempotencyClaim,
  { request_hash, status, body }: IdempotencyRow,
): Promise<IdempotentOutcome> {
  if (request_hash !== claim.requestHash) throw new ApiError("idempotency_key_reused", PARAM);
  if (status === null || body === null) throw new ApiError("idempotency_in_progress", PARAM);
  const opened = await openSealedText(body, recordIdOf(claim), sealingKeysOf(config));
  if (opened === null) throw new ApiError("idempotency_outcome_lost", PARAM);
  return { status, body: opened };
}

/** The sealed outcome is bound to its record: a copy in another record does not open. */
const recordIdOf = ({ accountId, operation, key }: IdempotencyClaim) => JSON.stringify([accountId, operation, key]);
const sealingKeysOf = ({ credentialKeys: keys }: OutcomeStore["config"]) => ({ keys, purpose: PURPOSE });
const after = (date: Date, ms: number) => new Date(date.getTime() + ms);
