import { sql } from "drizzle-orm";
import type { Pool } from "@neondatabase/serverless";
import { beforeEach, describe, expect, test } from "vitest";
import { reportSnapshots, traders } from "../../../../src/db/schema.ts";
import { inTransaction } from "../../../../src/db/client.ts";
import { selectReport } from "../../../../src/db/report-content.ts";
import { buildReport } from "../../../../src/ingest/reports/build-report.ts";
import { rebuildReports } from "../../../../src/ingest/reports/rebuild-reports.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { ProcessKilled, KillableProcess } from "../../../support/ingest/killable-process.ts";
import {
  setFeedWatermark,
  rebuildReportsAt,
  storedReport,
  storedReports,
} from "../../../support/ingest/worlds/rebuilt-reports.ts";
import { aLargeTrade } from "../../../support/seed/large-trades.ts";

let database: TestDatabase;
let pool: Pool;
const tradeAt = (at: string) => aLargeTrade(database.db, { tradedAt: new Date(at) });

beforeEach(async () => {
  database = await createTestDatabase();
  pool = database.openPool();
});

describe("the periods of reports", () => {
  test("every day, week and month from the first covered day to today has a report", async () => {
    await tradeAt("2026-10-31T22:00:00Z");
    await setFeedWatermark(database.db, "2026-11-03T12:00:00Z");
    await rebuildReportsAt(pool, "2026-11-03T12:00:00Z");
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

  test("a long past is reported over several runs, latest period first, until no work is left", async () => {
    await tradeAt("2026-09-01T12:00:00Z");
    await setFeedWatermark(database.db, "2026-11-20T12:00:00Z");
    const now = () => new Date("2026-11-20T12:00:00Z");
    expect(await rebuildReports(pool, now)).toBe(true);
    const first = await storedReports(database.db);
    expect(first.has("2026-11-20") && first.has("2026-11") && first.has("2026-47")).toBe(true);
    expect(first.has("2026-09-01")).toBe(false);
    expect(await rebuildReportsAt(pool, "2026-11-20T12:00:00Z")).toBeGreaterThan(3);
    // 81 days, 12 weeks, 3 months.
    expect((await storedReports(database.db)).size).toBe(96);
    expect(await rebuildReportsAt(pool, "2026-11-20T12:00:00Z")).toBe(1);
  });

  test("only today's periods have reports before the feed has been read to its end once", async () => {
    await tradeAt("2026-10-01T12:00:00Z");
    await setFeedWatermark(database.db, null);
    await rebuildReportsAt(pool, "2026-11-20T12:00:00Z");
    expect([...(await storedReports(database.db)).keys()].toSorted()).toEqual(["2026-11", "2026-11-20", "2026-47"]);
  });

  test("there is no report without a large trade", async () => {
    await setFeedWatermark(database.db, "2026-11-20T12:00:00Z");
    expect(await rebuildReportsAt(pool, "2026-11-20T12:00:00Z")).toBe(1);
    expect((await storedReports(database.db)).size).toBe(0);
  });
});

describe("the versions of one report", () => {
  test("a report gets a new version when its content changes and stays untouched otherwise", async () => {
    await tradeAt("2026-11-20T09:00:00Z");
    await rebuildReportsAt(pool, "2026-11-20T10:00:00Z");
    const first = await storedReport(database.db, "2026-11-20");
    expect(first).toMatchObject({
      version: 1,
      status: "rolling",
      report: { trades: 1 },
      generatedAt: new Date("2026-11-20T10:00:00Z"),
    });
    await rebuildReportsAt(pool, "2026-11-20T10:01:00Z");
    expect(await storedReport(database.db, "2026-11-20")).toEqual(first);
    await tradeAt("2026-11-20T10:01:30Z");
    await rebuildReportsAt(pool, "2026-11-20T10:02:00Z");
    expect(await storedReport(database.db, "2026-11-20")).toMatchObject({
      version: 2,
      report: { trades: 2 },
      sourceReadStartedAt: new Date("2026-11-20T10:02:00Z"),
    });
    // Grades are part of the report's content.
    await database.db.update(traders).set({ grade: "S" });
    await rebuildReportsAt(pool, "2026-11-20T10:03:00Z");
    expect(await storedReport(database.db, "2026-11-20")).toMatchObject({
      version: 3,
      report: { grades: [{ grade: "S", traders: 2 }] },
    });
  });

  test("a report is final when it is read 7,530 seconds after its end, and never changes again", async () => {
    await tradeAt("2026-11-20T09:00:00Z");
    await setFeedWatermark(database.db, "2026-11-21T03:00:00Z");
    await rebuildReportsAt(pool, "2026-11-21T02:05:29.999Z");
    expect(await storedReport(database.db, "2026-11-20")).toMatchObject({ status: "rolling", version: 1 });
    await tradeAt("2026-11-20T23:59:59Z");
    await rebuildReportsAt(pool, "2026-11-21T02:05:30Z");
    const final = await storedReport(database.db, "2026-11-20");
    expect(final).toMatchObject({ status: "final", version: 2, report: { trades: 2 } });
    await tradeAt("2026-11-20T12:00:00Z");
    await database.db.update(traders).set({ grade: "S" });
    await rebuildReportsAt(pool, "2026-11-22T12:00:00Z");
    expect(await storedReport(database.db, "2026-11-20")).toEqual(final);
  });

  test("a final report is not changed by a late run that found it rolling", async () => {
    await tradeAt("2026-11-20T09:00:00Z");
    await setFeedWatermark(database.db, "2026-11-21T03:00:00Z");
    await rebuildReportsAt(pool, "2026-11-21T03:00:00Z");
    const final = await storedReport(database.db, "2026-11-20");
    await tradeAt("2026-11-20T12:00:00Z");
    const day = { kind: "daily", period: "2026-11-20", startOn: "2026-11-20", endOn: "2026-11-20" } as const;
    await inTransaction(pool, (session) => buildReport(session, day, new Date("2026-11-21T03:00:01Z")));
    expect(final.status).toBe("final");
    expect(await storedReport(database.db, "2026-11-20")).toEqual(final);
  });

  test("a report becomes final without a new version when no trade arrives late", async () => {
    await tradeAt("2026-11-20T09:00:00Z");
    await setFeedWatermark(database.db, "2026-11-21T00:00:00Z");
    await rebuildReportsAt(pool, "2026-11-21T00:01:00Z");
    await rebuildReportsAt(pool, "2026-11-21T03:00:00Z");
    expect(await storedReport(database.db, "2026-11-20")).toMatchObject({
      status: "final",
      version: 1,
      sourceReadStartedAt: new Date("2026-11-21T03:00:00Z"),
    });
  });

  test("a report is not final before the feed has been read past its end, however long ago the end was", async () => {
    await tradeAt("2026-11-20T09:00:00Z");
    await setFeedWatermark(database.db, "2026-11-20T23:59:59Z");
    await rebuildReportsAt(pool, "2026-11-25T00:00:00Z");
    expect(await storedReport(database.db, "2026-11-20")).toMatchObject({
      status: "rolling",
      report: { read: "part" },
    });
    await tradeAt("2026-11-20T22:00:00Z");
    await setFeedWatermark(database.db, "2026-11-25T00:00:00Z");
    await rebuildReportsAt(pool, "2026-11-25T00:01:00Z");
    expect(await storedReport(database.db, "2026-11-20")).toMatchObject({
      status: "final",
      report: { read: "whole", trades: 2 },
    });
  });
});

test("a report job that is killed after any step loses and doubles nothing: the next run ends in the same state", async () => {
  for (let hour = 10; hour < 20; hour++) await tradeAt(`2026-11-${hour}T${hour}:00:00Z`);
  await setFeedWatermark(database.db, "2026-11-20T12:00:00Z");
  const at = "2026-11-20T12:00:00Z";
  const whole = new KillableProcess(Infinity);
  await rebuildReportsAt(whole.pool(pool), at);
  const uninterrupted = await storedReports(database.db);
  expect(uninterrupted.size).toBe(14);
  for (let dieAfter = 1; dieAfter <= whole.steps; dieAfter++) {
    await database.db.delete(reportSnapshots);
    expect(
      await rebuildReportsAt(new KillableProcess(dieAfter).pool(pool), at).catch((error: unknown) => error),
    ).toBeInstanceOf(ProcessKilled);
    await rebuildReportsAt(pool, at);
    expect(await storedReports(database.db), `killed after step ${dieAfter}`).toEqual(uninterrupted);
  }
});

test("the trades of a day are read through the index on time", async () => {
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
  const { rows } = await database.db.execute(
    sql`explain ${selectReport({ startOn: "2026-11-10", endOn: "2026-11-10" }, 50)}`,
  );
  const plan = rows.map((row) => String(row["QUERY PLAN"])).join("\n");
  expect(plan).toContain("large_trades_recent");
  expect(plan).not.toContain("Seq Scan on large_trades");
});
