import { env } from "cloudflare:workers";
import type { Operation } from "../../../src/api/operation.ts";
import { createApp } from "../../../src/app.ts";
import type { Env } from "../../../src/env.ts";
import type { Cache } from "../../../src/ports/cache.ts";
import type { RequestLimiter } from "../../../src/ports/request-limiter.ts";
import { openRuntime, type Runtime } from "../../../src/runtime.ts";
import { UNLIMITED } from "../unlimited.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The decoded body; null when there is none, or it is no JSON. */
  readonly body: any;
}

export interface Sent {
  readonly method?: string;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit | null;
}

export interface Kernel {
  /** Sends a request and returns once the work it left for later is done too. */
  send(path: string, init?: Sent): Promise<Answer>;
}

/** The real database and Redis of a test, as the Worker itself would open them, without limits. */
export function openTestRuntime(databaseUrl: string, overrides: Record<string, string> = {}): Runtime {
  return { ...openLimitedRuntime(databaseUrl, overrides), ...UNLIMITED };
}

/** The same with the budgets of users and addresses, which all tests of a file share. */
export function openLimitedRuntime(databaseUrl: string, overrides: Record<string, string> = {}): Runtime {
  // The runtime's module does not know the bindings of wrangler.toml.
  const bindings = { ...(env as Env), DATABASE_URL: databaseUrl, ...overrides };
  const runtime = openRuntime(bindings);
  const requestLimiter: RequestLimiter = {
    spend: (budget, subject) => runtime.requestLimiter.spend(budget, `${databaseUrl} ${subject}`),
  };
  return { ...runtime, cache: withNamespace(runtime.cache, databaseUrl), requestLimiter };
}

/** Redis is one for all test files and databases; what one of them left there must not answer another. */
function withNamespace(cache: Cache, name: string): Cache {
  return {
    getMany: (keys) => cache.getMany(keys.map((key) => `${name}:${key}`)),
    set: (key, value, ttlSeconds) => cache.set(`${name}:${key}`, value, ttlSeconds),
    fill: (key, value, ttlSeconds) => cache.fill(`${name}:${key}`, value, ttlSeconds),
    delete: (key) => cache.delete(`${name}:${key}`),
    ping: () => cache.ping(),
  };
}

/** The app over these operations. `key` is presented by every request that names no other; null presents none. */
export function openKernel(runtime: Runtime, operations: readonly Operation[], key: string | null = null): Kernel {
  const app = createApp(runtime, operations);
  return {
    async send(path, { method = "GET", key: ownKey = key, headers = {}, body = null } = {}) {
      const later: Promise<unknown>[] = [];
      const context = { waitUntil: (work: Promise<unknown>) => void later.push(work), passThroughOnException: () => undefined, props: {} };
      const credential: Record<string, string> = ownKey === null ? {} : { authorization: `Bearer ${ownKey}` };
      const sent: RequestInit = { method, headers: { ...credential, ...headers }, body };
      const request = new Request(`http://api.test${path}`, sent);
      const response = await app.fetch(request, {}, context);
      await Promise.all(later);
      const text = await response.text();
      const isDocument = response.headers.get("content-type")?.startsWith("text/markdown") === true;
      return { status: response.status, headers: response.headers, text, body: text === "" || isDocument ? null : JSON.parse(text) };
    },
  };
}
