import type { Config } from "../config.ts";
import { isAddress, isPublicAddress } from "../domain/webhooks/public-address.ts";
import { judgeUrl, type Receiver, type ReceiverRefusal } from "../domain/webhooks/url-policy.ts";
import { HttpsResolver, type Resolver } from "./resolver.ts";

export type ReceiverCheck =
  | { readonly kind: "safe"; readonly receiver: Receiver }
  | { readonly kind: "refused"; readonly reason: ReceiverRefusal | "not_resolved"; readonly words: string }
  /** Whether it is safe is not known, because names cannot be looked up just now. */
  | { readonly kind: "unknown"; readonly words: string };

export interface ReceiverPolicy {
  readonly resolver: Resolver;
  readonly allowLoopback: boolean;
  /** As `UrlPolicy` has them. */
  readonly ownHosts?: readonly string[];
}

export const openReceiverPolicy = (config: Pick<Config, "webhooks">, fetcher: typeof fetch): ReceiverPolicy => ({
  resolver: new HttpsResolver(config.webhooks.dnsQueryUrl, fetcher),
  allowLoopback: config.webhooks.allowLoopback,
  ownHosts: config.webhooks.ownHosts,
});

/**
 * Whether something may be posted to a URL: its form is allowed, and every address its host has is public. Asked when an endpoint is made,
 * when it is verified and before every attempt, because names move. Between this and the connection a name may move once more: what then
 * refuses private addresses is the platform's own network, which leads to the public internet only.
 */
export async function checkReceiver(url: string, { resolver, ...policy }: ReceiverPolicy): Promise<ReceiverCheck> {
  const judged = judgeUrl(url, policy);
  if (judged.kind === "refused") return judged;
  const { receiver } = judged;
  if (receiver.isLoopback || isAddress(receiver.host)) return { kind: "safe", receiver };
  const resolution = await resolver.resolve(receiver.host);
  switch (resolution.kind) {
    case "unavailable":
      return { kind: "unknown", words: `The host could not be looked up: ${resolution.reason}.` };
    case "not_resolved":
      return { kind: "refused", reason: "not_resolved", words: `The host does not resolve: ${resolution.reason}.` };
    case "addresses":
      return resolution.addresses.every(isPublicAddress)
        ? { kind: "safe", receiver }
        : {
            kind: "refused",
            reason: "address_not_public",
            words: "The host resolves to an address that is not one of the public internet.",
          };
  }
}
