import type { Pool } from "@neondatabase/serverless";
import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { events, ingestCheckpoints, largeTrades, markets, outcomes, suspiciousTrades, walletSyncs } from "../../../../src/db/schema.ts";
import { judgeTrades } from "../../../../src/ingest/signals/judge-trades.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { Killed, MortalProcess } from "../../../support/ingest/mortal-process.ts";
import { aFill, aTakenTrade } from "../../../support/seed/fills.ts";
import { aMarket, type Market } from "../../../support/seed/markets.ts";
import { aWallet, type Wallet } from "../../../support/seed/wallets.ts";

const FLOOR_USD = 5_000;
const AT = "2026-11-20T12:00:00Z";
const NOW = new Date("2026-11-20T12:01:00Z");
const SIX_HOURS_ON = new Date("2026-11-20T18:00:00Z");

let database: TestDatabase;
let db: Database;
let pool: Pool;
let somebody: Wallet;

beforeEach(async () => {
  database = await createTestDatabase();
  ({ db } = database);
  pool = database.openPool();
  somebody = await aWallet(db);
  // The feed reaches back to the first of October and is read up to noon.
  await aTakenTrade(db, { wallet: somebody, market: await aMarket(db), at: "2026-10-01T00:00:00Z", judgedAt: NOW });
  await feedReadTo(AT);
});

const feedReadTo = (time: string) =>
  db
    .insert(ingestCheckpoints)
    .values({ feed: "trades:takers", state: { watermarkMs: Date.parse(time) } })
    .onConflictDoUpdate({ target: ingestCheckpoints.feed, set: { state: { watermarkMs: Date.parse(time) } } });

/** A market read from the provider, which began after the feed's reach unless told otherwise. */
const aReadMarket = (createdAt = "2026-11-01T00:00:00Z") => aMarket(db, { hydratedAt: NOW, providerCreatedAt: new Date(createdAt) });

/** A wallet whose activity has been read beyond the trade. */
async function aReadWallet({ coveredTo = "2026-11-20T12:00:30Z", gaps = [] as string[] } = {}): Promise<Wallet> {
  const wallet = await aWallet(db, { completeAt: NOW, gaps });
  await db
    .update(walletSyncs)
    .set({ coveredTo: new Date(coveredTo) })
    .where(eq(walletSyncs.traderId, wallet.id));
  return wallet;
}

const run = async (now = NOW) => {
  while (await judgeTrades(pool, FLOOR_USD, now));
};

const tradeOf = async (id: number) => (await db.select().from(largeTrades).where(eq(largeTrades.id, id)))[0];
const flagOf = async (id: number) => (await db.select().from(suspiciousTrades).where(eq(suspiciousTrades.largeTradeId, id)))[0];

/** All a run writes, without when. */
const written = async () => ({
  trades: await db
    .select({ id: largeTrades.id, judgedAt: largeTrades.judgedAt, score: largeTrades.suspicionScore, track: largeTrades.suspicionTrack })
    .from(largeTrades)
    .orderBy(asc(largeTrades.id)),
  flags: (await db.select().from(suspiciousTrades).orderBy(asc(suspiciousTrades.largeTradeId))).map(({ id: _, ...flag }) => flag),
  events: (await db.select().from(events).orderBy(asc(events.id))).map(({ type, payload }) => ({ type, payload })),
});

/** Fifty thousand dollars, all that a wallet ever traded. */
const aFreshTrade = async (wallet: Wallet, market: Market) => aTakenTrade(db, { wallet, market, shares: 100_000, at: AT });

describe("a trade is judged by what had happened when it was made", () => {
  test("whale: a tenth of the market's shares, by a wallet ten days old", async () => {
    const [market, wallet] = [await aReadMarket(), await aReadWallet()];
    // By noon takers have traded 2,000,000 shares, this trade's 200,000 among them.
    await aFill(db, { wallet: somebody, market, shares: 1_800_000, at: "2026-11-19T00:00:00Z", isTaker: true });
    await aFill(db, { wallet: somebody, market, shares: 1_800_000, side: "SELL", at: "2026-11-19T00:00:00Z" });
    await aFill(db, { wallet: somebody, market, shares: 5_000_000, at: "2026-11-20T12:00:01Z", isTaker: true });
    // 300,000 dollars in three other markets since ten days, and in this one too, which is no other.
    for (const at of ["2026-11-10T12:00:00Z", "2026-11-11T00:00:00Z", "2026-11-12T00:00:00Z"]) {
      await aFill(db, { wallet, market: await aMarket(db), shares: 150_000, at });
    }
    await aFill(db, { wallet, market, shares: 150_000, at: "2026-11-13T00:00:00Z" });
    // No trades before it: a split, what happens later, and what happens in the same second.
    await aFill(db, { wallet, market: await aMarket(db), kind: "split", at: "2026-01-01T00:00:00Z" });
    await aFill(db, { wallet, market: await aMarket(db), shares: 1_000_000, at: "2026-11-20T12:00:01Z" });
    await aFill(db, { wallet, market: await aMarket(db), shares: 1_000_000, at: AT });
    const id = await aTakenTrade(db, { wallet, market, shares: 200_000, price: "0.5", at: AT });
    await run();

    // Size: 60 ln(20) / ln(200) + 40 = 33.9247 + 40. Freshness: 50 x 20/30 + 30 x 17/20 + 20 x 100,000/400,000 = 33.3333 + 25.5 + 5.
    expect(await tradeOf(id)).toMatchObject({ suspicionScore: 73, suspicionTrack: "whale", judgedAt: NOW });
    expect(Number((await tradeOf(id))?.marketVolumeShare)).toBe(0.1);
    const flag = await flagOf(id);
    expect(flag).toMatchObject({
      track: "whale",
      side: "yes",
      score: 73,
      traderId: wallet.id,
      marketId: market.id,
      tradedAt: new Date(AT),
    });
    expect(flag?.scores).toEqual({ timing: null, edge: null, size: 73.92, fresh_wallet: 63.83 });
    expect(flag?.evidence).toMatchObject({
      inputs: { market_volume_share: 0.1, wallet: { age_days: 10, markets_before: 3, volume_before_usd: 300_000 } },
    });
  });

  test("fresh conviction: a wallet's first trade, a sale of YES for fifty thousand dollars", async () => {
    const [market, wallet] = [await aReadMarket("2026-09-01T00:00:00Z"), await aReadWallet()];
    await aFill(db, { wallet: somebody, market, shares: 1, isTaker: true, at: "2026-11-19T00:00:00Z" });
    const id = await aTakenTrade(db, { wallet, market, outcome: 0, side: "SELL", shares: 100_000, at: AT });
    await run();
    // Half of 60 ln(10) / ln(200) = 26.0753, and half of 100. The market began before the feed's reach: no share.
    expect(await flagOf(id)).toMatchObject({ track: "fresh_conviction", score: 63, side: "no" });
    expect((await flagOf(id))?.evidence).toMatchObject({ inputs: { market_volume_share: null } });
    expect(await tradeOf(id)).toMatchObject({ marketVolumeShare: null });
  });

  test("sliced: the fills of a day that back the same side, by transaction", async () => {
    const [market, wallet] = [await aReadMarket("2026-09-01T00:00:00Z"), await aReadWallet()];
    await aFill(db, { wallet, market: await aMarket(db), shares: 10_000_000, at: "2025-01-01T00:00:00Z" });
    const slice = { wallet, market, shares: 20_000 };
    for (const at of ["2026-11-19T12:00:01Z", "2026-11-19T18:00:00Z", "2026-11-20T00:00:00Z"]) await aFill(db, { ...slice, at });
    // One order that met two makers, and a sale of NO.
    await aFill(db, { ...slice, shares: 15_000, at: "2026-11-20T01:00:00Z", tx: 900_001 });
    await aFill(db, { ...slice, shares: 5_000, at: "2026-11-20T01:00:00Z", tx: 900_001 });
    await aFill(db, { ...slice, outcome: 1, side: "SELL", at: "2026-11-20T02:00:00Z" });
    // A day ago, the other side, another market and later do not count.
    await aFill(db, { ...slice, at: "2026-11-19T12:00:00Z" });
    await aFill(db, { ...slice, side: "SELL", at: "2026-11-20T03:00:00Z" });
    await aFill(db, { ...slice, market: await aMarket(db), at: "2026-11-20T03:00:00Z" });
    await aFill(db, { ...slice, at: "2026-11-20T12:00:01Z" });
    const id = await aTakenTrade(db, { ...slice, at: AT });
    await run();
    // Six slices, 60,000 dollars: 0.7 x 60 ln(12) / ln(200) + 0.3 x 100 ln(6) / ln(30) = 19.6978 + 15.8041 = 35.50.
    expect(await tradeOf(id)).toMatchObject({ suspicionScore: 35, suspicionTrack: "sliced_position", judgedAt: NOW });
    expect(await flagOf(id)).toBeUndefined();
  });

  test("an ordinary trade is judged and has no score", async () => {
    const [market, wallet] = [await aReadMarket("2026-09-01T00:00:00Z"), await aReadWallet()];
    await aFill(db, { wallet, market: await aMarket(db), shares: 10_000_000, at: "2025-01-01T00:00:00Z" });
    const id = await aTakenTrade(db, { wallet, market, shares: 20_000, at: AT });
    await run();
    expect(await tradeOf(id)).toMatchObject({ suspicionScore: null, suspicionTrack: null, judgedAt: NOW });
  });
});

test("a flag is announced once, as the contract has it", async () => {
  const [market, wallet] = [await aReadMarket(), await aReadWallet()];
  const id = await aFreshTrade(wallet, market);
  await run();
  await run();
  expect((await written()).events).toEqual([
    {
      type: "suspicious_trade_flagged",
      payload: {
        trade_id: id,
        wallet: wallet.address,
        trader_id: wallet.id,
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

test("what is learned after the verdict changes nothing", async () => {
  const [market, wallet] = [await aReadMarket(), await aReadWallet()];
  await aFreshTrade(wallet, market);
  await run();
  const before = await written();
  expect(before.flags).toHaveLength(1);
  await aFill(db, { wallet, market: await aMarket(db), shares: 9_000_000, at: "2024-01-01T00:00:00Z" });
  await aFill(db, { wallet: somebody, market, shares: 9_000_000, at: "2026-11-02T00:00:00Z", isTaker: true });
  await run(SIX_HOURS_ON);
  expect(await written()).toEqual(before);
});

describe("a trade waits", () => {
  const waits: [string, () => Promise<number>][] = [
    ["for a wallet that is not followed", async () => aFreshTrade(await aWallet(db), await aReadMarket())],
    ["for a wallet never read to its end", async () => aFreshTrade(await aWallet(db, { followed: true }), await aReadMarket())],
    [
      "for a wallet read to just before the trade",
      async () => aFreshTrade(await aReadWallet({ coveredTo: "2026-11-20T11:59:59Z" }), await aReadMarket()),
    ],
    [
      "for a walk that stopped within the trade's second",
      async () => {
        const wallet = await aReadWallet({ coveredTo: AT });
        await db.update(walletSyncs).set({ resume: {} }).where(eq(walletSyncs.traderId, wallet.id));
        return aFreshTrade(wallet, await aReadMarket());
      },
    ],
  ];

  test.for(waits)("%s, and then is judged without its history", async ([, story]) => {
    const id = await story();
    await run();
    expect((await tradeOf(id))?.judgedAt).toBeNull();
    await run(new Date(SIX_HOURS_ON.getTime() - 1));
    expect((await tradeOf(id))?.judgedAt).toBeNull();
    await run(SIX_HOURS_ON);
    // A whale by its dollars: 60 ln(10) / ln(200), all of its market: + 40.
    expect(await tradeOf(id)).toMatchObject({ suspicionScore: 66, suspicionTrack: "whale", judgedAt: SIX_HOURS_ON });
    expect((await flagOf(id))?.scores).toMatchObject({ fresh_wallet: null });
    expect((await flagOf(id))?.evidence).toMatchObject({ inputs: { wallet: null, slices: null } });
  });

  test("for the feed to be read up to it", async () => {
    const id = await aFreshTrade(await aReadWallet(), await aReadMarket());
    await feedReadTo("2026-11-20T11:59:59Z");
    await run();
    expect((await tradeOf(id))?.judgedAt).toBeNull();
    await feedReadTo(AT);
    await run();
    expect((await tradeOf(id))?.judgedAt).toEqual(NOW);
  });

  test("for its market to be read, and is judged without a direction at last", async () => {
    const market = await aReadMarket();
    await db.update(outcomes).set({ outcomeIndex: null }).where(eq(outcomes.marketId, market.id));
    const id = await aFreshTrade(await aReadWallet(), market);
    const unread = await aReadMarket();
    await db.update(markets).set({ hydratedAt: null }).where(eq(markets.id, unread.id));
    const other = await aFreshTrade(await aReadWallet(), unread);
    await run();
    expect([(await tradeOf(id))?.judgedAt, (await tradeOf(other))?.judgedAt]).toEqual([null, null]);
    await run(SIX_HOURS_ON);
    expect(await tradeOf(id)).toMatchObject({ suspicionScore: null, judgedAt: SIX_HOURS_ON });
    expect(await tradeOf(other)).toMatchObject({ suspicionScore: 83, judgedAt: SIX_HOURS_ON });
  });
});

describe("a judgement reads only so much, and takes what would need more as not known", () => {
  const BOUNDS = { own: 6, market: 4, day: 3 };
  /** Fifty thousand dollars by a wallet with so many more entries a year ago, and so many in the market an hour before. */
  async function judged({ own = 0, market = 0, day = 0 }) {
    const [read, wallet] = [await aReadMarket(), await aReadWallet()];
    for (let n = 0; n < own; n++) await aFill(db, { wallet, market: await aMarket(db), at: "2025-11-20T12:00:00Z" });
    for (let n = 0; n < market; n++) await aFill(db, { wallet: somebody, market: read, isTaker: true, at: "2026-11-20T11:00:00Z" });
    for (let n = 0; n < day; n++) await aFill(db, { wallet, market: read, at: "2026-11-20T11:00:00Z" });
    const id = await aFreshTrade(wallet, read);
    while (await judgeTrades(pool, FLOOR_USD, NOW, BOUNDS));
    expect((await tradeOf(id))?.judgedAt).toEqual(NOW);
    const { evidence, scores } = (await flagOf(id)) ?? {};
    return { ...Object(evidence).inputs, scores, share: (await tradeOf(id))?.marketVolumeShare ?? null };
  }

  // The trade itself is one of the entries everywhere.
  test("a wallet's history", async () => {
    expect((await judged({ own: 5 })).wallet).toMatchObject({ markets_before: 5 });
    const unknown = await judged({ own: 6 });
    expect(unknown).toMatchObject({ wallet: null, scores: { fresh_wallet: null } });
    expect(unknown.slices).toMatchObject({ count: 1 });
  });

  test("a market's shares", async () => {
    expect(await judged({ market: 3 })).toMatchObject({ market_volume_share: 100_000 / 100_300 });
    expect(await judged({ market: 4 })).toMatchObject({ market_volume_share: null, share: null, wallet: { markets_before: 0 } });
  });

  test("a day's fills", async () => {
    expect((await judged({ day: 2 })).slices).toMatchObject({ count: 3 });
    expect(await judged({ day: 3 })).toMatchObject({ slices: null, wallet: { volume_before_usd: 150 } });
  });

  test("and a wallet with more of them keeps nobody waiting", async () => {
    const [market, busy] = [await aReadMarket(), await aReadWallet()];
    for (let n = 0; n < 8; n++) await aFill(db, { wallet: busy, market: await aMarket(db), at: "2025-11-20T12:00:00Z" });
    const ids: number[] = [];
    for (let n = 0; n < 12; n++) ids.push(await aTakenTrade(db, { wallet: busy, market, shares: 20_000, at: "2026-11-20T10:00:00Z" }));
    ids.push(await aFreshTrade(await aReadWallet(), await aReadMarket()));
    // Twelve trades of one wallet take several rounds; the other one does not wait for them.
    await judgeTrades(pool, FLOOR_USD, NOW, BOUNDS);
    expect((await tradeOf(ids[12] ?? 0))?.judgedAt).toEqual(NOW);
    while (await judgeTrades(pool, FLOOR_USD, NOW, BOUNDS));
    for (const id of ids) expect((await tradeOf(id))?.judgedAt).toEqual(NOW);
  });
});

test("a wallet with activity we could not follow is judged at once, without its history", async () => {
  const id = await aFreshTrade(await aReadWallet({ gaps: ["conversion"] }), await aReadMarket());
  await run();
  expect((await flagOf(id))?.evidence).toMatchObject({ inputs: { wallet: null, slices: { count: 1, total_usd: 50_000 } } });
});

test("a market of three outcomes has no YES to back", async () => {
  const market = await aReadMarket();
  await db.insert(outcomes).values({ marketId: market.id, tokenId: "third", outcomeIndex: 2 });
  const id = await aFreshTrade(await aReadWallet(), market);
  await run();
  expect(await tradeOf(id)).toMatchObject({ suspicionScore: null, judgedAt: NOW });
});

test("a process killed after any of its steps flags everything once: the next one ends in the same state", async () => {
  for (let n = 0; n < 3; n++) await aFreshTrade(await aReadWallet(), await aReadMarket());
  const die = async (dieAfter: number) => {
    const life = new MortalProcess(dieAfter);
    await judgeTrades(life.pool(pool), FLOOR_USD, NOW).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    return life.steps;
  };
  const reset = async () => {
    await db.delete(suspiciousTrades);
    await db.delete(events);
    await db.update(largeTrades).set({ judgedAt: null, suspicionScore: null, suspicionTrack: null });
    await db.update(largeTrades).set({ judgedAt: NOW }).where(eq(largeTrades.traderId, somebody.id));
  };
  const steps = await die(Infinity);
  await run();
  const untroubled = await written();
  expect(untroubled.flags).toHaveLength(3);
  for (let dieAfter = 1; dieAfter <= steps; dieAfter++) {
    await reset();
    await die(dieAfter);
    await run();
    expect(await written(), `killed after step ${dieAfter}`).toEqual(untroubled);
  }
});

test("two processes at once flag a trade once", async () => {
  await aFreshTrade(await aReadWallet(), await aReadMarket());
  const other = database.openPool();
  await Promise.all([judgeTrades(pool, FLOOR_USD, NOW), judgeTrades(other, FLOOR_USD, NOW)]);
  const { flags, events: announced } = await written();
  expect([flags.length, announced.length]).toEqual([1, 1]);
});
