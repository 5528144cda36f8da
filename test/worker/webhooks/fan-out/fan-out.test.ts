import { asc, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { outboxReaders, webhookDeliveries, type webhookEndpoints } from "../../../../src/db/schema.ts";
import type { Log } from "../../../../src/platform/log/log.ts";
import { fanOut } from "../../../../src/webhooks/fan-out/fan-out.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { anAccount, anEndpoint, someEvents, untilReadable } from "../../../support/seed/webhooks.ts";

const NOW = new Date("2026-11-20T12:30:00Z");
const CONDITION = `0x${"ab".repeat(32)}`;
const TRADE = {
  ...{ whale_alert_id: 5, condition_id: CONDITION, trader_id: 1, wallet: `0x${"0".repeat(39)}a`, grade: "B" },
  ...{
    size_usd: "5000.5",
    shares: "10000",
    price: "0.5",
    side: "BUY",
    outcome_index: 0,
    traded_at: "2026-11-20T12:10:00.000Z",
    platform: "polymarket",
  },
};

let database: TestDatabase;
let complaints: string[];
const log: Log = {
  info: () => undefined,
  warn: (message) => complaints.push(message),
  error: (message) => complaints.push(message),
};

beforeEach(async () => {
  complaints = [];
  database = await createTestDatabase();
});

/** Runs until no event is left. @returns the ids of the endpoints that got a delivery */
async function fanOutAll(): Promise<string[]> {
  await untilReadable(database.db);
  return fanOutReadable();
}

async function fanOutReadable(): Promise<string[]> {
  const delivered = new Set<string>();
  for (;;) {
    const { endpointIds, more } = await fanOut(database.db, NOW, log);
    for (const id of endpointIds) delivered.add(id);
    if (!more) return [...delivered].sort();
  }
}

const deliveries = () =>
  database.db.select().from(webhookDeliveries).orderBy(asc(webhookDeliveries.endpointId), asc(webhookDeliveries.id));
const outboxOffset = async () => (await database.db.select().from(outboxReaders))[0];

test("an event becomes a due delivery with the body that will be posted", async () => {
  const { id } = await anEndpoint(database.db, { eventTypes: ["whale_trader_synced"] });
  const payload = { trader_id: 3, wallet: "0xabc" };
  const [eventId] = await someEvents(database.db, [{ payload, createdAt: new Date("2026-11-20T12:15:00.123Z") }]);
  expect(await fanOutAll()).toEqual([id]);
  const [row] = await deliveries();
  expect(row).toMatchObject({
    eventId,
    eventType: "whale_trader_synced",
    status: "pending",
    attemptCount: 0,
    nextAttemptAt: NOW,
    scheduleReason: null,
  });
  expect(row?.body).toBe(
    `{"id":"${eventId}","type":"whale_trader_synced","created_at":"2026-11-20T12:15:00.123Z","data":{"wallet":"0xabc","trader_id":3}}`,
  );
});

test("the body of a large trade has its event id and the time of its fill", async () => {
  await anEndpoint(database.db, { eventTypes: ["large_trade_inserted_v2"] });
  const [eventId] = await someEvents(database.db, [
    { type: "large_trade_inserted_v2", payload: TRADE, largeTradeId: 5 },
  ]);
  await fanOutAll();
  expect(JSON.parse((await deliveries())[0]?.body ?? "")).toEqual({
    ...{ id: eventId, type: "large_trade_inserted_v2", created_at: TRADE.traded_at },
    data: { event_id: eventId, ...TRADE },
  });
});

test("events are matched to endpoints by type, plan, owner, filters and time", async () => {
  const { db } = database;
  const market = await aMarket(db);
  const owner = await anAccount(db, { plan: "free", state: "lapsed" });
  const types = [
    "large_trade_inserted_v2",
    "insider_radar_flag_raised",
    "export_job_ready",
    "whale_trader_synced",
    "trader_synced",
  ];
  const endpoint = async (name: string, facts: Partial<typeof webhookEndpoints.$inferInsert> = {}) =>
    [name, (await anEndpoint(db, { eventTypes: types, ...facts })).id] as const;
  const names = new Map(
    (
      await Promise.all([
        endpoint("paid"),
        endpoint("lapsed", { accountId: owner }),
        endpoint("locked", { accountId: await anAccount(db, { state: "locked" }) }),
        endpoint("unverified", { status: "pending_verification", verifiedAt: null }),
        endpoint("disabled", { status: "disabled", disabledReason: "owner" }),
        endpoint("deleted", { deletedAt: new Date() }),
        endpoint("young", { verifiedAt: new Date("2026-11-20T12:29:00Z") }),
        endpoint("small", {
          tradeFilters: {
            min_size_usd: "5000.5",
            min_grade: "B",
            wallet: TRADE.wallet.toUpperCase().replace("0X", "0x"),
          },
        }),
        endpoint("large", { tradeFilters: { min_size_usd: "5000.51" } }),
        endpoint("this market", { tradeFilters: { condition_id: `mkt_${market.id}` } }),
        endpoint("no market", { tradeFilters: { condition_id: "mkt_999999" } }),
      ])
    ).map(([name, id]) => [id, name]),
  );
  const at = new Date("2026-11-20T12:20:00Z");
  await someEvents(db, [
    { type: "large_trade_inserted_v2", payload: { ...TRADE, condition_id: market.conditionId }, createdAt: at },
    { type: "suspicious_trade_flagged", payload: {}, createdAt: at },
    { type: "export_job_ready", payload: {}, createdAt: at, accountId: owner },
    { type: "trader_synced", payload: {}, createdAt: at },
    { type: "wallet_grade_changed", payload: {}, createdAt: at },
  ]);
  await fanOutAll();
  const delivered: Record<string, string[]> = {};
  for (const { eventType, endpointId } of await deliveries())
    (delivered[eventType] ??= []).push(names.get(String(endpointId)) ?? "");
  for (const list of Object.values(delivered)) list.sort();
  expect(delivered).toEqual({
    large_trade_inserted_v2: ["lapsed", "paid", "small", "this market"],
    insider_radar_flag_raised: ["large", "no market", "paid", "small", "this market"],
    export_job_ready: ["lapsed"],
    whale_trader_synced: ["lapsed", "large", "no market", "paid", "small", "this market"],
  });
});

describe("repeated fan-out", () => {
  test("repeated fan-outs deliver an event to an endpoint once", async () => {
    await Promise.all([anEndpoint(database.db), anEndpoint(database.db)]);
    await someEvents(
      database.db,
      Array.from({ length: 450 }, () => ({})),
    );
    await fanOutAll();
    await fanOutAll();
    // As after a restore of an older offset.
    await database.db.update(outboxReaders).set({ commitXid: "0", eventId: 0 });
    await fanOutAll();
    const rows = await deliveries();
    expect(rows).toHaveLength(900);
    expect(new Set(rows.map(({ endpointId, eventId }) => `${endpointId} ${eventId}`)).size).toBe(900);
  });

  test("ten concurrent fan-outs during writes deliver every event once", async () => {
    await Promise.all([anEndpoint(database.db), anEndpoint(database.db), anEndpoint(database.db)]);
    const written: string[] = [];
    const writers = Array.from({ length: 4 }, async () => {
      for (let turn = 0; turn < 15; turn++) {
        written.push(
          ...(await someEvents(
            database.db,
            Array.from({ length: 1 + (turn % 7) }, () => ({})),
          )),
        );
      }
    });
    const readers = Array.from({ length: 10 }, async () => {
      while (written.length < 4 * 57) await fanOut(database.db, NOW, log);
    });
    await Promise.all([...writers, ...readers]);
    await fanOutAll();
    const rows = await deliveries();
    expect(rows).toHaveLength(written.length * 3);
    expect([...new Set(rows.map(({ eventId }) => eventId))].sort()).toEqual(written.toSorted());
    expect(complaints).toEqual([]);
  });

  test("an event that commits late is delivered after later events have been", async () => {
    await anEndpoint(database.db);
    const pool = database.openPool();
    const session = await pool.connect();
    await session.query("begin; select pg_current_xact_id()");
    const [early] = await someEvents(database.db, [{}]);
    // The open transaction holds the horizon back, so nothing is readable yet.
    expect(await fanOutReadable()).toEqual([]);
    await session.query(
      `insert into events (epoch, type, payload) select max(epoch), 'trader_synced', '{"late": true}' from outbox_epoch`,
    );
    await session.query("commit");
    session.release();
    await fanOutAll();
    const bodies = (await deliveries()).map(({ eventId, body }) => [eventId === early, body.includes("late")]);
    expect(bodies.sort()).toEqual([
      [false, true],
      [true, false],
    ]);
  });
});

test("the outbox offset advances without endpoints, and a later endpoint gets no earlier events", async () => {
  await someEvents(
    database.db,
    Array.from({ length: 700 }, () => ({})),
  );
  await untilReadable(database.db);
  expect(await fanOut(database.db, NOW, log)).toEqual({ endpointIds: [], more: false });
  const { id } = await anEndpoint(database.db);
  const [eventId] = await someEvents(database.db, [{}]);
  expect(await fanOutAll()).toEqual([id]);
  expect((await deliveries()).map((row) => row.eventId)).toEqual([eventId]);
});

test("an endpoint disabled during the fan-out of its events gets none", async () => {
  const { db } = database;
  const [disabledEndpoint, activeEndpoint] = [await anEndpoint(db), await anEndpoint(db)];
  await someEvents(db, [{}]);
  const pool = database.openPool();
  const session = await pool.connect();
  await session.query("begin");
  await untilReadable(db);
  await session.query("update webhook_endpoints set status = 'disabled' where id = $1", [disabledEndpoint.id]);
  const delivered = fanOutReadable();
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await session.query(waiting)).rowCount, { timeout: 10_000 }).toBe(1);
  await session.query("commit");
  session.release();
  expect(await delivered).toEqual([activeEndpoint.id]);
});

test("events of a restored database are delivered under its new epoch although their ids were used before", async () => {
  const { db } = database;
  await anEndpoint(db);
  await someEvents(db, [{}]);
  await fanOutAll();
  await db.execute(sql`insert into outbox_epoch (epoch) select max(epoch) + 1 from outbox_epoch`);
  const [second] = await someEvents(db, [{}]);
  await fanOutAll();
  expect((await deliveries()).map(({ eventId }) => eventId)).toEqual([
    expect.not.stringContaining(second ?? ""),
    second,
  ]);
  expect(complaints).toEqual(["webhook.events_lost"]);
});

test("an outbox offset beyond the last transaction after a failover is reset without repeated deliveries", async () => {
  const { db } = database;
  await anEndpoint(db);
  const [first] = await someEvents(db, [{}]);
  await fanOutAll();
  await db.execute(sql`update outbox_readers set commit_xid = '9000000000000'`);
  const [second] = await someEvents(db, [{}]);
  await fanOutAll();
  expect((await deliveries()).map(({ eventId }) => eventId)).toEqual([first, second]);
  expect(complaints).toEqual(["webhook.events_lost"]);
});

test("unreadable events are logged and delivered to no endpoint, and later events are", async () => {
  const { db } = database;
  await anEndpoint(db, { eventTypes: ["large_trade_inserted_v2", "trader_synced"], tradeFilters: { min_grade: "F" } });
  await someEvents(db, [{ type: "no_such_event" }, { type: "large_trade_inserted_v2", payload: { grade: 7 } }, {}]);
  await fanOutAll();
  expect((await deliveries()).map(({ eventType }) => eventType)).toEqual(["trader_synced"]);
  expect(complaints).toEqual(["outbox.unknown_event_type", "webhook.filter_failed"]);
});

test("the outbox offset is that of the last event", async () => {
  await anEndpoint(database.db);
  await someEvents(database.db, [{}, {}]);
  await fanOutAll();
  const { rows } = await database.db.execute(
    sql`select commit_xid::text as xid, id::int from events order by id desc limit 1`,
  );
  expect(await outboxOffset()).toMatchObject({
    name: "webhooks",
    commitXid: rows[0]?.["xid"],
    eventId: rows[0]?.["id"],
  });
});
