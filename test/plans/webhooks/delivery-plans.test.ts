import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { claimDeliveries } from "../../../src/webhooks/delivery/claim-deliveries.ts";
import { listSubscribers } from "../../../src/webhooks/fan-out/list-subscribers.ts";
import { recordAttempts } from "../../../src/webhooks/delivery/record-attempts.ts";
import { releaseDeliveries } from "../../../src/webhooks/delivery/release-deliveries.ts";
import { listOverdueEndpoints, pruneDeliveries } from "../../../src/webhooks/delivery/sweep-deliveries.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { readsOf, rowsRead } from "../../support/database/plan-reads.ts";
import { anAccount, anEndpoint } from "../../support/seed/webhooks.ts";
import { vacuumTables } from "../../support/database/vacuum-tables.ts";

const NOW = new Date("2026-11-20T12:30:00Z");
let db: Database;
let busy: string;

beforeAll(async () => {
  ({ db } = await createTestDatabase());
  const accountId = await anAccount(db);
  for (let count = 0; count < 20; count++) busy = (await anEndpoint(db, { accountId })).id;
  // 60,000 deliveries of the last six days. For every endpoint 50 wait for a retry and ten are in flight; one
  // endpoint has 5,000 that are due.
  await db.execute(sql`insert into webhook_deliveries (endpoint_id, event_id, event_type, body, status, next_attempt_at, lease, lease_until, created_at)
    select e.id, 'evt_1_' || n, 'trader_synced', repeat('x', 300),
      case when n <= 50 then 'retry' when n <= 60 then 'processing' else 'delivered' end,
      case when n <= 50 then ${NOW.toISOString()}::timestamptz + n * interval '1 s' end, case when n > 50 and n <= 60 then 'lease' end,
      case when n > 50 and n <= 60 then ${NOW.toISOString()}::timestamptz + interval '40 s' end,
      ${NOW.toISOString()}::timestamptz - n * interval '170 s'
    from webhook_endpoints e, generate_series(1, 3000) n`);
  await db.execute(sql`insert into webhook_deliveries (endpoint_id, event_id, event_type, body, next_attempt_at, created_at)
    select ${busy}::bigint, 'evt_2_' || n, 'trader_synced', '{}', ${NOW.toISOString()}::timestamptz - n * interval '1 s', ${NOW.toISOString()}::timestamptz
    from generate_series(1, 5000) n`);
  await vacuumTables(db);
});

/** The number of delivery rows that a query reads. */
const reads = async (query: (db: Database) => Promise<unknown>) =>
  rowsRead(await readsOf(db, "webhook_deliveries", (explaining) => query(explaining).catch(() => null)));

test("a claim reads only the deliveries that it takes, however many wait or are finished", async () => {
  expect(
    await reads((explaining) => claimDeliveries(explaining, busy, { started: 0, prefetch: 0 }, "lease", NOW)),
  ).toBeLessThan(60);
});

test("a claim ahead reads only the additional deliveries that it takes", async () => {
  expect(
    await reads((explaining) => claimDeliveries(explaining, busy, { started: 0, prefetch: 60 }, "lease", NOW)),
  ).toBeLessThan(400);
});

test("a claim reads only what it takes when all deliveries of two endpoints are due at the same time", async () => {
  const database = await createTestDatabase();
  const endpoints = [await anEndpoint(database.db), await anEndpoint(database.db)];
  for (const { id } of endpoints)
    await database.db
      .execute(sql`insert into webhook_deliveries (endpoint_id, event_id, event_type, body, next_attempt_at)
      select ${id}::bigint, 'evt_1_' || n, 'trader_synced', repeat('x', 300), ${NOW.toISOString()}::timestamptz
      from generate_series(1, 3000) n`);
  await vacuumTables(database.db);
  const [, { id } = { id: "" }] = endpoints;
  const read = await readsOf(database.db, "webhook_deliveries", (explaining) =>
    claimDeliveries(explaining, id, { started: 0, prefetch: 60 }, "lease", NOW).catch(() => null),
  );
  expect(rowsRead(read)).toBeGreaterThanOrEqual(64);
  expect(rowsRead(read)).toBeLessThan(400);
});

test("a record reads only its own deliveries", async () => {
  const state = { status: "active", failureCount: 0, openUntilMs: null } as const;
  const attempts = ["51", "52", "53"].map((id) => ({
    ...{ delivery: { id, attemptCount: 0, lease: "lease" }, result: { kind: "accepted", status: 200 } as const },
    ...{ endedAtMs: NOW.getTime(), random: 0 },
  }));
  expect(await reads((explaining) => recordAttempts(explaining, busy, attempts, state))).toBeLessThan(10);
});

test("a release reads only its own deliveries", async () => {
  const delivery = {
    eventId: "",
    eventType: "",
    body: "",
    attemptCount: 0,
    lease: "lease",
    dueAt: NOW.toISOString(),
    scheduleReason: null,
  };
  const deliveries = ["54", "55", "56"].map((id) => ({ ...delivery, id }));
  expect(await reads((explaining) => releaseDeliveries(explaining, busy, deliveries))).toBeLessThan(10);
});

test("a sweep reads one or two deliveries per endpoint", async () => {
  expect(await reads((explaining) => listOverdueEndpoints(explaining, NOW))).toBeLessThan(60);
});

test("one row is read for each market named in an endpoint's filters, however many markets exist", async () => {
  const database = await createTestDatabase();
  await database.db.execute(sql`insert into markets (condition_id, title, slug)
    select '0x' || lpad(to_hex(n), 64, '0'), 'Market ' || n, 'market-' || n from generate_series(1, 5000) n`);
  const { rows } = await database.db.execute(sql`select id::int from markets order by id`);
  for (const index of [0, 2_500, 4_999])
    await anEndpoint(database.db, { tradeFilters: { condition_id: `mkt_${Number(rows[index]?.["id"])}` } });
  await anEndpoint(database.db, { tradeFilters: { condition_id: `mkt_${"9".repeat(40)}` } });
  await vacuumTables(database.db);
  expect(rowsRead(await readsOf(database.db, "markets", (explaining) => listSubscribers(explaining)))).toBe(3);
  const filters = (await listSubscribers(database.db)).map((subscriber) => subscriber.filters.condition_id);
  expect(filters).toEqual([1, 2_501, 5_000].map((n) => `0x${n.toString(16).padStart(64, "0")}`).concat("none"));
});

test("a prune reads no delivery younger than a week", async () => {
  expect(await reads((explaining) => pruneDeliveries(explaining, NOW))).toBe(0);
});

test("a prune deletes only old deliveries that are finished or belong to an inactive endpoint", async () => {
  const database = await createTestDatabase();
  const [active, paused] = [await anEndpoint(database.db), await anEndpoint(database.db, { status: "disabled" })];
  for (const { id } of [active, paused]) {
    for (const [status, days] of [
      ["delivered", 8],
      ["dead_letter", 8],
      ["pending", 8],
      ["delivered", 6],
      ["pending", 6],
    ] as const) {
      await database.db
        .execute(sql`insert into webhook_deliveries (endpoint_id, event_id, event_type, body, status, created_at)
        values (${id}::bigint, ${`${status} ${days}`}, 'trader_synced', '{}', ${status}, ${NOW.toISOString()}::timestamptz - ${days} * interval '1 day')`);
    }
  }
  expect(await pruneDeliveries(database.db, NOW)).toBe(false);
  const { rows } = await database.db.execute(
    sql`select endpoint_id::text as id, array_to_string(array_agg(event_id order by id), ', ') as left from webhook_deliveries group by 1 order by 1`,
  );
  expect(rows).toEqual([
    { id: active.id, left: "pending 8, delivered 6, pending 6" },
    { id: paused.id, left: "delivered 6, pending 6" },
  ]);
});
