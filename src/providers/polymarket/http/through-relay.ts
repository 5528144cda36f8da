import type { Config } from "../../../config.ts";
import { FailedAttempt, type AttemptSettings } from "./attempt-call.ts";

type RelayConfig = NonNullable<Config["provider"]["relay"]>;

/** What the relay's own responses do not have. */
const FORWARDED = "forwarded";

/** The headers of a request for a provider's URL. The token goes to the relay, which does not forward it. */
export const relayHeaders = ({ token }: RelayConfig, url: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  "relay-target": url,
});

/** @throws FailedAttempt for a response that is not the provider's: it says nothing about the provider's data */
export function requireForwarded({ headers, status }: Pick<Response, "headers" | "status">): void {
  const outcome = headers.get("relay-outcome");
  if (outcome !== FORWARDED) throw new FailedAttempt(`relay: ${outcome ?? `status ${status}`}`, null);
}

/** Sends the provider's requests to a relay with a fixed address; unchanged without one. */
export function throughRelay(relay: RelayConfig | null, fetch: AttemptSettings["fetch"]): AttemptSettings["fetch"] {
  if (relay === null) return fetch;
  return async (url, init) => {
    const response = await fetch(relay.url, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), ...relayHeaders(relay, url) },
      // A followed redirect could carry the token to another host.
      redirect: "manual",
    });
    requireForwarded(response);
    return response;
  };
}
