import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { lockLedger, recordLedgerEntries } from "../../../../src/ingest/ledger/record-ledger-entries.ts";
import { writeTrendingList } from "../../../../src/ingest/read-models/build-trending.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aProviderBoard } from "../../../support/ingest/provider/provider-boards.ts";
import { trendingOf } from "../../../support/ingest/worlds/built-lists.ts";
import { aMarket, type SeededMarket } from "../../../support/seed/markets.ts";
import { hex, nextNumber } from "../../../support/seed/numbers.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";
import { DAY_MS } from "../../../../src/scoring/utc-calendar.ts";

const SECOND = 1_000;
const usd = (dollars: number) => BigInt(dollars) * 1_000_000n;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

interface Entry {
  readonly kind: "buy" | "sell" | "split";
  readonly atMs: number;
  readonly market: SeededMarket;
  readonly shares: number;
  readonly dollars: number;
}

interface Scene {
  /** The start of today in UTC, in milliseconds. */
  readonly todayMs: number;
  aMarket(facts?: Parameters<typeof aMarket>[1]): Promise<SeededMarket>;
  /** Records an entry of the market's first outcome, which settles it when the market has payouts. */
  anEntry(entry: Entry): Promise<void>;
}

/**
 * The list's row of the only trader, whose history is complete. All of it happens at one instant of the
 * database's clock, so that midnight cannot fall between the entries and the list, and in a time zone far
 * from UTC.
 */
async function trendingRow(period: "week" | "month", stage: (scene: Scene) => Promise<void>) {
  const { db, openPool } = await createTestDatabase();
  const wallet = await aSeededTrader(db, { completeAt: new Date("2026-11-20T12:00:00Z") });
  await inTransaction(openPool(), async (session) => {
    const { rows } = await session.execute<{ now_ms: number }>(
      sql`select (extract(epoch from now()) * 1000)::float8 as now_ms`,
    );
    await lockLedger(session);
    await stage({
      todayMs: Math.floor((rows[0]?.now_ms ?? Number.NaN) / DAY_MS) * DAY_MS,
      aMarket: (facts) => aMarket(db, facts),
      async anEntry({ kind, atMs, market, shares, dollars }) {
        await recordLedgerEntries(session, [
          {
            txHash: hex(nextNumber(), 64),
            traderId: wallet.id,
            marketId: market.id,
            outcomeId: market.outcomes[0].id,
            kind,
            ordinal: 0,
            sharesMicro: usd(shares),
            usdMicro: usd(dollars),
            feeMicro: null,
            price: String(dollars / shares),
            role: null,
            tradedAtMs: atMs,
          },
        ]);
      },
    });
    await session.execute(sql`set local time zone 'Asia/Tokyo'`);
    const { rows: board } = aProviderBoard([wallet.address]);
    await writeTrendingList(session, period, board, new Map([[wallet.address, wallet.id]]));
  });
  return (await trendingOf(db, period === "week" ? "trending:7d" : "trending:30d"))[0];
}

describe.each([
  { period: "week", days: 7 },
  { period: "month", days: 30 },
] as const)("$period window of $days whole UTC days including today", ({ period, days }) => {
  test("a fill at 00:00 of the first day counts, and one a second earlier does not", async () => {
    let firstMs = 0;
    const row = await trendingRow(period, async ({ todayMs, anEntry, aMarket: market }) => {
      firstMs = todayMs - (days - 1) * DAY_MS;
      const [early, first] = [await market(), await market()];
      for (const one of [early, first])
        await anEntry({ kind: "buy", atMs: firstMs - DAY_MS, market: one, shares: 100, dollars: 50 });
      await anEntry({ kind: "sell", atMs: firstMs - SECOND, market: early, shares: 100, dollars: 60 });
      await anEntry({ kind: "sell", atMs: firstMs, market: first, shares: 10, dollars: 6 });
    });
    expect(row).toMatchObject({ windowVolumeMicro: usd(6), windowMarketsTraded: 1, windowTradeDays: 1 });
    expect(row?.dailyPnl).toEqual([{ date: dayOf(firstMs), pnl_micro: "1000000" }]);
  });

  test("a market resolved at 00:00 of the first day counts, and one a second earlier does not", async () => {
    let firstMs = 0;
    const row = await trendingRow(period, async ({ todayMs, anEntry, aMarket: market }) => {
      firstMs = todayMs - (days - 1) * DAY_MS;
      const [won, lost] = [
        await market({ payoutsPpm: [1_000_000, 0], resolvedAt: new Date(firstMs - SECOND) }),
        await market({ payoutsPpm: [0, 1_000_000], resolvedAt: new Date(firstMs) }),
      ];
      await anEntry({ kind: "buy", atMs: firstMs - DAY_MS, market: won, shares: 100, dollars: 50 });
      await anEntry({ kind: "buy", atMs: firstMs - DAY_MS, market: lost, shares: 100, dollars: 7 });
    });
    expect(row).toMatchObject({ windowVolumeMicro: 0n, windowMarketsTraded: 0, windowTradeDays: 0 });
    expect(row?.dailyPnl).toEqual([{ date: dayOf(firstMs), pnl_micro: "-7000000" }]);
  });
});

test("the volume counts buys and sells, and a day's profit counts realized and settled profit", async () => {
  let today = 0;
  const row = await trendingRow("week", async ({ todayMs, anEntry, aMarket: market }) => {
    today = todayMs;
    const [first, second] = [await market(), await market()];
    const held = await market({ payoutsPpm: [1_000_000, 0], resolvedAt: new Date(todayMs - SECOND) });
    await anEntry({ kind: "buy", atMs: todayMs - 40 * DAY_MS, market: held, shares: 10, dollars: 8 });
    await anEntry({ kind: "buy", atMs: todayMs - 4 * DAY_MS, market: first, shares: 100, dollars: 50 });
    await anEntry({ kind: "sell", atMs: todayMs - 2 * DAY_MS, market: first, shares: 40, dollars: 23 });
    await anEntry({ kind: "sell", atMs: todayMs - SECOND, market: first, shares: 20, dollars: 5 });
    await anEntry({ kind: "split", atMs: todayMs, market: second, shares: 100, dollars: 50 });
    await anEntry({ kind: "sell", atMs: todayMs, market: second, shares: 50, dollars: 29 });
  });
  expect(row).toMatchObject({ windowVolumeMicro: usd(107), windowMarketsTraded: 2, windowTradeDays: 4 });
  expect(row?.dailyPnl).toEqual([
    { date: dayOf(today - 2 * DAY_MS), pnl_micro: "3000000" },
    { date: dayOf(today - DAY_MS), pnl_micro: "-3000000" },
    { date: dayOf(today), pnl_micro: "4000000" },
  ]);
});

test("an unknown combination counts in volume, markets and days, and not in profit", async () => {
  const row = await trendingRow("week", async ({ todayMs, anEntry, aMarket: market }) => {
    const combination = await market({ conditionId: `0x03${hex(nextNumber(), 60).slice(2)}`, hydratedAt: null });
    await anEntry({ kind: "buy", atMs: todayMs, market: combination, shares: 100, dollars: 50 });
    await anEntry({ kind: "sell", atMs: todayMs + SECOND, market: combination, shares: 100, dollars: 60 });
  });
  expect(row).toMatchObject({ windowVolumeMicro: usd(110), windowMarketsTraded: 1, windowTradeDays: 1 });
  expect(row?.dailyPnl).toEqual([]);
});
