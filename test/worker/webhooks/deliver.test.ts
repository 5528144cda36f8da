import { eq, type SQL } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, test } from "vitest";
import { accounts, webhookDeliveries, webhookEndpoints } from "../../../src/db/schema.ts";
import { renderSql } from "../../../src/db/sql.ts";
import { claimDeliveries, type ClaimedDelivery } from "../../../src/webhooks/delivery/claim-deliveries.ts";
import { drainEndpoint } from "../../../src/webhooks/delivery/drain-endpoint.ts";
import { recordAttempts } from "../../../src/webhooks/delivery/record-attempts.ts";
import { releaseDeliveries } from "../../../src/webhooks/delivery/release-deliveries.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";
import { anEndpoint, someDeliveries, type SeededEndpoint } from "../../support/seed/webhooks.ts";
import {
  settingsFor,
  storedDeliveries,
  storedEndpoint,
  type ReceiverBehavior,
} from "../../support/webhooks/drain-settings.ts";

const START = Date.parse("2026-11-20T12:30:00Z");
const ok: ReceiverBehavior = () => new Response();
const failing: ReceiverBehavior = () => new Response("no", { status: 500 });

const HEALTHY = { status: "active", failureCount: 0, openUntilMs: null } as const;
const timedOut = (delivery: ClaimedDelivery) => ({
  delivery,
  result: { kind: "timeout" } as const,
  endedAtMs: nowMs,
  random: 0.5,
});

let database: TestDatabase;
let endpoint: SeededEndpoint;
let nowMs: number;

beforeEach(async () => {
  database = await createTestDatabase();
  endpoint = await anEndpoint(database.db);
  nowMs = START;
});

const settings = (respond: ReceiverBehavior) => settingsFor(database.db, respond, () => nowMs);
/** Delivers what is due now. @returns the next due time */
const drain = (respond: ReceiverBehavior) => drainEndpoint(endpoint.id, nowMs + 1, settings(respond));
const stored = () => storedDeliveries(database.db, endpoint.id);
const claim = (lease: string, underWay = 0, ahead = 0) =>
  claimDeliveries(database.db, endpoint.id, { started: underWay, prefetch: ahead }, lease, new Date(nowMs));

/**
 * Runs at each due time until nothing is pending.
 *
 * @returns the times of the runs, in seconds from the start
 */
async function drainToTheEnd(respond: ReceiverBehavior): Promise<number[]> {
  const times: number[] = [];
  for (let next: number | null = nowMs; next !== null && times.length < 100;) {
    nowMs = next;
    times.push((nowMs - START) / 1000);
    next = await drain(respond);
  }
  return times;
}

test("due deliveries are signed, posted once each and delivered", async () => {
  await someDeliveries(database.db, endpoint.id, 10);
  const seen: string[] = [];
  const { url } = await storedEndpoint(database.db, endpoint.id);
  nowMs = Date.now();
  await drain((request) => {
    expect(request.url).toBe(url);
    const headers = Object.fromEntries(request.headers);
    const event = new Webhook(endpoint.secret).verify(request.body, headers) as { id: string };
    expect(headers).toMatchObject({
      "x-service-event-id": event.id,
      "x-service-delivery-attempt": "1",
      "x-service-event-type": "trader_synced",
    });
    seen.push(`${headers["x-service-delivery-id"]} ${event.id}`);
    return new Response(null, { status: 202 });
  });
  const rows = await stored();
  expect(seen.sort()).toEqual(rows.map(({ id, eventId }) => `${id} ${eventId}`).sort());
  for (const row of rows) {
    expect(row).toMatchObject({
      status: "delivered",
      attemptCount: 1,
      nextAttemptAt: null,
      scheduleReason: null,
      lastResponseStatus: 202,
      lastError: null,
      lease: null,
    });
    expect(row.deliveredAt).toEqual(new Date(nowMs));
  }
});

test("both secrets sign during an overlap, and only the newer one after it", async () => {
  const older = await anEndpoint(database.db, { accountId: endpoint.accountId });
  const { secretSealed } = await storedEndpoint(database.db, older.id);
  await database.db
    .update(webhookEndpoints)
    .set({ previousSecretSealed: secretSealed, overlapExpiresAt: new Date(Date.now() + 60_000) })
    .where(eq(webhookEndpoints.id, Number(endpoint.id)));
  const accepted: boolean[][] = [];
  for (nowMs of [Date.now(), Date.now() + 61_000]) {
    await someDeliveries(database.db, endpoint.id, 1);
    await drain(({ headers, body }) => {
      accepted.push(
        [endpoint.secret, older.secret].map((secret) => {
          try {
            return new Webhook(secret).verify(body, Object.fromEntries(headers)) !== null;
          } catch {
            return false;
          }
        }),
      );
      return new Response();
    });
  }
  expect(accepted).toEqual([
    [true, true],
    [true, false],
  ]);
});

test("a delivery that always fails becomes a dead letter after eight attempts a minute apart", async () => {
  await someDeliveries(database.db, endpoint.id, 1);
  const attempts: (string | null)[] = [];
  const times = await drainToTheEnd((request) => {
    attempts.push(request.headers.get("x-service-delivery-attempt"));
    return failing(request);
  });
  expect(attempts).toEqual(["1", "2", "3", "4", "5", "6", "7", "8"]);
  expect(times).toEqual([0, 60, 120, 180, 240, 300, 360, 420]);
  expect(await stored()).toMatchObject([
    {
      status: "dead_letter",
      attemptCount: 8,
      nextAttemptAt: null,
      lastResponseStatus: 500,
      lastError: "The receiver responded with status 500.",
    },
  ]);
  expect(await storedEndpoint(database.db, endpoint.id)).toMatchObject({
    status: "disabled",
    disabledReason: "failures",
    failureCount: 8,
    openUntil: null,
  });
});

test("retry delays are drawn between 48 and 72 seconds and passed to onRetry", async () => {
  await someDeliveries(database.db, endpoint.id, 1);
  const delays: number[] = [];
  for (const random of [0, 0.999_999, 0.25]) {
    const next = await drainEndpoint(endpoint.id, nowMs + 1, {
      ...settings(failing),
      random: () => random,
      onRetry: (ms) => delays.push(ms),
    });
    nowMs = next ?? 0;
  }
  expect(delays).toEqual([48_000, 72_000, 54_000]);
});

test("a Retry-After of two minutes sets the next attempt", async () => {
  await someDeliveries(database.db, endpoint.id, 1);
  await drain(() => new Response(null, { status: 503, headers: { "retry-after": "120" } }));
  expect(await stored()).toMatchObject([
    {
      status: "retry",
      attemptCount: 1,
      scheduleReason: "receiver_retry_after",
      nextAttemptAt: new Date(START + 120_000),
    },
  ]);
});

test("eight failures over eight deliveries disable the endpoint, and its pending deliveries become dead letters", async () => {
  await someDeliveries(database.db, endpoint.id, 20);
  let posted = 0;
  await drainToTheEnd((request) => {
    posted++;
    return failing(request);
  });
  expect(posted).toBe(8);
  expect((await stored()).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => "dead_letter"));
  expect(await storedEndpoint(database.db, endpoint.id)).toMatchObject({
    status: "disabled",
    disabledReason: "failures",
  });
});

test("a success after seven failures resets the failure count", async () => {
  await someDeliveries(database.db, endpoint.id, 1);
  let posted = 0;
  await drainToTheEnd((request) => (++posted < 8 ? failing(request) : ok(request)));
  expect(await stored()).toMatchObject([{ status: "delivered", attemptCount: 8 }]);
  expect(await storedEndpoint(database.db, endpoint.id)).toMatchObject({
    status: "active",
    failureCount: 0,
    openUntil: null,
  });
});

test("a 410 response disables the endpoint at once", async () => {
  await someDeliveries(database.db, endpoint.id, 9);
  let posted = 0;
  await drainToTheEnd(() => (posted++, new Response(null, { status: 410 })));
  // At most the deliveries that were in flight together.
  expect(posted).toBeLessThanOrEqual(4);
  expect((await stored()).every(({ status }) => status === "dead_letter")).toBe(true);
  expect(await storedEndpoint(database.db, endpoint.id)).toMatchObject({ status: "disabled", disabledReason: "gone" });
});

describe("failing endpoint", () => {
  test("a failing endpoint gets four attempts, then one a minute, and four again after a success", async () => {
    await someDeliveries(database.db, endpoint.id, 12);
    const together: number[] = [];
    let underWay = 0;
    let works = false;
    const respond: ReceiverBehavior = async (request) => {
      together.push(++underWay);
      await new Promise((resolve) => setTimeout(resolve, 30));
      underWay--;
      return works ? ok(request) : failing(request);
    };
    nowMs = (await drain(respond)) ?? 0;
    expect([together.length, Math.max(...together)]).toEqual([4, 4]);
    expect(nowMs).toBe(START + 60_000);
    expect(await storedEndpoint(database.db, endpoint.id)).toMatchObject({
      failureCount: 4,
      openUntil: new Date(nowMs),
    });
    nowMs = (await drain(respond)) ?? 0;
    expect(together.slice(4)).toEqual([1]);
    works = true;
    await drainToTheEnd(respond);
    expect(together[5]).toBe(1);
    expect(Math.max(...together.slice(6))).toBe(4);
    expect((await stored()).every(({ status }) => status === "delivered")).toBe(true);
  });
});

describe("the lease of a delivery", () => {
  test("a lease excludes other workers until it ends, and then its former owner changes nothing", async () => {
    const [id = ""] = await someDeliveries(database.db, endpoint.id, 1);
    const first = await claim("first");
    expect(first?.deliveries.map((delivery) => delivery.id)).toEqual([id]);
    expect(await claim("second")).toMatchObject({ deliveries: [], nextDueAtMs: START + 45_000 });
    nowMs += 45_000;
    expect((await claim("second"))?.deliveries.map((delivery) => delivery.id)).toEqual([id]);
    const record = async (lease: string, status: number) => {
      const result = { kind: "rejected", status, retryAfter: null } as const;
      const attempt = { delivery: { id, attemptCount: 0, lease }, result, endedAtMs: nowMs, random: 0.5 };
      const { outcomes } = await recordAttempts(database.db, endpoint.id, [attempt], HEALTHY);
      return outcomes[0];
    };
    expect(await record("first", 410)).toBeNull();
    expect(await stored()).toMatchObject([
      { status: "processing", lease: "second", attemptCount: 0, lastResponseStatus: null },
    ]);
    expect(await storedEndpoint(database.db, endpoint.id)).toMatchObject({ status: "active", failureCount: 0 });
    expect(await record("second", 500)).toMatchObject({ delivery: { status: "retry" } });
    expect(await record("second", 500)).toBeNull();
    expect(await stored()).toMatchObject([{ status: "retry", attemptCount: 1 }]);
  });

  test("a delivery is leased by one of ten concurrent claims", async () => {
    await someDeliveries(database.db, endpoint.id, 30);
    const claims = await Promise.all(Array.from({ length: 10 }, (_, who) => claim(`worker ${who}`)));
    const ids = claims.flatMap((claimed) => claimed?.deliveries.map(({ id }) => id) ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(0);
    expect(Math.max(...claims.map((claimed) => claimed?.deliveries.length ?? 0))).toBeLessThanOrEqual(4);
  });

  test("attempts in flight count against the number that a claim may start", async () => {
    await someDeliveries(database.db, endpoint.id, 9);
    expect((await claim("a", 3))?.deliveries).toHaveLength(1);
    expect((await claim("b", 4))?.deliveries).toHaveLength(0);
    expect((await claim("c"))?.deliveries).toHaveLength(4);
  });
});

test("failures recorded concurrently and in batches are all counted", async () => {
  await someDeliveries(database.db, endpoint.id, 8);
  const claims = [await claim("a"), await claim("b")];
  const recorded = await Promise.all(
    claims.map((claimed) =>
      recordAttempts(database.db, endpoint.id, (claimed?.deliveries ?? []).map(timedOut), HEALTHY),
    ),
  );
  const counts = recorded.flatMap(({ outcomes }) => outcomes.map((outcome) => outcome?.endpoint.failureCount));
  expect(counts.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(await storedEndpoint(database.db, endpoint.id)).toMatchObject({ status: "disabled", failureCount: 8 });
});

test("recorded attempts without a current lease are ignored", async () => {
  await someDeliveries(database.db, endpoint.id, 3);
  const [lost, ...processing] = (await claim("a"))?.deliveries ?? [];
  if (lost === undefined) throw new Error("nothing was claimed");
  await database.db
    .update(webhookDeliveries)
    .set({ lease: "another's" })
    .where(eq(webhookDeliveries.id, Number(lost.id)));
  const { outcomes, endpointState } = await recordAttempts(
    database.db,
    endpoint.id,
    [lost, ...processing].map(timedOut),
    HEALTHY,
  );
  expect(outcomes.map((outcome) => outcome?.endpoint.failureCount ?? null)).toEqual([null, 1, 2]);
  expect(endpointState).toMatchObject({ status: "active", failureCount: 2 });
  expect((await stored()).map(({ status, lease }) => [status, lease])).toEqual([
    ["processing", "another's"],
    ["retry", null],
    ["retry", null],
  ]);
});

describe("deliveries claimed ahead", () => {
  const DUE = new Date("2026-11-20T12:00:00Z");
  const claimed = async () => (await claim("a", 0, 60))?.deliveries ?? [];

  test("a claim ahead takes more than start at once, but none ahead from a failing endpoint", async () => {
    await someDeliveries(database.db, endpoint.id, 100);
    expect(await claimed()).toHaveLength(64);
    await database.db.update(webhookEndpoints).set({ failureCount: 1 });
    expect(await claimed()).toHaveLength(1);
  });

  test("a delivery claimed ahead is released with its former schedule", async () => {
    await someDeliveries(database.db, endpoint.id, 1, {
      attemptCount: 2,
      status: "retry",
      scheduleReason: "receiver_retry_after",
    });
    await someDeliveries(database.db, endpoint.id, 1, { scheduleReason: "manual_redelivery" });
    await releaseDeliveries(database.db, endpoint.id, await claimed());
    expect(await stored()).toMatchObject([
      {
        status: "retry",
        attemptCount: 2,
        scheduleReason: "receiver_retry_after",
        nextAttemptAt: DUE,
        lease: null,
        leaseUntil: null,
      },
      { status: "pending", attemptCount: 0, scheduleReason: "manual_redelivery", nextAttemptAt: DUE, lease: null },
    ]);
  });

  test("a delivery claimed ahead is not released by a former lease owner", async () => {
    await someDeliveries(database.db, endpoint.id, 1);
    const first = await claimed();
    nowMs += 45_000;
    await claim("b");
    await releaseDeliveries(database.db, endpoint.id, first);
    expect(await stored()).toMatchObject([{ status: "processing", lease: "b" }]);
  });

  test("a delivery claimed ahead becomes a dead letter if the endpoint has ended since", async () => {
    await someDeliveries(database.db, endpoint.id, 2);
    const first = await claimed();
    await database.db.update(webhookEndpoints).set({ deletedAt: new Date(nowMs) });
    await releaseDeliveries(database.db, endpoint.id, first);
    expect(await stored()).toMatchObject(
      [1, 2].map(() => ({ status: "dead_letter", nextAttemptAt: null, lease: null })),
    );
  });

  test("deliveries claimed ahead are released unposted when the endpoint begins to fail", async () => {
    await someDeliveries(database.db, endpoint.id, 200);
    let posted = 0;
    await drain((request) => (++posted <= 100 ? ok(request) : failing(request)));
    // At most the deliveries that were in flight together.
    expect(posted).toBeLessThanOrEqual(104);
    const rows = await stored();
    expect(rows.filter(({ status }) => status === "delivered")).toHaveLength(100);
    expect(rows.filter(({ status }) => status === "processing")).toHaveLength(0);
    expect(rows.filter(({ status, attemptCount }) => status === "pending" && attemptCount === 0)).toHaveLength(
      200 - posted,
    );
  });

  test("deliveries claimed ahead are released while the endpoint hangs", async () => {
    await someDeliveries(database.db, endpoint.id, 200);
    let posted = 0;
    const answering = Promise.withResolvers<Response>();
    const respond = async () => (++posted <= 100 ? new Response() : (await answering.promise).clone());
    const working = settingsFor(database.db, respond, Date.now);
    const done = drainEndpoint(endpoint.id, Date.now() + 5_000, working);
    const processing = async () => (await stored()).filter(({ status }) => status === "processing").length;
    await expect.poll(() => posted, { timeout: 8_000 }).toBe(104);
    await expect.poll(processing, { timeout: 5_000 }).toBe(4);
    answering.resolve(new Response());
    await done;
  });

  test("deliveries claimed ahead are not posted after the owner disables the endpoint, except briefly", async () => {
    await someDeliveries(database.db, endpoint.id, 240);
    let posted = 0;
    await drain(async () => {
      if (++posted === 100) await database.db.update(webhookEndpoints).set({ status: "disabled" });
      return new Response();
    });
    expect(posted).toBeLessThan(200);
    expect((await stored()).filter(({ status }) => status === "processing")).toHaveLength(0);
  });

  test("a run that ends leaves no delivery claimed", async () => {
    await someDeliveries(database.db, endpoint.id, 300);
    let posted = 0;
    // The clock passes the end of the run at the hundredth post.
    const next = await drainEndpoint(
      endpoint.id,
      nowMs + 1,
      settings((request) => (++posted === 100 && nowMs++, ok(request))),
    );
    expect(next).toBe(nowMs);
    expect(posted).toBeLessThanOrEqual(104);
    const rows = await stored();
    expect(rows.filter(({ status }) => status === "delivered")).toHaveLength(posted);
    expect(rows.filter(({ status }) => status === "pending")).toHaveLength(300 - posted);
  });
});

test("a failed record is repeated and nothing is posted twice", async () => {
  await someDeliveries(database.db, endpoint.id, 3);
  let failures = 0;
  let posted = 0;
  const { execute } = database.db;
  const unreliableDb = Object.assign(Object.create(database.db) as typeof database.db, {
    // The first record's response is lost after the write; the second never reaches the database.
    execute: async (statement: SQL) => {
      const isRecord = renderSql(statement).sql.includes("jsonb_to_recordset");
      if (isRecord && ++failures === 2) throw new Error("away");
      const response = await execute.call(database.db, statement);
      if (isRecord && failures === 1) throw new Error("cut off");
      return response;
    },
  });
  await drainEndpoint(endpoint.id, nowMs + 1, { ...settings((request) => (posted++, ok(request))), db: unreliableDb });
  expect([posted, (await stored()).map(({ status }) => status)]).toEqual([3, ["delivered", "delivered", "delivered"]]);
  expect(failures).toBeGreaterThan(2);
});

describe("deliveries that are not posted", () => {
  const posts = async (): Promise<number> => {
    await someDeliveries(database.db, endpoint.id, 1);
    await someDeliveries(database.db, endpoint.id, 1, { eventType: "insider_radar_flag_raised" });
    let posted = 0;
    await drain((request) => (posted++, ok(request)));
    return posted;
  };
  const change = (facts: Partial<typeof webhookEndpoints.$inferInsert>) =>
    database.db.update(webhookEndpoints).set(facts);

  test("nothing is posted to an endpoint that is unverified, disabled, deleted or behind an open circuit", async () => {
    await change({ status: "pending_verification" });
    expect(await posts()).toBe(0);
    await change({ status: "disabled" });
    expect(await posts()).toBe(0);
    await change({ status: "active", deletedAt: new Date() });
    expect(await posts()).toBe(0);
    await change({ deletedAt: null, openUntil: new Date(nowMs + 1) });
    expect(await posts()).toBe(0);
    await change({ openUntil: new Date(nowMs) });
    expect(await posts()).toBe(10);
  });

  test("nothing is posted for a locked account, nor subscriber events for a lapsed one", async () => {
    await database.db.update(accounts).set({ state: "locked" });
    expect(await posts()).toBe(0);
    await database.db.update(accounts).set({ state: "lapsed" });
    expect(await posts()).toBe(1);
    const rows = await stored();
    expect(rows.map(({ eventType, status, attemptCount }) => [eventType, status, attemptCount])).toEqual([
      ["trader_synced", "dead_letter", 0],
      ["insider_radar_flag_raised", "dead_letter", 0],
      ["trader_synced", "delivered", 1],
      ["insider_radar_flag_raised", "dead_letter", 0],
    ]);
    expect(await storedEndpoint(database.db, endpoint.id)).toMatchObject({ failureCount: 0 });
  });
});

test("an internal failure postpones a delivery and is not counted as the receiver's", async () => {
  await someDeliveries(database.db, endpoint.id, 1);
  const withoutResolver = {
    ...settings(ok),
    policy: { allowLoopback: false, resolver: { resolve: async () => ({ kind: "unavailable", reason: "" }) as const } },
  };
  await drainEndpoint(endpoint.id, nowMs + 1, withoutResolver);
  await database.db.update(webhookDeliveries).set({ nextAttemptAt: new Date(nowMs) });
  await drainEndpoint(endpoint.id, nowMs + 1, {
    ...settings(ok),
    credentialKeys: { current: "another secret that opens nothing of this one", previous: [] },
  });
  expect(await stored()).toMatchObject([{ status: "retry", attemptCount: 0, nextAttemptAt: new Date(nowMs + 60_000) }]);
  expect(await storedEndpoint(database.db, endpoint.id)).toMatchObject({ failureCount: 0 });
});
