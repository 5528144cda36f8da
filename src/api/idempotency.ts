import type { Database } from "../db/client.ts";
import { sha256, toHex } from "../lib/hmac.ts";
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

/** How long an outcome is served again, from when its request came. */
const KEPT_MS = 24 * 3_600_000;
/** After this a request without an outcome counts as crashed. Longer than one can last: 30 s until its answer, and 30 s after it. */
const LEASE_MS = 90_000;
const MAX_KEY_CHARACTERS = 255;
/** Each further look means that yet another request gave the key back in between. */
const LOOKS = 3;
const PARAM = { param: "Idempotency-Key" };

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
 * @throws ApiError bad_request for an unusable key, idempotency_key_reused, idempotency_in_progress
 */
export async function runOnce(db: Database, claim: IdempotencyClaim, run: () => Promise<Outcome>): Promise<Outcome> {
  if (claim.key.length === 0 || claim.key.length > MAX_KEY_CHARACTERS) {
    throw new ApiError("bad_request", { ...PARAM, message: `Idempotency-Key must have 1 to ${MAX_KEY_CHARACTERS} characters.` });
  }
  for (let look = 0; look < LOOKS; look++) {
    if (await claimIdempotencyKey(db, claim, after(claim.now, LEASE_MS))) return runClaimed(db, claim, run);
    const record = await findIdempotencyRecord(db, claim);
    if (record !== null) return replay(record, claim.requestHash);
  }
  throw new ApiError("idempotency_in_progress", PARAM);
}

async function runClaimed(db: Database, claim: IdempotencyClaim, run: () => Promise<Outcome>): Promise<Outcome> {
  const outcome = await run().catch(async (error: unknown) => {
    await free(db, claim);
    throw error;
  });
  if (outcome.status >= 500) await free(db, claim);
  else await keep(db, claim, outcome);
  return outcome;
}

// Neither of these may hide what became of the request itself. A record they could not write ends with its lease.
const free = (db: Database, claim: IdempotencyClaim) => freeIdempotencyKey(db, claim).catch(() => undefined);
const keep = (db: Database, claim: IdempotencyClaim, outcome: Outcome) =>
  storeIdempotentOutcome(db, claim, outcome, after(claim.now, KEPT_MS)).catch(() => undefined);

function replay({ request_hash, status, body }: IdempotencyRow, requestHash: string): Outcome {
  if (request_hash !== requestHash) throw new ApiError("idempotency_key_reused", PARAM);
  if (status === null || body === null) throw new ApiError("idempotency_in_progress", PARAM);
  return { status, body };
}

const after = (date: Date, ms: number) => new Date(date.getTime() + ms);
