import { describeError } from "../log/console-log.ts";
import type { Log } from "../log/log.ts";
import type { SharedResponses } from "./shared-responses.ts";

/** A host that no client can request (RFC 6761). */
const ORIGIN = "https://responses.invalid/";

/** Shared responses in Cloudflare's Cache API. */
export class CacheApiResponses implements SharedResponses {
  readonly #log: Pick<Log, "warn">;

  constructor(log: Pick<Log, "warn">) {
    this.#log = log;
  }

  async get(key: string): Promise<string | null> {
    try {
      return (await (await caches.default.match(urlOf(key)))?.text()) ?? null;
    } catch (error) {
      this.#log.warn("shared_responses.read_failed", { error: describeError(error) });
      return null;
    }
  }

  async set(key: string, value: string, ttlSeconds: number): Promise<void> {
    try {
      const headers = { "cache-control": `public, max-age=${ttlSeconds}` };
      await caches.default.put(urlOf(key), new Response(value, { headers }));
    } catch (error) {
      this.#log.warn("shared_responses.write_failed", { error: describeError(error) });
    }
  }
}

const urlOf = (key: string): string => `${ORIGIN}${encodeURIComponent(key)}`;
