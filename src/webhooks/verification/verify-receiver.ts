import type { Database } from "../../db/client.ts";
import { signBody } from "../rules/sign-delivery.ts";
import { CHALLENGE_TIMEOUT_MS, decideAfterChallenge, type ChallengeResult } from "../rules/verify-schedule.ts";
import { describeError } from "../../platform/log/console-log.ts";
import { openEndpointSecret } from "../../lib/crypto/endpoint-secrets.ts";
import type { Log } from "../../platform/log/log.ts";
import type { WebhookMessage } from "../../messages/webhook-message.ts";
import { checkReceiver } from "../../platform/http/check-receiver.ts";
import { postOutbound } from "../../platform/http/outbound-post.ts";
import type { AttemptSettings } from "../delivery/attempt-delivery.ts";
import { claimChallenge, type ClaimedChallenge } from "./claim-challenge.ts";
import { recordChallenge } from "./record-challenge.ts";

export interface VerifySettings extends AttemptSettings {
  readonly db: Database;
  readonly log: Log;
  readonly newLease: () => string;
  /** CHALLENGE_TIMEOUT_MS unless given. */
  readonly challengeTimeoutMs?: number;
  /**
   * Sends a message to the webhooks queue with a delay. The next sweep finds the work of a message that was
   * not sent.
   */
  readonly enqueue: (message: WebhookMessage, delaySeconds: number) => Promise<void>;
}

const TYPE = "webhook.verification";

/**
 * Posts the next challenge of a verification attempt, if one is due. The attempt continues or ends on every
 * failure.
 */
export async function verifyReceiver(attemptId: string, settings: VerifySettings): Promise<void> {
  const { db, log, now, newLease, enqueue } = settings;
  const claim = await claimChallenge(db, attemptId, newLease(), new Date(now()));
  if (claim === null) return;
  const result = await postChallenge(claim, settings).catch((error: unknown): ChallengeResult => {
    log.error("webhook.challenge_postponed", { attempt_id: attemptId, error: describeError(error) });
    return { kind: "postponed" };
  });
  const nextStep = decideAfterChallenge(result, claim.count);
  const recorded = await recordChallenge(db, claim, nextStep, new Date(now()));
  if (recorded === null) return;
  if (recorded.resumed > 0) await enqueue({ kind: "wake_endpoint", endpoint_id: String(claim.endpointId) }, 0);
  if (nextStep.waitMs !== null)
    await enqueue({ kind: "verify_receiver", attempt_id: attemptId }, Math.ceil(nextStep.waitMs / 1000));
}

async function postChallenge(claim: ClaimedChallenge, settings: VerifySettings): Promise<ChallengeResult> {
  const { policy, fetch: fetcher, headerPrefix, credentialKeys, now } = settings;
  const timeoutMs = settings.challengeTimeoutMs ?? CHALLENGE_TIMEOUT_MS;
  const owner = { accountId: claim.accountId, credentialKeys };
  const secrets = await Promise.all(
    claim.secretsSealed.map((sealed) => openEndpointSecret("signing secret", sealed, owner)),
  );
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
  const post = { url: check.receiver.url, headers, body, timeoutMs };
  const result = await postOutbound(post, (input, init) => statusOnly(fetcher, input, init));
  return "status" in result ? result : { kind: result.kind === "timeout" ? "timeout" : "unreachable" };
}

/** Only the status counts, so the body is not awaited. */
async function statusOnly(fetcher: typeof fetch, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetcher(input, init);
  if (!response.ok) return response;
  void response.body?.cancel().catch(() => undefined);
  return new Response(null, { status: response.status });
}
