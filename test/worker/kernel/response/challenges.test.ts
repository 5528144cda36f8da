import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { isWebOnly, type Operation } from "../../../../src/api/operation.ts";
import { createApp } from "../../../../src/app.ts";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import type { Runtime } from "../../../../src/runtime.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aKey, anUnknownKey } from "../../../support/kernel/keys.ts";
import { openTestRuntime } from "../../../support/kernel/open-kernel.ts";
import { pathOf } from "../../../support/kernel/registry-paths.ts";
import { NO_REQUEST_LIMITS } from "../../../support/api/unlimited.ts";
import { aSession } from "../../../support/web/members.ts";

/*
 * Every 401 and 403 leads a client from nothing to a token. The requests come from the registry and from the app's
 * own list of routes, so a new route is covered automatically.
 */
const API = "http://api.test";
const WEB = "http://web.test";
const FOREIGN = "https://evil.example";
const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"];
/** The pages with forms, which one route serves. */
const PAGES = ["authorize", "device", "grants", "sign-in", "sign-out"].map((page) => `/oauth/${page}`);
const METADATA = `resource_metadata="${API}/.well-known/oauth-protected-resource"`;
const MCP_METADATA = `resource_metadata="${API}/.well-known/oauth-protected-resource/api/v1/mcp"`;

interface Refusal {
  readonly request: string;
  readonly status: number;
}

let runtime: Runtime;
let app: ReturnType<typeof createApp>;
let keys: Readonly<Record<string, string>>;
let refusals: Refusal[];

beforeAll(async () => {
  const { db, databaseUrl } = await createTestDatabase();
  runtime = { ...openTestRuntime(databaseUrl), requestLimiter: NO_REQUEST_LIMITS };
  app = createApp(runtime, OPERATIONS);
  keys = {
    unknown: anUnknownKey(),
    sandbox: `svc_sk_test_${"0".repeat(64)}`,
    scopeless: await aKey(db, { plan: "max", scopes: [] }),
    pro: await aKey(db, { plan: "pro" }),
    deleted: await aKey(db, { plan: "max", state: "deleted" }),
  };
});

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  refusals = [];
});

/** Sends a request and checks its challenge. @returns the status */
async function send(url: string, method = "GET", headers: Record<string, string> = {}): Promise<number> {
  const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
  const init: RequestInit = { method, headers, redirect: "manual" };
  if (method === "POST" && headers["content-type"] !== undefined) init.body = "{}";
  const response = await app.fetch(new Request(url, init), {}, context);
  await response.body?.cancel();
  const { status } = response;
  const challenge = response.headers.get("www-authenticate");
  const request = `${method} ${url}`;
  const isRefusal = status === 401 || status === 403;
  if (isRefusal) refusals.push({ request, status });
  const metadata = new URL(url).pathname === "/api/v1/mcp" ? MCP_METADATA : METADATA;
  const scope = /^Bearer error="insufficient_scope", scope="[a-z]+", /.exec(challenge ?? "")?.[0] ?? "Bearer ";
  expect([request, challenge]).toEqual([request, isRefusal ? `${scope}${metadata}` : null]);
  return status;
}

const urlOf = (operation: Operation): string => `${isWebOnly(operation) ? WEB : API}${pathOf(operation)}`;
const count = (status: number): number => refusals.filter((refusal) => refusal.status === status).length;

test("every refusal of an operation has a challenge, whatever credential was sent", async () => {
  for (const operation of OPERATIONS.filter(({ access }) => access === "key")) {
    const method = operation.method.toUpperCase();
    expect([operation.id, await send(urlOf(operation), method)]).toEqual([operation.id, 401]);
    for (const key of Object.values(keys)) await send(urlOf(operation), method, { authorization: `Bearer ${key}` });
  }
  const keyed = OPERATIONS.filter(({ access }) => access === "key").length;
  // No credential, two keys that are none; a key without scopes and one of a deleted account.
  expect(count(401)).toBe(3 * keyed);
  expect(count(403)).toBeGreaterThanOrEqual(2 * keyed);
});

test("every refusal of the website's own operations has a challenge", async () => {
  const session = await aSession(runtime, { state: "deleted" });
  const operations = OPERATIONS.filter(isWebOnly);
  const page = { origin: WEB, "content-type": "application/json" };
  for (const operation of operations) {
    const method = operation.method.toUpperCase();
    expect(await send(urlOf(operation), method, page)).toBe(401);
    expect(await send(urlOf(operation), method, { ...page, cookie: session })).toBe(403);
    expect(await send(urlOf(operation), method, { ...page, origin: FOREIGN })).toBe(403);
  }
  expect(operations.length).toBeGreaterThan(5);
});

test.for([API, WEB])("every refusal of a page of another site by a route of %s has a challenge", async (origin) => {
  const paths = new Set([...app.routes.map(({ path }) => path.replaceAll(/:\w+|\*/g, "1")), ...PAGES]);
  for (const path of paths)
    for (const method of METHODS) {
      await send(`${origin}${path}`, method, { origin: FOREIGN });
      await send(`${origin}${path}`, method, { origin: FOREIGN, "content-type": "application/json" });
      await send(`${origin}${path}`, method, { origin: FOREIGN, "content-type": "application/x-www-form-urlencoded" });
    }
  const refused = new Set(refusals.filter(({ status }) => status === 403).map(({ request }) => request));
  const expected =
    origin === API
      ? ["POST /api/v1/mcp", "GET /api/v1/mcp", "GET /files/1"]
      : [...PAGES.map((page) => `POST ${page}`), "POST /api/auth/1", "DELETE /api/keys/1"];
  for (const request of expected) {
    const [method, path] = request.split(" ");
    expect(refused).toContain(`${method} ${origin}${path}`);
  }
});

test("every refusal of the sandbox has a challenge, those that a client asks for included", async () => {
  const { sandboxBaseUrl } = runtime.config;
  const operations = OPERATIONS.filter((operation) => !isWebOnly(operation));
  for (const operation of operations) {
    const method = operation.method.toUpperCase();
    const ask = (status: number) => send(`${sandboxBaseUrl}${pathOf(operation, `sandbox_status=${status}`)}`, method);
    const answered = [await ask(401), await ask(403)];
    // A public operation documents neither.
    const expected = operation.access === "key" ? [401, 403] : [400, 400];
    expect([operation.id, answered]).toEqual([operation.id, expected]);
    await send(`${sandboxBaseUrl}${pathOf(operation)}`, method, { authorization: `Bearer ${keys["unknown"]}` });
  }
  expect(count(403)).toBeGreaterThan(50);
});
