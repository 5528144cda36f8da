import { z } from "zod";
import { withSignal } from "../lib/with-signal.ts";

export type Resolution =
  /** All addresses of a name, IPv4 and IPv6, at least one. */
  | { readonly kind: "addresses"; readonly addresses: readonly string[] }
  /** The name has no address, or one of the two questions was answered with a failure. */
  | { readonly kind: "not_resolved"; readonly reason: string }
  /** The service that is asked is away; nothing is known of the name. */
  | { readonly kind: "unavailable"; readonly reason: string };

/** Looks names up. Never throws. */
export interface Resolver {
  resolve(name: string): Promise<Resolution>;
}

const TIMEOUT_MS = 5_000;
/** Source: IANA DNS Resource Record types, and RCODEs. */
const RECORD_TYPES = { A: 1, AAAA: 28 } as const;
const NO_ERROR = 0;

/** Of a CNAME chain the answer holds every link. */
const Answer = z.object({
  Status: z.number().int(),
  Answer: z.array(z.object({ type: z.number().int(), data: z.string() })).optional(),
});

/**
 * Names asked of a DNS-over-HTTPS service in its JSON form, as 1.1.1.1 and dns.google serve it
 * (developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/).
 */
export class HttpsResolver implements Resolver {
  readonly #url: string;
  readonly #fetch: typeof fetch;

  constructor(url: string, fetcher: typeof fetch) {
    this.#url = url;
    this.#fetch = fetcher;
  }

  async resolve(name: string): Promise<Resolution> {
    const answers = await Promise.all([this.#ask(name, "A"), this.#ask(name, "AAAA")]);
    const failed = answers.find((answer) => answer.kind === "unavailable") ?? answers.find((answer) => answer.kind === "not_resolved");
    if (failed !== undefined) return failed;
    const addresses = answers.flatMap((answer) => (answer.kind === "addresses" ? answer.addresses : []));
    return addresses.length === 0 ? { kind: "not_resolved", reason: "it has no address" } : { kind: "addresses", addresses };
  }

  /** The addresses of one kind, perhaps none. */
  #ask(name: string, type: keyof typeof RECORD_TYPES): Promise<Resolution> {
    return withSignal(TIMEOUT_MS, (signal) => this.#askWithin(signal, name, type));
  }

  async #askWithin(signal: AbortSignal, name: string, type: keyof typeof RECORD_TYPES): Promise<Resolution> {
    try {
      const url = new URL(this.#url);
      url.searchParams.set("name", name);
      url.searchParams.set("type", type);
      // Called on its own: the runtime refuses its fetch as a method of another object.
      const get = this.#fetch;
      const response = await get(url.href, {
        headers: { accept: "application/dns-json" },
        redirect: "manual",
        signal,
      });
      if (response.status !== 200) {
        await response.body?.cancel().catch(() => undefined);
        return { kind: "unavailable", reason: `the resolver answered ${response.status}` };
      }
      const { Status: status, Answer: records = [] } = Answer.parse(await response.json());
      if (status !== NO_ERROR) return { kind: "not_resolved", reason: `the answer for ${type} has status ${status}` };
      return { kind: "addresses", addresses: records.filter((record) => record.type === RECORD_TYPES[type]).map(({ data }) => data) };
    } catch (error) {
      return { kind: "unavailable", reason: `the resolver did not answer (${error instanceof Error ? error.name : typeof error})` };
    }
  }
}
