import { z } from "zod";
import { hashRequest, runOnce } from "../../api/idempotency.ts";
import type { KeyAnswer, KeyRequest } from "./key-request.ts";

/** An outcome as it is kept. */
const Kept = z.object({ object: z.enum(["api_key", "integration_key"]), data: z.looseObject({ api_key: z.null() }) });

/**
 * Makes a key once for its Idempotency-Key. A repeat gets the first outcome, but with null for the key: it is shown once, and nothing
 * that is kept could show it again. Whoever lost it makes another.
 */
export async function answerOnce(
  { request, url, runtime, member, startedAt }: KeyRequest,
  operation: string,
  body: unknown,
  make: () => Promise<KeyAnswer>,
): Promise<KeyAnswer> {
  const key = request.headers.get("idempotency-key");
  if (key === null) return make();
  let made: KeyAnswer | null = null;
  const requestHash = await hashRequest(request.method, url.pathname, body);
  const claim = { accountId: member.accountId, operation, key, requestHash, now: startedAt };
  const outcome = await runOnce(runtime, claim, async () => {
    made = await make();
    return { status: made.status, body: JSON.stringify({ object: made.object, data: { ...made.data, api_key: null } }) };
  });
  return made ?? { status: outcome.status === 201 ? 201 : 200, ...Kept.parse(JSON.parse(outcome.body)) };
}
