import { eventTypeOf } from "../../events/registry.ts";
import { RESPONSE_TIMEOUT_MS, isEntitled, type AttemptResult } from "../rules/delivery-state.ts";
import { signDelivery } from "../rules/sign-delivery.ts";
import { parseReceiverUrl, type ReceiverUrlResult } from "../rules/url-policy.ts";
import { openEndpointSecret } from "../../lib/crypto/endpoint-secrets.ts";
import type { KeyRing } from "../../lib/crypto/key-ring.ts";
import { checkAddresses, type ReceiverPolicy } from "../../platform/http/check-receiver.ts";
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
  settings: AttemptSettings,
): Promise<AttemptResult> {
  const type = eventTypeOf(delivery.eventType);
  if (type === null || !isEntitled(endpoint, type)) return { kind: "not_entitled" };
  const { policy, fetch: fetcher, headerPrefix, now } = settings;
  const { openedSecrets, judgedUrl } = prepare(endpoint, settings);
  const secrets = await openedSecrets;
  if (judgedUrl.kind === "refused") return { kind: "address_refused" };
  const check = await checkAddresses(judgedUrl.receiver, policy.resolver);
  if (check.kind === "unknown") return { kind: "postponed" };
  if (check.kind === "refused")
    return { kind: check.reason === "not_resolved" ? "name_not_resolved" : "address_refused" };
  const { eventId: id, eventType, body } = delivery;
  const attempt = { id, eventType, body, deliveryId: delivery.id, attempt: delivery.attemptCount + 1 };
  const headers = await signDelivery(attempt, { secrets, headerPrefix, nowMs: now() });
  return postOutbound({ url: check.receiver.url, headers, body, timeoutMs: RESPONSE_TIMEOUT_MS }, fetcher);
}

/** What all attempts of one claim share. */
interface PreparedEndpoint {
  readonly openedSecrets: Promise<string[]>;
  readonly judgedUrl: ReceiverUrlResult;
}

const prepared = new WeakMap<ClaimedEndpoint, PreparedEndpoint>();

function prepare(endpoint: ClaimedEndpoint, { credentialKeys, policy }: AttemptSettings): PreparedEndpoint {
  const known = prepared.get(endpoint);
  if (known !== undefined) return known;
  const owner = { accountId: endpoint.accountId, credentialKeys };
  const openedSecrets = Promise.all(
    endpoint.secretsSealed.map((sealed) => openEndpointSecret("signing secret", sealed, owner)),
  );
  const judgedUrl = parseReceiverUrl(endpoint.url, policy);
  prepared.set(endpoint, { openedSecrets, judgedUrl });
  return { openedSecrets, judgedUrl };
}
