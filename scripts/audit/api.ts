import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * The audit compares response bodies and does not trust them: a missing field is a difference, not a type
 * error.
 */
// oxlint-disable-next-line no-explicit-any
export type Json = any;

/** A JSON response. */
export interface ApiResponse {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
  /**
   * The response shows one moment between these two. A cached response moves `fromMs` back by its stated age.
   */
  readonly fromMs: number;
  readonly toMs: number;
}

const WINDOW_MS = 60_000;
/** A user may spend 100 requests and 100 batch items a minute; the audit stays below. */
const SPENT_A_MINUTE = 90;
const MOST_TRIES = 6;
const LONGEST_WAIT_MS = 20_000;
const RECONNECT_MS = 500;

interface Reader {
  readonly key: string;
  readonly address: string;
  spent: { atMs: number; units: number }[];
}

/** Reads with several accounts in rotation and keeps each within its rate limit. */
export class Api {
  readonly #baseUrl: string;
  readonly #readers: Reader[];
  readonly #isLocal: boolean;
  #next = 0;
  requests = 0;

  constructor(baseUrl: string, keys: readonly string[]) {
    this.#baseUrl = baseUrl;
    this.#isLocal = ["127.0.0.1", "localhost"].includes(new URL(baseUrl).hostname);
    this.#readers = keys.map((key) => ({
      key,
      address: `10.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`,
      spent: [],
    }));
  }

  get(path: string): Promise<ApiResponse> {
    return this.#read(path, {}, 1);
  }

  post(path: string, body: unknown, units: number): Promise<ApiResponse> {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return this.#read(path, init, units);
  }

  /**
   * All rows of a list, with the other fields of its first page.
   *
   * @throws ReadFailed when a page is not a 200
   */
  async walk(path: string): Promise<ApiResponse & { readonly rows: Json[] }> {
    const first = expectOk(await this.get(path), path);
    const rows: Json[] = [...first.body.data];
    let last = first;
    while (last.body.has_more) {
      last = expectOk(
        await this.get(`${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(last.body.next_cursor)}`),
        path,
      );
      rows.push(...last.body.data);
    }
    return { ...first, rows, toMs: last.toMs };
  }

  async #read(path: string, init: RequestInit, units: number): Promise<ApiResponse> {
    for (let attempt = 1; ; attempt++) {
      const reader = await this.#takeReader(units);
      const headers = {
        ...init.headers,
        authorization: `Bearer ${reader.key}`,
        // Cloudflare sets this header itself. A local product takes it from the request, so each account gets
        // its own address and its own address budget.
        ...(this.#isLocal ? { "cf-connecting-ip": reader.address } : {}),
      };
      const sentMs = Date.now();
      const response = await fetch(`${this.#baseUrl}${path}`, { ...init, headers }).catch((error: Error) => error);
      if (response instanceof Error) {
        // The server may close a kept-alive connection just as it is reused.
        if (attempt === MOST_TRIES) throw new ApiReadError(`${path}: ${response.message}`, { cause: response });
        await sleep(RECONNECT_MS);
        continue;
      }
      const body: Json = await response.json();
      const toMs = Date.now();
      this.requests++;
      const waits = response.status === 429 || response.status === 503;
      if (waits && attempt < MOST_TRIES) {
        await sleep(Math.min(LONGEST_WAIT_MS, 1_000 * Number(response.headers.get("retry-after") ?? 1)));
        continue;
      }
      const ageMs = body.meta?.cached === true ? 1_000 * (body.meta.cache_age_s + 1) : 0;
      return { status: response.status, body, headers: response.headers, fromMs: sentMs - ageMs, toMs };
    }
  }

  async #takeReader(units: number): Promise<Reader> {
    for (;;) {
      const now = Date.now();
      for (let n = 0; n < this.#readers.length; n++) {
        const reader = this.#readers[this.#next++ % this.#readers.length];
        if (reader === undefined) continue;
        reader.spent = reader.spent.filter(({ atMs }) => atMs > now - WINDOW_MS);
        if (reader.spent.reduce((sum, spent) => sum + spent.units, 0) + units > SPENT_A_MINUTE) continue;
        reader.spent.push({ atMs: now, units });
        return reader;
      }
      await sleep(250);
    }
  }
}

export class ApiReadError extends Error {
  override name = "ReadFailed";
}

export function expectOk(read: ApiResponse, path: string): ApiResponse {
  if (read.status !== 200) {
    throw new ApiReadError(
      `${path}: ${read.status} ${read.body?.error?.reason ?? read.body?.error?.code ?? ""} ${read.body?.error?.message ?? ""}`,
    );
  }
  return read;
}
