import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { computeReport } from "../../../../src/queries/stored-reports.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { setFeedWatermark } from "../../../support/ingest/worlds/rebuilt-reports.ts";
import { aLargeTrade } from "../../../support/seed/large-trades.ts";
import { aMarket, type SeededMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

const GRADES = ["S", "A", "B", "C", "D", "F", null] as const;
const CATEGORIES = ["Crypto", "Politics", null] as const;
const DAYS = ["2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21"] as const;
const TIMES = ["00:00:00.000", "11:59:59.999", "23:59:59.999"] as const;

let db: Database;
let market: SeededMarket;
const wallets = new Map<string | null, readonly SeededTrader[]>();

beforeAll(async () => {
  ({ db } = await createTestDatabase());
  market = await aMarket(db, { title: "A title" });
  for (const grade of GRADES)
    wallets.set(grade, [
      await aSeededTrader(db, { grade, username: `first ${grade}` }),
      await aSeededTrader(db, { grade }),
    ]);
});

const anyTrade = fc.record({
  grade: fc.constantFrom(...GRADES),
  wallet: fc.constantFrom(0, 1),
  category: fc.constantFrom(...CATEGORIES),
  day: fc.constantFrom(...DAYS),
  time: fc.constantFrom(...TIMES),
  // Equal sizes, and one beyond a 32-bit integer and the precision of a double.
  micro: fc.constantFrom(5_000_000_001n, 5_000_000_002n, 9_007_199_254_740_993n),
});

test("a report of any large trades has the sums, days, traders, grades and largest trades of exactly its days", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyTrade, { maxLength: 12 }),
      fc.constantFrom(1, 3, 50),
      async (drawnTrades, topTrades) => {
        await db.execute(sql`delete from large_trades`);
        const trades: { id: number; wallet: SeededTrader; trade: (typeof drawnTrades)[number] }[] = [];
        for (const trade of drawnTrades) {
          const wallet = wallets.get(trade.grade)?.[trade.wallet];
          if (wallet === undefined) throw new Error("two wallets of each grade");
          const tradedAt = new Date(`${trade.day}T${trade.time}Z`);
          trades.push({
            id: await aLargeTrade(db, {
              trader: wallet,
              market,
              tradedAt,
              category: trade.category,
              sizeUsdMicro: trade.micro,
            }),
            wallet,
            trade,
          });
        }
        const range = { startOn: "2026-11-19", endOn: "2026-11-20" };
        const { report } = await computeReport(db, range, topTrades);

        const inRange = trades.filter(({ trade }) => trade.day === "2026-11-19" || trade.day === "2026-11-20");
        const sum = (list: typeof trades) => list.reduce((total, { trade }) => total + trade.micro, 0n);
        const active = new Map(inRange.map(({ wallet, trade }) => [wallet.id, trade.grade]));
        const largest = inRange.toSorted(
          (a, b) =>
            Number(b.trade.micro - a.trade.micro) ||
            `${a.trade.day}${a.trade.time}`.localeCompare(`${b.trade.day}${b.trade.time}`) ||
            a.id - b.id,
        );
        const byCategory = [
          ...Map.groupBy(
            inRange.filter(({ trade }) => trade.category !== null),
            ({ trade }) => trade.category,
          ),
        ]
          .map(([category, list]) => ({ category, trades: list.length, volume_micro: sum(list) }))
          .toSorted(
            (a, b) => Number(b.volume_micro - a.volume_micro) || String(a.category).localeCompare(String(b.category)),
          );
        expect(report).toMatchObject({
          trades: inRange.length,
          volume_micro: sum(inRange),
          biggest_micro: largest[0]?.trade.micro ?? null,
          traders: active.size,
          active_days: new Set(inRange.map(({ trade }) => trade.day)).size,
          categories: byCategory,
          grades: GRADES.map((grade) => ({
            grade,
            traders: [...active.values()].filter((found) => found === grade).length,
          })).filter((row) => row.traders > 0),
        });
        expect(report.top.map(({ id }) => id)).toEqual(largest.slice(0, topTrades).map(({ id }) => id));
      },
    ),
    { numRuns: 60 },
  );
});

test("a trade of a report has its market, its token and its trader's current name and grade", async () => {
  await db.execute(sql`delete from large_trades`);
  const wallet = await aSeededTrader(db, { username: "known", grade: "A" });
  const facts = {
    sizeUsdMicro: 12_345_678_901n,
    price: "0.6215",
    side: "SELL",
    category: "Golf",
    tradedAt: new Date("2026-11-20T10:00:00.250Z"),
  };
  const id = await aLargeTrade(db, {
    trader: wallet,
    market,
    outcome: 1,
    gradeAtTrade: "F",
    gradeAtTradeStatus: "graded",
    ...facts,
  });
  const { report } = await computeReport(db, { startOn: "2026-11-20", endOn: "2026-11-20" }, 50);
  expect(report.top).toEqual([
    {
      id,
      outcome: "No",
      side: "SELL",
      title: "A title",
      size_micro: 12_345_678_901n,
      price: "0.6215",
      token_id: market.outcomes[1].tokenId,
      traded_at: "2026-11-20T10:00:00.250Z",
      category: "Golf",
      name: "known",
      grade: "A",
    },
  ]);
});

test.each([
  [null, "none"],
  ["2026-11-19T00:00:00Z", "none"],
  ["2026-11-19T00:00:01Z", "part"],
  ["2026-11-20T23:59:59Z", "part"],
  ["2026-11-21T00:00:00Z", "whole"],
])("a feed read to %s covers 19 and 20 November: %s", async (readTo, read) => {
  await setFeedWatermark(db, readTo);
  expect((await computeReport(db, { startOn: "2026-11-19", endOn: "2026-11-20" }, 50)).report.read).toBe(read);
});

test("the first covered day is the day of the oldest large trade, and is reported when it lies in the range", async () => {
  await db.execute(sql`delete from large_trades`);
  const empty = await computeReport(db, { startOn: "2026-11-19", endOn: "2026-11-20" }, 50);
  expect([empty.firstDay, empty.report.covered_from]).toEqual([null, null]);
  await aLargeTrade(db, { market, tradedAt: new Date("2026-11-19T23:59:59Z") });
  await aLargeTrade(db, { market, tradedAt: new Date("2026-11-20T00:00:00Z") });
  const coveredFrom = async (startOn: string, endOn: string) =>
    (await computeReport(db, { startOn, endOn }, 50)).report.covered_from;
  expect(await coveredFrom("2026-11-18", "2026-11-20")).toBe("2026-11-19");
  expect(await coveredFrom("2026-11-19", "2026-11-19")).toBe("2026-11-19");
  expect(await coveredFrom("2026-11-20", "2026-11-20")).toBeNull();
});
