import { eventTypeOf } from "../domain/event-catalogue.ts";
import { ANSWER_MS, isEntitled, type AttemptResult } from "../domain/webhooks/delivery-state.ts";
import { signDelivery } from "../domain/webhooks/sign-delivery.ts";
import { openEndpointSecret } from "../lib/endpoint-secrets.ts";
import { checkReceiver, type ReceiverPolicy } from "../ports/check-receiver.ts";
import { postOutbound } from "../ports/outbound-post.ts";
import type { ClaimedDelivery, ClaimedEndpoint } from "./claim-deliveries.ts";

export interface AttemptSettings {
  readonly policy: ReceiverPolicy;
  readonly fetch: typeof fetch;
  readonly headerPrefix: string;
  readonly credentialSecret: string;
  readonly now: () => number;
}

/**
 * Posts a delivery once, signed by every secret in force, after its receiver has been checked.
 *
 * @throws when a secret does not open: then nothing is posted, and nothing is the receiver's fault
 */
export async function attemptDelivery(
  delivery: ClaimedDelivery,
  endpoint: ClaimedEndpoint,
  { policy, fetch: fetcher, headerPrefix, credentialSecret, now }: AttemptSettings,
): Promise<AttemptResult> {
  const type = eventTypeOf(delivery.eventType);
  if (type === null || !isEntitled(endpoint, type)) return { kind: "not_entitled" };
  const secrets = await openSecrets(endpoint, credentialSecret);
  const check = await checkReceiver(endpoint.url, policy);
  if (check.kind === "unknown") return { kind: "postponed" };
  if (check.kind === "refused") return { kind: check.reason === "not_resolved" ? "name_not_resolved" : "address_refused" };
  const { eventId: id, eventType, body } = delivery;
  const attempt = { id, eventType, body, deliveryId: delivery.id, attempt: delivery.attemptCount + 1 };
  const headers = await signDelivery(attempt, { secrets, headerPrefix, nowMs: now() });
  return postOutbound({ url: check.receiver.url, headers, body, timeoutMs: ANSWER_MS }, fetcher);
}

/** Opened once a claim. */
const opened = new WeakMap<ClaimedEndpoint, Promise<string[]>>();

function openSecrets(endpoint: ClaimedEndpoint, credentialSecret: string): Promise<string[]> {
  let secrets = opened.get(endpoint);
  if (secrets === undefined) {
    const owner = { accountId: endpoint.accountId, credentialSecret };
    secrets = Promise.all(endpoint.secretsSealed.map((sealed) => openEndpointSecret("signing secret", sealed, owner)));
    opened.set(endpoint, secrets);
  }
  return secrets;
}
