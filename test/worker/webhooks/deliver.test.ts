import { eq, type SQL } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, test } from "vitest";
import { accounts, webhookDeliveries, webhookEndpoints } from "../../../src/db/schema.ts";
import { claimDeliveries, type ClaimedDelivery } from "../../../src/webhooks/claim-deliveries.ts";
import { drainEndpoint } from "../../../src/webhooks/drain-endpoint.ts";
import { recordAttempts } from "../../../src/webhooks/record-attempts.ts";
import { releaseDeliveries } from "../../../src/webhooks/release-deliveries.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { anEndpoint, someDeliveries, type SeededEndpoint } from "../../support/seed/webhooks.ts";
import { settingsFor, storedDeliveries, storedEndpoint, type Answer } from "../../support/webhooks/delivering.ts";

const START = Date.parse("2026-11-20T12:30:00Z");
const ok: Answer = () => new Response();
const failing: Answer = () => new Response("no", { status: 500 });

const SOUND = { status: "active", failureCount: 0, openUntilMs: null } as const;
const timedOut = (delivery: ClaimedDelivery) => ({ delivery, result: { kind: "timeout" } as const, endedAtMs: nowMs, random: 0.5 });

let database: TestDatabase;
let endpoint: SeededEndpoint;
let nowMs: number;

beforeEach(async () => {
  database = await createTestDatabase();
  endpoint = await anEndpoint(database.db);
  nowMs = START;
});

const settings = (answer: Answer) => settingsFor(database.db, answer, () => nowMs);
/** Delivers what is due at the present time. @returns when the next is */
const drain = (answer: Answer) => drainEndpoint(endpoint.id, nowMs + 1, settings(answer));
const stored = () => storedDeliveries(database.db, endpoint.id);
const claim = (lease: string, underWay = 0, ahead = 0) =>
  claimDeliveries(database.db, endpoint.id, { underWay, ahead }, lease, new Date(nowMs));

/** Goes on from one due time to the next until nothing waits. @returns the times of the runs, in seconds from the start */
async function drainToTheEnd(answer: Answer): Promise<number[]> {
  const times: number[] = [];
  for (let next: number | null = nowMs; next !== null && times.length < 100;) {
    nowMs = next;
    times.push((nowMs - START) / 1000);
    next = await drain(answer);
  }
  return times;
}

test("what is due is posted signed, once each, and is delivered", async () => {
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

test("in an overlap both secrets sign, and after it only the newer", async () => {
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

test("a receiver that always fails gets exactly eight attempts, a minute apart, and the delivery is a dead letter", async () => {
  await someDeliveries(database.db, endpoint.id, 1);
  const attempts: (string | null)[] = [];
  const times = await drainToTheEnd((request) => {
    attempts.push(request.headers.get("x-service-delivery-attempt"));
    return failing(request);
  });
  expect(attempts).toEqual(["1", "2", "3", "4", "5", "6", "7", "8"]);
  expect(times).toEqual([0, 60, 120, 180, 240, 300, 360, 420]);
  expect(await stored()).toMatchObject([
    { status: "dead_letter", attemptCount: 8, nextAttemptAt: null, lastResponseStatus: 500, lastError: "The receiver answered 500." },
  ]);
  expect(await storedEndpoint(database.db, endpoint.id)).toMatchObject({
    status: "disabled",
    disabledReason: "failures",
    failureCount: 8,
    openUntil: null,
  });
});

test("gaps are drawn between 48 and 72 seconds, and told to whoever wakes the endpoint", async () => {
  await someDeliveries(database.db, endpoint.id, 1);
  const told: number[] = [];
  for (const random of [0, 0.999_999, 0.25]) {
    const next = await drainEndpoint(endpoint.id, nowMs + 1, {
      ...settings(failing),
      random: () => random,
      onRetry: (ms) => told.push(ms),
    });
    nowMs = next ?? 0;
  }
  expect(told).toEqual([48_000, 72_000, 54_000]);
});

test("a receiver's Retry-After of two minutes is kept to", async () => {
  await someDeliveries(database.db, endpoint.id, 1);
  await drain(() => new Response(null, { status: 503, headers: { "retry-after": "120" } }));
  expect(await stored()).toMatchObject([
    { status: "retry", attemptCount: 1, scheduleReason: "receiver_retry_after", nextAttemptAt: new Date(START + 120_000) },
  ]);
});

test("eight failures over eight deliveries disable the endpoint, and what waits becomes dead letters", async () => {
  await someDeliveries(database.db, endpoint.id, 20);
  let posted = 0;
  await drainToTheEnd((request) => {
    posted++;
    return failing(request);
  });
  expect(posted).toBe(8);
  expect((await stored()).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => "dead_letter"));
  expect(await storedEndpoint(database.db, endpoint.id)).toMatchObject({ status: "disabled", disabledReason: "failures" });
});

test("seven failures and a success begin the count anew", async () => {
  await someDeliveries(database.db, endpoint.id, 1);
  let posted = 0;
  await drainToTheEnd((request) => (++posted < 8 ? failing(request) : ok(request)));
  expect(await stored()).toMatchObject([{ status: "delivered", attemptCount: 8 }]);
  expect(await storedEndpoint(database.db, endpoint.id)).toMatchObject({ status: "active", failureCount: 0, openUntil: null });
});

test("410 disables at once", async () => {
  await someDeliveries(database.db, endpoint.id, 9);
  let posted = 0;
  await drainToTheEnd(() => (posted++, new Response(null, { status: 410 })));
  // Those that were under way together.
  expect(posted).toBeLessThanOrEqual(4);
  expect((await stored()).every(({ status }) => status === "dead_letter")).toBe(true);
  expect(await storedEndpoint(database.db, endpoint.id)).toMatchObject({ status: "disabled", disabledReason: "gone" });
});

describe("an endpoint that fails", () => {
  test("gets four at once, then one a minute, and after one acceptance four again", async () => {
    await someDeliveries(database.db, endpoint.id, 12);
    const together: number[] = [];
    let underWay = 0;
    let works = false;
    const answer: Answer = async (request) => {
      together.push(++underWay);
      await new Promise((resolve) => setTimeout(resolve, 30));
      underWay--;
      return works ? ok(request) : failing(request);
    };
    nowMs = (await drain(answer)) ?? 0;
    expect([together.length, Math.max(...together)]).toEqual([4, 4]);
    expect(nowMs).toBe(START + 60_000);
    expect(await storedEndpoint(database.db, endpoint.id)).toMatchObject({ failureCount: 4, openUntil: new Date(nowMs) });
    nowMs = (await drain(answer)) ?? 0;
    expect(together.slice(4)).toEqual([1]);
    works = true;
    await drainToTheEnd(answer);
    expect(together[5]).toBe(1);
    expect(Math.max(...together.slice(6))).toBe(4);
    expect((await stored()).every(({ status }) => status === "delivered")).toBe(true);
  });
});

describe("a lease", () => {
  test("keeps a delivery from everybody else until it ends, and then its holder changes nothing", async () => {
    const [id = ""] = await someDeliveries(database.db, endpoint.id, 1);
    const first = await claim("first");
    expect(first?.deliveries.map((delivery) => delivery.id)).toEqual([id]);
    expect(await claim("second")).toMatchObject({ deliveries: [], nextDueAtMs: START + 45_000 });
    nowMs += 45_000;
    expect((await claim("second"))?.deliveries.map((delivery) => delivery.id)).toEqual([id]);
    const record = async (lease: string, status: number) => {
      const result = { kind: "rejected", status, retryAfter: null } as const;
      const attempt = { delivery: { id, attemptCount: 0, lease }, result, endedAtMs: nowMs, random: 0.5 };
      const { outcomes } = await recordAttempts(database.db, endpoint.id, [attempt], SOUND);
      return outcomes[0];
    };
    expect(await record("first", 410)).toBeNull();
    expect(await stored()).toMatchObject([{ status: "processing", lease: "second", attemptCount: 0, lastResponseStatus: null }]);
    expect(await storedEndpoint(database.db, endpoint.id)).toMatchObject({ status: "active", failureCount: 0 });
    expect(await record("second", 500)).toMatchObject({ delivery: { status: "retry" } });
    expect(await record("second", 500)).toBeNull();
    expect(await stored()).toMatchObject([{ status: "retry", attemptCount: 1 }]);
  });

  test("is given to one of ten who claim at once", async () => {
    await someDeliveries(database.db, endpoint.id, 30);
    const claims = await Promise.all(Array.from({ length: 10 }, (_, who) => claim(`worker ${who}`)));
    const ids = claims.flatMap((each) => each?.deliveries.map(({ id }) => id) ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(0);
    expect(Math.max(...claims.map((each) => each?.deliveries.length ?? 0))).toBeLessThanOrEqual(4);
  });

  test("of attempts under way counts against how many begin", async () => {
    await someDeliveries(database.db, endpoint.id, 9);
    expect((await claim("a", 3))?.deliveries).toHaveLength(1);
    expect((await claim("b", 4))?.deliveries).toHaveLength(0);
    expect((await claim("c"))?.deliveries).toHaveLength(4);
  });
});

test("failures that are recorded at once, some together, are all counted", async () => {
  await someDeliveries(database.db, endpoint.id, 8);
  const claims = [await claim("a"), await claim("b")];
  const recorded = await Promise.all(
    claims.map((each) => recordAttempts(database.db, endpoint.id, (each?.deliveries ?? []).map(timedOut), SOUND)),
  );
  const counts = recorded.flatMap(({ outcomes }) => outcomes.map((outcome) => outcome?.endpoint.failureCount));
  expect(counts.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(await storedEndpoint(database.db, endpoint.id)).toMatchObject({ status: "disabled", failureCount: 8 });
});

test("of attempts recorded together those whose lease is not held any more count for nothing", async () => {
  await someDeliveries(database.db, endpoint.id, 3);
  const [lost, ...held] = (await claim("a"))?.deliveries ?? [];
  if (lost === undefined) throw new Error("nothing was claimed");
  await database.db
    .update(webhookDeliveries)
    .set({ lease: "another's" })
    .where(eq(webhookDeliveries.id, Number(lost.id)));
  const { outcomes, standing } = await recordAttempts(database.db, endpoint.id, [lost, ...held].map(timedOut), SOUND);
  expect(outcomes.map((outcome) => outcome?.endpoint.failureCount ?? null)).toEqual([null, 1, 2]);
  expect(standing).toMatchObject({ status: "active", failureCount: 2 });
  expect((await stored()).map(({ status, lease }) => [status, lease])).toEqual([
    ["processing", "another's"],
    ["retry", null],
    ["retry", null],
  ]);
});

describe("what is claimed ahead", () => {
  const DUE = new Date("2026-11-20T12:00:00Z");
  const claimed = async () => (await claim("a", 0, 60))?.deliveries ?? [];

  test("is more than begins at once; of an endpoint that fails it is nothing", async () => {
    await someDeliveries(database.db, endpoint.id, 100);
    expect(await claimed()).toHaveLength(64);
    await database.db.update(webhookEndpoints).set({ failureCount: 1 });
    expect(await claimed()).toHaveLength(1);
  });

  test("is given back as it was scheduled", async () => {
    await someDeliveries(database.db, endpoint.id, 1, { attemptCount: 2, status: "retry", scheduleReason: "receiver_retry_after" });
    await someDeliveries(database.db, endpoint.id, 1, { scheduleReason: "manual_redelivery" });
    await releaseDeliveries(database.db, endpoint.id, await claimed());
    expect(await stored()).toMatchObject([
      { status: "retry", attemptCount: 2, scheduleReason: "receiver_retry_after", nextAttemptAt: DUE, lease: null, leaseUntil: null },
      { status: "pending", attemptCount: 0, scheduleReason: "manual_redelivery", nextAttemptAt: DUE, lease: null },
    ]);
  });

  test("is not given back by one who does not hold it any more", async () => {
    await someDeliveries(database.db, endpoint.id, 1);
    const first = await claimed();
    nowMs += 45_000;
    await claim("b");
    await releaseDeliveries(database.db, endpoint.id, first);
    expect(await stored()).toMatchObject([{ status: "processing", lease: "b" }]);
  });

  test("becomes dead letters at an endpoint that was stopped meanwhile", async () => {
    await someDeliveries(database.db, endpoint.id, 2);
    const first = await claimed();
    await database.db.update(webhookEndpoints).set({ deletedAt: new Date(nowMs) });
    await releaseDeliveries(database.db, endpoint.id, first);
    expect(await stored()).toMatchObject([1, 2].map(() => ({ status: "dead_letter", nextAttemptAt: null, lease: null })));
  });

  test("is given back when the endpoint begins to fail, and none of it is posted", async () => {
    await someDeliveries(database.db, endpoint.id, 200);
    let posted = 0;
    await drain((request) => (++posted <= 100 ? ok(request) : failing(request)));
    // Those that were under way together.
    expect(posted).toBeLessThanOrEqual(104);
    const rows = await stored();
    expect(rows.filter(({ status }) => status === "delivered")).toHaveLength(100);
    expect(rows.filter(({ status }) => status === "processing")).toHaveLength(0);
    expect(rows.filter(({ status, attemptCount }) => status === "pending" && attemptCount === 0)).toHaveLength(200 - posted);
  });

  test("is given back when the endpoint begins to hang, and is held by nobody while it does", async () => {
    await someDeliveries(database.db, endpoint.id, 200);
    let posted = 0;
    const answering = Promise.withResolvers<Response>();
    const answer = async () => (++posted <= 100 ? new Response() : (await answering.promise).clone());
    const working = settingsFor(database.db, answer, Date.now);
    const done = drainEndpoint(endpoint.id, Date.now() + 5_000, working);
    const held = async () => (await stored()).filter(({ status }) => status === "processing").length;
    await expect.poll(() => posted, { timeout: 8_000 }).toBe(104);
    await expect.poll(held, { timeout: 5_000 }).toBe(4);
    answering.resolve(new Response());
    await done;
  });

  test("is not posted once its owner has stopped the endpoint, but for a moment", async () => {
    await someDeliveries(database.db, endpoint.id, 240);
    let posted = 0;
    await drain(async () => {
      if (++posted === 100) await database.db.update(webhookEndpoints).set({ status: "disabled" });
      return new Response();
    });
    expect(posted).toBeLessThan(200);
    expect((await stored()).filter(({ status }) => status === "processing")).toHaveLength(0);
  });

  test("leaves nothing claimed behind when a run ends", async () => {
    await someDeliveries(database.db, endpoint.id, 300);
    let posted = 0;
    // The clock passes the end of the run with the hundredth post.
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

test("a record that fails is made again, and nothing is posted twice", async () => {
  await someDeliveries(database.db, endpoint.id, 3);
  let failures = 0;
  let posted = 0;
  const { execute } = database.db;
  const shaky = Object.assign(Object.create(database.db) as typeof database.db, {
    // The first record's answer is lost after it was made, the second never gets there.
    execute: async (statement: SQL) => {
      const isRecord = JSON.stringify(statement.queryChunks).includes("jsonb_to_recordset");
      if (isRecord && ++failures === 2) throw new Error("away");
      const answer = await execute.call(database.db, statement);
      if (isRecord && failures === 1) throw new Error("cut off");
      return answer;
    },
  });
  await drainEndpoint(endpoint.id, nowMs + 1, { ...settings((request) => (posted++, ok(request))), db: shaky });
  expect([posted, (await stored()).map(({ status }) => status)]).toEqual([3, ["delivered", "delivered", "delivered"]]);
  expect(failures).toBeGreaterThan(2);
});

describe("nothing is posted", () => {
  const posts = async (): Promise<number> => {
    await someDeliveries(database.db, endpoint.id, 1);
    await someDeliveries(database.db, endpoint.id, 1, { eventType: "insider_radar_flag_raised" });
    let posted = 0;
    await drain((request) => (posted++, ok(request)));
    return posted;
  };
  const change = (facts: Partial<typeof webhookEndpoints.$inferInsert>) => database.db.update(webhookEndpoints).set(facts);

  test("to one that is not verified, disabled, deleted, or behind an open circuit", async () => {
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

  test("to a locked account; and of subscribers' events to one whose subscription has lapsed since", async () => {
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

test("what we cannot do ourselves is put off, and is no failure of the receiver", async () => {
  await someDeliveries(database.db, endpoint.id, 1);
  const away = {
    ...settings(ok),
    policy: { allowLoopback: false, resolver: { resolve: async () => ({ kind: "unavailable", reason: "" }) as const } },
  };
  await drainEndpoint(endpoint.id, nowMs + 1, away);
  await database.db.update(webhookDeliveries).set({ nextAttemptAt: new Date(nowMs) });
  await drainEndpoint(endpoint.id, nowMs + 1, { ...settings(ok), credentialSecret: "another secret that opens nothing of this one" });
  expect(await stored()).toMatchObject([{ status: "retry", attemptCount: 0, nextAttemptAt: new Date(nowMs + 60_000) }]);
  expect(await storedEndpoint(database.db, endpoint.id)).toMatchObject({ failureCount: 0 });
});
