import { eventTypeOf } from "../../events/registry.ts";
import { RESPONSE_TIMEOUT_MS, isEntitled, type AttemptResult } from "../rules/delivery-state.ts";
import { signDelivery } from "../rules/sign-delivery.ts";
import { openEndpointSecret } from "../../lib/crypto/endpoint-secrets.ts";
import type { KeyRing } from "../../lib/crypto/key-ring.ts";
import { checkReceiver, type ReceiverPolicy } from "../../platform/http/check-receiver.ts";
import { postOutbound } from "../../platform/http/outbound-post.ts";
import type { ClaimedDelivery, ClaimedEndpoint } from "./claim-deliveries.ts";

export interface AttemptSettings {
  readonly policy: ReceiverPolicy;
  readonly fetch: typeof fetch;
  readonly headerPrefix: string;
  readonly credentialKeys: KeyRing;
  readonly now: () => number;
}

/**
 * Posts a delivery once, signed with every active secret, after checking its receiver.
 *
 * @throws when a secret cannot be opened; nothing is posted then, and the attempt must not count against the
 *   receiver
 */
export async function attemptDelivery(
  delivery: ClaimedDelivery,
  endpoint: ClaimedEndpoint,
  { policy, fetch: fetcher, headerPrefix, credentialKeys, now }: AttemptSettings,
): Promise<AttemptResult> {
  const type = eventTypeOf(delivery.eventType);
  if (type === null || !isEntitled(endpoint, type)) return { kind: "not_entitled" };
  const secrets = await openSecrets(endpoint, credentialKeys);
  const check = await checkReceiver(endpoint.url, policy);
  if (check.kind === "unknown") return { kind: "postponed" };
  if (check.kind === "refused")
    return { kind: check.reason === "not_resolved" ? "name_not_resolved" : "address_refused" };
  const { eventId: id, eventType, body } = delivery;
  const attempt = { id, eventType, body, deliveryId: delivery.id, attempt: delivery.attemptCount + 1 };
  const headers = await signDelivery(attempt, { secrets, headerPrefix, nowMs: now() });
  return postOutbound({ url: check.receiver.url, headers, body, timeoutMs: RESPONSE_TIMEOUT_MS }, fetcher);
}

/** Opened secrets, once per claim. */
const opened = new WeakMap<ClaimedEndpoint, Promise<string[]>>();

function openSecrets(endpoint: ClaimedEndpoint, credentialKeys: KeyRing): Promise<string[]> {
  let secrets = opened.get(endpoint);
  if (secrets === undefined) {
    const owner = { accountId: endpoint.accountId, credentialKeys };
    secrets = Promise.all(endpoint.secretsSealed.map((sealed) => openEndpointSecret("signing secret", sealed, owner)));
    opened.set(endpoint, secrets);
  }
  return secrets;
}
