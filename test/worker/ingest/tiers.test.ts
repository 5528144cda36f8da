import type { Pool } from "@neondatabase/serverless";
import { describe, expect, test } from "vitest";
import { traders, trendingEntries, traderSyncs } from "../../../src/db/schema.ts";
import { listDueTraders } from "../../../src/ingest/queue/list-due-work.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { anActivityProvider, followTrader, syncFollowedTrader } from "../../support/ingest/worlds/followed-trader.ts";
import { joinIngest } from "../../support/ingest/ingest-under-test.ts";
import { aTrade, asActivity, pageOf, type TradeFacts } from "../../support/ingest/provider/provider-trades.ts";
import { aGeneration, aTrendingRow } from "../../support/seed/lists.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const secondsAt = (daysAgo: number) => NOW.getTime() / 1000 - daysAgo * 86_400;
const LARGE = { sharesMicro: 20_000_000_000n, price: "0.5" };

/**
 * A hot trader whose complete history is one trade this many days ago. Large trades arrive by the takers
 * feed.
 */
async function aTraderWithTrade(facts: Partial<TradeFacts> & { daysAgo: number }) {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  const { daysAgo, ...rest } = facts;
  const trade = aTrade({ atSeconds: secondsAt(daysAgo), ...rest });
  await joinIngest(pool).apply("takers", pageOf([trade]));
  await pool.query(
    "update traders set tier = 'hot'; insert into trader_syncs (trader_id) select id from traders on conflict do nothing",
  );
  const read = (at: Date) =>
    syncFollowedTrader(pool, anActivityProvider(1, [pageOf([asActivity({ ...trade, feeMicro: 0n })])]), 1, at);
  const stored = async () => {
    const [trader] = await db.select().from(traders);
    const [walletSync] = await db.select().from(traderSyncs);
    return { id: trader?.id ?? 0, tier: trader?.tier, dueAt: walletSync?.dueAt, completeAt: walletSync?.completeAt };
  };
  return { db, pool, read, stored };
}

const isDue = async (pool: Pool) => (await listDueTraders(pool, 200)).length === 1;

describe("tier after a complete sync", () => {
  test.each([
    { what: "a large trade yesterday", daysAgo: 1, facts: LARGE, tier: "hot", minutes: 1 },
    { what: "a large trade two weeks ago", daysAgo: 14, facts: LARGE, tier: "warm", minutes: 30 },
    { what: "a small trade yesterday", daysAgo: 1, facts: {}, tier: "warm", minutes: 30 },
    { what: "no trade for forty days", daysAgo: 40, facts: LARGE, tier: "cold", minutes: 7 * 24 * 60 },
  ])("a trader with $what becomes $tier", async ({ daysAgo, facts, tier, minutes }) => {
    const { read, stored } = await aTraderWithTrade({ daysAgo, ...facts });
    await read(NOW);
    expect(await stored()).toMatchObject({ tier, completeAt: NOW, dueAt: new Date(NOW.getTime() + minutes * 60_000) });
  });

  test("a rank on the provider's board keeps a trader hot until the board's generation is gone", async () => {
    const { db, read, stored } = await aTraderWithTrade({ daysAgo: 40 });
    const { id: traderId } = await stored();
    const generation = await aGeneration(db, "trending:7d", NOW, 1);
    await aTrendingRow(db, {
      generation,
      rank: 1,
      traderId,
      providerPnl: "1",
      windowMarketsTraded: 0,
      windowTradeDays: 0,
      dailyPnl: [],
    });
    await read(NOW);
    expect((await stored()).tier).toBe("hot");
    await db.delete(trendingEntries);
    await read(NOW);
    expect((await stored()).tier).toBe("cold");
  });

  test("a grade of S, A or B makes a trader hot", async () => {
    const { db, read, stored } = await aTraderWithTrade({ daysAgo: 40 });
    await read(NOW);
    await db.update(traders).set({ grade: "B" });
    await read(NOW);
    expect((await stored()).tier).toBe("hot");
  });
});

describe("cold trader with a sync history", () => {
  test("a cold trader keeps its history and becomes due when a new fill of any size arrives", async () => {
    const { pool, read, stored } = await aTraderWithTrade({ daysAgo: 40 });
    // By the database's own clock, which decides what is due.
    await read(new Date());
    expect(await stored()).toMatchObject({ tier: "cold", completeAt: expect.any(Date) });
    expect(await isDue(pool)).toBe(false);
    await joinIngest(pool).apply("all", pageOf([aTrade({ n: 2, sharesMicro: 1n, atSeconds: Date.now() / 1000 - 60 })]));
    expect((await stored()).tier).toBe("warm");
    expect(await isDue(pool)).toBe(true);
  });

  test("a cold trader stays cold when an old page is read again", async () => {
    const { pool, read, stored } = await aTraderWithTrade({ daysAgo: 40 });
    await read(new Date());
    await joinIngest(pool).apply("all", pageOf([aTrade({ atSeconds: secondsAt(40) })]));
    expect((await stored()).tier).toBe("cold");
    expect(await isDue(pool)).toBe(false);
  });

  test("a cold trader becomes due when a large trade makes it hot", async () => {
    const { pool, read, stored } = await aTraderWithTrade({ daysAgo: 40 });
    await read(new Date());
    await joinIngest(pool).apply("takers", pageOf([aTrade({ n: 2, ...LARGE, atSeconds: Date.now() / 1000 - 60 })]));
    expect((await stored()).tier).toBe("hot");
    expect(await isDue(pool)).toBe(true);
  });
});

test("a trader that was never followed stays cold and without sync after a small fill", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  await joinIngest(pool).apply("all", pageOf([aTrade({})]));
  expect((await db.select().from(traders))[0]?.tier).toBe("cold");
  expect(await db.$count(traderSyncs)).toBe(0);
});

test("a trader with an incomplete history keeps its tier", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  await followTrader(pool, 1);
  const first = pageOf([asActivity(aTrade({ atSeconds: secondsAt(40) }))]);
  const provider = anActivityProvider(1, [first, first]);
  const breaking = {
    ...provider,
    listActivity: async (...args: Parameters<typeof provider.listActivity>) => {
      if (args[2] !== null) throw new Error("away");
      return provider.listActivity(...args);
    },
  };
  await expect(syncFollowedTrader(pool, breaking, 1, NOW)).rejects.toThrow("away");
  expect((await db.select().from(traders))[0]?.tier).toBe("hot");
});
