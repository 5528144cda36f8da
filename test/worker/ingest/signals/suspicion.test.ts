import type { Pool } from "@neondatabase/serverless";
import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import {
  events,
  ingestCheckpoints,
  largeTrades,
  markets,
  outcomes,
  suspiciousTrades,
  traderSyncs,
} from "../../../../src/db/schema.ts";
import { judgeTrades } from "../../../../src/ingest/signals/judge-trades.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { ProcessKilled, KillableProcess } from "../../../support/ingest/killable-process.ts";
import { aFill, aTakerTrade } from "../../../support/seed/fills.ts";
import { aMarket, type SeededMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

const FLOOR_USD = 5_000;
const AT = "2026-11-20T12:00:00Z";
const NOW = new Date("2026-11-20T12:01:00Z");
const SIX_HOURS_ON = new Date("2026-11-20T18:00:00Z");

let database: TestDatabase;
let db: Database;
let pool: Pool;
let anyTrader: SeededTrader;

beforeEach(async () => {
  database = await createTestDatabase();
  ({ db } = database);
  pool = database.openPool();
  anyTrader = await aSeededTrader(db);
  // The feed reaches back to 1 October and is read up to noon.
  await aTakerTrade(db, { trader: anyTrader, market: await aMarket(db), at: "2026-10-01T00:00:00Z", judgedAt: NOW });
  await feedReadTo(AT);
});

const feedReadTo = (time: string) =>
  db
    .insert(ingestCheckpoints)
    .values({ feed: "trades:takers", state: { watermarkMs: Date.parse(time) } })
    .onConflictDoUpdate({ target: ingestCheckpoints.feed, set: { state: { watermarkMs: Date.parse(time) } } });

/** A described market, created after the start of the feed by default. */
const aDescribedMarket = (createdAt = "2026-11-01T00:00:00Z") =>
  aMarket(db, { hydratedAt: NOW, providerCreatedAt: new Date(createdAt) });

/** A trader whose activity has been read beyond the trade. */
async function aSyncedTrader({
  coveredTo = "2026-11-20T12:00:30Z",
  gaps = [] as string[],
} = {}): Promise<SeededTrader> {
  const trader = await aSeededTrader(db, { completeAt: NOW, gaps });
  await db
    .update(traderSyncs)
    .set({ coveredTo: new Date(coveredTo) })
    .where(eq(traderSyncs.traderId, trader.id));
  return trader;
}

const run = async (now = NOW) => {
  while (await judgeTrades(pool, FLOOR_USD, now));
};

const tradeOf = async (id: number) => (await db.select().from(largeTrades).where(eq(largeTrades.id, id)))[0];
const flagOf = async (id: number) =>
  (await db.select().from(suspiciousTrades).where(eq(suspiciousTrades.largeTradeId, id)))[0];

/** Everything that a run writes, without its time. */
const written = async () => ({
  trades: await db
    .select({
      id: largeTrades.id,
      judgedAt: largeTrades.judgedAt,
      score: largeTrades.suspicionScore,
      track: largeTrades.suspicionTrack,
    })
    .from(largeTrades)
    .orderBy(asc(largeTrades.id)),
  flags: (await db.select().from(suspiciousTrades).orderBy(asc(suspiciousTrades.largeTradeId))).map(
    ({ id: _, ...flag }) => flag,
  ),
  events: (await db.select().from(events).orderBy(asc(events.id))).map(({ type, payload }) => ({ type, payload })),
});

/** Fifty thousand dollars, the only trade of its trader. */
const aFreshTrade = async (trader: SeededTrader, market: SeededMarket) =>
  aTakerTrade(db, { trader, market, shares: 100_000, at: AT });

describe("inputs at the time of the trade", () => {
  test("a tenth of a market's shares bought by a ten-day-old trader is a whale trade", async () => {
    const [market, trader] = [await aDescribedMarket(), await aSyncedTrader()];
    // By noon takers have traded 2,000,000 shares, including this trade's 200,000.
    await aFill(db, { trader: anyTrader, market, shares: 1_800_000, at: "2026-11-19T00:00:00Z", isTaker: true });
    await aFill(db, { trader: anyTrader, market, shares: 1_800_000, side: "SELL", at: "2026-11-19T00:00:00Z" });
    await aFill(db, { trader: anyTrader, market, shares: 5_000_000, at: "2026-11-20T12:00:01Z", isTaker: true });
    // 300,000 dollars in three other markets over ten days; the fill in this market does not count.
    for (const at of ["2026-11-10T12:00:00Z", "2026-11-11T00:00:00Z", "2026-11-12T00:00:00Z"]) {
      await aFill(db, { trader, market: await aMarket(db), shares: 150_000, at });
    }
    await aFill(db, { trader, market, shares: 150_000, at: "2026-11-13T00:00:00Z" });
    // Not counted: a split, later fills and fills in the same second.
    await aFill(db, { trader, market: await aMarket(db), kind: "split", at: "2026-01-01T00:00:00Z" });
    await aFill(db, { trader, market: await aMarket(db), shares: 1_000_000, at: "2026-11-20T12:00:01Z" });
    await aFill(db, { trader, market: await aMarket(db), shares: 1_000_000, at: AT });
    const id = await aTakerTrade(db, { trader, market, shares: 200_000, price: "0.5", at: AT });
    await run();

    // Size: 60 ln(20) / ln(200) + 40 = 33.9247 + 40.
    // Freshness: 50 x 20/30 + 30 x 17/20 + 20 x 100,000/400,000 = 33.3333 + 25.5 + 5.
    expect(await tradeOf(id)).toMatchObject({ suspicionScore: 73, suspicionTrack: "whale", judgedAt: NOW });
    expect(Number((await tradeOf(id))?.marketVolumeShare)).toBe(0.1);
    const flag = await flagOf(id);
    expect(flag).toMatchObject({
      track: "whale",
      side: "yes",
      score: 73,
      traderId: trader.id,
      marketId: market.id,
      tradedAt: new Date(AT),
    });
    expect(flag?.scores).toEqual({ timing: null, edge: null, size: 73.92, fresh_wallet: 63.83 });
    expect(flag?.evidence).toMatchObject({
      inputs: { market_volume_share: 0.1, wallet: { age_days: 10, markets_before: 3, volume_before_usd: 300_000 } },
    });
  });

  test("a trader's first trade, a 50,000 dollar sale of YES, is fresh conviction", async () => {
    const [market, trader] = [await aDescribedMarket("2026-09-01T00:00:00Z"), await aSyncedTrader()];
    await aFill(db, { trader: anyTrader, market, shares: 1, isTaker: true, at: "2026-11-19T00:00:00Z" });
    const id = await aTakerTrade(db, { trader, market, outcome: 0, side: "SELL", shares: 100_000, at: AT });
    await run();
    // Half of 60 ln(10) / ln(200) = 26.0753 and half of 100. The market is older than the feed, so its share
    // is unknown.
    expect(await flagOf(id)).toMatchObject({ track: "fresh_conviction", score: 63, side: "no" });
    expect((await flagOf(id))?.evidence).toMatchObject({ inputs: { market_volume_share: null } });
    expect(await tradeOf(id)).toMatchObject({ marketVolumeShare: null });
  });

  test("fills of a day that back the same side are one sliced position, counted by transaction", async () => {
    const [market, trader] = [await aDescribedMarket("2026-09-01T00:00:00Z"), await aSyncedTrader()];
    await aFill(db, { trader, market: await aMarket(db), shares: 10_000_000, at: "2025-01-01T00:00:00Z" });
    const slice = { trader, market, shares: 20_000 };
    for (const at of ["2026-11-19T12:00:01Z", "2026-11-19T18:00:00Z", "2026-11-20T00:00:00Z"])
      await aFill(db, { ...slice, at });
    // One order that matched two makers, and a sale of NO, which backs YES.
    await aFill(db, { ...slice, shares: 15_000, at: "2026-11-20T01:00:00Z", tx: 900_001 });
    await aFill(db, { ...slice, shares: 5_000, at: "2026-11-20T01:00:00Z", tx: 900_001 });
    await aFill(db, { ...slice, outcome: 1, side: "SELL", at: "2026-11-20T02:00:00Z" });
    // Not counted: a fill exactly a day ago, the other side, another market and a later fill.
    await aFill(db, { ...slice, at: "2026-11-19T12:00:00Z" });
    await aFill(db, { ...slice, side: "SELL", at: "2026-11-20T03:00:00Z" });
    await aFill(db, { ...slice, market: await aMarket(db), at: "2026-11-20T03:00:00Z" });
    await aFill(db, { ...slice, at: "2026-11-20T12:00:01Z" });
    const id = await aTakerTrade(db, { ...slice, at: AT });
    await run();
    // Six slices, 60,000 dollars: 0.7 x 60 ln(12) / ln(200) + 0.3 x 100 ln(6) / ln(30) = 19.6978 + 15.8041 =
    // 35.50.
    expect(await tradeOf(id)).toMatchObject({ suspicionScore: 35, suspicionTrack: "sliced_position", judgedAt: NOW });
    expect(await flagOf(id)).toBeUndefined();
  });

  test("an ordinary trade is judged without a score", async () => {
    const [market, trader] = [await aDescribedMarket("2026-09-01T00:00:00Z"), await aSyncedTrader()];
    await aFill(db, { trader, market: await aMarket(db), shares: 10_000_000, at: "2025-01-01T00:00:00Z" });
    const id = await aTakerTrade(db, { trader, market, shares: 20_000, at: AT });
    await run();
    expect(await tradeOf(id)).toMatchObject({ suspicionScore: null, suspicionTrack: null, judgedAt: NOW });
  });
});

test("a flag is announced once in the contract's form", async () => {
  const [market, trader] = [await aDescribedMarket(), await aSyncedTrader()];
  const id = await aFreshTrade(trader, market);
  await run();
  await run();
  expect((await written()).events).toEqual([
    {
      type: "suspicious_trade_flagged",
      payload: {
        trade_id: id,
        wallet: trader.address,
        trader_id: trader.id,
        condition_id: market.conditionId,
        suspicion_score: 83,
        track: "fresh_conviction",
        side: "yes",
        size: 50_000,
        price: 0.5,
      },
    },
  ]);
});

test("fills that arrive after the judgement change nothing", async () => {
  const [market, trader] = [await aDescribedMarket(), await aSyncedTrader()];
  await aFreshTrade(trader, market);
  await run();
  const before = await written();
  expect(before.flags).toHaveLength(1);
  await aFill(db, { trader, market: await aMarket(db), shares: 9_000_000, at: "2024-01-01T00:00:00Z" });
  await aFill(db, { trader: anyTrader, market, shares: 9_000_000, at: "2026-11-02T00:00:00Z", isTaker: true });
  await run(SIX_HOURS_ON);
  expect(await written()).toEqual(before);
});

describe("trades that wait for data", () => {
  const waits: [string, () => Promise<number>][] = [
    ["a trader that is not followed", async () => aFreshTrade(await aSeededTrader(db), await aDescribedMarket())],
    [
      "a trader with an incomplete history",
      async () => aFreshTrade(await aSeededTrader(db, { isFollowed: true }), await aDescribedMarket()),
    ],
    [
      "a trader read to just before the trade",
      async () => aFreshTrade(await aSyncedTrader({ coveredTo: "2026-11-20T11:59:59Z" }), await aDescribedMarket()),
    ],
    [
      "a walk that stopped within the trade's second",
      async () => {
        const trader = await aSyncedTrader({ coveredTo: AT });
        await db.update(traderSyncs).set({ resume: {} }).where(eq(traderSyncs.traderId, trader.id));
        return aFreshTrade(trader, await aDescribedMarket());
      },
    ],
  ];

  test.for(waits)(
    "a trade waits six hours for %s and is then judged without the trader's history",
    async ([, setUp]) => {
      const id = await setUp();
      await run();
      expect((await tradeOf(id))?.judgedAt).toBeNull();
      await run(new Date(SIX_HOURS_ON.getTime() - 1));
      expect((await tradeOf(id))?.judgedAt).toBeNull();
      await run(SIX_HOURS_ON);
      // A whale trade by its dollars: 60 ln(10) / ln(200), plus 40 for all of the market.
      expect(await tradeOf(id)).toMatchObject({ suspicionScore: 66, suspicionTrack: "whale", judgedAt: SIX_HOURS_ON });
      expect((await flagOf(id))?.scores).toMatchObject({ fresh_wallet: null });
      expect((await flagOf(id))?.evidence).toMatchObject({ inputs: { wallet: null, slices: null } });
    },
  );

  test("a trade waits until the feed is read up to its time", async () => {
    const id = await aFreshTrade(await aSyncedTrader(), await aDescribedMarket());
    await feedReadTo("2026-11-20T11:59:59Z");
    await run();
    expect((await tradeOf(id))?.judgedAt).toBeNull();
    await feedReadTo(AT);
    await run();
    expect((await tradeOf(id))?.judgedAt).toEqual(NOW);
  });

  test("a trade waits six hours for its market's description and is then judged without a direction", async () => {
    const market = await aDescribedMarket();
    await db.update(outcomes).set({ outcomeIndex: null }).where(eq(outcomes.marketId, market.id));
    const id = await aFreshTrade(await aSyncedTrader(), market);
    const unread = await aDescribedMarket();
    await db.update(markets).set({ hydratedAt: null }).where(eq(markets.id, unread.id));
    const other = await aFreshTrade(await aSyncedTrader(), unread);
    await run();
    expect([(await tradeOf(id))?.judgedAt, (await tradeOf(other))?.judgedAt]).toEqual([null, null]);
    await run(SIX_HOURS_ON);
    expect(await tradeOf(id)).toMatchObject({ suspicionScore: null, judgedAt: SIX_HOURS_ON });
    expect(await tradeOf(other)).toMatchObject({ suspicionScore: 83, judgedAt: SIX_HOURS_ON });
  });
});

describe("limits on the rows a judgement reads", () => {
  const BOUNDS = { own: 6, market: 4, day: 3 };
  /**
   * A 50,000 dollar trade; the trader has `own` more fills a year ago and `day` an hour before, the market
   * `market`.
   */
  async function judged({ own = 0, market = 0, day = 0 }) {
    const [described, trader] = [await aDescribedMarket(), await aSyncedTrader()];
    for (let n = 0; n < own; n++) await aFill(db, { trader, market: await aMarket(db), at: "2025-11-20T12:00:00Z" });
    for (let n = 0; n < market; n++)
      await aFill(db, { trader: anyTrader, market: described, isTaker: true, at: "2026-11-20T11:00:00Z" });
    for (let n = 0; n < day; n++) await aFill(db, { trader, market: described, at: "2026-11-20T11:00:00Z" });
    const id = await aFreshTrade(trader, described);
    while (await judgeTrades(pool, FLOOR_USD, NOW, BOUNDS));
    expect((await tradeOf(id))?.judgedAt).toEqual(NOW);
    const { evidence, scores } = (await flagOf(id)) ?? {};
    return { ...Object(evidence).inputs, scores, share: (await tradeOf(id))?.marketVolumeShare ?? null };
  }

  // The trade itself counts as one of the entries in each limit.
  test("a trader's history beyond the limit counts as unknown", async () => {
    expect((await judged({ own: 5 })).wallet).toMatchObject({ markets_before: 5 });
    const unknown = await judged({ own: 6 });
    expect(unknown).toMatchObject({ wallet: null, scores: { fresh_wallet: null } });
    expect(unknown.slices).toMatchObject({ count: 1 });
  });

  test("a market's shares beyond the limit count as unknown", async () => {
    expect(await judged({ market: 3 })).toMatchObject({ market_volume_share: 100_000 / 100_300 });
    expect(await judged({ market: 4 })).toMatchObject({
      market_volume_share: null,
      share: null,
      wallet: { markets_before: 0 },
    });
  });

  test("a day's fills beyond the limit count as unknown", async () => {
    expect((await judged({ day: 2 })).slices).toMatchObject({ count: 3 });
    expect(await judged({ day: 3 })).toMatchObject({ slices: null, wallet: { volume_before_usd: 150 } });
  });

  test("a trader with many trades does not delay the judgement of others", async () => {
    const [market, busy] = [await aDescribedMarket(), await aSyncedTrader()];
    for (let n = 0; n < 8; n++)
      await aFill(db, { trader: busy, market: await aMarket(db), at: "2025-11-20T12:00:00Z" });
    const ids: number[] = [];
    for (let n = 0; n < 12; n++)
      ids.push(await aTakerTrade(db, { trader: busy, market, shares: 20_000, at: "2026-11-20T10:00:00Z" }));
    ids.push(await aFreshTrade(await aSyncedTrader(), await aDescribedMarket()));
    // One run judges the twelve trades of one trader together with the trade of another.
    await judgeTrades(pool, FLOOR_USD, NOW, BOUNDS);
    for (const id of ids) expect((await tradeOf(id))?.judgedAt).toEqual(NOW);
  });
});

test("a trader with a gap is judged at once without its history", async () => {
  const id = await aFreshTrade(await aSyncedTrader({ gaps: ["conversion"] }), await aDescribedMarket());
  await run();
  expect((await flagOf(id))?.evidence).toMatchObject({
    inputs: { wallet: null, slices: { count: 1, total_usd: 50_000 } },
  });
});

test("a market of three outcomes is judged without a score", async () => {
  const market = await aDescribedMarket();
  await db.insert(outcomes).values({ marketId: market.id, tokenId: "third", outcomeIndex: 2 });
  const id = await aFreshTrade(await aSyncedTrader(), market);
  await run();
  expect(await tradeOf(id)).toMatchObject({ suspicionScore: null, judgedAt: NOW });
});

test("a run killed after any step flags every trade once and ends in the same state after the next run", async () => {
  for (let n = 0; n < 3; n++) await aFreshTrade(await aSyncedTrader(), await aDescribedMarket());
  const judgeUntilKilled = async (dieAfter: number) => {
    const process = new KillableProcess(dieAfter);
    await judgeTrades(process.pool(pool), FLOOR_USD, NOW).catch((error: unknown) => {
      if (!(error instanceof ProcessKilled)) throw error;
    });
    return process.steps;
  };
  const reset = async () => {
    await db.delete(suspiciousTrades);
    await db.delete(events);
    await db.update(largeTrades).set({ judgedAt: null, suspicionScore: null, suspicionTrack: null });
    await db.update(largeTrades).set({ judgedAt: NOW }).where(eq(largeTrades.traderId, anyTrader.id));
  };
  const steps = await judgeUntilKilled(Infinity);
  await run();
  const reference = await written();
  expect(reference.flags).toHaveLength(3);
  for (let dieAfter = 1; dieAfter <= steps; dieAfter++) {
    await reset();
    await judgeUntilKilled(dieAfter);
    await run();
    expect(await written(), `killed after step ${dieAfter}`).toEqual(reference);
  }
});

test("two concurrent runs flag a trade once", async () => {
  await aFreshTrade(await aSyncedTrader(), await aDescribedMarket());
  const other = database.openPool();
  await Promise.all([judgeTrades(pool, FLOOR_USD, NOW), judgeTrades(other, FLOOR_USD, NOW)]);
  const { flags, events: announced } = await written();
  expect([flags.length, announced.length]).toEqual([1, 1]);
});
