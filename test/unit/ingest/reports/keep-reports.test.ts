import { sql } from "drizzle-orm";
import type { Pool } from "@neondatabase/serverless";
import { beforeEach, describe, expect, test } from "vitest";
import { reportSnapshots, traders } from "../../../../src/db/schema.ts";
import { inTransaction } from "../../../../src/db/client.ts";
import { selectReport } from "../../../../src/db/report-content.ts";
import { buildReport } from "../../../../src/ingest/reports/build-report.ts";
import { keepReports } from "../../../../src/ingest/reports/keep-reports.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { Killed, MortalProcess } from "../../../support/ingest/mortal-process.ts";
import { feedReadTo, keepReportsAt, storedReport, storedReports } from "../../../support/ingest/reports.ts";
import { aLargeTrade } from "../../../support/seed/large-trades.ts";

let database: TestDatabase;
let pool: Pool;
const tradeAt = (at: string) => aLargeTrade(database.db, { tradedAt: new Date(at) });

beforeEach(async () => {
  database = await createTestDatabase();
  pool = database.openPool();
});

describe("which periods", () => {
  test("days, weeks and months from the first covered day to today have one each, the latest first", async () => {
    await tradeAt("2026-10-31T22:00:00Z");
    await feedReadTo(database.db, "2026-11-03T12:00:00Z");
    await keepReportsAt(pool, "2026-11-03T12:00:00Z");
    const reports = await storedReports(database.db);
    expect([...reports.keys()].toSorted()).toEqual([
      "2026-10",
      "2026-10-31",
      "2026-11",
      "2026-11-01",
      "2026-11-02",
      "2026-11-03",
      "2026-44",
      "2026-45",
    ]);
  });

  test("a long past is filled in over several runs, the latest first, and then there is nothing left to do", async () => {
    await tradeAt("2026-09-01T12:00:00Z");
    await feedReadTo(database.db, "2026-11-20T12:00:00Z");
    const now = () => new Date("2026-11-20T12:00:00Z");
    expect(await keepReports(pool, now)).toBe(true);
    const first = await storedReports(database.db);
    expect(first.has("2026-11-20") && first.has("2026-11") && first.has("2026-47")).toBe(true);
    expect(first.has("2026-09-01")).toBe(false);
    expect(await keepReportsAt(pool, "2026-11-20T12:00:00Z")).toBeGreaterThan(3);
    // 81 days, 12 weeks, 3 months.
    expect((await storedReports(database.db)).size).toBe(96);
    expect(await keepReportsAt(pool, "2026-11-20T12:00:00Z")).toBe(1);
  });

  test("before the feed has once been read to its end, only the periods of today have one", async () => {
    await tradeAt("2026-10-01T12:00:00Z");
    await feedReadTo(database.db, null);
    await keepReportsAt(pool, "2026-11-20T12:00:00Z");
    expect([...(await storedReports(database.db)).keys()].toSorted()).toEqual(["2026-11", "2026-11-20", "2026-47"]);
  });

  test("without a large trade there is none", async () => {
    await feedReadTo(database.db, "2026-11-20T12:00:00Z");
    expect(await keepReportsAt(pool, "2026-11-20T12:00:00Z")).toBe(1);
    expect((await storedReports(database.db)).size).toBe(0);
  });
});

describe("one report", () => {
  test("gets a version with other content and stays untouched without", async () => {
    await tradeAt("2026-11-20T09:00:00Z");
    await keepReportsAt(pool, "2026-11-20T10:00:00Z");
    const first = await storedReport(database.db, "2026-11-20");
    expect(first).toMatchObject({ version: 1, status: "rolling", report: { trades: 1 }, generatedAt: new Date("2026-11-20T10:00:00Z") });
    await keepReportsAt(pool, "2026-11-20T10:01:00Z");
    expect(await storedReport(database.db, "2026-11-20")).toEqual(first);
    await tradeAt("2026-11-20T10:01:30Z");
    await keepReportsAt(pool, "2026-11-20T10:02:00Z");
    expect(await storedReport(database.db, "2026-11-20")).toMatchObject({
      version: 2,
      report: { trades: 2 },
      sourceReadStartedAt: new Date("2026-11-20T10:02:00Z"),
    });
    // Grades are part of what it says.
    await database.db.update(traders).set({ grade: "S" });
    await keepReportsAt(pool, "2026-11-20T10:03:00Z");
    expect(await storedReport(database.db, "2026-11-20")).toMatchObject({ version: 3, report: { grades: [{ grade: "S", wallets: 2 }] } });
  });

  test("is final once read 7,530 seconds after its end and never changes again", async () => {
    await tradeAt("2026-11-20T09:00:00Z");
    await feedReadTo(database.db, "2026-11-21T03:00:00Z");
    await keepReportsAt(pool, "2026-11-21T02:05:29.999Z");
    expect(await storedReport(database.db, "2026-11-20")).toMatchObject({ status: "rolling", version: 1 });
    await tradeAt("2026-11-20T23:59:59Z");
    await keepReportsAt(pool, "2026-11-21T02:05:30Z");
    const final = await storedReport(database.db, "2026-11-20");
    expect(final).toMatchObject({ status: "final", version: 2, report: { trades: 2 } });
    await tradeAt("2026-11-20T12:00:00Z");
    await database.db.update(traders).set({ grade: "S" });
    await keepReportsAt(pool, "2026-11-22T12:00:00Z");
    expect(await storedReport(database.db, "2026-11-20")).toEqual(final);
  });

  test("stays as it was when a run that had found it rolling comes to it late", async () => {
    await tradeAt("2026-11-20T09:00:00Z");
    await feedReadTo(database.db, "2026-11-21T03:00:00Z");
    await keepReportsAt(pool, "2026-11-21T03:00:00Z");
    const final = await storedReport(database.db, "2026-11-20");
    await tradeAt("2026-11-20T12:00:00Z");
    const day = { kind: "daily", period: "2026-11-20", startOn: "2026-11-20", endOn: "2026-11-20" } as const;
    await inTransaction(pool, (session) => buildReport(session, day, new Date("2026-11-21T03:00:01Z")));
    expect(final.status).toBe("final");
    expect(await storedReport(database.db, "2026-11-20")).toEqual(final);
  });

  test("becomes final without a new version when nothing came late", async () => {
    await tradeAt("2026-11-20T09:00:00Z");
    await feedReadTo(database.db, "2026-11-21T00:00:00Z");
    await keepReportsAt(pool, "2026-11-21T00:01:00Z");
    await keepReportsAt(pool, "2026-11-21T03:00:00Z");
    expect(await storedReport(database.db, "2026-11-20")).toMatchObject({
      status: "final",
      version: 1,
      sourceReadStartedAt: new Date("2026-11-21T03:00:00Z"),
    });
  });

  test("is not final while the feed has not been read to its end, however long ago that was", async () => {
    await tradeAt("2026-11-20T09:00:00Z");
    await feedReadTo(database.db, "2026-11-20T23:59:59Z");
    await keepReportsAt(pool, "2026-11-25T00:00:00Z");
    expect(await storedReport(database.db, "2026-11-20")).toMatchObject({ status: "rolling", report: { read: "part" } });
    await tradeAt("2026-11-20T22:00:00Z");
    await feedReadTo(database.db, "2026-11-25T00:00:00Z");
    await keepReportsAt(pool, "2026-11-25T00:01:00Z");
    expect(await storedReport(database.db, "2026-11-20")).toMatchObject({ status: "final", report: { read: "whole", trades: 2 } });
  });
});

test("killed after any step, the job loses nothing and doubles nothing: the next run ends in the same state", async () => {
  for (let hour = 10; hour < 20; hour++) await tradeAt(`2026-11-${hour}T${hour}:00:00Z`);
  await feedReadTo(database.db, "2026-11-20T12:00:00Z");
  const at = "2026-11-20T12:00:00Z";
  const whole = new MortalProcess(Infinity);
  await keepReportsAt(whole.pool(pool), at);
  const untroubled = await storedReports(database.db);
  expect(untroubled.size).toBe(14);
  for (let dieAfter = 1; dieAfter <= whole.steps; dieAfter++) {
    await database.db.delete(reportSnapshots);
    expect(await keepReportsAt(new MortalProcess(dieAfter).pool(pool), at).catch((error: unknown) => error)).toBeInstanceOf(Killed);
    await keepReportsAt(pool, at);
    expect(await storedReports(database.db), `killed after step ${dieAfter}`).toEqual(untroubled);
  }
}, 60_000);

test("the trades of a day are read off the index of time", async () => {
  await database.db.execute(sql`insert into traders (address) select 'wallet-' || n from generate_series(1, 50) n`);
  await tradeAt("2026-11-20T09:00:00Z");
  await database.db.execute(sql`
    with filled as (
      insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, traded_at)
      select int4send(n), 1 + n % 50, 1, 1, 'buy', 1, 0, 1, 0.5, timestamptz '2026-11-20' - n * interval '10 minutes' from generate_series(1, 20000) n
      returning *
    )
    insert into large_trades (entry_id, trader_id, market_id, outcome_id, side, size_usd_micro, shares_micro, price, traded_at, review_score, grade_at_trade_status)
    select id, trader_id, market_id, outcome_id, 'BUY', 6000000000, 1, 0.5, traded_at, 0.5, 'unknown' from filled`);
  await database.db.execute(sql`analyze`);
  const { rows } = await database.db.execute(sql`explain ${selectReport({ startOn: "2026-11-10", endOn: "2026-11-10" }, 50)}`);
  const plan = rows.map((row) => String(row["QUERY PLAN"])).join("\n");
  expect(plan).toContain("large_trades_recent");
  expect(plan).not.toContain("Seq Scan on large_trades");
});
