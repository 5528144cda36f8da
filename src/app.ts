import { Hono, type Context, type MiddlewareHandler } from "hono";
import { admitIp } from "./api/admission.ts";
import { AnswerMemory } from "./api/answer-memory.ts";
import { completeHeaders } from "./api/complete-headers.ts";
import { addCorsHeaders, presentPreflight } from "./api/cors.ts";
import { presentDocument } from "./api/present-document.ts";
import { presentError } from "./api/error-response.ts";
import { ApiError } from "./api/errors.ts";
import type { Operation } from "./api/operation.ts";
import { runOperation } from "./api/run-operation.ts";
import type { Config } from "./config.ts";
import type { Env } from "./env.ts";
import { OPENAPI_ETAG } from "./generated/openapi-etag.ts";
import { consoleLog } from "./lib/console-log.ts";
import { toHex } from "./lib/hmac.ts";
import { OPERATIONS } from "./operations/index.ts";
import { clientIp } from "./ports/client-ip.ts";
import { openRuntime, type Runtime } from "./runtime.ts";
import type { WebExchange } from "./web/web-exchange.ts";
import { WEB_PATHS } from "./web/web-paths.ts";

interface AppEnv {
  Bindings: Env;
  Variables: { requestId: string; startedAt: Date; budgets: Headers; website?: true; takesKey?: boolean };
}

type App = Hono<AppEnv>;

/** A small part of an isolate's 128 MB. */
const ANSWER_CHARACTERS = 8_000_000;
let documentBytes: Promise<Uint8Array> | null = null;
let opened: { runtime: Runtime; app: App } | null = null;

/** Answers one HTTP request. The first of an isolate opens what all of them share. */
export function handleRequest(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response> {
  opened ??= open(env);
  return opened.app.fetch(request, env, context);
}

function open(env: Env): { runtime: Runtime; app: App } {
  const runtime = openRuntime(env);
  return { runtime, app: createApp(runtime, OPERATIONS) };
}

/** The API over a set of operations: one route each, the rest answered as unknown. */
export function createApp(
  runtime: Runtime,
  operations: readonly Operation[],
  answers: AnswerMemory = new AnswerMemory(ANSWER_CHARACTERS),
): App {
  const app: App = new Hono();
  const isWebOrigin = webOriginTest(runtime.config);
  const fail = (error: unknown, c: Context<AppEnv>) =>
    presentError(error, {
      requestId: c.get("requestId"),
      method: c.req.method,
      docsUrl: `${runtime.config.webBaseUrl}/docs`,
      now: new Date(),
      log: consoleLog,
    });
  app.use("*", async (c, next) => {
    const startedAt = new Date();
    c.set("requestId", `req_${toHex(crypto.getRandomValues(new Uint8Array(12)))}`);
    c.set("startedAt", startedAt);
    c.set("budgets", new Headers());
    await next();
    const { headers } = c.res;
    for (const [name, value] of c.get("budgets")) headers.set(name, value);
    headers.set("X-Request-Id", c.get("requestId"));
    const elapsedMs = Date.now() - startedAt.getTime();
    const web = isWebOrigin(c.req.url);
    headers.set("Server-Timing", web ? `api;dur=${elapsedMs}, web_api;dur=${elapsedMs}` : `api;dur=${elapsedMs}`);
    if (web) headers.set("X-Web-Request-Id", c.get("requestId"));
    const isWebsite = c.get("website") === true;
    // The website says itself who may read its answers.
    if (c.req.header("origin") !== undefined && !isWebsite) addCorsHeaders(headers);
    completeHeaders(headers, { isHttps: c.req.url.startsWith("https:"), isWebsite, takesKey: c.get("takesKey") === true });
  });
  for (const path of WEB_PATHS) {
    app.use(path, async (c, next) => {
      if (isWebOrigin(c.req.url)) c.set("website", true);
      await next();
    });
  }
  /** Spends the budget of the address for a request that no operation takes. @throws ApiError ip_rate_limited, ip_throttled */
  const admitAddress = async (c: Context<AppEnv>): Promise<void> => {
    const verdict = await runtime.ipBudget.spend(clientIp(c.req.raw.headers), "shared");
    admitIp(verdict, c.get("budgets"), c.get("startedAt"));
  };
  app.get("/api/v1/openapi.json", async (c, next) => {
    if (!isWebOrigin(c.req.url)) return next();
    await admitAddress(c);
    return presentDocument(c.req.raw, OPENAPI_ETAG, loadDocument);
  });
  const gate: MiddlewareHandler<AppEnv> = async (c, next) => {
    await admitAddress(c);
    await next();
  };
  for (const [path, served] of groupByPath(operations)) {
    const route = path.replaceAll(/\{(\w+)\}/g, ":$1");
    const allow = allowedMethods(served);
    for (const operation of served) {
      app.on(operation.method.toUpperCase(), route, (c) => {
        c.set("takesKey", operation.access === "key");
        // Failures are caught at once: Hono hands to onError only what is an Error.
        return runOperation(operation, {
          request: c.req.raw,
          url: new URL(c.req.url),
          requestId: c.get("requestId"),
          startedAt: c.get("startedAt"),
          runtime,
          answers,
          log: consoleLog,
          ip: clientIp(c.req.raw.headers),
          headers: c.get("budgets"),
          later: (work) => c.executionCtx.waitUntil(work),
        }).catch((thrown: unknown) => fail(thrown, c));
      });
    }
    // An operation spends the budget together with what else it asks of Redis; other methods of its path come this far.
    app.use(route, gate);
    app.options(route, () => new Response(null, { status: 204, headers: presentPreflight(allow) }));
    app.all(route, () => {
      throw new ApiError("method_not_allowed", { headers: { Allow: allow } });
    });
  }
  // Whatever is registered below has the budget spent by this, and so has a path that is not registered at all.
  app.use("*", gate);
  let website: Promise<(exchange: WebExchange) => Promise<Response>> | null = null;
  for (const path of WEB_PATHS) {
    app.all(path, async (c, next) => {
      if (c.get("website") !== true) return next();
      // Only whoever asks for the website pays for loading it.
      website ??= import("./generated/web-app.mjs").then(({ createWebApp }) => createWebApp(runtime));
      const answerWeb = await website;
      return answerWeb({
        request: c.req.raw,
        url: new URL(c.req.url),
        requestId: c.get("requestId"),
        startedAt: c.get("startedAt"),
        ip: clientIp(c.req.raw.headers),
        log: consoleLog,
      });
    });
  }
  app.notFound((c) => fail(new ApiError("unknown_endpoint"), c));
  app.onError(fail);
  return app;
}

/** The OpenAPI document. Only the first request for it pays for loading it. */
function loadDocument(): Promise<Uint8Array> {
  return (documentBytes ??= import("./generated/openapi.txt").then(({ default: document }) => new TextEncoder().encode(document)));
}

/** Fixed paths before those with parameters: `large-trades/history` is not a trade's id. */
function groupByPath(operations: readonly Operation[]): [string, Operation[]][] {
  const parameters = (path: string) => path.split("{").length;
  return [...Map.groupBy(operations, ({ path }) => path)].toSorted(([a], [b]) => parameters(a) - parameters(b));
}

/** A path's methods for Allow and preflights. Hono answers HEAD from GET. */
function allowedMethods(operations: readonly Operation[]): string {
  const methods = operations.flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));
  return [...methods, "OPTIONS"].join(", ");
}

/** Whether a request's address is the website's. Without a website of its own there is none. */
function webOriginTest({ webBaseUrl, apiBaseUrl }: Config): (url: string) => boolean {
  const { origin } = new URL(webBaseUrl);
  if (origin === new URL(apiBaseUrl).origin) return () => false;
  // A request's address is absolute and normal, so its start tells without parsing it.
  return (url) => url.startsWith(`${origin}/`);
}
