import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Runtime } from "../../../src/runtime.ts";
import { createTestDatabase } from "../../support/database.ts";
import { expectApiError, type ExpectedError } from "../../support/kernel/api-error.ts";
import { aKey } from "../../support/kernel/keys.ts";
import { openTestRuntime } from "../../support/kernel/open-kernel.ts";
import { aMember, type Member } from "../../support/web/members.ts";
import { openSite, ORIGIN, type Sending, type Site } from "../../support/web/open-site.ts";

/** Every route of the keys, with a request that would do something. */
const ROUTES: readonly [method: string, path: string, body?: unknown][] = [
  ["GET", "/api/keys"],
  ["POST", "/api/keys", { name: "mine" }],
  ["DELETE", "/api/keys/{key}"],
  ["POST", "/api/keys/regenerate"],
  ["POST", "/api/v1/keys/regenerate"],
  ["GET", "/api/keys/integrations"],
  ["POST", "/api/keys/integrations", { name: "robot", scopes: ["read"] }],
  ["POST", "/api/keys/integrations/{integration}/rotate"],
  ["DELETE", "/api/keys/integrations/{integration}"],
];
const CHANGING = ROUTES.filter(([method]) => method !== "GET");
const WITH_IDS = ROUTES.filter(([, path]) => path.includes("{"));

let runtime: Runtime;
let site: Site;
let member: Member;
let ids: Record<string, number>;
let stored: string;

beforeAll(async () => {
  const database = await createTestDatabase();
  runtime = openTestRuntime(database.databaseUrl);
  site = openSite(runtime);
});

/** A member with a key and an integration, which no refused request may change. */
beforeEach(async () => {
  member = await aMember(site, runtime);
  const key = await member.send("/api/keys", { method: "POST", body: {} });
  const integration = await member.send("/api/keys/integrations", { method: "POST", body: { name: "first", scopes: ["read"] } });
  ids = { key: key.body.data.id, integration: integration.body.data.id };
  stored = await listStored();
});

const listStored = async () => {
  const { rows } = await runtime.db.execute(sql`
    select (select array_agg(to_jsonb(k) order by id) from api_keys k) as keys, (select array_agg(to_jsonb(i) order by id) from integrations i) as integrations`);
  return JSON.stringify(rows);
};
const fill = (path: string, values: Record<string, number> = ids) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
const sending = (method: string, body: unknown, headers: Sending["headers"] = {}): Sending => ({ method, body, headers });

describe.for(ROUTES)("%s %s", ([method, path, body]) => {
  test("takes no request without a session, and points at the resource metadata", async () => {
    const answer = await site.browser().send(fill(path), sending(method, body));
    expectApiError(answer, { status: 401, code: "invalid_api_key", reason: null, param: null });
    const metadata = "http://api.test/.well-known/oauth-protected-resource";
    expect(answer.headers.get("www-authenticate")).toBe(`Bearer resource_metadata="${metadata}"`);
    expect(await listStored()).toBe(stored);
  });

  test("takes no API key in place of a session", async () => {
    const authorization = `Bearer ${await aKey(runtime.db, { plan: "max" })}`;
    const before = await listStored();
    const answer = await site.browser().send(fill(path), sending(method, body, { authorization }));
    expectApiError(answer, { status: 401, code: "invalid_api_key", reason: null, param: null });
    expect(await listStored()).toBe(before);
  });

  test.for<[facts: { plan?: string; state?: string }, expected: ExpectedError]>([
    [{ plan: "free" }, { status: 402, code: "subscription_required", reason: "subscription_inactive", param: null }],
    [{ state: "lapsed" }, { status: 402, code: "subscription_required", reason: "subscription_inactive", param: null }],
    [{ state: "deleted" }, { status: 403, code: "forbidden", reason: null, param: null }],
    [
      { state: "locked", plan: "max" },
      { status: 423, code: "account_locked", reason: null, param: null },
    ],
  ])("takes no request of an account with %j", async ([{ plan = "pro", state = "active" }, expected]) => {
    await runtime.db.execute(sql`update accounts set plan = ${plan}, state = ${state} where id = ${member.accountId}`);
    const answer = await member.send(fill(path), sending(method, body));
    expectApiError(answer, expected);
    expect(answer.headers.get("retry-after")).toBeNull();
    expect(answer.body.error.message.includes(`${ORIGIN}/billing`)).toBe(expected.status === 402);
    expect(await listStored()).toBe(stored);
  });

  test("takes no request from another website, and lets it read nothing", async () => {
    for (const origin of ["https://evil.example", "http://web.test.evil.example", "http://api.test", "https://web.test", "null", ""]) {
      const answer = await member.send(fill(path), sending(method, body, { origin }));
      expectApiError(answer, { status: 403, code: "forbidden", reason: null, param: "Origin" });
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    }
    expect(await listStored()).toBe(stored);
  });

  test("tells the website's own browser that it may read the answer, with credentials", async () => {
    const answer = await member.send(fill(path), sending(method, body));
    expect(answer.status).toBeLessThan(300);
    expect(answer.headers.get("access-control-allow-origin")).toBe(ORIGIN);
    expect(answer.headers.get("access-control-allow-credentials")).toBe("true");
    expect(answer.headers.get("vary")).toContain("Origin");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test("refuses other methods and names its own", async () => {
    const answer = await member.send(fill(path), sending("PUT", {}));
    expectApiError(answer, { status: 405, code: "bad_request", reason: "method_not_allowed", param: null });
    expect(answer.headers.get("allow")?.split(", ")).toContain(method);
  });
});

describe.for(CHANGING)("%s %s", ([method, path, body]) => {
  test("takes no request that names no origin", async () => {
    const answer = await member.send(fill(path), sending(method, body, { origin: null }));
    expectApiError(answer, { status: 403, code: "forbidden", reason: null, param: "Origin" });
    expect(await listStored()).toBe(stored);
  });

  test.for(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp"])(
    "takes no %s",
    async (type) => {
      const answer = await member.send(fill(path), sending(method, body, { "content-type": type }));
      expectApiError(answer, { status: 415, code: "bad_request", reason: "unsupported_media_type", param: "content-type" });
      expect(await listStored()).toBe(stored);
    },
  );
});

test.for(CHANGING.filter(([method]) => method === "POST"))(
  "%s %s takes no request without a content type",
  async ([method, path, body]) => {
    const answer = await member.send(fill(path), sending(method, body, { "content-type": null }));
    expectApiError(answer, { status: 415, code: "bad_request", reason: "unsupported_media_type", param: "content-type" });
    expect(await listStored()).toBe(stored);
  },
);

describe.for(WITH_IDS)("%s %s", ([method, path, body]) => {
  test("answers for another member's as for one that is not there", async () => {
    const stranger = await aMember(site, runtime, { plan: "max" });
    const foreign = await stranger.send(fill(path), sending(method, body));
    const absent = await stranger.send(fill(path, { key: 999_999, integration: 999_999 }), sending(method, body));
    const withoutId = (text: string) => text.replaceAll(/req_\w+/g, "req");
    expectApiError(foreign, { status: 404, code: "not_found", reason: null, param: null });
    expect(withoutId(foreign.text)).toBe(withoutId(absent.text));
    const names = (headers: Headers) => [...headers].filter(([name]) => name !== "x-request-id").toString();
    expect(names(foreign.headers)).toBe(names(absent.headers));
    expect(await listStored()).toBe(stored);
  });

  test.for(["0", "-1", "1.5", "abc", "01", "99999999999999999999", "1%20"])("refuses the id %s", async (id) => {
    const answer = await member.send(path.replaceAll(/\{\w+\}/g, id), sending(method, body));
    expectApiError(answer, { status: 400, code: "bad_request", reason: "invalid_path", param: "id" });
  });
});

test("a key of an integration is no default key to revoke", async () => {
  const { rows } = await runtime.db.execute(sql`select id from api_keys where integration_id = ${ids["integration"]}`);
  const answer = await member.send(`/api/keys/${String(rows[0]?.["id"])}`, { method: "DELETE" });
  expectApiError(answer, { status: 404, code: "not_found", reason: null, param: null });
  expect(await listStored()).toBe(stored);
});

describe("a preflight", () => {
  test("of the website is granted for a day, with credentials", async () => {
    const answer = await site.browser().send("/api/keys", { method: "OPTIONS", headers: { "access-control-request-method": "POST" } });
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": ORIGIN,
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": "GET, HEAD, POST, DELETE",
      "access-control-allow-headers": "Content-Type, Idempotency-Key",
      "access-control-max-age": "86400",
    });
  });

  test.for(["/api/keys", "/api/keys/integrations/1", "/api/auth/sign-out"])("of another website at %s is refused", async (path) => {
    const answer = await site.browser().send(path, { method: "OPTIONS", headers: { origin: "https://evil.example" } });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(answer.headers.get("access-control-allow-methods")).toBeNull();
  });
});

test("a path below the keys that is no route is unknown", async () => {
  const answer = await member.send("/api/keys/integrations/1/2/3");
  expectApiError(answer, { status: 404, code: "not_found", reason: "unknown_endpoint", param: null });
});

test("a read without an origin, as a browser sends it from the website itself, is answered", async () => {
  expect((await member.send("/api/keys", { headers: { origin: null } })).status).toBe(200);
});
