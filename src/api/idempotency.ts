import type { Config } from "../config.ts";
import type { Database } from "../db/client.ts";
import { sha256, toHex } from "../lib/hmac.ts";
import { openSealedText, sealText } from "../lib/sealed-text.ts";
import {
  claimIdempotencyKey,
  findIdempotencyRecord,
  freeIdempotencyKey,
  storeIdempotentOutcome,
  type IdempotencyClaim,
  type IdempotencyRow,
} from "../queries/idempotency.ts";
import { ApiError } from "./errors.ts";

export interface Outcome {
  readonly status: number;
  readonly body: string;
}

/** Where outcomes are kept, sealed with the credential secret: an outcome may hold a secret that its client is shown once. */
export interface OutcomeStore {
  readonly db: Database;
  readonly config: Pick<Config, "credentialSecret">;
}

/** How long an outcome is served again, from when its request came. */
const KEPT_MS = 24 * 3_600_000;
/** After this a request without an outcome counts as crashed. Longer than one can last: 30 s until its answer, and 30 s after it. */
const LEASE_MS = 90_000;
const MAX_KEY_CHARACTERS = 255;
/** Each further look means that yet another request gave the key back in between. */
const LOOKS = 3;
const PARAM = { param: "Idempotency-Key" };
const PURPOSE = "idempotency outcomes";

/**
 * What has to be equal for a request to be the same: method, path with its query, and the body.
 *
 * @param body as `readJsonBody` gave it: what a schema makes of it may not be JSON any more
 */
export async function hashRequest(method: string, target: string, body: unknown): Promise<string> {
  return toHex(await sha256(JSON.stringify([method, target, body])));
}

/**
 * Runs a request once for its key: a repeat gets the first one's outcome. Outcomes of 500 and above are not kept, nor is anything when
 * `run` throws: the key is free again at once, so a repeat runs. A deadline belongs around this and not into `run`: work that goes on
 * after its client was sent away still has an outcome.
 *
 * @throws ApiError bad_request for an unusable key, idempotency_key_reused, idempotency_in_progress, idempotency_outcome_lost
 */
export async function runOnce(store: OutcomeStore, claim: IdempotencyClaim, run: () => Promise<Outcome>): Promise<Outcome> {
  if (claim.key.length === 0 || claim.key.length > MAX_KEY_CHARACTERS) {
    throw new ApiError("bad_request", { ...PARAM, message: `Idempotency-Key must have 1 to ${MAX_KEY_CHARACTERS} characters.` });
  }
  for (let look = 0; look < LOOKS; look++) {
    if (await claimIdempotencyKey(store.db, claim, after(claim.now, LEASE_MS))) return runClaimed(store, claim, run);
    const record = await findIdempotencyRecord(store.db, claim);
    if (record !== null) return replay(store, claim, record);
  }
  throw new ApiError("idempotency_in_progress", PARAM);
}

async function runClaimed(store: OutcomeStore, claim: IdempotencyClaim, run: () => Promise<Outcome>): Promise<Outcome> {
  const outcome = await run().catch(async (error: unknown) => {
    await free(store, claim);
    throw error;
  });
  if (outcome.status >= 500) await free(store, claim);
  else await keep(store, claim, outcome);
  return outcome;
}

// Neither of these may hide what became of the request itself. A record they could not write ends with its lease.
const free = ({ db }: OutcomeStore, claim: IdempotencyClaim) => freeIdempotencyKey(db, claim).catch(() => undefined);
const keep = (store: OutcomeStore, claim: IdempotencyClaim, outcome: Outcome) => sealOutcome(store, claim, outcome).catch(() => undefined);

async function sealOutcome({ db, config }: OutcomeStore, claim: IdempotencyClaim, { status, body }: Outcome): Promise<void> {
  const sealed = await sealText(body, recordOf(claim), sealedWith(config), (bytes) => crypto.getRandomValues(bytes));
  await storeIdempotentOutcome(db, claim, { status, body: sealed }, after(claim.now, KEPT_MS));
}

async function replay({ config }: OutcomeStore, claim: IdempotencyClaim, { request_hash, status, body }: IdempotencyRow): Promise<Outcome> {
  if (request_hash !== claim.requestHash) throw new ApiError("idempotency_key_reused", PARAM);
  if (status === null || body === null) throw new ApiError("idempotency_in_progress", PARAM);
  const opened = await openSealedText(body, recordOf(claim), sealedWith(config));
  if (opened === null) throw new ApiError("idempotency_outcome_lost", PARAM);
  return { status, body: opened };
}

/** An outcome copied into another record does not open there. */
const recordOf = ({ accountId, operation, key }: IdempotencyClaim) => JSON.stringify([accountId, operation, key]);
const sealedWith = ({ credentialSecret }: OutcomeStore["config"]) => ({ secret: credentialSecret, purpose: PURPOSE });
const after = (date: Date, ms: number) => new Date(date.getTime() + ms);
