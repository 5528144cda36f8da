import { Hono, type Context, type MiddlewareHandler } from "hono";
import { AGENT_FILES, openAgentFile } from "./agent-files.ts";
import { admitIp } from "./api/pipeline/admission.ts";
import type { Caches } from "./api/cache/read-caches.ts";
import { ResponseCache } from "./api/cache/response-cache.ts";
import { TagVersions } from "./api/cache/tag-versions.ts";
import { addChallenge } from "./api/response/challenge.ts";
import { completeHeaders } from "./api/response/complete-headers.ts";
import { HeaderFields, type WritableHeaders } from "./api/response/header-fields.ts";
import { toResponse } from "./api/response/reply.ts";
import { addCorsHeaders, markSandbox, presentPreflight } from "./api/response/cors.ts";
import { addFirstPartyHeaders, presentFirstPartyPreflight, requireFirstParty } from "./api/request/first-party.ts";
import { presentDocument } from "./api/response/present-document.ts";
import { presentError } from "./api/response/error-response.ts";
import { ApiError } from "./api/errors.ts";
import type { Exchange } from "./api/exchange.ts";
import { serveFile } from "./api/files/serve-file.ts";
import { isWebOnly, type Operation } from "./api/operation.ts";
import { handleOperatorCall } from "./api/operator-call.ts";
import { OPERATOR_PATH } from "./auth/operator-signature.ts";
import { runOperation } from "./api/pipeline/run-operation.ts";
import { newRequestId } from "./api/request-id.ts";
import { logRequest, newTrace, type RequestTrace } from "./api/request-trace.ts";
import { presentConfigError } from "./api/response/config-error.ts";
import type { Config } from "./config.ts";
import type { Env } from "./env.ts";
import { OPENAPI_ETAG, WEB_OPENAPI_ETAG } from "./generated/openapi-etag.ts";
import { consoleLog } from "./platform/log/console-log.ts";
import { MemoRouter } from "./lib/memo-router.ts";
import { inScope } from "./lib/work-scope.ts";
import { handleMcp, MCP_PATH, mcpCorsOrigin, openMcpServer } from "./mcp/handle-mcp.ts";
import { openMcpTexts } from "./mcp/mcp-texts.ts";
import { mountOAuth } from "./oauth/mount-oauth.ts";
import { OPERATIONS } from "./operations/index.ts";
import { FILES_PATH } from "./platform/artifacts/file-link.ts";
import { clientIp } from "./platform/rate-limit/client-ip.ts";
import { openRuntime, type Runtime } from "./runtime.ts";
import { openSandbox, sandboxTest } from "./sandbox/sandbox.ts";
import { serveSite, SITE_ROUTES } from "./site.ts";
import type { Website } from "./web/web-app.ts";
import type { WebExchange } from "./web/web-exchange.ts";

interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    startedAt: Date;
    url: URL;
    budgets: HeaderFields;
    /** The response has the headers of every response. */
    isComplete?: true;
    trace: RequestTrace;
    /** Set on requests for the website's own routes. */
    website?: true;
    takesKey?: boolean;
    /** The only origin whose pages may read the response; null for none. Unset: all may. */
    readableBy?: string | null;
    /** Set on requests for the sandbox. */
    sandbox?: true;
  };
}

type App = Hono<AppEnv>;

/** Capacity of the response cache, in characters: a small part of an isolate's 128 MB. */
const RESPONSE_CACHE_CHARACTERS = 8_000_000;
const SIGN_IN_PATH = "/api/auth/*";

export interface AppOptions {
  readonly responseCache?: ResponseCache;
  /** Called on the first request that needs the website's module. */
  readonly loadWebsite?: (runtime: Runtime) => Promise<Website>;
  readonly now?: () => Date;
}

/** The OpenAPI documents on the website's origin: of the API, and of the website's own operations. */
const DOCUMENTS = [
  { path: "/api/v1/openapi.json", etag: OPENAPI_ETAG, load: documentLoader(() => import("./generated/openapi.txt")) },
  {
    path: "/openapi.json",
    etag: WEB_OPENAPI_ETAG,
    load: documentLoader(() => import("./generated/web-openapi.txt")),
  },
];

/** Imported here, because the bundle keeps the paths of texts, and it lies in this folder. */
const MCP_TEXTS = openMcpTexts({
  toolList: () => import("./generated/mcp-tools.txt"),
  inputSchemas: () => import("./generated/mcp-inputs.txt"),
  methodology: () => import("./generated/methodology.txt"),
});

let opened: { runtime: Runtime; app: App } | null = null;
let configError: unknown = null;

/** Handles one HTTP request. The first request of an isolate opens the shared runtime. */
export function handleRequest(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response> {
  // The variables of an isolate never change, so a wrong configuration is parsed once.
  if (configError !== null) return presentConfigError(configError, request);
  try {
    opened ??= open(env);
  } catch (error) {
    configError = error;
    return presentConfigError(error, request);
  }
  return opened.app.fetch(request, env, context);
}

function open(env: Env): { runtime: Runtime; app: App } {
  const runtime = openRuntime(env);
  return { runtime, app: createApp(runtime, OPERATIONS) };
}

/**
 * The app over a set of operations: one route per operation, beside the documents and the sign-in; any other
 * path returns `unknown_endpoint`.
 */
export function createApp(
  runtime: Runtime,
  operations: readonly Operation[],
  {
    responseCache = new ResponseCache(RESPONSE_CACHE_CHARACTERS),
    loadWebsite = importWebsite,
    now = () => new Date(),
  }: AppOptions = {},
): App {
  const app: App = new Hono({ router: new MemoRouter() });
  const caches: Caches = {
    responseCache,
    get sharedResponses() {
      return runtime.sharedResponses;
    },
    tagVersions: new TagVersions({ getMany: (keys) => runtime.cache.getMany(keys) }),
  };
  const isWebOrigin = webOriginTest(runtime.config);
  const webOrigin = new URL(runtime.config.webBaseUrl).origin;
  let website: Promise<Website> | null = null;
  const isSandbox = sandboxTest(runtime.config);
  const sandbox = openSandbox(
    runtime.config,
    operations.filter((operation) => !isWebOnly(operation)),
    SANDBOX_SOURCES,
  );
  const openWebsite = () => (website ??= loadWebsite(runtime));
  const fail = (error: unknown, c: Context<AppEnv>) =>
    presentError(error, {
      requestId: c.get("requestId"),
      method: c.req.method,
      docsUrl: `${runtime.config.webBaseUrl}/docs`,
      now: new Date(),
      random: Math.random,
      log: consoleLog,
      trace: c.get("trace"),
    });
  /** Adds the headers that every response has. */
  const complete = (c: Context<AppEnv>, response: { readonly headers: WritableHeaders; readonly status: number }) => {
    const { headers } = response;
    const requestId = c.get("requestId");
    c.get("budgets").copyTo(headers);
    headers.set("X-Request-Id", requestId);
    const elapsedMs = now().getTime() - c.get("startedAt").getTime();
    const { href } = c.get("url");
    const web = isWebOrigin(href);
    headers.set("Server-Timing", web ? `api;dur=${elapsedMs}, web_api;dur=${elapsedMs}` : `api;dur=${elapsedMs}`);
    if (web) headers.set("X-Web-Request-Id", requestId);
    const isWebsite = c.get("website") === true;
    if (isWebsite) addFirstPartyHeaders(headers, c.req.raw, webOrigin);
    else if (c.req.header("origin") !== undefined) addCorsHeaders(headers, c.get("readableBy"));
    if (c.get("sandbox") === true) markSandbox(headers);
    addChallenge(response, runtime.config, c.req.path === MCP_PATH ? MCP_PATH : "");
    completeHeaders(headers, {
      isHttps: href.startsWith("https:"),
      isWebsite,
      requiresKey: c.get("takesKey") === true,
    });
  };
  app.use("*", async (c, next) => {
    const startedAt = now();
    c.set("requestId", newRequestId());
    c.set("startedAt", startedAt);
    c.set("url", new URL(c.req.url));
    c.set("budgets", new HeaderFields());
    c.set("trace", newTrace());
    await inScope({ requestId: c.get("requestId"), work: "http" }, next);
    if (c.get("isComplete") !== true) complete(c, c.res);
    const elapsedMs = now().getTime() - startedAt.getTime();
    const { operation, cache, reason } = c.get("trace");
    runtime.metrics.write("request", {
      ...{ operation: operation ?? "none", status: String(c.res.status), cache: cache ?? "none" },
      ...{ reason: reason ?? "none", duration_ms: elapsedMs },
    });
    logRequest(consoleLog, c.get("trace"), {
      requestId: c.get("requestId"),
      method: c.req.method,
      status: c.res.status,
      durationMs: elapsedMs,
      isWebsite: c.get("website") === true,
      sampleRate: runtime.config.logSampleRate,
    });
  });
  /** A handler that the website's origin alone has; on the API's origin the path is unknown. */
  const onWebOrigin =
    (handler: MiddlewareHandler<AppEnv>): MiddlewareHandler<AppEnv> =>
    (c, next) => {
      if (!isWebOrigin(c.req.url)) return next();
      c.set("website", true);
      return handler(c, next);
    };
  /**
   * Spends the IP budget for a request that no operation handles.
   *
   * @throws ApiError ip_rate_limited, ip_throttled
   */
  const admitAddress = async (c: Context<AppEnv>): Promise<void> => {
    const verdict = await runtime.ipBudget.spend(clientIp(c.req.raw.headers), "shared", {
      key: null,
      waitUntil: (work) => c.executionCtx.waitUntil(work),
    });
    admitIp(verdict, c.get("budgets"), c.get("startedAt"));
  };
  const exchangeOf = (c: Context<AppEnv>): Exchange => ({
    request: c.req.raw,
    url: c.get("url"),
    requestId: c.get("requestId"),
    startedAt: c.get("startedAt"),
    runtime,
    caches,
    readSession: async (headers) => (await openWebsite()).readSession(headers),
    log: consoleLog,
    ip: clientIp(c.req.raw.headers),
    headers: c.get("budgets"),
    trace: c.get("trace"),
    waitUntil: (work) => c.executionCtx.waitUntil(work),
  });
  app.use("*", async (c, next) => {
    const url = c.get("url");
    if (!isSandbox(url)) return next();
    c.set("sandbox", true);
    // The only state that the sandbox shares with the live API.
    await admitAddress(c);
    return sandbox({
      request: c.req.raw,
      url,
      requestId: c.get("requestId"),
      startedAt: c.get("startedAt"),
      trace: c.get("trace"),
      headers: c.get("budgets"),
    });
  });
  for (const { path, etag, load } of DOCUMENTS) {
    app.get(path, async (c, next) => {
      if (!isWebOrigin(c.req.url)) return next();
      await admitAddress(c);
      return presentDocument(c.req.raw, etag, load);
    });
  }
  for (const file of AGENT_FILES) {
    const present = openAgentFile(file, runtime.config);
    // On both origins: an agent that has only the base URL looks below that.
    app.get(file.path, async (c) => {
      await admitAddress(c);
      return present(c.req.raw);
    });
  }
  for (const route of SITE_ROUTES) {
    app.get(route, async (c, next) => {
      if (!isWebOrigin(c.req.url)) return next();
      await admitAddress(c);
      return serveSite(c.req.raw, c.env.ASSETS, runtime.config);
    });
  }
  const gate: MiddlewareHandler<AppEnv> = async (c, next) => {
    await admitAddress(c);
    await next();
  };
  for (const [path, served] of groupByPath(operations)) {
    const route = path.replaceAll(/\{(\w+)\}/g, ":$1");
    const allow = allowedMethods(served);
    const isOfWebsite = served.some(isWebOnly);
    const scoped = isOfWebsite ? onWebOrigin : (handler: MiddlewareHandler<AppEnv>) => handler;
    for (const operation of served) {
      const handle: MiddlewareHandler<AppEnv> = (c) => {
        c.set("takesKey", operation.access === "key");
        c.get("trace").operation = operation.id;
        const exchange = exchangeOf(c);
        return inScope({ requestId: exchange.requestId, work: operation.id }, () =>
          // Caught here, because Hono passes only instances of Error to onError.
          runOperation(operation, exchange).then(
            (reply) => {
              complete(c, reply);
              c.set("isComplete", true);
              return toResponse(reply);
            },
            (thrown: unknown) => fail(thrown, c),
          ),
        );
      };
      app.on(operation.method.toUpperCase(), route, scoped(handle));
    }
    // An operation spends the IP budget in its own Redis round trip. Only other methods of its path reach
    // this gate.
    app.use(route, scoped(gate));
    app.options(
      route,
      scoped(async (c) =>
        isOfWebsite
          ? presentFirstPartyPreflight(c.req.raw, webOrigin)
          : new Response(null, { status: 204, headers: presentPreflight(allow) }),
      ),
    );
    app.all(
      route,
      scoped(async (c) => {
        if (isOfWebsite) requireFirstParty(c.req.raw, webOrigin);
        throw new ApiError("method_not_allowed", { headers: { Allow: allow } });
      }),
    );
  }
  let mcpServer: ReturnType<typeof openMcpServer> | null = null;
  // A tool call spends the IP budget in its operation, so this route does not pass the gate.
  app.all(MCP_PATH, (c) => {
    c.set("takesKey", true);
    c.set("readableBy", mcpCorsOrigin(c.req.raw.headers, runtime.config));
    mcpServer ??= openMcpServer(operations, MCP_TEXTS);
    return handleMcp({ ...exchangeOf(c), resource: "mcp" }, mcpServer, () => admitAddress(c)).catch((thrown: unknown) =>
      fail(thrown, c),
    );
  });
  const webExchangeOf = (c: Context<AppEnv>): WebExchange => ({
    request: c.req.raw,
    url: c.get("url"),
    requestId: c.get("requestId"),
    startedAt: c.get("startedAt"),
    ip: clientIp(c.req.raw.headers),
    log: consoleLog,
    trace: c.get("trace"),
  });
  mountOAuth(app, {
    runtime,
    isWebOrigin,
    admitAddress,
    requestOf: (c) => ({ requestId: c.get("requestId"), startedAt: c.get("startedAt") }),
    servePage: onWebOrigin(async (c) => {
      await admitAddress(c);
      return (await openWebsite()).handlePage(webExchangeOf(c));
    }),
    load: () => import("./generated/oauth-app.mjs"),
  });
  app.use(
    SIGN_IN_PATH,
    onWebOrigin((_, next) => next()),
  );
  // Spends the IP budget for every route registered below, and for unknown paths.
  app.use("*", gate);
  app.all(
    SIGN_IN_PATH,
    onWebOrigin(async (c) => {
      const { handleSignIn } = await openWebsite();
      return handleSignIn(webExchangeOf(c));
    }),
  );
  app.post(OPERATOR_PATH, (c, next) => {
    if (isWebOrigin(c.req.url)) return next();
    return handleOperatorCall(c.req.raw, runtime, now());
  });
  app.get(`${FILES_PATH}*`, (c, next) => {
    if (isWebOrigin(c.req.url)) return next();
    return serveFile(c.req.raw, { config: runtime.config, artifacts: runtime.artifacts, now: now() });
  });
  // A page follows the redirect of a download with its key, which needs a preflight here too.
  app.options(`${FILES_PATH}*`, (c, next) => {
    if (isWebOrigin(c.req.url)) return next();
    return new Response(null, { status: 204, headers: presentPreflight("GET, HEAD, OPTIONS") });
  });
  app.notFound((c) => fail(new ApiError("unknown_endpoint"), c));
  app.onError(fail);
  return app;
}

/** The generated texts behind the sandbox. */
const SANDBOX_SOURCES = {
  samples: async () => (await import("./generated/sandbox-samples.txt")).default,
  apiDocument: async () => (await import("./generated/openapi.txt")).default,
};

/** Loaded on the first request that needs it, so that API requests do not pay for it. */
const importWebsite = (runtime: Runtime): Promise<Website> =>
  import("./generated/web-app.mjs").then(({ openWebsite }) => openWebsite(runtime));

/** A document of the build, loaded on the first request for it. */
function documentLoader(read: () => Promise<{ default: string }>): () => Promise<Uint8Array> {
  let bytes: Promise<Uint8Array> | null = null;
  return () => (bytes ??= read().then(({ default: document }) => new TextEncoder().encode(document)));
}

/** Fixed paths come before those with parameters: `large-trades/history` is not a trade's id. */
function groupByPath(operations: readonly Operation[]): [string, Operation[]][] {
  const parameters = (path: string) => path.split("{").length;
  return [...Map.groupBy(operations, ({ path }) => path)].toSorted(([a], [b]) => parameters(a) - parameters(b));
}

/** A path's methods for the Allow header and preflights. Hono serves HEAD from GET. */
function allowedMethods(operations: readonly Operation[]): string {
  const methods = operations.flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));
  return [...methods, "OPTIONS"].join(", ");
}

/** A test for URLs of the website's origin. It is always false when website and API share one origin. */
function webOriginTest({ webBaseUrl, apiBaseUrl }: Config): (url: string) => boolean {
  const { origin } = new URL(webBaseUrl);
  if (origin === new URL(apiBaseUrl).origin) return () => false;
  // A request's URL is absolute and normalised, so comparing its start is enough.
  return (url) => url.startsWith(`${origin}/`);
}
