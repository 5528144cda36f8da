import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import document from "../../../src/generated/openapi.txt";
import { createApp } from "../../../src/app.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import type { IpVerdict } from "../../../src/ports/ip-budget.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { createTestDatabase } from "../../support/database.ts";
import { aKey } from "../../support/kernel/keys.ts";
import { openTestRuntime } from "../../support/kernel/open-kernel.ts";
import { pathOf } from "../../support/kernel/registry-paths.ts";
import { scriptedIpBudget, type ScriptedIpBudget } from "../../support/kernel/scripted-budgets.ts";

/*
 * What holds for every answer of both origins. The paths come from the registry and from the app's own list of routes, so that a route that
 * is added has all of this by itself.
 */
const API = "http://api.test";
const WEB = "http://web.test";
const ADMITTED: IpVerdict = { refusedBy: null, retryAtMs: null, limit: 1_200, remaining: 900, resetAtMs: Date.now() + 30_000 };
const REFUSED: IpVerdict = { ...ADMITTED, refusedBy: "limited", remaining: 0, retryAtMs: Date.now() + 60_000 };
const METHODS = ["GET", "HEAD", "POST", "DELETE", "OPTIONS"];

let runtime: Runtime;
let key: string;
let ipBudget: ScriptedIpBudget;
let app: ReturnType<typeof createApp>;

beforeAll(async () => {
  const { db, databaseUrl } = await createTestDatabase();
  runtime = openTestRuntime(databaseUrl);
  key = await aKey(db, { plan: "max" });
});

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  ipBudget = scriptedIpBudget(ADMITTED);
  app = createApp({ ...runtime, ipBudget }, OPERATIONS);
});

async function send(url: string, { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {}) {
  const later: Promise<unknown>[] = [];
  const context = { waitUntil: (work: Promise<unknown>) => void later.push(work), passThroughOnException: () => undefined, props: {} };
  const response = await app.fetch(new Request(url, { method, headers, redirect: "manual" }), {}, context);
  const text = await response.text();
  await Promise.all(later);
  return { status: response.status, headers: response.headers, text };
}

const operationUrls = OPERATIONS.map((operation) => ({ ...operation, url: `${API}${pathOf(operation)}` }));

/** Every path that the app has a route for, with something for each parameter, and two that it has none for. */
function listPaths(): string[] {
  const routes = createApp(runtime, OPERATIONS).routes.map(({ path }) => path.replaceAll(/:\w+|\*/g, "1"));
  return [...new Set([...routes, "/nothing", "/api/v1/nothing/at/all"])];
}

/** All that the answer itself does not decide. */
function expectCommonHeaders(headers: Headers): void {
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(headers.get("cache-control")).toMatch(/^(private, no-(store|cache)|public, max-age=3600)$/);
  expect(headers.get("vary")?.split(", ")).toContain("Origin");
  expect(headers.get("x-request-id")).toMatch(/^req_/);
  expect(headers.has("strict-transport-security")).toBe(false);
}

describe.for([API, WEB])("at %s", (origin) => {
  test.for(METHODS)("every route's answer to %s has the common headers and has spent the budget of its address once", async (method) => {
    const paths = listPaths();
    expect(paths.length).toBeGreaterThan(OPERATIONS.length / 2);
    for (const path of paths) {
      ipBudget.spent.length = 0;
      const { headers } = await send(`${origin}${path}`, { method, headers: { "content-type": "application/json", origin } });
      expectCommonHeaders(headers);
      const health = path === "/api/v1/health" && (method === "GET" || method === "HEAD");
      expect([path, ipBudget.spent]).toEqual([path, [["127.0.0.1", health ? "health" : "shared"]]]);
    }
  });

  test.for(METHODS)("every route refuses %s with ip_rate_limited once the address has spent its budget", async (method) => {
    ipBudget.verdict = REFUSED;
    for (const path of listPaths()) {
      const { status, headers, text } = await send(`${origin}${path}`, { method });
      expect([path, status]).toEqual([path, 429]);
      expectCommonHeaders(headers);
      expect(headers.get("cache-control")).toBe("private, no-store");
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      expect([headers.get("ratelimit-limit"), headers.get("ratelimit-remaining")]).toEqual(["1200", "0"]);
      expect(text === "" ? null : JSON.parse(text).error.reason).toBe(method === "HEAD" ? null : "ip_rate_limited");
    }
  });
});

describe.for(operationUrls)("$id", ({ url, method, access, conditional, kind }) => {
  const own = method.toUpperCase();

  test("keeps what a key was used for private, and says what it varies by", async () => {
    const { status, headers } = await send(url, { method: own, headers: { authorization: `Bearer ${key}` } });
    expectCommonHeaders(headers);
    const expected =
      kind === "redirect" ? "public, max-age=3600" : conditional && status === 200 ? "private, no-cache" : "private, no-store";
    expect(headers.get("cache-control")).toBe(expected);
    expect(headers.get("vary")).toBe(access === "key" ? "Origin, Authorization" : "Origin");
  });

  test.runIf(access === "key")("refuses a request without a key in the same way", async () => {
    const { status, headers } = await send(url, { method: own });
    expect(status).toBe(401);
    expectCommonHeaders(headers);
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("vary")).toBe("Origin, Authorization");
  });

  test.runIf(conditional)("says the same with 304", async () => {
    const sent = { method: own, headers: { authorization: `Bearer ${key}`, "if-none-match": "*" } };
    const { status, headers } = await send(url, sent);
    expect([304, 404, 503]).toContain(status);
    expectCommonHeaders(headers);
    expect(headers.get("cache-control")).toBe(status === 304 ? "private, no-cache" : "private, no-store");
  });
});

test("answers over https ask for https from then on, errors too", async () => {
  for (const path of ["/api/v1", "/api/v1/openapi.json", "/api/v1/large-trades", "/nothing"]) {
    const { headers } = await send(`https://api.test${path}`);
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
  }
});

test("the website's answers vary by its cookie and are kept by no cache", async () => {
  for (const path of ["/api/auth/get-session", "/api/keys", "/api/keys/nothing"]) {
    const { headers } = await send(`${WEB}${path}`, { headers: { origin: WEB } });
    expectCommonHeaders(headers);
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("vary")?.split(", ").toSorted()).toEqual(["Cookie", "Origin"]);
  }
});

test("a website's request over its address's budget is told to its own pages alone", async () => {
  ipBudget.verdict = REFUSED;
  const { status, headers } = await send(`${WEB}/api/keys`, { headers: { origin: "https://evil.example" } });
  expect([status, headers.get("access-control-allow-origin")]).toEqual([429, null]);
});

describe("the OpenAPI document", () => {
  const URL = `${WEB}/api/v1/openapi.json`;

  test("is served as it was built, for any cache to keep, with the hash of its bytes", async () => {
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

  test("is 304 without a body for who has it", async () => {
    const etag = (await send(URL, { method: "HEAD" })).headers.get("etag") ?? "";
    for (const header of [etag, etag.slice(2), `"other", ${etag}`, "*"]) {
      const { status, headers, text } = await send(URL, { headers: { "if-none-match": header } });
      expect([status, text]).toEqual([304, ""]);
      expect([headers.get("etag"), headers.get("cache-control")]).toEqual([etag, "public, max-age=3600"]);
      expectCommonHeaders(headers);
    }
    expect((await send(URL, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  test("is redirected to from the API's origin, for any cache to keep", async () => {
    const { status, headers } = await send(`${API}/api/v1/openapi.json`);
    expect([status, headers.get("location"), headers.get("cache-control")]).toEqual([307, URL, "public, max-age=3600"]);
  });
});
