import { sql } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { hashCredential } from "../../../src/auth/api-key-format.ts";
import { apiKeys } from "../../../src/db/schema.ts";
import { EVENT_CATALOGUE, EVENT_TYPES } from "../../../src/events/registry.ts";
import { StreamUnavailable } from "../../../src/platform/objects/event-stream-port.ts";
import { anUnknownKey } from "../../support/kernel/keys.ts";
import { aMarket } from "../../support/seed/markets.ts";
import { publishStreamEvents, countOpen, passStreamTime, runStreamAlarm } from "../../support/stream/open-stream.ts";
import { aKnownKey, countedEvents, openStreamApi, type StreamApi } from "../../support/stream/stream-api.ts";

let api: StreamApi;

beforeAll(async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  api = await openStreamApi();
});

afterEach(() => {
  vi.useRealTimers();
});

const trade = (facts: object = {}) => ({
  type: "large_trade_inserted_v2",
  payload: {
    condition_id: `0x${"a".repeat(64)}`,
    wallet: `0x${"1".repeat(40)}`,
    grade: "B",
    size_usd: "25000.000000",
    side: "BUY",
    ...facts,
  },
});

/** Creates another key of an account. */
async function anotherKey(accountId: number): Promise<string> {
  const key = anUnknownKey();
  const keyHash = await hashCredential(api.runtime.config.credentialKeys.current, key);
  await api.database.db.insert(apiKeys).values({ accountId, keyHash, prefix: "svc_sk_live_", scopes: ["read"] });
  return key;
}

/** Returns the events of a stream with these filters. The last of `events` must pass them. */
async function receive(query: string, events: Parameters<typeof publishStreamEvents>[1]): Promise<any[]> {
  const { key } = await aKnownKey(api.database);
  const stream = await api.openStream(key, query);
  await publishStreamEvents(api.database, events);
  await runStreamAlarm(api.database);
  const all = await api.openStream(key);
  await stream.until(({ frames }) => frames.length > 0);
  await stream.stop();
  await all.stop();
  return stream.frames.map(({ data }) => data);
}

describe("stream response", () => {
  test("a stream response starts at once, is an event stream and is not stored", async () => {
    const { key } = await aKnownKey(api.database);
    const response = await api.request(key, "/api/v1/stream?min_size=5.5&colour=red");
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "private, no-store",
      "x-query-ignored": "colour",
      "x-effective-query": "min_size=5.5",
      "x-request-id": expect.stringMatching(/^req_/),
      "ratelimit-limit": "100",
    });
    await response.body?.cancel();
  });

  test("a HEAD request opens no connection", async () => {
    const { key, accountId } = await aKnownKey(api.database);
    const response = await api.request(key, "/api/v1/stream", {}, "HEAD");
    expect([response.status, response.headers.get("content-type"), response.body]).toEqual([
      200,
      "text/event-stream",
      null,
    ]);
    expect(await countOpen(accountId)).toBe(0);
  });

  test.each([
    ["event=WhaleTradesInserted,nonsense", "event"],
    ["condition_id=", "condition_id"],
    ["condition_id=%20%20", "condition_id"],
    ["condition_id=mkt_999999", "condition_id"],
    ["condition_id=0x12", "condition_id"],
    ["min_grade=E", "min_grade"],
    ["wallet=0x12", "wallet"],
    ["min_size=0", "min_size"],
    ["min_size=0.0000001", "min_size"],
    ["min_size=-5", "min_size"],
  ])("the query ?%s returns 400 with param %s", async (query, param) => {
    const { key } = await aKnownKey(api.database);
    const response = await api.request(key, `/api/v1/stream?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "bad_request", reason: "invalid_query", param } });
  });

  test("the error for an unknown event name is limited in size, however long the name", async () => {
    const { key } = await aKnownKey(api.database);
    const result = await (
      await api.request(key, `/api/v1/stream?event=WhaleTradesInserted,${"%01".repeat(20_000)}`)
    ).text();
    expect(JSON.parse(result)).toMatchObject({ error: { reason: "invalid_query", param: "event" } });
    expect(result.length).toBeLessThanOrEqual(64 * 1024);
  });

  test("the error for an unknown event name contains the name", async () => {
    const { key } = await aKnownKey(api.database);
    const body = await (await api.request(key, "/api/v1/stream?event=WhaleTradesInserted,nonsense")).json();
    expect(body).toMatchObject({ error: { message: expect.stringContaining("nonsense") } });
  });
});

describe("stream connections", () => {
  test("a key has five connections at most, and a sixth returns 429 until one of them ends", async () => {
    const { key, accountId } = await aKnownKey(api.database);
    const other = await aKnownKey(api.database);
    const open = await Promise.all(Array.from({ length: 9 }, () => api.request(key)));
    expect(open.map(({ status }) => status).toSorted()).toEqual([
      ...Array<number>(5).fill(200),
      ...Array<number>(4).fill(429),
    ]);
    const refused = open.find(({ status }) => status === 429);
    expect(refused?.headers.get("retry-after")).toBe("10");
    expect(await refused?.json()).toMatchObject({ error: { code: "rate_limited", retry_at: expect.any(String) } });
    const otherStream = await api.openStream(other.key);
    await otherStream.stop();
    await open.find(({ status }) => status === 200)?.body?.cancel();
    await vi.waitFor(async () => expect(await countOpen(accountId)).toBe(4));
    const again = await api.request(key);
    expect(again.status).toBe(200);
    for (const { status, body } of [...open, again]) if (status === 200 && body?.locked === false) await body.cancel();
    await vi.waitFor(async () => expect(await countOpen(accountId)).toBe(0));
  });

  test("an account has 25 connections at most over all its keys, and other accounts are not affected", async () => {
    const { key, accountId } = await aKnownKey(api.database);
    const keys = [key, ...(await Promise.all(Array.from({ length: 9 }, () => anotherKey(accountId))))];
    const open = (
      await Promise.all(keys.map((one) => Promise.all(Array.from({ length: 3 }, () => api.request(one)))))
    ).flat();
    expect(open.filter(({ status }) => status === 200)).toHaveLength(25);
    const refused = open.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    for (const response of refused) {
      expect(response.headers.get("retry-after")).toBe("10");
      expect(await response.json()).toMatchObject({
        error: { code: "rate_limited", message: expect.stringContaining("25 open streams") },
      });
    }
    expect(await countOpen(accountId)).toBe(25);
    const other = await aKnownKey(api.database);
    await (await api.openStream(other.key)).stop();
    for (const { status, body } of open) if (status === 200) await body?.cancel();
    await vi.waitFor(async () => expect(await countOpen(accountId)).toBe(0));
  });

  test("no connection of 200 disconnected clients remains open", async () => {
    const keys = await Promise.all(Array.from({ length: 40 }, () => aKnownKey(api.database)));
    for (const { key } of keys) {
      const bodies = await Promise.all(Array.from({ length: 5 }, async () => (await api.request(key)).body));
      await Promise.all(bodies.map((body) => body?.cancel()));
    }
    await vi.waitFor(async () => {
      const counts = await Promise.all(keys.map(({ accountId }) => countOpen(accountId)));
      expect(counts.every((count) => count === 0)).toBe(true);
    });
  });

  test("a stream outage returns 503", async () => {
    const withoutStream = await openStreamApi({
      join: async () => {
        throw new StreamUnavailable("away");
      },
    });
    const { key } = await aKnownKey(withoutStream.database);
    const response = await withoutStream.request(key);
    expect([response.status, response.headers.get("retry-after")]).toEqual([
      503,
      expect.stringMatching(/^([5-9]|10)$/),
    ]);
    expect(await response.json()).toMatchObject({ error: { code: "rate_limit_unavailable" } });
  });

  test("a full cluster returns 429", async () => {
    const full = await openStreamApi({ join: async () => ({ kind: "full", of: "cluster" }) });
    const { key } = await aKnownKey(full.database);
    const response = await full.request(key);
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "30"]);
    expect(await response.json()).toMatchObject({ error: { code: "rate_limited", retry_at: expect.any(String) } });
  });
});

describe("stream filters", () => {
  test("min_size may exceed any trade", async () => {
    const { key } = await aKnownKey(api.database);
    const stream = await api.openStream(key, `?min_size=${"9".repeat(10_000)}`);
    await publishStreamEvents(api.database, [trade({ size_usd: "9000000000000.5" })]);
    await runStreamAlarm(api.database);
    const all = await api.openStream(key, "?min_size=9000000000000.5", 0);
    await all.until(({ seqs }) => seqs.length === 1);
    expect(stream.frames).toEqual([]);
    await stream.stop();
    await all.stop();
  });

  test("each filter selects events by its own field", async () => {
    const market = await aMarket(api.database.db, { conditionId: `0x${"c".repeat(64)}` });
    const grade = (from: string, to: string) => ({
      type: "wallet_grade_changed",
      payload: { wallet: `0x${"1".repeat(40)}`, old_grade: from, new_grade: to, direction: "downgrade" },
    });
    expect(
      await receive("?event=wallet_grade_changed", [...countedEvents(1, 2), trade(), grade("A", "C")]),
    ).toMatchObject([{ new_grade: "C" }]);
    expect(await receive("?event=", [...countedEvents(7, 1)])).toMatchObject([{ count: 7 }]);
    expect(
      await receive(`?condition_id=mkt_${market.id}`, [
        trade(),
        ...countedEvents(1, 1),
        trade({ condition_id: market.conditionId }),
      ]),
    ).toMatchObject([{ condition_id: market.conditionId }]);
    // Only the new grade counts, not the old one; flows with a grade floor have no grade.
    const flow = { type: "sharp_money_flow_detected", payload: { condition_id: market.conditionId, grade_floor: "S" } };
    expect(
      await receive("?min_grade=B", [
        grade("S", "C"),
        trade({ grade: null }),
        trade({ grade: "C" }),
        flow,
        trade({ grade: "A" }),
      ]),
    ).toMatchObject([{ grade: "A" }]);
    expect(
      await receive("?wallet=0x" + "F".repeat(40), [
        grade("A", "B"),
        trade(),
        trade({ wallet: `0x${"f".repeat(40)}` }),
      ]),
    ).toMatchObject([{ wallet: `0x${"f".repeat(40)}` }]);
    expect(
      await receive("?min_size=25000.005", [trade(), ...countedEvents(1, 1), trade({ size_usd: "100000.5" })]),
    ).toMatchObject([{ size_usd: "100000.5" }]);
  });

  test("filters apply to replayed and live events alike", async () => {
    const { key } = await aKnownKey(api.database);
    const all = await api.openStream(key);
    await publishStreamEvents(api.database, [
      ...countedEvents(1, 3),
      trade({ grade: "S" }),
      ...countedEvents(4, 3),
      trade({ grade: "F" }),
      trade({ grade: "A" }),
    ]);
    await runStreamAlarm(api.database);
    await all.until(({ seqs }) => seqs.length === 9);
    const [first = 0] = all.seqs;
    const replayed = await api.openStream(key, "?min_grade=B&event=LargeTradeInsertedV2", first);
    await replayed.until(({ seqs }) => seqs.length === 2);
    await publishStreamEvents(api.database, [...countedEvents(1, 1), trade({ grade: "B" })]);
    await runStreamAlarm(api.database);
    await replayed.until(({ seqs }) => seqs.length === 3);
    expect(replayed.seqs).toEqual([first + 3, first + 8, first + 10]);
    await all.stop();
    await replayed.stop();
  });
});

test("an account's own events reach only its own keys, replayed and live, whatever the request asks for", async () => {
  const [mine, theirs] = [await aKnownKey(api.database), await aKnownKey(api.database)];
  const owned = EVENT_TYPES.filter((type) => EVENT_CATALOGUE[type].access === "owner");
  expect(owned.length).toBeGreaterThan(0);
  const names = `?event=${owned.map((type) => EVENT_CATALOGUE[type].frame).join(",")},WhaleTradesInserted`;
  const [live, stranger] = [await api.openStream(mine.key), await api.openStream(theirs.key, names)];
  const jobs = owned.map((type) => ({ type, payload: { job_id: "mine" }, accountId: mine.accountId }));
  // An owners-only event without an account reaches no key.
  await publishStreamEvents(api.database, [
    ...jobs,
    { type: owned[0] ?? "", payload: { job_id: "nobody's" } },
    ...countedEvents(1, 1),
  ]);
  await runStreamAlarm(api.database);
  await live.until(({ seqs }) => seqs.length === owned.length + 1);
  await stranger.until(({ seqs }) => seqs.length === 1);
  expect(live.frames.map(({ data }) => data.job_id ?? data.count)).toEqual([...owned.map(() => "mine"), 1]);
  expect(stranger.frames.map(({ data }) => data.type)).toEqual(["WhaleTradesInserted"]);
  const before = (live.seqs[0] ?? 0) - 1;
  const [again, strangerAgain] = [
    await api.openStream(mine.key, names, before),
    await api.openStream(theirs.key, "", before),
  ];
  await again.until(({ seqs }) => seqs.length === owned.length + 1);
  await strangerAgain.until(({ seqs }) => seqs.length === 1);
  expect(strangerAgain.frames.map(({ data }) => data.type)).toEqual(["WhaleTradesInserted"]);
  for (const stream of [live, stranger, again, strangerAgain]) await stream.stop();
});

describe("lost events", () => {
  test("lost events are announced by a lagged marker with its own number, live and replayed", async () => {
    const { key } = await aKnownKey(api.database);
    const live = await api.openStream(key);
    await publishStreamEvents(api.database, countedEvents(1, 1));
    await runStreamAlarm(api.database);
    await live.until(({ seqs }) => seqs.length === 1);
    const [seq = 0] = live.seqs;
    await publishStreamEvents(api.database, countedEvents(2, 2));
    await api.database.db.execute(sql`
      with gone as (delete from events where payload->>'count' = '2' and commit_xid = (select max(commit_xid) from events) returning commit_xid, id)
      update outbox_epoch set pruned_xid = gone.commit_xid, pruned_id = gone.id from gone`);
    await runStreamAlarm(api.database);
    await live.until(({ frames }) => frames.length === 3);
    const marker = {
      id: String(seq + 1),
      event: "resync",
      data: {
        type: "resync",
        completeness: { status: "lagged", reason: "events_expired" },
        from_sequence: seq,
        to_sequence: seq + 2,
      },
    };
    expect(live.frames.slice(1)).toEqual([
      marker,
      { id: String(seq + 2), event: undefined, data: expect.objectContaining({ count: 3 }) },
    ]);
    const replayed = await api.openStream(key, "?event=wallet_grade_changed", seq);
    await replayed.until(({ frames }) => frames.length === 1);
    expect(replayed.frames).toEqual([marker]);
    await runStreamAlarm(api.database);
    await api.database.db.execute(sql`insert into outbox_epoch (epoch) values (2)`);
    await publishStreamEvents(api.database, countedEvents(9, 1));
    await runStreamAlarm(api.database);
    await live.until(({ frames }) => frames.length === 5);
    expect(live.frames.slice(3)).toMatchObject([
      { id: String(seq + 3), event: "resync", data: { completeness: { status: "lagged", reason: "events_restored" } } },
      { id: String(seq + 4), data: { count: 9 } },
    ]);
    await live.stop();
    await replayed.stop();
  });
});

describe("revoked key", () => {
  test("a revoked key's streams end within 40 seconds with the error that a reconnect returns", async () => {
    const { key, keyId, accountId } = await aKnownKey(api.database);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    const streams = await Promise.all([api.openStream(key), api.openStream(key, "?event=wallet_grade_changed")]);
    const { rows } = await api.database.db.execute(
      sql`update api_keys set revoked_at = now() where id = ${keyId} returning key_hash`,
    );
    await api.runtime.meter.refuse(accountId, [String(rows[0]?.["key_hash"])]);
    await passStreamTime(api.database, accountId, 40);
    for (const stream of streams) await stream.until(({ isEnded }) => isEnded);
    const refused = await (await api.request(key)).json();
    for (const { frames } of streams) {
      expect(frames.at(-1)).toMatchObject({ event: "error", data: { type: "error", retry: false } });
      expect(frames.at(-1)?.data.error).toEqual(Object(refused).error);
    }
    expect(streams[0]?.frames.at(-1)?.data.error).toMatchObject({ code: "invalid_api_key" });
    await vi.waitFor(async () => expect(await countOpen(accountId)).toBe(0));
  });
});

test.each([
  ["has been locked", sql`accounts set state = 'locked'`, "account_locked"],
  ["has been deleted", sql`accounts set state = 'deleted'`, "forbidden"],
  ["has lost its subscription", sql`accounts set state = 'lapsed'`, "subscription_required"],
  ["has changed to the free plan", sql`accounts set plan = 'free'`, "subscription_required"],
  ["has a key that expires", sql`api_keys set expires_at = now() + interval '5 seconds'`, "invalid_api_key"],
  ["has a key without the read scope", sql`api_keys set scopes = '{usage}'`, "insufficient_scope"],
])(
  "a stream of an account that %s ends within 40 seconds with the error that a reconnect returns",
  async (_, change, code) => {
    const { key, keyId, accountId } = await aKnownKey(api.database);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    const stream = await api.openStream(key);
    const { db } = api.database;
    await db.execute(
      sql`update ${change} where id = ${code === "invalid_api_key" || code === "insufficient_scope" ? keyId : accountId}`,
    );
    await api.runtime.meter.forget(accountId);
    await passStreamTime(api.database, accountId, 40);
    await stream.until(({ isEnded }) => isEnded);
    const refused = await (await api.request(key)).json();
    expect(stream.frames.at(-1)).toMatchObject({
      event: "error",
      data: { type: "error", error: { code }, retry: false },
    });
    expect(stream.frames.at(-1)?.data.error).toEqual(Object(refused).error);
  },
);
