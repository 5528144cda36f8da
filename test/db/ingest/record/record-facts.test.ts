import type { Pool } from "@neondatabase/serverless";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import {
  largeTrades,
  markets,
  outcomes,
  publishedFlowAlerts,
  recordClusters,
  recordPeriods,
  type suspiciousTrades,
  traders,
} from "../../../../src/db/schema.ts";
import { buildRecord } from "../../../../src/ingest/record/build-record.ts";
import { presentKinds } from "../../../../src/operations/record/present-record.ts";
import { listRecord } from "../../../../src/queries/record.ts";
import type { RecordKind } from "../../../../src/domain/record/record-kinds.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { ProcessKilled, KillableProcess } from "../../../support/ingest/killable-process.ts";
import { aTakerTrade, type TakerTradeFacts } from "../../../support/seed/fills.ts";
import { aMarket, anEvent, type SeededMarket } from "../../../support/seed/markets.ts";
import { aSuspiciousTrade } from "../../../support/seed/signals.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const RESULT_AT = new Date("2026-11-15T00:00:00Z");
const YES = [1_000_000, 0];
const NO = [0, 1_000_000];

let database: TestDatabase;
let db: Database;
let pool: Pool;
let trader: SeededTrader;

beforeEach(async () => {
  database = await createTestDatabase();
  ({ db } = database);
  pool = database.openPool();
  trader = await aSeededTrader(db);
});

const build = (now = NOW, sessions = pool) => buildRecord(sessions, now);
const read = async (kind: RecordKind) => {
  const [entry] = presentKinds(await listRecord(db, kind), kind);
  if (entry === undefined) throw new Error(`no record of ${kind}`);
  return entry;
};
const resolve = (market: SeededMarket, payoutsPpm: number[] | null, resolvedAt: Date | null = RESULT_AT) =>
  db.update(markets).set({ payoutsPpm, resolvedAt }).where(eq(markets.id, market.id));

type Purchase = Partial<TakerTradeFacts> & { readonly grade?: string | null };

/** A large purchase of YES at 0.40 on 10 November, by a trader without a letter. */
async function aPurchase({ grade = null, ...facts }: Purchase = {}): Promise<{ id: number; market: SeededMarket }> {
  const market = facts.market ?? (await aMarket(db));
  const id = await aTakerTrade(db, { trader, price: "0.4", at: "2026-11-10T12:00:00Z", ...facts, market });
  if (grade !== null) await db.update(largeTrades).set({ gradeAtTrade: grade }).where(eq(largeTrades.id, id));
  return { id, market };
}

/** A purchase in a market of its own with a result. */
async function aSettledPurchase(payoutsPpm: number[], facts: Purchase = {}) {
  const purchase = await aPurchase(facts);
  await resolve(purchase.market, payoutsPpm);
  return purchase;
}

async function aFlag(facts: Purchase, flag: Partial<typeof suspiciousTrades.$inferInsert> = {}) {
  const { id, market } = await aPurchase(facts);
  await aSuspiciousTrade(db, { largeTradeId: id, recordedAt: new Date("2026-11-10T12:05:00Z"), ...flag });
  return market;
}

describe("the claims of the record", () => {
  test("ten settled purchases under the letter S give the rates that follow by hand", async () => {
    // Six of ten win at 0.40: 20 points over the price, and 2.50 dollars for each of six dollars.
    for (let n = 0; n < 10; n += 1) await aSettledPurchase(n < 6 ? YES : NO, { grade: n % 2 === 0 ? "S" : "A" });
    await aSettledPurchase(NO, { grade: "B" });
    await build();
    const { total, months } = await read("grade");
    // Deviations 0.4 and -0.6 of ten events: sqrt(10 / 9 × 2.4) / 10 = 0.16330, times t(9) = 2.26216.
    expect(months).toMatchObject([
      {
        ...{ month: "2026-11", claims: 10, resolved: 10, won: 6, lost: 4, void: 0, pending: 0, late: 0, unpriced: 0 },
        ...{ events: 10, hit_rate: 0.6, expected_hit_rate: 0.4, profit_per_dollar: 0.5, rates_reason: null },
        edge: { points: 20, low: -16.95, high: 56.95 },
        // The only other purchase of the day.
        random: { drawn: 1, unmatched: 9, won: 0, lost: 1, events: 1, hit_rate: null, rates_reason: "too_few_events" },
        edge_over_random: null,
      },
    ]);
    expect(total).toEqual({ ...months[0], month: undefined });
  });

  test("nine events have counts and no rates", async () => {
    for (let n = 0; n < 9; n += 1) await aSettledPurchase(NO, { grade: "S" });
    await build();
    expect((await read("grade")).total).toMatchObject({
      ...{ claims: 9, lost: 9, events: 9, hit_rate: null, expected_hit_rate: null, edge: null },
      ...{ profit_per_dollar: null, rates_reason: "too_few_events" },
    });
  });

  test("a flagged sale backs the other side at one dollar less its price", async () => {
    const market = await aFlag({ side: "SELL", price: "0.3" }, { side: "no" });
    await resolve(market, NO);
    await build();
    expect((await read("flag")).total).toMatchObject({ claims: 1, won: 1, lost: 0 });
    expect(await db.select().from(recordClusters)).toMatchObject([
      { kind: "flag", sample: "claim", pricePpm: 700_000n, returnMicro: 1_428_571n },
    ]);
  });

  test("a void market is no hit and no miss, and returns what it paid", async () => {
    await aSettledPurchase([500_000, 500_000], { grade: "S" });
    await build();
    expect((await read("grade")).total).toMatchObject({ claims: 1, resolved: 1, won: 0, lost: 0, void: 1, events: 0 });
    // Half a dollar for 0.40.
    expect(await db.select().from(recordClusters)).toMatchObject([{ pricePpm: 0n, returnMicro: 1_250_000n }]);
  });

  test("a flag that was published when its market had a result is late and is not scored", async () => {
    const market = await aFlag({}, { recordedAt: RESULT_AT });
    await resolve(market, YES);
    await build();
    expect((await read("flag")).total).toMatchObject({ claims: 1, late: 1, won: 0, resolved: 0, pending: 0 });
  });

  test("a claim without a price between 0 and 1 is unpriced", async () => {
    const market = await aMarket(db);
    const alert = { marketId: market.id, window: "1h", side: "yes", publishedAt: new Date("2026-11-10T12:00:00Z") };
    await db.insert(publishedFlowAlerts).values([{ ...alert }, { ...alert, price: "1" }, { ...alert, price: "0.9" }]);
    await build();
    expect((await read("flow_alert")).total).toMatchObject({ claims: 3, unpriced: 2, pending: 1 });
  });

  test("a purchase in a combination of markets is no claim", async () => {
    await aPurchase({ grade: "S", market: await aMarket(db, { conditionId: `0x03${"1".repeat(60)}` }) });
    await build();
    expect((await read("grade")).total.claims).toBe(0);
  });

  test("a market without a time of its result counts as resolved from the day it settled", async () => {
    const [early, late] = [
      await aPurchase({ grade: "S" }),
      await aPurchase({ grade: "S", at: "2026-11-16T00:00:00Z" }),
    ];
    for (const { market } of [early, late])
      await db.update(markets).set({ payoutsPpm: YES, settledOn: "2026-11-16" }).where(eq(markets.id, market.id));
    await build();
    expect((await read("grade")).total).toMatchObject({ won: 1, late: 1 });
  });
});

describe("the random purchases of the record", () => {
  test("have the day, the category and the price band of their claim, and are no claims", async () => {
    const category = await aMarket(db, { category: "Soccer" });
    await aPurchase({ grade: "S" });
    const others: Purchase[] = [
      { at: "2026-11-11T00:00:00Z" },
      { at: "2026-11-09T23:59:59Z" },
      { market: category },
      { price: "0.45" },
      { price: "0.399999" },
      { side: "SELL" },
      { grade: "A" },
    ];
    for (const facts of others) await aPurchase(facts);
    await build();
    // The purchase under A is the second claim.
    expect((await read("grade")).total).toMatchObject({ claims: 2, random: { drawn: 0, unmatched: 2 } });
    await aPurchase({ price: "0.449999", at: "2026-11-10T23:59:59Z" });
    await build();
    expect((await read("grade")).total).toMatchObject({ claims: 2, random: { drawn: 1, unmatched: 1, pending: 1 } });
  });

  test("of an alert are from markets without an alert", async () => {
    const market = await aMarket(db);
    await aPurchase({ market, outcome: 1 });
    const publishedAt = new Date("2026-11-10T12:00:00Z");
    await db
      .insert(publishedFlowAlerts)
      .values({ marketId: market.id, window: "1h", side: "yes", price: "0.4", publishedAt });
    await build();
    expect((await read("flow_alert")).total.random).toMatchObject({ drawn: 0, unmatched: 1 });
    await aPurchase();
    await build();
    expect((await read("flow_alert")).total.random).toMatchObject({ drawn: 1, unmatched: 0 });
  });

  test("are the same whatever their results are", async () => {
    await aPurchase({ grade: "S" });
    const purchases = [];
    for (let n = 0; n < 5; n += 1) purchases.push(await aPurchase());
    await build();
    const drawn = async () =>
      (await db.select().from(recordClusters))
        .filter(({ sample }) => sample === "random")
        .map(({ cluster }) => cluster);
    const before = await drawn();
    expect(before).toHaveLength(1);
    for (const { market } of purchases) await resolve(market, NO);
    await build();
    expect(await drawn()).toEqual(before);
  });
});

describe("the record over time", () => {
  test("facts after a claim change its outcome only, never its price, its month or whether it is one", async () => {
    const market = await aFlag({ grade: "S" });
    const publishedAt = new Date("2026-11-10T12:00:00Z");
    await db
      .insert(publishedFlowAlerts)
      .values({ marketId: market.id, window: "1h", side: "yes", price: "0.41", publishedAt });
    await resolve(market, YES);
    await build();
    const prices = async () =>
      (await db.select().from(recordClusters).orderBy(recordClusters.kind)).map((row) => [
        ...[row.kind, row.month, row.sample, row.claims, row.pricePpm],
      ]);
    const before = await prices();
    expect(before).toEqual([
      ["flag", "2026-11", "claim", 1, 400_000n],
      ["flow_alert", "2026-11", "claim", 1, 410_000n],
      ["grade", "2026-11", "claim", 1, 400_000n],
    ]);
    // The market trades on, its books change, the trader gets another letter, and the result is reversed.
    await db.update(outcomes).set({ lastTradePrice: "0.99", bestBid: "0.98", bestAsk: "0.99" });
    await db.update(traders).set({ grade: "F" });
    await aPurchase({ market, price: "0.9", at: "2026-11-12T12:00:00Z" });
    await resolve(market, NO);
    await build();
    expect(await prices()).toEqual(before);
    for (const kind of ["flag", "grade", "flow_alert"] as const)
      expect((await read(kind)).total).toMatchObject({ claims: 1, won: 0, lost: 1 });
  });

  test("a result that is withdrawn makes its claims pending again", async () => {
    const { market } = await aSettledPurchase(YES, { grade: "S" });
    await build();
    expect((await read("grade")).total).toMatchObject({ won: 1, pending: 0 });
    await resolve(market, null, null);
    await build();
    expect((await read("grade")).total).toMatchObject({ won: 0, pending: 1, resolved: 0 });
  });

  test("a month that has lost its claims disappears", async () => {
    const { id } = await aPurchase({ grade: "S" });
    await build();
    expect((await read("grade")).months).toHaveLength(1);
    await db.update(largeTrades).set({ gradeAtTrade: "B" }).where(eq(largeTrades.id, id));
    await build();
    const { total, months } = await read("grade");
    expect([total.claims, months]).toEqual([0, []]);
    expect(await db.select().from(recordClusters)).toEqual([]);
  });

  test("months earlier than the newest two are computed in turn", async () => {
    for (const month of ["07", "08", "09", "10", "11"])
      await aSettledPurchase(YES, { grade: "S", at: `2026-${month}-05T12:00:00Z` });
    const shown = async () => (await read("grade")).months.map(({ month }) => month);
    await build();
    expect(await shown()).toHaveLength(3);
    for (const minutes of [10, 20]) await build(new Date(NOW.getTime() + minutes * 60_000));
    expect(await shown()).toEqual(["2026-11", "2026-10", "2026-09", "2026-08", "2026-07"]);
  });

  test("claims on one event in two months are one event of the total", async () => {
    const eventId = await anEvent(db);
    for (const at of ["2026-10-05T12:00:00Z", "2026-11-05T12:00:00Z"])
      await aSettledPurchase(YES, { grade: "S", at, market: await aMarket(db, { eventId }) });
    await build();
    const { total, months } = await read("grade");
    expect([total.events, total.claims, ...months.map(({ events }) => events)]).toEqual([1, 2, 1, 1]);
  });
});

describe("the job of the record", () => {
  test("writes totals without any claim, so that an empty record is no missing one", async () => {
    await build();
    expect((await listRecord(db, null)).map(({ kind, period, claims }) => [kind, period, claims])).toHaveLength(8);
    expect((await read("pick")).total).toMatchObject({ claims: 0, hit_rate: null, rates_reason: "too_few_events" });
  });

  test("leaves rows that do not differ untouched", async () => {
    await aSettledPurchase(YES, { grade: "S" });
    await aFlag({});
    await build();
    const before = await db.select().from(recordPeriods);
    await build(new Date(NOW.getTime() + 60_000));
    expect(await db.select().from(recordPeriods)).toEqual(before);
    // Of another day, so that the draw of the flag stays.
    await aSettledPurchase(NO, { grade: "S", at: "2026-11-11T12:00:00Z" });
    await build(new Date(NOW.getTime() + 120_000));
    const changed = (await db.select().from(recordPeriods)).filter(
      (row) =>
        !before.some(
          (old) => JSON.stringify(Object.values(old).map(String)) === JSON.stringify(Object.values(row).map(String)),
        ),
    );
    expect(changed.map(({ kind, sample }) => `${kind} ${sample}`).toSorted()).toEqual(["grade claim", "grade claim"]);
  });

  test("ends in the same state when it is killed and run again", async () => {
    for (let n = 0; n < 3; n += 1) await aSettledPurchase(YES, { grade: "S", at: `2026-${10 + (n % 2)}-05T12:00:00Z` });
    await aFlag({});
    for (let dieAfter = 1; ; dieAfter += 4) {
      await db.delete(recordPeriods);
      await db.delete(recordClusters);
      const process = new KillableProcess(dieAfter);
      const died = await build(NOW, process.pool(pool)).then(
        () => false,
        (error: unknown) => {
          if (error instanceof ProcessKilled) return true;
          throw error;
        },
      );
      await build();
      expect((await read("grade")).total).toMatchObject({ claims: 3, won: 3 });
      expect((await read("grade")).months.map(({ month, claims }) => [month, claims])).toEqual([
        ["2026-11", 1],
        ["2026-10", 2],
      ]);
      expect((await read("flag")).total).toMatchObject({ claims: 1, pending: 1 });
      if (!died) break;
    }
  });
});
