import type { Config } from "../../config.ts";
import { isAddress, isPublicAddress } from "../../webhooks/rules/public-address.ts";
import { parseReceiverUrl, type Receiver, type ReceiverRefusal } from "../../webhooks/rules/url-policy.ts";
import { DnsOverHttpsResolver, type DnsResolver } from "./dns-resolver.ts";

export type ReceiverCheck =
  | { readonly kind: "safe"; readonly receiver: Receiver }
  | { readonly kind: "refused"; readonly reason: ReceiverRefusal | "not_resolved"; readonly words: string }
  /** Undecided, because host names cannot be resolved at the moment. */
  | { readonly kind: "unknown"; readonly words: string };

export interface ReceiverPolicy {
  readonly resolver: DnsResolver;
  readonly allowLoopback: boolean;
  /** As in `UrlPolicy`. */
  readonly ownHosts?: readonly string[];
}

export const openReceiverPolicy = (config: Pick<Config, "webhooks">, fetcher: typeof fetch): ReceiverPolicy => ({
  resolver: new DnsOverHttpsResolver(config.webhooks.dnsQueryUrl, fetcher),
  allowLoopback: config.webhooks.allowLoopback,
  ownHosts: config.webhooks.ownHosts,
});

/**
 * Whether a URL may receive webhooks: its form is allowed, and every address of its host is public. Checked
 * when an endpoint is created, when it is verified and before every attempt, because DNS records change. If a
 * record changes between this check and the connection (DNS rebinding), the platform's network still blocks
 * private addresses: it reaches the public internet only.
 */
export async function checkReceiver(url: string, { resolver, ...policy }: ReceiverPolicy): Promise<ReceiverCheck> {
  const judged = parseReceiverUrl(url, policy);
  return judged.kind === "refused" ? judged : checkAddresses(judged.receiver, resolver);
}

/** The part of `checkReceiver` that must be repeated before every attempt: whether every address is public. */
export async function checkAddresses(receiver: Receiver, resolver: DnsResolver): Promise<ReceiverCheck> {
  if (receiver.isLoopback || isAddress(receiver.host)) return { kind: "safe", receiver };
  const resolution = await resolver.resolve(receiver.host);
  switch (resolution.kind) {
    case "unavailable":
      return { kind: "unknown", words: `The host could not be resolved: ${resolution.reason}.` };
    case "not_resolved":
      return { kind: "refused", reason: "not_resolved", words: `The host does not resolve: ${resolution.reason}.` };
    case "addresses":
      return resolution.addresses.every(isPublicAddress)
        ? { kind: "safe", receiver }
        : {
            kind: "refused",
            reason: "address_not_public",
            words: "The host resolves to an address that is not on the public internet.",
          };
  }
}
