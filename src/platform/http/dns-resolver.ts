import { z } from "zod";
import { withTimeoutSignal } from "../../lib/timing/with-timeout-signal.ts";

export type DnsResolution =
  /** All addresses of a name, IPv4 and IPv6, at least one. */
  | { readonly kind: "addresses"; readonly addresses: readonly string[] }
  /** The name has no address, or one of the two queries returned a DNS error. */
  | { readonly kind: "not_resolved"; readonly reason: string }
  /** The DNS service is unavailable; the name may or may not resolve. */
  | { readonly kind: "unavailable"; readonly reason: string };

/** Resolves host names. Never throws. */
export interface DnsResolver {
  resolve(name: string): Promise<DnsResolution>;
}

const TIMEOUT_MS = 5_000;
/** Source: IANA DNS Resource Record types, and RCODEs. */
const RECORD_TYPES = { A: 1, AAAA: 28 } as const;
const NO_ERROR = 0;

/** The response contains every link of a CNAME chain. */
const DnsResponse = z.object({
  Status: z.number().int(),
  Answer: z.array(z.object({ type: z.number().int(), data: z.string() })).optional(),
});

/**
 * A resolver over DNS-over-HTTPS in the JSON format of 1.1.1.1 and dns.google
 * (developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/).
 */
export class DnsOverHttpsResolver implements DnsResolver {
  readonly #url: string;
  readonly #fetch: typeof fetch;

  constructor(url: string, fetcher: typeof fetch) {
    this.#url = url;
    this.#fetch = fetcher;
  }

  async resolve(name: string): Promise<DnsResolution> {
    const results = await Promise.all([this.#query(name, "A"), this.#query(name, "AAAA")]);
    const failed =
      results.find((result) => result.kind === "unavailable") ??
      results.find((result) => result.kind === "not_resolved");
    if (failed !== undefined) return failed;
    const addresses = results.flatMap((result) => (result.kind === "addresses" ? result.addresses : []));
    return addresses.length === 0
      ? { kind: "not_resolved", reason: "it has no address" }
      : { kind: "addresses", addresses };
  }

  /** The addresses of one record type; the list may be empty. */
  #query(name: string, type: keyof typeof RECORD_TYPES): Promise<DnsResolution> {
    return withTimeoutSignal(TIMEOUT_MS, (signal) => this.#queryWithin(signal, name, type));
  }

  async #queryWithin(signal: AbortSignal, name: string, type: keyof typeof RECORD_TYPES): Promise<DnsResolution> {
    try {
      const url = new URL(this.#url);
      url.searchParams.set("name", name);
      url.searchParams.set("type", type);
      // Called as a plain function: the runtime rejects its fetch as a method of another object.
      const get = this.#fetch;
      const response = await get(url.href, {
        headers: { accept: "application/dns-json" },
        redirect: "manual",
        signal,
      });
      if (response.status !== 200) {
        await response.body?.cancel().catch(() => undefined);
        return { kind: "unavailable", reason: `the DNS service returned status ${response.status}` };
      }
      const { Status: status, Answer: records = [] } = DnsResponse.parse(await response.json());
      if (status !== NO_ERROR)
        return { kind: "not_resolved", reason: `the ${type} query returned DNS status ${status}` };
      return {
        kind: "addresses",
        addresses: records.filter((record) => record.type === RECORD_TYPES[type]).map(({ data }) => data),
      };
    } catch (error) {
      return {
        kind: "unavailable",
        reason: `the DNS service did not respond (${error instanceof Error ? error.name : typeof error})`,
      };
    }
  }
}
