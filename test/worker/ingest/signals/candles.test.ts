import type { Pool } from "@neondatabase/serverless";
import { asc, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { outcomeDays } from "../../../../src/db/schema.ts";
import { buildOutcomeDays } from "../../../../src/ingest/signals/build-outcome-days.ts";
import { findMarketCandles, type CandleRange } from "../../../../src/queries/markets/market-candles.ts";
import { candlesOf } from "../../../support/oracles/candles.ts";
import { openTestDatabase } from "../../../support/database/database.ts";
import { ProcessKilled, KillableProcess } from "../../../support/ingest/killable-process.ts";
import { aFill, aTakerTrade, type FillFacts } from "../../../support/seed/fills.ts";
import { aMarket, type SeededMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

let db: Database;
let pool: Pool;
let wallet: SeededTrader;
let market: SeededMarket;

beforeEach(async () => {
  ({ db, pool } = await openTestDatabase());
  wallet = await aSeededTrader(db);
  market = await aMarket(db);
});

const run = async () => {
  while (await buildOutcomeDays(pool));
};
const fill = (at: string, price: string, facts: Partial<FillFacts> = {}) =>
  aFill(db, { trader: wallet, market, at, price, ...facts });
const seconds = (time: string) => Date.parse(time) / 1000;
const EVERYTHING: CandleRange = { resolution: "1d", from: null, to: null };
const candles = async (range: Partial<CandleRange> = {}) =>
  (await findMarketCandles(db, { id: market.id }, { ...EVERYTHING, ...range }))?.outcomes.map(
    (outcome) => outcome.candles,
  );
const storedDays = () => db.select().from(outcomeDays).orderBy(asc(outcomeDays.outcomeId), asc(outcomeDays.day));

test("a day's candle has the first, highest, lowest and last price of each outcome's fills", async () => {
  await fill("2026-11-20T23:59:59.999Z", "0.7");
  await fill("2026-11-20T12:00:00Z", "0.1234567891");
  await fill("2026-11-20T00:00:00Z", "0.5");
  await fill("2026-11-20T13:00:00Z", "0.9", { side: "SELL" });
  await fill("2026-11-20T13:00:00Z", "0.4", { outcome: 1 });
  await run();
  const t = seconds("2026-11-20T00:00:00Z");
  expect(await candles()).toEqual([
    [{ t, open: "0.5", high: "0.9", low: "0.1234567891", close: "0.7" }],
    [{ t, open: "0.4", high: "0.4", low: "0.4", close: "0.4" }],
  ]);
});

test("dust, splits and merges have no price, and a day without a price has no candle", async () => {
  await fill("2026-11-20T12:00:00Z", "1", { shares: 0.009999 });
  await fill("2026-11-20T12:00:00Z", "0.5", { kind: "split" });
  await fill("2026-11-20T12:00:00Z", "0.5", { kind: "merge" });
  await run();
  expect(await candles()).toEqual([[], []]);
  await fill("2026-11-20T12:00:00Z", "0", { shares: 0.01 });
  await run();
  expect(await candles()).toMatchObject([[{ open: "0", close: "0" }], []]);
});

test("a late fill corrects only the candle of its own day", async () => {
  await fill("2026-11-20T12:00:00Z", "0.5");
  await fill("2026-11-21T12:00:00Z", "0.6");
  await run();
  await fill("2026-11-20T11:00:00Z", "0.3");
  await fill("2026-11-20T13:00:00Z", "0.4");
  await run();
  expect(await candles()).toMatchObject([
    [
      { open: "0.3", high: "0.5", low: "0.3", close: "0.4" },
      { open: "0.6", close: "0.6" },
    ],
    [],
  ]);
});

test("a week begins on Monday and covers the days within the range", async () => {
  // 2026-11-16 was a Monday.
  const prices: [string, string][] = [
    ["2026-11-15", "0.1"],
    ["2026-11-16", "0.2"],
    ["2026-11-18", "0.8"],
    ["2026-11-22", "0.3"],
    ["2026-11-23", "0.4"],
  ];
  for (const [day, price] of prices) await fill(`${day}T12:00:00Z`, price);
  await run();
  const [sunday, monday, next] = [
    seconds("2026-11-09T00:00:00Z"),
    seconds("2026-11-16T00:00:00Z"),
    seconds("2026-11-23T00:00:00Z"),
  ];
  expect((await candles({ resolution: "1w" }))?.[0]).toEqual([
    { t: sunday, open: "0.1", high: "0.1", low: "0.1", close: "0.1" },
    { t: monday, open: "0.2", high: "0.8", low: "0.2", close: "0.3" },
    { t: next, open: "0.4", high: "0.4", low: "0.4", close: "0.4" },
  ]);
  // The week keeps its Monday as start, which is before `from`.
  expect((await candles({ resolution: "1w", from: monday, to: seconds("2026-11-22T00:00:00Z") }))?.[0]).toEqual([
    { t: monday, open: "0.8", high: "0.8", low: "0.3", close: "0.3" },
  ]);
});

test("the bound from is exclusive and to is inclusive, compared with the start of each day", async () => {
  for (const day of ["2026-11-19", "2026-11-20", "2026-11-21"]) await fill(`${day}T12:00:00Z`, "0.5");
  await run();
  const days = async (from: number | null, to: number | null) =>
    (await candles({ from, to }))?.[0]?.map(({ t }) => new Date(t * 1000).toISOString().slice(8, 10));
  const start = seconds("2026-11-20T00:00:00Z");
  expect(await days(start, null)).toEqual(["21"]);
  expect(await days(start - 1, null)).toEqual(["20", "21"]);
  expect(await days(null, start)).toEqual(["19", "20"]);
  expect(await days(null, start - 1)).toEqual(["19"]);
  expect(await days(-9e15, 9e15)).toEqual(["19", "20", "21"]);
});

test("candles report when the record begins; three outcomes give none, and an unknown market is null", async () => {
  await aTakerTrade(db, { trader: wallet, market, at: "2026-11-20T12:00:00Z" });
  expect((await findMarketCandles(db, { conditionId: market.conditionId }, EVERYTHING))?.completeFrom).toBe(
    "2026-11-20T12:00:00.000Z",
  );
  await db.execute(sql`insert into outcomes (market_id, token_id, outcome_index) values (${market.id}, 'third', 2)`);
  expect((await findMarketCandles(db, { id: market.id }, EVERYTHING))?.outcomes).toEqual([]);
  expect(await findMarketCandles(db, { id: 999_999 }, EVERYTHING)).toBeNull();
});

test("candles are read by the primary key of their days", async () => {
  await db.execute(sql`insert into outcome_days select o, date '2020-01-01' + d, 0.5, 0.5, 0.5, 0.5
    from generate_series(1, 300) o, generate_series(1, 300) d`);
  await db.execute(sql`analyze outcome_days`);
  const plan: string[] = [];
  const explaining = {
    async execute(statement: ReturnType<typeof sql>) {
      const { rows } = await db.execute(sql`explain ${statement}`);
      plan.push(...rows.map((row) => String(row["QUERY PLAN"])));
      return { rows: [] };
    },
  };
  await findMarketCandles(explaining as unknown as Database, { id: market.id }, EVERYTHING);
  expect(plan.join("\n")).toContain("outcome_days_");
  expect(plan.join("\n")).not.toContain("Seq Scan on outcome_days");
});

test("a build killed after any step is completed by the next run, and a run without changes writes nothing", async () => {
  for (const price of ["0.5", "0.1", "0.9"]) await fill("2026-11-20T12:00:00Z", price);
  const buildUntilKilled = async (dieAfter: number) => {
    const process = new KillableProcess(dieAfter);
    await buildOutcomeDays(process.pool(pool)).catch((error: unknown) => {
      if (!(error instanceof ProcessKilled)) throw error;
    });
    return process.steps;
  };
  const steps = await buildUntilKilled(Infinity);
  const reference = await storedDays();
  expect(reference).toHaveLength(1);
  for (let dieAfter = 1; dieAfter <= steps; dieAfter++) {
    await db.execute(sql`delete from outcome_days`);
    await db.execute(sql`delete from ingest_checkpoints`);
    await buildUntilKilled(dieAfter);
    await run();
    expect(await storedDays(), `killed after step ${dieAfter}`).toEqual(reference);
  }
  const { rows: before } = await db.execute(sql`select xmin::text, ctid::text from outcome_days`);
  await run();
  expect((await db.execute(sql`select xmin::text, ctid::text from outcome_days`)).rows).toEqual(before);
});

test("the stored days equal candlesOf whatever the order of the fills", async () => {
  const START = Date.parse("2026-11-18T00:00:00Z");
  const anyFill = fc.record({
    outcome: fc.constantFrom(0 as const, 1 as const),
    // Few hours, so that many fills share an instant.
    hour: fc.constantFrom(0, 23, 24, 47),
    price: fc.constantFrom("0", "0.001", "0.5", "0.5000000001", "0.999", "1"),
    shares: fc.constantFrom(0.000001, 0.009999, 0.01, 1, 1_000_000),
    tx: fc.integer({ min: 1, max: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyFill, { maxLength: 40 }), fc.integer({ min: 0, max: 40 }), async (fills, cut) => {
      await db.execute(sql`delete from outcome_days`);
      await db.execute(sql`delete from ledger_entries`);
      for (const part of [fills.slice(0, cut), fills.slice(cut)]) {
        for (const { hour, ...facts } of part)
          await fill(new Date(START + hour * 3_600_000).toISOString(), facts.price, facts);
        await run();
      }
      const expected = ([0, 1] as const).map((outcome) => {
        const own = fills.filter((one) => one.outcome === outcome);
        // One sequence number in the order of transaction, then price.
        const priced = own.map((one) => ({
          tradedAtMs: START + one.hour * 3_600_000,
          sequence: one.tx * 10 + Number(one.price),
          price: Number(one.price),
          sharesMicro: BigInt(Math.round(one.shares * 1e6)),
        }));
        return candlesOf(priced, "1d");
      });
      const stored = (await candles())?.map((days) =>
        days.map(({ t, open, high, low, close }) => ({
          t,
          o: Number(open),
          h: Number(high),
          l: Number(low),
          c: Number(close),
        })),
      );
      expect(stored).toEqual(expected);
    }),
    { numRuns: 25 },
  );
});
