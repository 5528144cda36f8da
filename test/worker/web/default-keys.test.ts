import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { recordKey } from "../../../src/auth/credential-record.ts";
import { hashCredential } from "../../../src/auth/keys.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { createTestDatabase } from "../../support/database.ts";
import { expectApiError } from "../../support/kernel/api-error.ts";
import { openKernel, openTestRuntime, type Kernel } from "../../support/kernel/open-kernel.ts";
import { aMember, judge, READ, type Member } from "../../support/web/members.ts";
import { openSite, type Site } from "../../support/web/open-site.ts";

let runtime: Runtime;
let site: Site;
let api: Kernel;
let member: Member;

beforeAll(async () => {
  const database = await createTestDatabase();
  runtime = openTestRuntime(database.databaseUrl);
  site = openSite(runtime);
  api = openKernel(runtime, [READ]);
});

beforeEach(async () => {
  member = await aMember(site, runtime);
});

const create = (body: unknown = {}, headers = {}) => member.send("/api/keys", { method: "POST", body, headers });
const list = async () => (await member.send("/api/keys")).body.data;
const statusOf = async (key: string) => (await api.send("/api/v1/something", { key })).status;

describe("a key that is made", () => {
  test("is shown once, with its prefix, and opens the API with all four scopes", async () => {
    const { status, body } = await create({ name: "  laptop " });
    expect(status).toBe(201);
    expect(body).toEqual({
      object: "api_key",
      data: {
        id: expect.any(Number),
        name: "laptop",
        api_key: expect.stringMatching(/^svc_sk_live_[0-9a-f]{64}$/),
        prefix: body.data.api_key.slice(0, 20),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
      meta: { request_id: expect.any(String), cached: false, cost: 0 },
    });
    expect(await statusOf(body.data.api_key)).toBe(200);
    expect(await judge(body.data.api_key, { runtime, at: new Date() })).toEqual(["read", "webhooks", "export", "usage"]);
    expect(await judge(body.data.api_key, { runtime, at: new Date("2099-01-01") })).toHaveLength(4);
  });

  test("leaves the others valid", async () => {
    const keys = [(await create()).body.data.api_key, (await create()).body.data.api_key];
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(await statusOf(key)).toBe(200);
  });

  test("is in no table and in no later answer", async () => {
    const { api_key: key, id } = (await create({ name: "hidden" }, { "idempotency-key": "once" })).body.data;
    await statusOf(key);
    const secret = key.slice(-64);
    const hash = await hashCredential(runtime.config.credentialSecret, key);
    const { rows: tables } = await runtime.db.execute(sql`select tablename from pg_tables where schemaname = 'public'`);
    expect(tables.length).toBeGreaterThan(10);
    for (const { tablename } of tables) {
      const { rows } = await runtime.db.execute(sql`select t::text as line from ${sql.identifier(String(tablename))} t`);
      expect(rows.filter(({ line }) => String(line).includes(secret))).toEqual([]);
    }
    const later = [
      await member.send("/api/keys"),
      await member.send("/api/keys/integrations"),
      await create({ name: "hidden" }, { "idempotency-key": "once" }),
      await member.send(`/api/keys/${id}`, { method: "DELETE" }),
    ];
    for (const { status, text } of later) {
      expect(status).toBeLessThan(300);
      expect(text).not.toContain(secret);
      expect(text).not.toContain(hash);
    }
    const [record] = await runtime.cache.getMany([recordKey(hash)]);
    expect(record).not.toContain(secret);
  });

  test.for([
    [{ name: "" }, "name"],
    [{ name: " " }, "name"],
    [{ name: "x".repeat(101) }, "name"],
    [{ name: "two\nlines" }, "name"],
    [{ name: 1 }, "name"],
    [{ scopes: ["read"] }, "scopes"],
    [[], "body"],
  ] as const)("is refused for the body %j", async ([body, param]) => {
    expectApiError(await create(body), { status: 400, code: "bad_request", reason: "invalid_body", param });
    expect(await list()).toEqual([]);
  });

  test("needs no body", async () => {
    expect((await member.send("/api/keys", { method: "POST" })).body.data.name).toBeNull();
  });
});

describe("an Idempotency-Key", () => {
  test("makes one key of two requests, and shows it to the first alone", async () => {
    const first = await create({ name: "one" }, { "idempotency-key": "abc" });
    const again = await create({ name: "one" }, { "idempotency-key": "abc" });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body.data).toEqual({ ...first.body.data, api_key: null });
    expect(await list()).toHaveLength(1);
  });

  test("of two requests at once runs one", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => create({}, { "idempotency-key": "race" })));
    expect(answers.filter(({ body }) => typeof body.data?.api_key === "string")).toHaveLength(1);
    const outcomes = answers.map(({ status, body }) => `${status} ${body.error?.reason ?? ""}`.trim());
    expect(outcomes.filter((outcome) => outcome !== "201" && outcome !== "409 idempotency_in_progress")).toEqual([]);
    expect(await list()).toHaveLength(1);
  });

  test("of another request is refused", async () => {
    await create({ name: "one" }, { "idempotency-key": "xyz" });
    const answer = await create({ name: "two" }, { "idempotency-key": "xyz" });
    expectApiError(answer, { status: 422, code: "bad_request", reason: null, param: "Idempotency-Key" });
    expect(await list()).toHaveLength(1);
  });

  test("of one member is nothing to another", async () => {
    await create({}, { "idempotency-key": "shared" });
    const other = await aMember(site, runtime);
    const answer = await other.send("/api/keys", { method: "POST", body: {}, headers: { "idempotency-key": "shared" } });
    expect(answer.body.data.api_key).toMatch(/^svc_sk_live_/);
  });
});

describe("the list", () => {
  test("has the member's default keys, newest first, revoked ones too", async () => {
    const one = (await create({ name: "one" })).body.data;
    const two = (await create()).body.data;
    await member.send("/api/keys/integrations", { method: "POST", body: { name: "robot", scopes: ["read"] } });
    await (await aMember(site, runtime)).send("/api/keys", { method: "POST" });
    const revoked = (await member.send(`/api/keys/${one.id}`, { method: "DELETE" })).body.data;
    expect((await member.send("/api/keys")).body).toEqual({
      object: "list",
      data: [
        { id: two.id, name: null, prefix: two.prefix, created_at: two.created_at, last_used_at: null, revoked_at: null },
        { id: one.id, name: "one", prefix: one.prefix, created_at: one.created_at, last_used_at: null, revoked_at: revoked.revoked_at },
      ],
      meta: { request_id: expect.any(String), cached: false, cost: 0 },
    });
  });

  test("says when a key was last used, as its usage record tells", async () => {
    const { id } = (await create()).body.data;
    await runtime.db.execute(sql`
      insert into usage_days (account_id, key_id, day, operation, requests, updated_at) values
        (${member.accountId}, ${id}, '2026-03-01', 'a', 5, '2026-03-01T10:00:00Z'),
        (${member.accountId}, ${id}, '2026-03-02', 'b', 5, '2026-03-02T11:22:33.444Z')`);
    expect((await list())[0].last_used_at).toBe("2026-03-02T11:22:33.444Z");
  });
});

describe("a key that is revoked", () => {
  test("is refused by the next request, although Redis had it", async () => {
    const { id, api_key: key } = (await create()).body.data;
    const other = (await create()).body.data.api_key;
    expect(await statusOf(key)).toBe(200);
    const entry = recordKey(await hashCredential(runtime.config.credentialSecret, key));
    expect((await runtime.cache.getMany([entry]))[0]).toContain('"kind":"key"');
    const answer = await member.send(`/api/keys/${id}`, { method: "DELETE" });
    expect(answer.body).toMatchObject({ object: "api_key", data: { id, revoked_at: expect.stringMatching(/Z$/) } });
    expect(await statusOf(key)).toBe(401);
    expect(await statusOf(other)).toBe(200);
  });

  test("stays refused when a request that knew it before fills its record in afterwards", async () => {
    const { id, api_key: key } = (await create()).body.data;
    const later: (() => Promise<void>)[] = [];
    const slow = {
      ...runtime,
      cache: {
        ...runtime.cache,
        fill: (...args: Parameters<typeof runtime.cache.fill>) => {
          later.push(() => runtime.cache.fill(...args));
          return Promise.resolve();
        },
      },
    };
    expect((await openKernel(slow, [READ]).send("/api/v1/something", { key })).status).toBe(200);
    expect(later).toHaveLength(1);
    await member.send(`/api/keys/${id}`, { method: "DELETE" });
    for (const fill of later) await fill();
    expect(await statusOf(key)).toBe(401);
  });

  test("is refused by the database as well", async () => {
    const { id, api_key: key } = (await create()).body.data;
    await member.send(`/api/keys/${id}`, { method: "DELETE" });
    expect(await judge(key, { runtime, at: new Date() })).toBe("invalid_api_key");
  });

  test("keeps the time of its first revocation", async () => {
    const { id } = (await create()).body.data;
    const first = await member.send(`/api/keys/${id}`, { method: "DELETE" });
    const again = await member.send(`/api/keys/${id}`, { method: "DELETE", at: new Date(Date.now() + 60_000) });
    expect(again.body.data).toEqual(first.body.data);
  });

  test("needs no content type on its request", async () => {
    const { id } = (await create()).body.data;
    expect((await member.send(`/api/keys/${id}`, { method: "DELETE", headers: { "content-type": null } })).status).toBe(200);
  });
});

test("while Redis is away nothing is revoked, and the answer says so", async () => {
  const { id, api_key: key } = (await create()).body.data;
  expect(await statusOf(key)).toBe(200);
  const away = openTestRuntime(runtime.config.databaseUrl, { UPSTASH_REDIS_REST_URL: "http://127.0.0.1:1" });
  const elsewhere = openSite(away).browser();
  for (const [name, value] of member.cookies) elsewhere.cookies.set(name, value);
  const asks = [elsewhere.send(`/api/keys/${id}`, { method: "DELETE" }), elsewhere.send("/api/keys/regenerate", { method: "POST" })];
  for (const answer of await Promise.all(asks)) {
    expectApiError(answer, { status: 503, code: "rate_limit_unavailable", reason: null, param: null });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect(await list()).toMatchObject([{ id, revoked_at: null }]);
  expect(await statusOf(key)).toBe(200);
  expect((await elsewhere.send("/api/keys")).status).toBe(200);
  expect((await elsewhere.send("/api/keys", { method: "POST" })).status).toBe(201);
});

describe.for(["/api/keys/regenerate", "/api/v1/keys/regenerate"])("POST %s", (path) => {
  test("revokes every default key at once and makes one", async () => {
    const keys = [(await create()).body.data, (await create()).body.data, (await create()).body.data];
    await member.send(`/api/keys/${keys[0].id}`, { method: "DELETE" });
    for (const { api_key } of keys.slice(1)) expect(await statusOf(api_key)).toBe(200);
    const { status, body } = await member.send(path, { method: "POST" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: "api_key",
      data: { id: expect.any(Number), prefix: body.data.api_key.slice(0, 20), created_at: expect.stringMatching(/Z$/), revoked_count: 2 },
    });
    expect(await statusOf(body.data.api_key)).toBe(200);
    expect(await judge(body.data.api_key, { runtime, at: new Date() })).toEqual(["read", "webhooks", "export", "usage"]);
    for (const { api_key } of keys) expect(await statusOf(api_key)).toBe(401);
    expect((await list()).filter(({ revoked_at }: any) => revoked_at === null)).toMatchObject([{ id: body.data.id }]);
  });

  test("leaves integrations and other members alone", async () => {
    const integration = await member.send("/api/keys/integrations", { method: "POST", body: { name: "robot", scopes: ["read"] } });
    const other = await aMember(site, runtime);
    const foreign = (await other.send("/api/keys", { method: "POST" })).body.data.api_key;
    await member.send(path, { method: "POST" });
    expect(await statusOf(integration.body.data.api_key)).toBe(200);
    expect(await statusOf(foreign)).toBe(200);
  });

  test("without any key makes the first", async () => {
    expect((await member.send(path, { method: "POST", body: {} })).body.data).toMatchObject({ revoked_count: 0 });
  });
});

describe("regenerate under concurrency", () => {
  const regenerate = () => member.send("/api/keys/regenerate", { method: "POST" });
  const countLive = async () => (await list()).filter(({ revoked_at }: any) => revoked_at === null).length;

  test("six at once leave exactly one live key, and every revocation is counted once", async () => {
    const before = [(await create()).body.data.api_key, (await create()).body.data.api_key];
    for (const key of before) expect(await statusOf(key)).toBe(200);
    const answers = await Promise.all(Array.from({ length: 6 }, regenerate));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await countLive()).toBe(1);
    const made = answers.map(({ body }) => body.data.api_key);
    const statuses = await Promise.all(made.map(statusOf));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    for (const key of before) expect(await statusOf(key)).toBe(401);
    // Two keys before and six made, of which one lives.
    expect(answers.reduce((sum, { body }) => sum + body.data.revoked_count, 0)).toBe(7);
  });

  test("a key made while one runs is revoked by it or by the next", async () => {
    const answers = await Promise.all([create(), regenerate(), create(), regenerate(), create()]);
    for (const { status } of answers) expect(status).toBeLessThan(300);
    await regenerate();
    expect(await countLive()).toBe(1);
    for (const { body } of answers) expect(await statusOf(body.data.api_key)).toBe(401);
  });

  test("a key that was made and used after the live keys were listed is refused at once", async () => {
    const first = (await create()).body.data.api_key;
    let late = "";
    let lateStatus = 0;
    // The first refusal is written after the live keys were listed and before any is revoked.
    const slow: Runtime = {
      ...runtime,
      cache: {
        ...runtime.cache,
        set: async (...args) => {
          if (late === "") {
            late = "being made";
            late = (await create()).body.data.api_key;
            lateStatus = await statusOf(late);
          }
          await runtime.cache.set(...args);
        },
      },
    };
    const browser = openSite(slow).browser();
    for (const [name, value] of member.cookies) browser.cookies.set(name, value);
    const answer = await browser.send("/api/keys/regenerate", { method: "POST" });
    expect(lateStatus).toBe(200);
    expect(answer.body.data).toMatchObject({ revoked_count: 2 });
    for (const key of [first, late]) expect(await statusOf(key)).toBe(401);
    expect(await statusOf(answer.body.data.api_key)).toBe(200);
  });
});

describe("live default keys of an account", () => {
  const LIMIT = 50;
  const giveKeys = (number: number) =>
    runtime.db.execute(sql`
      insert into api_keys (account_id, key_hash, prefix, scopes)
      select ${member.accountId}::bigint, 'hash ' || ${member.accountId}::text || ' ' || i, 'svc_sk_live_', '{read}' from generate_series(1, ${number}::int) i`);

  test("are 50 at most: the next is refused, whatever its name, until one is revoked", async () => {
    await giveKeys(LIMIT);
    const refused = await create({ name: "one more" });
    expectApiError(refused, { status: 409, code: "bad_request", reason: null, param: null });
    expect(refused.body.error.message).toContain("50");
    expect(await list()).toHaveLength(LIMIT);
    const [{ id }] = await list();
    await member.send(`/api/keys/${id}`, { method: "DELETE" });
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(409);
  });

  test("are 50 at most for many requests at once", async () => {
    await giveKeys(LIMIT - 2);
    const answers = await Promise.all(Array.from({ length: 8 }, () => create()));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409, 409, 409]);
    expect(await list()).toHaveLength(LIMIT);
  });

  test("do not count revoked keys, keys of integrations or those of other accounts", async () => {
    await giveKeys(LIMIT - 1);
    await member.send("/api/keys/integrations", { method: "POST", body: { name: "robot", scopes: ["read"] } });
    expect((await create()).status).toBe(201);
    expect((await (await aMember(site, runtime)).send("/api/keys", { method: "POST" })).status).toBe(201);
    expect((await member.send("/api/keys/regenerate", { method: "POST" })).body.data.revoked_count).toBe(LIMIT);
    expect((await create()).status).toBe(201);
  });
});
