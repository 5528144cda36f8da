import type { Database } from "../db/client.ts";
import { signBody } from "../domain/webhooks/sign-delivery.ts";
import { CHALLENGE_MS, decideAfterChallenge, type ChallengeResult } from "../domain/webhooks/verify-schedule.ts";
import { describeError } from "../lib/console-log.ts";
import { openEndpointSecret } from "../lib/endpoint-secrets.ts";
import type { Log } from "../lib/log.ts";
import type { WebhookMessage } from "../messages/webhooks.ts";
import { checkReceiver } from "../ports/check-receiver.ts";
import { postOutbound } from "../ports/outbound-post.ts";
import type { AttemptSettings } from "./attempt-delivery.ts";
import { claimChallenge, type ClaimedChallenge } from "./claim-challenge.ts";
import { recordChallenge } from "./record-challenge.ts";

export interface VerifySettings extends AttemptSettings {
  readonly db: Database;
  readonly log: Log;
  readonly newLease: () => string;
  /** Says that something is due after so many seconds. What it fails to say the next sweep finds. */
  readonly tell: (message: WebhookMessage, delaySeconds: number) => Promise<void>;
}

const TYPE = "webhook.verification";

/** Posts the challenge of an attempt that is due, if one is. Whatever happens in between, the attempt goes on or ends. */
export async function verifyReceiver(attemptId: string, settings: VerifySettings): Promise<void> {
  const { db, log, now, newLease, tell } = settings;
  const claim = await claimChallenge(db, attemptId, newLease(), new Date(now()));
  if (claim === null) return;
  const result = await challenge(claim, settings).catch((error: unknown): ChallengeResult => {
    log.error("webhook challenge put off", { attempt_id: attemptId, error: describeError(error) });
    return { kind: "postponed" };
  });
  const step = decideAfterChallenge(result, claim.count);
  const recorded = await recordChallenge(db, claim, step, new Date(now()));
  if (recorded === null) return;
  if (recorded.resumed > 0) await tell({ kind: "wake_endpoint", endpoint_id: String(claim.endpointId) }, 0);
  if (step.waitMs !== null) await tell({ kind: "verify_receiver", attempt_id: attemptId }, Math.ceil(step.waitMs / 1000));
}

async function challenge(claim: ClaimedChallenge, settings: VerifySettings): Promise<ChallengeResult> {
  const { policy, fetch: fetcher, headerPrefix, credentialSecret, now } = settings;
  const owner = { accountId: claim.accountId, credentialSecret };
  const secrets = await Promise.all(claim.secretsSealed.map((sealed) => openEndpointSecret("signing secret", sealed, owner)));
  const token = await openEndpointSecret("verification token", claim.tokenSealed, owner);
  const check = await checkReceiver(claim.url, policy);
  if (check.kind === "unknown") return { kind: "postponed" };
  if (check.kind === "refused") return { kind: check.reason === "not_resolved" ? "unreachable" : "refused" };
  const body = JSON.stringify({ type: TYPE, token, webhook_id: claim.endpointId });
  const headers = {
    ...(await signBody({ id: claim.attemptId, body }, { secrets, headerPrefix, nowMs: now() })),
    [`${headerPrefix}-event-id`]: claim.attemptId,
    [`${headerPrefix}-event-type`]: TYPE,
    [`${headerPrefix}-verification-attempt`]: String(claim.count),
  };
  const post = { url: check.receiver.url, headers, body, timeoutMs: CHALLENGE_MS };
  const result = await postOutbound(post, (input, init) => statusOnly(fetcher, input, init));
  return "status" in result ? result : { kind: result.kind === "timeout" ? "timeout" : "unreachable" };
}

/** The status is the whole answer: no body is waited for. */
async function statusOnly(fetcher: typeof fetch, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetcher(input, init);
  if (!response.ok) return response;
  void response.body?.cancel().catch(() => undefined);
  return new Response(null, { status: response.status });
}
