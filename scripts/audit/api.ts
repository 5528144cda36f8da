import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

/** What is in an answer is compared and not believed: a field that is not there is a difference, and no fault of the audit's types. */
// oxlint-disable-next-line no-explicit-any
export type Json = any;

/** A JSON answer. */
export interface Read {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
  /** The answer is of some moment between these: a cached one may be as much older as it says. */
  readonly fromMs: number;
  readonly toMs: number;
}

const WINDOW_MS = 60_000;
/** Of a user's 100 requests and 100 batch items a minute. */
const SPENT_A_MINUTE = 90;
const MOST_TRIES = 6;
const LONGEST_WAIT_MS = 20_000;
const RECONNECT_MS = 500;

interface Reader {
  readonly key: string;
  readonly address: string;
  spent: { atMs: number; units: number }[];
}

/** Reads with several accounts in turn, none of them beyond its budget. */
export class Api {
  readonly #baseUrl: string;
  readonly #readers: Reader[];
  readonly #isLocal: boolean;
  #next = 0;
  requests = 0;

  constructor(baseUrl: string, keys: readonly string[]) {
    this.#baseUrl = baseUrl;
    this.#isLocal = ["127.0.0.1", "localhost"].includes(new URL(baseUrl).hostname);
    this.#readers = keys.map((key) => ({ key, address: `10.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`, spent: [] }));
  }

  get(path: string): Promise<Read> {
    return this.#read(path, {}, 1);
  }

  post(path: string, body: unknown, units: number): Promise<Read> {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return this.#read(path, init, units);
  }

  /** All rows of a list, with the fields beside them of the first page. @throws ReadFailed when a page is no 200 */
  async walk(path: string): Promise<Read & { readonly rows: Json[] }> {
    const first = expectOk(await this.get(path), path);
    const rows: Json[] = [...first.body.data];
    let last = first;
    while (last.body.has_more) {
      last = expectOk(await this.get(`${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(last.body.next_cursor)}`), path);
      rows.push(...last.body.data);
    }
    return { ...first, rows, toMs: last.toMs };
  }

  async #read(path: string, init: RequestInit, units: number): Promise<Read> {
    for (let attempt = 1; ; attempt++) {
      const reader = await this.#takeReader(units);
      const headers = {
        ...init.headers,
        authorization: `Bearer ${reader.key}`,
        // Cloudflare sets this header itself; a local product takes the one that it is sent, so that accounts do not share one address's budget.
        ...(this.#isLocal ? { "cf-connecting-ip": reader.address } : {}),
      };
      const sentMs = Date.now();
      const response = await fetch(`${this.#baseUrl}${path}`, { ...init, headers }).catch((error: Error) => error);
      if (response instanceof Error) {
        // A connection that was kept open may be closed as it is used again.
        if (attempt === MOST_TRIES) throw new ReadFailed(`${path}: ${response.message}`, { cause: response });
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

export class ReadFailed extends Error {
  override name = "ReadFailed";
}

export function expectOk(read: Read, path: string): Read {
  if (read.status !== 200) {
    throw new ReadFailed(
      `${path}: ${read.status} ${read.body?.error?.reason ?? read.body?.error?.code ?? ""} ${read.body?.error?.message ?? ""}`,
    );
  }
  return read;
}
