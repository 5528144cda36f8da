import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Runtime } from "../../../src/runtime.ts";
import { expectApiError } from "../../support/kernel/api-error.ts";
import { openKernel, type Kernel } from "../../support/kernel/open-kernel.ts";
import { METER_AWAY } from "../../support/api/unlimited.ts";
import { aMember, checkKey, READ_OPERATION, type Member } from "../../support/web/members.ts";
import { openSite, openTestSite, type Site } from "../../support/web/open-site.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/scoring/utc-calendar.ts";

const PATH = "/api/keys/integrations";

let runtime: Runtime;
let site: Site;
let api: Kernel;
let member: Member;

beforeAll(async () => {
  ({ runtime, site } = await openTestSite());
  api = openKernel(runtime, [READ_OPERATION]);
});

beforeEach(async () => {
  member = await aMember(site, runtime);
});

const create = (body: object = {}, at = new Date()) =>
  member.send(PATH, { method: "POST", body: { name: "robot", scopes: ["read"], ...body }, at });
const rotate = (id: number, at = new Date()) => member.send(`${PATH}/${id}/rotate`, { method: "POST", at });
const list = async (query = "", at = new Date()) => (await member.send(`${PATH}${query}`, { at })).body;
const statusOf = async (key: string) => (await api.send("/api/v1/something", { key })).status;
const plus = (at: Date, ms: number) => new Date(at.getTime() + ms);

describe("new integration", () => {
  test("a new integration has a key with its own scopes only, valid for 90 days", async () => {
    const at = new Date();
    const { status, body } = await create({ name: "bot", scopes: ["usage", "export"] }, at);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      object: "integration_key",
      data: {
        id: expect.any(Number),
        name: "bot",
        api_key: expect.stringMatching(/^svc_sk_live_[0-9a-f]{64}$/),
        prefix: body.data.api_key.slice(0, 20),
        scopes: ["usage", "export"],
        expires_at: plus(at, 90 * DAY_MS).toISOString(),
      },
    });
    const key = body.data.api_key;
    expect(await checkKey(key, { runtime, at: plus(at, 90 * DAY_MS - 1) })).toEqual(["usage", "export"]);
    expect(await checkKey(key, { runtime, at: plus(at, 90 * DAY_MS) })).toBe("invalid_api_key");
    expectApiError(await api.send("/api/v1/something", { key }), {
      status: 403,
      code: "insufficient_scope",
      reason: null,
      param: null,
    });
  });

  test("a new integration can have a shorter lifetime", async () => {
    const at = new Date();
    expect((await create({ expires_in_days: 1 }, at)).body.data.expires_at).toBe(plus(at, DAY_MS).toISOString());
  });

  test.for([
    [{ expires_in_days: 91 }, "expires_in_days"],
    [{ expires_in_days: 0 }, "expires_in_days"],
    [{ expires_in_days: 1.5 }, "expires_in_days"],
    [{ expires_in_days: null }, "expires_in_days"],
    [{ scopes: ["read", "trade"] }, "scopes[1]"],
    [{ scopes: [] }, "scopes"],
    [{ scopes: ["read", "read"] }, "scopes"],
    [{ scopes: "read" }, "scopes"],
    [{ scopes: undefined }, "scopes"],
    [{ name: "" }, "name"],
    [{ name: undefined }, "name"],
    [{ name: "x".repeat(101) }, "name"],
    [{ plan: "max" }, "plan"],
  ] as const)("an integration with %j is refused", async ([change, param]) => {
    expectApiError(await create(change), { status: 400, code: "bad_request", reason: "invalid_body", param });
    expect((await list()).data).toEqual([]);
  });

  test("an integration cannot take the name of a live one until that one is revoked", async () => {
    const first = (await create()).body.data;
    expectApiError(await create(), { status: 409, code: "bad_request", reason: null, param: "name" });
    const other = await aMember(site, runtime);
    expect((await other.send(PATH, { method: "POST", body: { name: "robot", scopes: ["read"] } })).status).toBe(201);
    await member.send(`${PATH}/${first.id}`, { method: "DELETE" });
    expect((await create()).status).toBe(201);
  });

  test("an eleventh integration is refused, also under concurrency, until another one is revoked", async () => {
    const responses = await Promise.all(Array.from({ length: 13 }, (_, index) => create({ name: `robot ${index}` })));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(10);
    for (const response of responses.filter(({ status }) => status !== 201)) {
      expectApiError(response, { status: 409, code: "bad_request", reason: null, param: null });
    }
    const [created] = (await list()).data;
    await member.send(`${PATH}/${created.id}`, { method: "DELETE" });
    expect((await create({ name: "next" })).status).toBe(201);
    expect((await create({ name: "over" })).status).toBe(409);
  });
});

describe("rotation", () => {
  test("a rotation returns a new key with the same scopes and lifetime, and the old key works for 15 more minutes", async () => {
    const madeAt = plus(new Date(), -10 * DAY_MS);
    const {
      id,
      api_key: older,
      scopes,
    } = (await create({ scopes: ["read", "usage"], expires_in_days: 30 }, madeAt)).body.data;
    const at = new Date();
    const { status, body } = await rotate(id, at);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: "integration_key",
      data: {
        id,
        api_key: expect.stringMatching(/^svc_sk_live_[0-9a-f]{64}$/),
        prefix: body.data.api_key.slice(0, 20),
        expires_at: plus(at, 30 * DAY_MS).toISOString(),
        overlap_ends_at: plus(at, 15 * MINUTE_MS).toISOString(),
      },
    });
    const newer = body.data.api_key;
    expect(newer).not.toBe(older);
    for (const key of [older, newer]) {
      expect(await statusOf(key)).toBe(200);
      expect(await checkKey(key, { runtime, at: plus(at, 15 * MINUTE_MS - 1) })).toEqual(scopes);
    }
    expect(await checkKey(older, { runtime, at: plus(at, 15 * MINUTE_MS) })).toBe("invalid_api_key");
    expect(await checkKey(newer, { runtime, at: plus(at, 15 * MINUTE_MS) })).toEqual(scopes);
    expect(await checkKey(newer, { runtime, at: plus(at, 30 * DAY_MS) })).toBe("invalid_api_key");
  });

  test("a rotation within the overlap of the last one returns 409, and succeeds when the overlap ends", async () => {
    const at = new Date();
    const { id } = (await create({}, at)).body.data;
    const second = (await rotate(id, at)).body.data.api_key;
    expectApiError(await rotate(id, plus(at, 15 * MINUTE_MS - 1)), {
      status: 409,
      code: "bad_request",
      reason: null,
      param: null,
    });
    expect(await checkKey(second, { runtime, at: plus(at, 20 * MINUTE_MS) })).toEqual(["read"]);
    const third = await rotate(id, plus(at, 15 * MINUTE_MS));
    expect(third.status).toBe(200);
    expect(await checkKey(second, { runtime, at: plus(at, 30 * MINUTE_MS) })).toBe("invalid_api_key");
  });

  test("five concurrent rotations rotate once", async () => {
    const { id } = (await create()).body.data;
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => rotate(id)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const { rows } = await runtime.db.execute(
      sql`select count(*)::int as keys from api_keys where integration_id = ${id}`,
    );
    expect(rows[0]?.["keys"]).toBe(2);
  });

  test("a rotation does not extend a key that expires before the overlap ends", async () => {
    const at = new Date();
    const { id, api_key: key } = (await create({ expires_in_days: 1 }, at)).body.data;
    await rotate(id, plus(at, DAY_MS - MINUTE_MS));
    expect(await checkKey(key, { runtime, at: plus(at, DAY_MS) })).toBe("invalid_api_key");
  });

  test("a rotation revives an expired integration with a new key", async () => {
    const at = plus(new Date(), -2 * DAY_MS);
    const { id, api_key: key } = (await create({ expires_in_days: 1 }, at)).body.data;
    expect(await statusOf(key)).toBe(401);
    expect(await statusOf((await rotate(id)).body.data.api_key)).toBe(200);
    expect(await statusOf(key)).toBe(401);
  });

  test("a rotation of a revoked integration returns 404", async () => {
    const { id } = (await create()).body.data;
    await member.send(`${PATH}/${id}`, { method: "DELETE" });
    expectApiError(await rotate(id), { status: 404, code: "not_found", reason: null, param: null });
  });

  test("a rotation repeated with its Idempotency-Key returns the first response without the key", async () => {
    const { id } = (await create()).body.data;
    const headers = { "idempotency-key": "turn" };
    const first = await member.send(`${PATH}/${id}/rotate`, { method: "POST", headers });
    const again = await member.send(`${PATH}/${id}/rotate`, { method: "POST", headers });
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual({ ...first.body.data, api_key: null });
  });
});

describe("revocation", () => {
  test("a revoked integration loses both keys at once although the meter has their records", async () => {
    const { id, api_key: older } = (await create()).body.data;
    const newer = (await rotate(id)).body.data.api_key;
    const other = (await create({ name: "other" })).body.data.api_key;
    for (const key of [older, newer, other]) expect(await statusOf(key)).toBe(200);
    const { status, body } = await member.send(`${PATH}/${id}`, { method: "DELETE" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: "integration_key", data: { id, revoked_at: expect.stringMatching(/Z$/) } });
    expect(Object.keys(body.data)).toEqual(["id", "revoked_at"]);
    expect([await statusOf(older), await statusOf(newer), await statusOf(other)]).toEqual([401, 401, 200]);
    for (const key of [older, newer]) expect(await checkKey(key, { runtime, at: new Date() })).toBe("invalid_api_key");
  });

  test("a second revocation returns the response of the first", async () => {
    const { id } = (await create()).body.data;
    const first = await member.send(`${PATH}/${id}`, { method: "DELETE" });
    const again = await member.send(`${PATH}/${id}`, { method: "DELETE", at: plus(new Date(), MINUTE_MS) });
    expect(again.body.data).toEqual(first.body.data);
  });

  test("a revocation or rotation without the meter returns 503 and changes nothing", async () => {
    const { id, api_key: key } = (await create()).body.data;
    const browser = openSite({ ...runtime, meter: METER_AWAY }).browser();
    for (const [name, value] of member.cookies) browser.cookies.set(name, value);
    for (const response of [
      await browser.send(`${PATH}/${id}`, { method: "DELETE" }),
      await browser.send(`${PATH}/${id}/rotate`, { method: "POST" }),
    ])
      expectApiError(response, { status: 503, code: "rate_limit_unavailable", reason: null, param: null });
    expect((await list()).data).toMatchObject([{ id, revoked_at: null, previous_prefix: null }]);
    expect(await statusOf(key)).toBe(200);
  });
});

describe("integration list", () => {
  test("the integration list shows every public field of an integration", async () => {
    const at = new Date();
    const created = (await create({ name: "bot", scopes: ["read", "usage"], expires_in_days: 7 }, at)).body.data;
    expect(await list("", at)).toEqual({
      object: "list",
      data: [
        {
          id: created.id,
          name: "bot",
          scopes: ["read", "usage"],
          prefix: created.prefix,
          expires_at: created.expires_at,
          previous_prefix: null,
          overlap_ends_at: null,
          created_at: at.toISOString(),
          revoked_at: null,
          last_used_at: null,
          month_requests: 0,
          usage_refreshed_at: at.toISOString(),
        },
      ],
      has_more: false,
      next_before_id: null,
      meta: { request_id: expect.any(String), cached: false, cost: 0 },
    });
  });

  test("the integration list shows both prefixes until the overlap ends", async () => {
    const at = new Date();
    const created = (await create({}, at)).body.data;
    const rotated = (await rotate(created.id, at)).body.data;
    expect((await list("", plus(at, 14 * MINUTE_MS))).data).toMatchObject([
      {
        prefix: rotated.prefix,
        previous_prefix: created.prefix,
        overlap_ends_at: rotated.overlap_ends_at,
        expires_at: rotated.expires_at,
      },
    ]);
    expect((await list("", plus(at, 15 * MINUTE_MS))).data).toMatchObject([
      { prefix: rotated.prefix, previous_prefix: null, overlap_ends_at: null },
    ]);
  });

  test("the integration list pages by before_id, newest first, with revoked ones and a clamped limit", async () => {
    const ids: number[] = [];
    for (let index = 0; index < 12; index++) {
      const { id } = (await create({ name: `robot ${index}` })).body.data;
      ids.unshift(id);
      if (index < 4) await member.send(`${PATH}/${id}`, { method: "DELETE" });
    }
    const idsOf = (page: any) => page.data.map(({ id }: any) => id);
    const first = await list("?limit=5");
    expect({ ids: idsOf(first), more: first.has_more, next: first.next_before_id }).toEqual({
      ids: ids.slice(0, 5),
      more: true,
      next: ids[4],
    });
    const second = await list(`?limit=5&before_id=${first.next_before_id}`);
    expect(idsOf(second)).toEqual(ids.slice(5, 10));
    const third = await list(`?limit=5&before_id=${second.next_before_id}`);
    expect({ ids: idsOf(third), more: third.has_more, next: third.next_before_id }).toEqual({
      ids: ids.slice(10),
      more: false,
      next: null,
    });
    expect(idsOf(await list())).toEqual(ids);
    expect(idsOf(await list("?limit=0"))).toEqual(ids.slice(0, 1));
    expect(idsOf(await list("?limit=-7"))).toEqual(ids.slice(0, 1));
    expect(idsOf(await list("?limit=100000"))).toEqual(ids);
    expect(idsOf(await list("?limit=12"))).toEqual(ids);
    expect((await list("?limit=12")).next_before_id).toBeNull();
  });

  test("the integration list has 100 rows per page by default and 200 at most", async () => {
    await runtime.db.execute(sql`
      with created as (
        insert into integrations (account_id, name, scopes, lifetime_days, revoked_at)
        select ${member.accountId}, 'old ' || n, '{read}', 1, now() from generate_series(1, 210) n returning id
      )
      insert into api_keys (account_id, integration_id, key_hash, prefix, scopes, expires_at, revoked_at)
      select ${member.accountId}, id, 'hash ' || id, 'svc_sk_live_0', '{read}', now(), now() from created`);
    expect((await list()).data).toHaveLength(100);
    expect((await list("?limit=1000")).data).toHaveLength(200);
  });

  test.for([
    ["?limit=ten", "limit"],
    ["?limit=1.5", "limit"],
    ["?limit=", "limit"],
    ["?before_id=0", "before_id"],
    ["?before_id=x", "before_id"],
  ] as const)("the integration list refuses %s", async ([query, param]) => {
    expectApiError(await member.send(`${PATH}${query}`), {
      status: 400,
      code: "bad_request",
      reason: "invalid_query",
      param,
    });
  });

  test("the integration list counts this UTC month's requests over all keys, refreshed every five minutes", async () => {
    const now = new Date();
    const month = (offset: number) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString().slice(0, 10);
    const { id } = (await create()).body.data;
    const other = (await create({ name: "other" })).body.data;
    await rotate(id);
    const { rows } = await runtime.db.execute(sql`
      select integration_id, array_agg(id::int order by id) as keys from api_keys where account_id = ${member.accountId} group by 1 order by 1`);
    const [[older, newer], [otherKey]] = rows.map(({ keys }) => keys) as [[number, number], [number]];
    const count = (keyId: number, day: string, operation: string, requests: number, at: string) =>
      runtime.db.execute(sql`
        insert into usage_days (account_id, key_id, day, operation, requests, updated_at)
        values (${member.accountId}, ${keyId}, ${day}, ${operation}, ${requests}, ${at})
        on conflict (account_id, day, key_id, operation) do update set requests = excluded.requests`);
    await count(older, month(-1), "a", 1_000, "2026-01-01T00:00:00Z");
    await count(older, month(0), "a", 30, "2026-01-02T00:00:00Z");
    await count(older, month(0), "b", 4, "2026-01-02T00:00:01Z");
    await count(newer, month(0), "a", 500, "2026-01-03T00:00:00Z");
    await count(otherKey, month(0), "a", 7, "2026-01-04T00:00:00Z");
    const first = await list("", now);
    expect(first.data).toMatchObject([
      {
        id: other.id,
        month_requests: 7,
        last_used_at: "2026-01-04T00:00:00.000Z",
        usage_refreshed_at: now.toISOString(),
      },
      { id, month_requests: 534, last_used_at: "2026-01-03T00:00:00.000Z", usage_refreshed_at: now.toISOString() },
    ]);
    await count(otherKey, month(0), "a", 8, "2026-01-04T00:00:00Z");
    const [cached] = (await list("", plus(now, 4 * MINUTE_MS))).data;
    expect(cached).toMatchObject({ month_requests: 7, usage_refreshed_at: now.toISOString() });
    const [refreshed] = (await list("", plus(now, 5 * MINUTE_MS))).data;
    expect(refreshed).toMatchObject({ month_requests: 8, usage_refreshed_at: plus(now, 5 * MINUTE_MS).toISOString() });
  });
});
