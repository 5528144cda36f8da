import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Runtime } from "../../../src/runtime.ts";
import { expectApiError, type ExpectedError } from "../../support/kernel/api-error.ts";
import { aKey } from "../../support/kernel/keys.ts";
import { aMember, type Member } from "../../support/web/members.ts";
import { openTestSite, ORIGIN, type BrowserRequest, type Site } from "../../support/web/open-site.ts";

/** Every key route, with a request that would change something if it were accepted. */
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
  ({ runtime, site } = await openTestSite());
});

/** A member with a key and an integration. No refused request may change them. */
beforeEach(async () => {
  member = await aMember(site, runtime);
  const key = await member.send("/api/keys", { method: "POST", body: {} });
  const integration = await member.send("/api/keys/integrations", {
    method: "POST",
    body: { name: "first", scopes: ["read"] },
  });
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
const sending = (method: string, body: unknown, headers: BrowserRequest["headers"] = {}): BrowserRequest => ({
  method,
  body,
  headers,
});

describe.for(ROUTES)("%s %s", ([method, path, body]) => {
  test("a key route refuses a request without a session and names the resource metadata", async () => {
    const response = await site.browser().send(fill(path), sending(method, body));
    expectApiError(response, { status: 401, code: "invalid_api_key", reason: null, param: null });
    const metadata = "http://api.test/.well-known/oauth-protected-resource";
    expect(response.headers.get("www-authenticate")).toBe(`Bearer resource_metadata="${metadata}"`);
    expect(await listStored()).toBe(stored);
  });

  test("a key route refuses an API key in place of a session", async () => {
    const authorization = `Bearer ${await aKey(runtime.db, { plan: "max" })}`;
    const before = await listStored();
    const response = await site.browser().send(fill(path), sending(method, body, { authorization }));
    expectApiError(response, { status: 401, code: "invalid_api_key", reason: null, param: null });
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
  ])("a key route refuses an account with %j", async ([{ plan = "pro", state = "active" }, expected]) => {
    await runtime.db.execute(sql`update accounts set plan = ${plan}, state = ${state} where id = ${member.accountId}`);
    const response = await member.send(fill(path), sending(method, body));
    expectApiError(response, expected);
    expect(response.headers.get("retry-after")).toBeNull();
    expect(response.body.error.message.includes(`${ORIGIN}/billing`)).toBe(expected.status === 402);
    expect(await listStored()).toBe(stored);
  });

  test("a key route refuses another website's origin and grants it no CORS access", async () => {
    for (const origin of [
      "https://evil.example",
      "http://web.test.evil.example",
      "http://api.test",
      "https://web.test",
      "null",
      "",
    ]) {
      const response = await member.send(fill(path), sending(method, body, { origin }));
      expectApiError(response, { status: 403, code: "forbidden", reason: null, param: "Origin" });
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    }
    expect(await listStored()).toBe(stored);
  });

  test("a key route grants the website's own origin CORS access with credentials", async () => {
    const response = await member.send(fill(path), sending(method, body));
    expect(response.status).toBeLessThan(300);
    expect(response.headers.get("access-control-allow-origin")).toBe(ORIGIN);
    expect(response.headers.get("access-control-allow-credentials")).toBe("true");
    expect(response.headers.get("vary")).toContain("Origin");
    expect(response.headers.get("cache-control")).toBe("private, no-store");
  });

  test("a key route returns 405 with its allowed methods for any other method", async () => {
    const response = await member.send(fill(path), sending("PUT", {}));
    expectApiError(response, { status: 405, code: "bad_request", reason: "method_not_allowed", param: null });
    expect(response.headers.get("allow")?.split(", ")).toContain(method);
  });
});

describe.for(CHANGING)("%s %s", ([method, path, body]) => {
  test("a changing key route refuses a request without an origin", async () => {
    const response = await member.send(fill(path), sending(method, body, { origin: null }));
    expectApiError(response, { status: 403, code: "forbidden", reason: null, param: "Origin" });
    expect(await listStored()).toBe(stored);
  });

  test.for(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp"])(
    "a changing key route refuses the content type %s",
    async (type) => {
      const response = await member.send(fill(path), sending(method, body, { "content-type": type }));
      expectApiError(response, {
        status: 415,
        code: "bad_request",
        reason: "unsupported_media_type",
        param: "content-type",
      });
      expect(await listStored()).toBe(stored);
    },
  );
});

test.for(CHANGING.filter(([method]) => method === "POST"))(
  "%s %s refuses a request without a content type",
  async ([method, path, body]) => {
    const response = await member.send(fill(path), sending(method, body, { "content-type": null }));
    expectApiError(response, {
      status: 415,
      code: "bad_request",
      reason: "unsupported_media_type",
      param: "content-type",
    });
    expect(await listStored()).toBe(stored);
  },
);

describe.for(WITH_IDS)("%s %s", ([method, path, body]) => {
  test("a key route returns the same 404 for another member's id and for an unknown id", async () => {
    const stranger = await aMember(site, runtime, { plan: "max" });
    const foreignResponse = await stranger.send(fill(path), sending(method, body));
    const unknownResponse = await stranger.send(
      fill(path, { key: 999_999, integration: 999_999 }),
      sending(method, body),
    );
    const withoutId = (text: string) => text.replaceAll(/req_\w+/g, "req");
    expectApiError(foreignResponse, { status: 404, code: "not_found", reason: null, param: null });
    expect(withoutId(foreignResponse.text)).toBe(withoutId(unknownResponse.text));
    const names = (headers: Headers) =>
      [...headers].filter(([name]) => !/request-id$|^server-timing$|ratelimit-reset$/.test(name)).toString();
    expect(names(foreignResponse.headers)).toBe(names(unknownResponse.headers));
    expect(await listStored()).toBe(stored);
  });

  test("a key route returns 404 for a number above every row id", async () => {
    const response = await member.send(path.replaceAll(/\{\w+\}/g, "9".repeat(20)), sending(method, body));
    expectApiError(response, { status: 404, code: "not_found", reason: null, param: null });
    expect(await listStored()).toBe(stored);
  });

  test.for(["0", "-1", "1.5", "abc", "01", "1%20"])("a key route refuses the id %s", async (id) => {
    const response = await member.send(path.replaceAll(/\{\w+\}/g, id), sending(method, body));
    expectApiError(response, { status: 400, code: "bad_request", reason: "invalid_path", param: "id" });
  });
});

test("an integration key cannot be revoked as a default key", async () => {
  const { rows } = await runtime.db.execute(sql`select id from api_keys where integration_id = ${ids["integration"]}`);
  const response = await member.send(`/api/keys/${String(rows[0]?.["id"])}`, { method: "DELETE" });
  expectApiError(response, { status: 404, code: "not_found", reason: null, param: null });
  expect(await listStored()).toBe(stored);
});

describe("CORS preflight", () => {
  test("a preflight from the website is granted for a day with credentials", async () => {
    const response = await site
      .browser()
      .send("/api/keys", { method: "OPTIONS", headers: { "access-control-request-method": "POST" } });
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "access-control-allow-origin": ORIGIN,
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": "GET, HEAD, POST, DELETE",
      "access-control-allow-headers": "Content-Type, Idempotency-Key",
      "access-control-max-age": "86400",
    });
  });

  test.for(["/api/keys", "/api/keys/integrations/1", "/api/auth/sign-out"])(
    "a preflight from another website to %s is refused",
    async (path) => {
      const response = await site
        .browser()
        .send(path, { method: "OPTIONS", headers: { origin: "https://evil.example" } });
      expect(response.status).toBe(403);
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      expect(response.headers.get("access-control-allow-methods")).toBeNull();
    },
  );
});

test("an unknown path under the key routes returns unknown_endpoint", async () => {
  const response = await member.send("/api/keys/integrations/1/2/3");
  expectApiError(response, { status: 404, code: "not_found", reason: "unknown_endpoint", param: null });
});

test("a read without an Origin header, as a same-origin browser sends it, is accepted", async () => {
  expect((await member.send("/api/keys", { headers: { origin: null } })).status).toBe(200);
});
