import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import apiDocument from "../../../../src/generated/openapi.txt";
import webDocument from "../../../../src/generated/web-openapi.txt";
import { isWebOnly } from "../../../../src/api/operation.ts";
import { createApp } from "../../../../src/app.ts";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import type { IpVerdict } from "../../../../src/platform/rate-limit/ip-budget.ts";
import type { Runtime } from "../../../../src/runtime.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aKey } from "../../../support/kernel/keys.ts";
import { openTestRuntime } from "../../../support/kernel/open-kernel.ts";
import { pathOf } from "../../../support/kernel/registry-paths.ts";
import { aSession } from "../../../support/web/members.ts";
import { scriptedIpBudget, type ScriptedIpBudget } from "../../../support/kernel/scripted-budgets.ts";

/*
 * What holds for every response of both origins. The paths come from the registry and from the app's own list
 * of routes, so a new route is covered automatically.
 */
const API = "http://api.test";
const WEB = "http://web.test";
const ADMITTED: IpVerdict = {
  refusedBy: null,
  retryAtMs: null,
  limit: 1_200,
  remaining: 900,
  resetAtMs: Date.now() + 30_000,
};
const REFUSED: IpVerdict = { ...ADMITTED, refusedBy: "limited", remaining: 0, retryAtMs: Date.now() + 60_000 };
const METHODS = ["GET", "HEAD", "POST", "DELETE", "OPTIONS"];

let runtime: Runtime;
let key: string;
let session: string;
let ipBudget: ScriptedIpBudget;
let app: ReturnType<typeof createApp>;

beforeAll(async () => {
  const { db, databaseUrl } = await createTestDatabase();
  runtime = openTestRuntime(databaseUrl);
  key = await aKey(db, { plan: "max" });
  session = await aSession(runtime);
});

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  ipBudget = scriptedIpBudget(ADMITTED);
  app = createApp({ ...runtime, ipBudget }, OPERATIONS);
});

async function send(
  url: string,
  { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) {
  const deferred: Promise<unknown>[] = [];
  const context = {
    waitUntil: (work: Promise<unknown>) => void deferred.push(work),
    passThroughOnException: () => undefined,
    props: {},
  };
  const response = await app.fetch(new Request(url, { method, headers, redirect: "manual" }), {}, context);
  const text = await response.text();
  await Promise.all(deferred);
  return { status: response.status, headers: response.headers, text };
}

const operationUrls = OPERATIONS.map((operation) => ({
  ...operation,
  url: `${isWebOnly(operation) ? WEB : API}${pathOf(operation)}`,
}));
/** The Vary header of a response, by what the operation's access reads. */
const VARY = { public: "Origin", key: "Origin, Authorization", session: "Origin, Cookie" };
const OF_PAGE = { origin: WEB, "content-type": "application/json" };

/** Every path of the app's routes with a value for each parameter, and two unknown paths. */
function listPaths(): string[] {
  const routes = createApp(runtime, OPERATIONS).routes.map(({ path }) => path.replaceAll(/:\w+|\*/g, "1"));
  return [...new Set([...routes, "/nothing", "/api/v1/nothing/at/all"])];
}

/** The endpoints of OAuth refuse in the form of RFC 6749. */
const OAUTH_ENDPOINT = /^\/(\.well-known\/oauth-|oauth\/(register|token|device_authorization|revoke)$)/;

/** The headers that do not depend on the response. The pages have forms and a style sheet, and no script. */
function expectCommonHeaders(headers: Headers): void {
  const isPage = headers.get("content-type")?.startsWith("text/html") === true;
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe(isPage ? "same-origin" : "no-referrer");
  expect(headers.get("content-security-policy")).toBe(
    isPage
      ? "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
      : "default-src 'none'; frame-ancestors 'none'",
  );
  expect(headers.get("cache-control")).toMatch(/^(private, no-(store|cache)|no-store|public, max-age=3600)$/);
  expect(headers.get("vary")?.split(", ")).toContain("Origin");
  expect(headers.get("x-request-id")).toMatch(/^req_/);
  expect(headers.has("strict-transport-security")).toBe(false);
}

describe.for([API, WEB])("origin %s", (origin) => {
  test.for(METHODS)("every %s response has the common headers and spends its address's budget once", async (method) => {
    const paths = listPaths();
    expect(paths.length).toBeGreaterThan(OPERATIONS.length / 2);
    for (const path of paths) {
      ipBudget.spent.length = 0;
      const { headers } = await send(`${origin}${path}`, {
        method,
        headers: { "content-type": "application/json", origin },
      });
      expectCommonHeaders(headers);
      const health = path === "/api/v1/health" && (method === "GET" || method === "HEAD");
      expect([path, ipBudget.spent]).toEqual([path, [["127.0.0.1", health ? "health" : "shared"]]]);
    }
  });

  test.for(METHODS)(
    "every route refuses %s with ip_rate_limited once the address has spent its budget",
    async (method) => {
      ipBudget.verdict = REFUSED;
      for (const path of listPaths()) {
        const { status, headers, text } = await send(`${origin}${path}`, { method });
        expect([path, status]).toEqual([path, 429]);
        expectCommonHeaders(headers);
        expect(headers.get("cache-control")).toMatch(/^(private, )?no-store$/);
        expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
        expect([headers.get("ratelimit-limit"), headers.get("ratelimit-remaining")]).toEqual(["1200", "0"]);
        const error = text === "" ? null : JSON.parse(text).error;
        const isOAuth = origin === API && OAUTH_ENDPOINT.test(path);
        const expected = isOAuth ? "temporarily_unavailable" : "ip_rate_limited";
        expect(error?.reason ?? error).toBe(method === "HEAD" ? null : expected);
      }
    },
  );
});

describe.for(operationUrls)("$id", ({ url, method, access, conditional, kind }) => {
  const own = method.toUpperCase();

  test("a response of the operation has its Cache-Control and Vary", async () => {
    const credential = access === "session" ? { ...OF_PAGE, cookie: session } : { authorization: `Bearer ${key}` };
    const { status, headers } = await send(url, { method: own, headers: credential });
    expect([401, 403]).not.toContain(status);
    expectCommonHeaders(headers);
    const expected =
      kind === "redirect" && access === "public"
        ? "public, max-age=3600"
        : conditional && status === 200
          ? "private, no-cache"
          : "private, no-store";
    expect(headers.get("cache-control")).toBe(expected);
    expect(headers.get("vary")).toBe(VARY[access]);
  });

  if (access !== "public")
    test("a refusal without a credential has the same Vary and is not stored", async () => {
      const { status, headers } = await send(url, { method: own, headers: access === "session" ? OF_PAGE : {} });
      expect(status).toBe(401);
      expectCommonHeaders(headers);
      expect(headers.get("cache-control")).toBe("private, no-store");
      expect(headers.get("vary")).toBe(VARY[access]);
    });

  if (conditional)
    test("a 304 of the operation has the same common headers", async () => {
      const sent = { method: own, headers: { authorization: `Bearer ${key}`, "if-none-match": "*" } };
      const { status, headers } = await send(url, sent);
      expect([304, 404, 503]).toContain(status);
      expectCommonHeaders(headers);
      expect(headers.get("cache-control")).toBe(status === 304 ? "private, no-cache" : "private, no-store");
    });
});

test("every HTTPS response has Strict-Transport-Security, errors included", async () => {
  for (const path of ["/api/v1", "/api/v1/openapi.json", "/api/v1/large-trades", "/nothing"]) {
    const { headers } = await send(`https://api.test${path}`);
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
  }
});

test("a website response varies by Cookie and is not stored by caches", async () => {
  for (const path of ["/api/auth/get-session", "/api/keys", "/api/keys/nothing"]) {
    const { headers } = await send(`${WEB}${path}`, { headers: { origin: WEB } });
    expectCommonHeaders(headers);
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("vary")?.split(", ").toSorted()).toEqual(["Cookie", "Origin"]);
  }
});

test("a website refusal by the address's budget is not readable from another origin", async () => {
  ipBudget.verdict = REFUSED;
  const { status, headers } = await send(`${WEB}/api/keys`, { headers: { origin: "https://evil.example" } });
  expect([status, headers.get("access-control-allow-origin")]).toEqual([429, null]);
});

describe.for([
  ["/api/v1/openapi.json", apiDocument],
  ["/openapi.json", webDocument],
] as const)("OpenAPI document %s", ([path, document]) => {
  const URL = `${WEB}${path}`;

  test("the OpenAPI document is served unchanged, cacheable and with the hash of its bytes as ETag", async () => {
    const { status, headers, text } = await send(URL, { headers: { origin: "https://anyone.test" } });
    expect(status).toBe(200);
    expect(text === document).toBe(true);
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(document)));
    const hex = [...hash.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    expect(headers.get("etag")).toBe(`W/"${hex}"`);
    expect(headers.get("cache-control")).toBe("public, max-age=3600");
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("access-control-allow-origin")).toBe("*");
  });

  test("the OpenAPI document returns an empty 304 for its ETag", async () => {
    const etag = (await send(URL, { method: "HEAD" })).headers.get("etag") ?? "";
    for (const header of [etag, etag.slice(2), `"other", ${etag}`, "*"]) {
      const { status, headers, text } = await send(URL, { headers: { "if-none-match": header } });
      expect([status, text]).toEqual([304, ""]);
      expect([headers.get("etag"), headers.get("cache-control")]).toEqual([etag, "public, max-age=3600"]);
      expectCommonHeaders(headers);
    }
    expect((await send(URL, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });
});

test("the API origin redirects to the API's document with a cacheable response and does not have the website's", async () => {
  const path = "/api/v1/openapi.json";
  const { status, headers } = await send(`${API}${path}`);
  const expected = [307, `${WEB}${path}`, "public, max-age=3600"];
  expect([status, headers.get("location"), headers.get("cache-control")]).toEqual(expected);
  expect((await send(`${API}/openapi.json`)).status).toBe(404);
});
