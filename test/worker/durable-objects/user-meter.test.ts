/// <reference types="@cloudflare/vitest-plugin/types" />
import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { decideAdmission, NEW_METER } from "../../../durable-objects/user-meter/decide-admission.ts";
import { MAX_RECENT_TOTALS, MeterStorage } from "../../../durable-objects/user-meter/meter-storage.ts";
import type { UserMeter } from "../../../durable-objects/user-meter/user-meter.ts";
import type { Env } from "../../../src/env.ts";
import type { MeterRequest } from "../../../src/platform/objects/meter.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";
import { aMeterRequest } from "../../support/api/meter-requests.ts";

// The bindings come from wrangler.toml, which the test runtime reads.
const bindings = env as Env;
/** Far ahead of the machine's clock, by which the runtime fires alarms, so that no alarm fires by itself. */
const NOON = Date.parse("2032-02-10T12:00:00Z");
const NOWHERE = "http://127.0.0.1:1/sql";

let accountId = 3000;
let meter: DurableObjectStub<UserMeter>;
let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  // Multiples of 30 have no flush offset: their flush is due after exactly 30 seconds.
  accountId += 30;
  meter = bindings.USER_METER.get(bindings.USER_METER.idFromName(String(accountId)));
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/**
 * Async because the promise of a call is itself a stub: inspecting it without await would make another call.
 */
const admit = async (facts: Partial<MeterRequest> = {}) => meter.admit(aMeterRequest({ accountId, ...facts }));

async function admitTimes(times: number, facts: Partial<MeterRequest> = {}): Promise<void> {
  for (let sent = 0; sent < times; sent++) await admit(facts);
}

/** Advances the clock to the alarm, if one is set, and runs it with the test's database. */
const fireAlarm = (settings: Record<string, string> = {}): Promise<void> =>
  runInDurableObject(meter, async (instance, state) => {
    vi.setSystemTime((await state.storage.getAlarm()) ?? Date.now());
    await state.storage.deleteAlarm();
    Reflect.set(instance, "env", { ...bindings, DATABASE_URL: database.databaseUrl, ...settings });
    await instance.alarm();
  });

const alarmAt = () => runInDurableObject(meter, (_instance, state) => state.storage.getAlarm());

/** The stored rows as [day, key, operation, requests]. */
async function storedUsage(): Promise<unknown[]> {
  const { rows } = await database.db.execute(sql`
    select day::text, key_id::int, operation, requests::int from usage_days where account_id = ${accountId} order by 1, 2, 3`);
  return rows.map((row) => Object.values(row));
}

async function storeUsage(day: string, operation: string, requests: number): Promise<void> {
  await database.db.execute(sql`
    insert into usage_days (account_id, key_id, day, operation, requests) values (${accountId}, 11, ${day}, ${operation}, ${requests})`);
}

describe("eviction", () => {
  test("an object evicted after every request still admits 100 requests and refuses the next", async () => {
    for (let sent = 1; sent <= 100; sent++) {
      expect(await admit()).toMatchObject({
        refusedBy: null,
        window: { remaining: 100 - sent },
        quota: { used: sent },
        day: { used: sent },
      });
      await evictDurableObject(meter);
    }
    expect(await admit()).toMatchObject({
      refusedBy: "window",
      retryAtMs: NOON + 60_000,
      accounting: null,
      quota: { used: 100 },
    });
  });

  test("an evicted object keeps its batch units, usage reads and unflushed totals", async () => {
    await admit({ batchUnits: 70 });
    await evictDurableObject(meter);
    await admit({ budget: "usage", operation: "getUsage" });
    await evictDurableObject(meter);
    expect(await admit({ batchUnits: 31 })).toMatchObject({ refusedBy: "batch", batch: { remaining: 30 } });
    expect(await admit({ budget: "usage", operation: "getUsage" })).toMatchObject({
      window: { remaining: 98 },
      primary: { remaining: 99 },
    });
    await evictDurableObject(meter);
    await fireAlarm();
    expect(await storedUsage()).toEqual([
      ["2032-02-10", 11, "getTrader", 1],
      ["2032-02-10", 11, "getUsage", 2],
    ]);
  });

  test("an aborted object has counted every request that it admitted", async () => {
    await admitTimes(3);
    await abortAllDurableObjects();
    meter = bindings.USER_METER.get(bindings.USER_METER.idFromName(String(accountId)));
    expect(await admit()).toMatchObject({ quota: { used: 4 } });
  });
});

test("130 concurrent requests give 100 admissions, each with its own remaining count", async () => {
  const verdicts = await Promise.all(Array.from({ length: 130 }, () => admit()));
  const admitted = verdicts.filter(({ refusedBy }) => refusedBy === null);
  expect(admitted.map(({ window }) => window.remaining).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 100 }, (_, index) => index),
  );
  expect(verdicts.filter(({ refusedBy }) => refusedBy === "window")).toHaveLength(30);
});

test("the keys of one account share a window, and another account has its own", async () => {
  await admitTimes(60, { keyId: 11 });
  await admitTimes(40, { keyId: 12 });
  expect(await admit({ keyId: 13 })).toMatchObject({ refusedBy: "window" });
  const other = bindings.USER_METER.get(bindings.USER_METER.idFromName(`${accountId}-other`));
  expect(await other.admit(aMeterRequest())).toMatchObject({ refusedBy: null, window: { remaining: 99 } });
});

test("a refused request is admitted at its retry time", async () => {
  await admitTimes(100);
  vi.setSystemTime((await admit()).retryAtMs ?? 0);
  expect(await admit()).toMatchObject({ refusedBy: null, quota: { used: 101 } });
});

test("an admission and its usage record are one written row", async () => {
  const rowsWritten: number[] = [];
  await runInDurableObject(meter, (_instance, { storage }) => {
    const counting = {
      sql: {
        exec: (query: string, ...values: unknown[]) => {
          const cursor = storage.sql.exec(query, ...values);
          rowsWritten.push(cursor.rowsWritten);
          return cursor;
        },
      },
      transactionSync: <T>(work: () => T) => storage.transactionSync(work),
    };
    const stored = new MeterStorage(counting as unknown as DurableObjectStorage);
    rowsWritten.length = 0;
    for (const operation of ["getTrader", "getTrader", "listLargeTrades"]) {
      const { next } = decideAdmission(stored.readState(), aMeterRequest(), NOON);
      stored.writeAdmission(accountId, next ?? NEW_METER, NOON, { day: "2032-02-10", key_id: 11, operation });
    }
  });
  // The first cursor is that of the read before the first row exists.
  expect(rowsWritten.filter((rows) => rows > 0)).toEqual([1, 1, 1]);
  await fireAlarm();
  expect(await storedUsage()).toEqual([
    ["2032-02-10", 11, "getTrader", 2],
    ["2032-02-10", 11, "listLargeTrades", 1],
  ]);
});

describe("usage record", () => {
  const dropTotals = () =>
    runInDurableObject(meter, (_instance, state) => void state.storage.sql.exec("drop table usage_totals"));

  test("more combinations than the row has room for are flushed without loss", async () => {
    for (let sent = 0; sent < 250; sent++) {
      if (sent % 100 === 0) vi.setSystemTime(NOON + sent * 1_000);
      expect(await admit({ keyId: sent, operation: "getUsage", budget: "usage" })).toMatchObject({
        accounting: "persisted",
      });
    }
    await fireAlarm();
    const rows = await storedUsage();
    expect(rows).toHaveLength(250);
    expect(rows).toEqual(Array.from({ length: 250 }, (_, key) => ["2032-02-10", key, "getUsage", 1]));
  });

  test("a request whose usage record cannot be written is admitted and counted with accounting failed", async () => {
    for (let key = 0; key < MAX_RECENT_TOTALS; key++)
      await admit({ keyId: key, operation: "getUsage", budget: "usage" });
    await dropTotals();
    expect(await admit()).toMatchObject({
      refusedBy: null,
      accounting: "failed",
      window: { remaining: 99 },
      quota: { used: 1 },
    });
    // A record that the row has already needs no room.
    expect(await admit({ keyId: 0, operation: "getUsage", budget: "usage" })).toMatchObject({ refusedBy: "window" });
    vi.setSystemTime(NOON + 60_000);
    expect(await admit({ keyId: 0, operation: "getUsage", budget: "usage" })).toMatchObject({
      accounting: "persisted",
    });
  });

  test("the row of the release before, without usage, is read", async () => {
    await admit();
    await runInDurableObject(
      meter,
      (_instance, state) => void state.storage.sql.exec("update meter set state = json_remove(state, '$.recent')"),
    );
    await evictDurableObject(meter);
    expect(await admit()).toMatchObject({ accounting: "persisted", quota: { used: 2 } });
  });
});

test("a request whose admission cannot be written is rejected and not counted", async () => {
  await admit();
  const breaking = "create trigger broken before update on meter begin select raise(abort, 'disk full'); end";
  await runInDurableObject(meter, (_instance, state) => void state.storage.sql.exec(breaking));
  await expect(admit()).rejects.toThrow("disk full");
  await runInDurableObject(meter, (_instance, state) => void state.storage.sql.exec("drop trigger broken"));
  expect(await admit()).toMatchObject({ quota: { used: 2 } });
});

describe("flush", () => {
  test("a flush writes the totals of every day, key and operation", async () => {
    await admitTimes(3);
    await admitTimes(2, { keyId: 12 });
    await admit({ operation: "listLargeTrades" });
    vi.setSystemTime(Date.parse("2032-02-11T00:00:00Z"));
    await admit();
    await fireAlarm();
    expect(await storedUsage()).toEqual([
      ["2032-02-10", 11, "getTrader", 3],
      ["2032-02-10", 11, "listLargeTrades", 1],
      ["2032-02-10", 12, "getTrader", 2],
      ["2032-02-11", 11, "getTrader", 1],
    ]);
  });

  test("a flush is due 30 seconds after the first change, and not without one", async () => {
    await admit();
    vi.setSystemTime(NOON + 20_000);
    await admit();
    expect(await alarmAt()).toBe(NOON + 30_000);
    await fireAlarm();
    expect(await alarmAt()).toBeNull();
    vi.setSystemTime(NOON + 40_000);
    await admit();
    expect(await alarmAt()).toBe(NOON + 70_000);
  });

  test("a flush that is due is not postponed by a request", async () => {
    await admit();
    vi.setSystemTime(NOON + 31_000);
    await admit();
    expect(await alarmAt()).toBe(NOON + 30_000);
  });

  test("a flush alarm more than 30 seconds late is set again by the next request, also after an eviction", async () => {
    await admit();
    vi.setSystemTime(NOON + 60_000);
    await evictDurableObject(meter);
    await admit();
    expect(await alarmAt()).toBe(NOON + 90_000);
  });

  test("the flush of other accounts has an offset of up to 29 seconds", async () => {
    await admit({ accountId: accountId + 7 });
    expect(await alarmAt()).toBe(NOON + 37_000);
    meter = bindings.USER_METER.get(bindings.USER_METER.idFromName(`${accountId}-other`));
    await admit({ accountId: accountId + 29 });
    expect(await alarmAt()).toBe(NOON + 59_000);
  });

  test("a repeated or late flush ends in the same rows", async () => {
    await admitTimes(5);
    await fireAlarm();
    await fireAlarm();
    expect(await storedUsage()).toEqual([["2032-02-10", 11, "getTrader", 5]]);
    // As if the statement had run but its response were lost.
    await runInDurableObject(
      meter,
      (_instance, state) => void state.storage.sql.exec("update usage_totals set flushed = 0"),
    );
    await fireAlarm();
    expect(await storedUsage()).toEqual([["2032-02-10", 11, "getTrader", 5]]);
    await database.db.execute(sql`update usage_days set requests = 9 where account_id = ${accountId}`);
    await runInDurableObject(
      meter,
      (_instance, state) => void state.storage.sql.exec("update usage_totals set flushed = 0"),
    );
    await fireAlarm();
    expect(await storedUsage()).toEqual([["2032-02-10", 11, "getTrader", 9]]);
  });

  test("a flush that fails during a Postgres outage is retried after 30 seconds and loses nothing", async () => {
    await admit();
    await fireAlarm();
    await admitTimes(2);
    await fireAlarm({ NEON_HTTP_ENDPOINT: NOWHERE });
    expect(await alarmAt()).toBe(Date.now() + 30_000);
    expect(await admit()).toMatchObject({ refusedBy: null, quota: { used: 4 } });
    await fireAlarm();
    expect(await storedUsage()).toEqual([["2032-02-10", 11, "getTrader", 4]]);
  });

  test("requests admitted during a flush are kept for the next one", async () => {
    await admit();
    await fireAlarm();
    await admit();
    const realFetch = globalThis.fetch;
    await runInDurableObject(meter, (instance) => {
      vi.stubGlobal("fetch", async (input: RequestInfo, init?: RequestInit) => {
        vi.unstubAllGlobals();
        const response = await realFetch(input, init);
        await instance.admit(aMeterRequest({ accountId }));
        return response;
      });
    });
    await fireAlarm();
    expect(await storedUsage()).toEqual([["2032-02-10", 11, "getTrader", 2]]);
    expect(await alarmAt()).toBe(Date.now() + 30_000);
    await fireAlarm();
    expect(await storedUsage()).toEqual([["2032-02-10", 11, "getTrader", 3]]);
  });

  test("a flush writes 1,200 totals in one statement", async () => {
    await admit();
    await runInDurableObject(meter, (_instance, state) => {
      const fill = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1200)
        insert into usage_totals (day, key_id, operation, requests) select '2032-02-09', i, 'getTrader', 2 from n`;
      state.storage.sql.exec(fill);
    });
    await fireAlarm();
    const { rows } = await database.db.execute(
      sql`select count(*)::int as rows, sum(requests)::int as requests from usage_days`,
    );
    expect(rows).toEqual([{ rows: 1201, requests: 2401 }]);
  });

  test("a flush drops days before last month from the object only after Postgres has them", async () => {
    const storedDays = () =>
      runInDurableObject(meter, (_instance, state) =>
        state.storage.sql
          .exec("select day from usage_totals order by day")
          .toArray()
          .map(({ day }) => day),
      );
    vi.setSystemTime(Date.parse("2031-12-31T23:59:59Z"));
    await admit();
    vi.setSystemTime(Date.parse("2032-01-01T00:00:00Z"));
    await admit();
    vi.setSystemTime(NOON);
    await admit();
    await fireAlarm({ NEON_HTTP_ENDPOINT: NOWHERE });
    expect(await storedDays()).toEqual(["2031-12-31", "2032-01-01", "2032-02-10"]);
    await runInDurableObject(meter, (_instance, state) =>
      new MeterStorage(state.storage).dropFlushedBefore("2032-01-01"),
    );
    expect(await storedDays()).toEqual(["2031-12-31", "2032-01-01", "2032-02-10"]);
    await fireAlarm();
    expect(await storedDays()).toEqual(["2032-01-01", "2032-02-10"]);
    expect((await storedUsage()).map((row) => Object(row)[0])).toEqual(["2031-12-31", "2032-01-01", "2032-02-10"]);
  });
});

describe("new object of an account with rows in Postgres", () => {
  beforeEach(async () => {
    await storeUsage("2032-01-31", "getTrader", 5000);
    await storeUsage("2032-02-01", "listLargeTrades", 249_000);
    await storeUsage("2032-02-10", "getTrader", 900);
    await storeUsage("2032-02-10", "getUsage", 70_000);
  });

  test("a new object continues this month's primary requests and adds its own to the day's rows once", async () => {
    expect(await admit()).toMatchObject({ refusedBy: null, quota: { used: 1 } });
    await fireAlarm();
    // 249,000 + 900 + 1 before this request: last month's requests and usage reads do not count.
    expect(await admit()).toMatchObject({ quota: { used: 249_902, remaining: 98 }, day: { used: 902 } });
    await fireAlarm();
    await fireAlarm();
    expect(await storedUsage()).toEqual([
      ["2032-01-31", 11, "getTrader", 5000],
      ["2032-02-01", 11, "listLargeTrades", 249_000],
      ["2032-02-10", 11, "getTrader", 902],
      ["2032-02-10", 11, "getUsage", 70_000],
    ]);
  });

  test("a new object admits during a Postgres outage and writes nothing before it has read the stored rows", async () => {
    await admit();
    await fireAlarm({ NEON_HTTP_ENDPOINT: NOWHERE });
    expect(await alarmAt()).toBe(Date.now() + 30_000);
    expect(await admit()).toMatchObject({ refusedBy: null, quota: { used: 2 } });
    await fireAlarm();
    expect(await admit()).toMatchObject({ quota: { used: 249_903 } });
    expect(await storedUsage()).toContainEqual(["2032-02-10", 11, "getTrader", 902]);
  });

  test("a new object refuses by the quota once it has read that the month is used up", async () => {
    await storeUsage("2032-02-02", "getTrader", 100);
    await admit();
    await fireAlarm();
    expect(await admit()).toMatchObject({ refusedBy: "quota", retryAtMs: Date.parse("2032-03-01T00:00:00Z") });
  });
});
