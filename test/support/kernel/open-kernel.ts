import { env } from "cloudflare:workers";
import { isWebOnly, type Operation } from "../../../src/api/operation.ts";
import { createApp } from "../../../src/app.ts";
import type { Env } from "../../../src/env.ts";
import { DurableObjectMeter } from "../../../src/platform/objects/durable-object-meter.ts";
import type { Cache } from "../../../src/platform/redis/cache.ts";
import type { RequestLimiter } from "../../../src/platform/rate-limit/request-limiter.ts";
import { openRuntime, type Runtime } from "../../../src/runtime.ts";
import { meterWith, UNLIMITED } from "../api/unlimited.ts";
import { pathOf } from "./registry-paths.ts";

const WEB_ORIGIN = "http://web.test";

export interface KernelResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; null when there is none or it is not JSON. */
  readonly body: any;
}

export interface KernelRequest {
  readonly method?: string;
  readonly key?: string | null;
  /** The request comes from a page of the website, and goes to the website's origin, with these cookies. */
  readonly cookies?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit | null;
}

export interface Kernel {
  /** Sends a request as it is, and returns the response with its body unread. */
  fetch(request: Request): Promise<Response>;
  /** Sends a request and returns once its background work is done too. */
  send(path: string, init?: KernelRequest): Promise<KernelResponse>;
  /**
   * Sends a well-formed request to an operation, on the origin that serves it and with the credential that it
   * takes.
   */
  sendTo(operation: Operation, init?: KernelRequest & { readonly query?: string | undefined }): Promise<KernelResponse>;
}

/** The real database and Redis of a test, as the Worker opens them, without limits. */
export function openTestRuntime(databaseUrl: string, overrides: Record<string, string> = {}): Runtime {
  const runtime = openLimitedRuntime(databaseUrl, overrides);
  return { ...runtime, ...UNLIMITED, meter: meterWith(runtime.meter) };
}

/** The same with the budgets of users and addresses. Tests of a file share those of addresses. */
export function openLimitedRuntime(
  databaseUrl: string,
  overrides: Readonly<Record<string, string>> | Partial<Env> = {},
): Runtime {
  // The runtime's module does not know the bindings of wrangler.toml.
  const bindings = { ...(env as Env), DATABASE_URL: databaseUrl, ...overrides };
  const meter = new DurableObjectMeter(metersOf(databaseUrl, bindings));
  const runtime = openRuntime(bindings);
  const requestLimiter: RequestLimiter = {
    spend: (budget, subject) => runtime.requestLimiter.spend(budget, `${databaseUrl} ${subject}`),
  };
  const { cache, sharedResponses } = runtime;
  return {
    ...runtime,
    meter,
    cache: withNamespace(cache, databaseUrl),
    // All test files share one Cache API too.
    sharedResponses: {
      get: (key) => sharedResponses.get(`${databaseUrl}:${key}`),
      set: (key, value, ttlSeconds) => sharedResponses.set(`${databaseUrl}:${key}`, value, ttlSeconds),
    },
    requestLimiter,
  };
}

/** The meters of a database: every database has the same account ids, so its meters are named after the database too. */
export const metersOf = (
  databaseUrl: string,
  { USER_METER }: Pick<Env, "USER_METER"> = env as Env,
): Pick<Env["USER_METER"], "idFromName" | "get"> => ({
  idFromName: (name) => USER_METER.idFromName(`${databaseUrl} ${name}`),
  get: (id) => USER_METER.get(id),
});

/** All test files and databases share one Redis; an entry of one must not serve another. */
function withNamespace(cache: Cache, name: string): Cache {
  return {
    getMany: (keys) => cache.getMany(keys.map((key) => `${name}:${key}`)),
    set: (key, value, ttlSeconds) => cache.set(`${name}:${key}`, value, ttlSeconds),
    delete: (key) => cache.delete(`${name}:${key}`),
    ping: () => cache.ping(),
  };
}

/**
 * The app over these operations. Every request without its own key presents `key`; null presents none.
 *
 * @param session the cookies that `sendTo` sends to operations of the website
 */
export function openKernel(
  runtime: Runtime,
  operations: readonly Operation[],
  key: string | null = null,
  session = "",
): Kernel {
  const app = createApp(runtime, operations);
  const kernel: Kernel = {
    async fetch(request) {
      const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
      return app.fetch(request, {}, context);
    },
    sendTo: (operation, { query, ...init } = {}) =>
      kernel.send(pathOf(operation, query), {
        method: operation.method.toUpperCase(),
        ...(isWebOnly(operation) ? { cookies: session, key: null } : {}),
        ...init,
      }),
    async send(path, { method = "GET", key: ownKey = key, cookies, headers = {}, body = null } = {}) {
      const background: Promise<unknown>[] = [];
      const context = {
        waitUntil: (work: Promise<unknown>) => void background.push(work),
        passThroughOnException: () => undefined,
        props: {},
      };
      const credential: Record<string, string> = ownKey === null ? {} : { authorization: `Bearer ${ownKey}` };
      const ofPage =
        cookies === undefined ? {} : { origin: WEB_ORIGIN, "content-type": "application/json", cookie: cookies };
      const sent: RequestInit = { method, headers: { ...credential, ...ofPage, ...headers }, body };
      const request = new Request(`${cookies === undefined ? "http://api.test" : WEB_ORIGIN}${path}`, sent);
      const response = await app.fetch(request, {}, context);
      await Promise.all(background);
      const text = await response.text();
      const isDocument = response.headers.get("content-type")?.startsWith("text/markdown") === true;
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: text === "" || isDocument ? null : JSON.parse(text),
      };
    },
  };
  return kernel;
}
