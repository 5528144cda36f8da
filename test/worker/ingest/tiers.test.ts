import type { Pool } from "@neondatabase/serverless";
import { describe, expect, test } from "vitest";
import { traders, trendingEntries, walletSyncs } from "../../../src/db/schema.ts";
import { listDueWallets } from "../../../src/ingest/due-work.ts";
import { createTestDatabase } from "../../support/database.ts";
import { anActivityProvider, follow, sync } from "../../support/ingest/followed-wallet.ts";
import { joinIngest } from "../../support/ingest/ingest-under-test.ts";
import { aTrade, asActivity, pageOf, type TradeFacts } from "../../support/ingest/trades.ts";
import { aGeneration, aTrendingRow } from "../../support/seed/lists.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const secondsAt = (daysAgo: number) => NOW.getTime() / 1000 - daysAgo * 86_400;
const LARGE = { sharesMicro: 20_000_000_000n, price: "0.5" };

/** A hot wallet whose whole history is one trade so many days ago, just read; its large trades come by the takers' feed. */
async function aWalletOf(facts: Partial<TradeFacts> & { daysAgo: number }) {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  const { daysAgo, ...rest } = facts;
  const trade = aTrade({ atSeconds: secondsAt(daysAgo), ...rest });
  await joinIngest(pool).apply("takers", pageOf([trade]));
  await pool.query("update traders set tier = 'hot'; insert into wallet_syncs (trader_id) select id from traders on conflict do nothing");
  const read = (at: Date) => sync(pool, anActivityProvider(1, [pageOf([asActivity({ ...trade, feeMicro: 0n })])]), 1, at);
  const stored = async () => {
    const [trader] = await db.select().from(traders);
    const [walletSync] = await db.select().from(walletSyncs);
    return { id: trader?.id ?? 0, tier: trader?.tier, dueAt: walletSync?.dueAt, completeAt: walletSync?.completeAt };
  };
  return { db, pool, read, stored };
}

const isDue = async (pool: Pool) => (await listDueWallets(pool, 200)).length === 1;

describe("a wallet that is read to its end goes to the tier it is due", () => {
  test.each([
    { what: "a large trade yesterday", daysAgo: 1, facts: LARGE, tier: "hot", minutes: 1 },
    { what: "a large trade two weeks ago", daysAgo: 14, facts: LARGE, tier: "warm", minutes: 30 },
    { what: "a small trade yesterday", daysAgo: 1, facts: {}, tier: "warm", minutes: 30 },
    { what: "nothing for forty days", daysAgo: 40, facts: LARGE, tier: "cold", minutes: 7 * 24 * 60 },
  ])("$what: $tier", async ({ daysAgo, facts, tier, minutes }) => {
    const { read, stored } = await aWalletOf({ daysAgo, ...facts });
    await read(NOW);
    expect(await stored()).toMatchObject({ tier, completeAt: NOW, dueAt: new Date(NOW.getTime() + minutes * 60_000) });
  });

  test("a place on the provider's board keeps it hot until the board has gone", async () => {
    const { db, read, stored } = await aWalletOf({ daysAgo: 40 });
    const { id: traderId } = await stored();
    const generation = await aGeneration(db, "trending:7d", NOW, 1);
    await aTrendingRow(db, { generation, rank: 1, traderId, providerPnl: "1", windowMarketsTraded: 0, windowTradeDays: 0, dailyPnl: [] });
    await read(NOW);
    expect((await stored()).tier).toBe("hot");
    await db.delete(trendingEntries);
    await read(NOW);
    expect((await stored()).tier).toBe("cold");
  });

  test("a grade of S, A or B raises it", async () => {
    const { db, read, stored } = await aWalletOf({ daysAgo: 40 });
    await read(NOW);
    await db.update(traders).set({ grade: "B" });
    await read(NOW);
    expect((await stored()).tier).toBe("hot");
  });
});

describe("a cold wallet that was followed", () => {
  test("keeps its history, and is read at once when a fill of any size shows", async () => {
    const { pool, read, stored } = await aWalletOf({ daysAgo: 40 });
    // By the database's own clock, so that being due can be told.
    await read(new Date());
    expect(await stored()).toMatchObject({ tier: "cold", completeAt: expect.any(Date) });
    expect(await isDue(pool)).toBe(false);
    await joinIngest(pool).apply("all", pageOf([aTrade({ n: 2, sharesMicro: 1n, atSeconds: Date.now() / 1000 - 60 })]));
    expect((await stored()).tier).toBe("warm");
    expect(await isDue(pool)).toBe(true);
  });

  test("stays cold when a page of before is read again", async () => {
    const { pool, read, stored } = await aWalletOf({ daysAgo: 40 });
    await read(new Date());
    await joinIngest(pool).apply("all", pageOf([aTrade({ atSeconds: secondsAt(40) })]));
    expect((await stored()).tier).toBe("cold");
    expect(await isDue(pool)).toBe(false);
  });

  test("is read at once when it is raised to hot", async () => {
    const { pool, read, stored } = await aWalletOf({ daysAgo: 40 });
    await read(new Date());
    await joinIngest(pool).apply("takers", pageOf([aTrade({ n: 2, ...LARGE, atSeconds: Date.now() / 1000 - 60 })]));
    expect((await stored()).tier).toBe("hot");
    expect(await isDue(pool)).toBe(true);
  });
});

test("a wallet that was never followed stays cold and unread for a small fill", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  await joinIngest(pool).apply("all", pageOf([aTrade({})]));
  expect((await db.select().from(traders))[0]?.tier).toBe("cold");
  expect(await db.$count(walletSyncs)).toBe(0);
});

test("a wallet whose history has not been read to its end stays in its tier", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  await follow(pool, 1);
  const first = pageOf([asActivity(aTrade({ atSeconds: secondsAt(40) }))]);
  const provider = anActivityProvider(1, [first, first]);
  const breaking = {
    ...provider,
    listActivity: async (...args: Parameters<typeof provider.listActivity>) => {
      if (args[2] !== null) throw new Error("away");
      return provider.listActivity(...args);
    },
  };
  await expect(sync(pool, breaking, 1, NOW)).rejects.toThrow("away");
  expect((await db.select().from(traders))[0]?.tier).toBe("hot");
});
