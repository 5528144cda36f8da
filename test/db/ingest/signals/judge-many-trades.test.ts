import type { Pool } from "@neondatabase/serverless";
import { beforeEach, expect, test } from "vitest";
import { TRADES_AT_ONCE } from "../../../../src/ingest/signals/due-trades.ts";
import { judgeTrades } from "../../../../src/ingest/signals/judge-trades.ts";
import { readTraderHistories } from "../../../../src/ingest/signals/trader-histories.ts";
import { countMessages } from "../../../support/database/count-messages.ts";
import { beforeEachQuery, textsOf } from "../../../support/database/before-each-query.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { aFill, NOW, seedFills, seedWorld, timeMs, withDueTrades } from "./seed-fills.ts";

let database: TestDatabase;
let pool: Pool;
beforeEach(async () => {
  database = await createTestDatabase();
  pool = database.openPool();
  await seedWorld(pool);
});

const judge = () => judgeTrades(pool, 5_000, NOW);

/** The trades whose verdict is stored, oldest first. */
const judged = async () =>
  (
    await pool.query<{ id: string; share: number | null; score: number | null }>(
      `select id, market_volume_share::float8 as share, suspicion_score as score from large_trades
       where id > 0 and judged_at is not null order by traded_at, id`,
    )
  ).rows;

test("each trade of a shared market is judged with the shares up to its own second", async () => {
  const before = { trader: 5, isLarge: false, hour: 0 };
  await seedFills(pool, [
    aFill(1, { ...before, shares: 600_000 }),
    // Not a taker's, another market, and later than all large trades.
    aFill(2, { ...before, shares: 600_000, isTaker: false }),
    aFill(3, { ...before, shares: 600_000, market: 2 }),
    aFill(4, { ...before, shares: 600_000, hour: 31 }),
    aFill(5, { trader: 1, shares: 200_000, hour: 10 }),
    aFill(6, { trader: 2, shares: 100_000, hour: 20 }),
    aFill(7, { trader: 3, shares: 100_000, hour: 20, kind: "sell" }),
    aFill(8, { trader: 4, shares: 1_000_000, hour: 30 }),
    aFill(9, { trader: 1, shares: 600_000, hour: 30, market: 2 }),
  ]);
  await judge();
  // Of 800,000; of 1,000,000 twice, because the order within a second is unknown; of 2,000,000; of 1,200,000.
  const shares = (await judged()).map(({ id, share }) => [Number(id), share]);
  expect(shares).toEqual([
    [5, 0.25],
    [6, 0.1],
    [7, 0.1],
    [8, 0.5],
    [9, 0.5],
  ]);
});

test("each trader has the history before its own trade", async () => {
  await seedFills(pool, [
    aFill(1, { trader: 1, market: 2, hour: 0, shares: 1_000, isLarge: false }),
    aFill(2, { trader: 1, market: 1, hour: 5 }),
    aFill(3, { trader: 1, market: 3, hour: 10 }),
    aFill(4, { trader: 2, market: 3, hour: 10 }),
    aFill(5, { trader: 3, market: 1, hour: 3, kind: "split", isTaker: false }),
    aFill(6, { trader: 3, market: 1, hour: 10 }),
    aFill(7, { trader: 3, market: 1, hour: 12 }),
  ]);
  const read = await withDueTrades(pool, (session, trades) => readTraderHistories(session, trades, 20_000));
  // A share costs half a dollar. The market of the trade itself is none of the other markets.
  const [first, tenth] = [timeMs(0), timeMs(10)];
  const none = { first_ms: null, other_markets: 0, usd_micro: "0" };
  expect(Object.fromEntries(read)).toEqual({
    2: { id: "2", first_ms: first, other_markets: 1, usd_micro: "500000000" },
    3: { id: "3", first_ms: first, other_markets: 2, usd_micro: "50500000000" },
    4: { id: "4", ...none },
    6: { id: "6", ...none },
    7: { id: "7", first_ms: tenth, other_markets: 0, usd_micro: "50000000000" },
  });
});

test("histories of traders with at most 50,000 entries together are read at once, and none of a trader beyond the bound", async () => {
  await seedFills(
    pool,
    [2, 3, 4, 5, 6].map((trader) => aFill(trader, { trader, hour: trader })),
  );
  await pool.query("update trader_totals set entry_count = case when trader_id = 6 then 20001 else 20000 end");
  await withDueTrades(pool, async (session, trades) => {
    const read: string[] = [];
    const messages = await countMessages(async () => {
      read.push(...(await readTraderHistories(session, trades, 20_000)).keys());
    });
    expect({ messages, read }).toEqual({ messages: 2, read: ["2", "3", "4", "5"] });
  });
});

test("more trades than one run judges are judged in several runs, the oldest first", async () => {
  const fills = Array.from({ length: TRADES_AT_ONCE + 3 }, (_, index) =>
    aFill(index + 1, { trader: 1 + (index % 5), market: 1 + (index % 4), hour: (index * 7) % 41 }),
  );
  await seedFills(pool, fills);
  const inOrder = fills.toSorted((a, b) => a.hour - b.hour || a.id - b.id).map(({ id }) => String(id));
  const judgedIds = async () => (await judged()).map(({ id }) => id);
  expect(await judge()).toBe(true);
  expect(await judgedIds()).toEqual(inOrder.slice(0, TRADES_AT_ONCE));
  expect(await judge()).toBe(true);
  expect(await judgedIds()).toEqual(inOrder);
  expect(await judge()).toBe(false);
});

test("a trade that another run judges between the reads and the writes keeps that verdict", async () => {
  await seedFills(pool, [aFill(1, { trader: 1 }), aFill(2, { trader: 2, market: 2 })]);
  const other = database.openPool();
  const hourLater = new Date(NOW.getTime() + 3_600_000);
  const overtaken = beforeEachQuery(pool, async (statement) => {
    const isWrite = textsOf(statement).some((text) => text.includes("for no key update"));
    if (isWrite) await judgeTrades(other, 5_000, hourLater);
  });
  await judgeTrades(overtaken, 5_000, NOW);
  const { rows } = await pool.query(
    `select (select array_agg(judged_at = $1) from large_trades where id > 0) as of_other,
       (select count(*)::int from suspicious_trades) as flags, (select count(*)::int from events) as events`,
    [hourLater],
  );
  expect(rows).toEqual([{ of_other: [true, true], flags: 2, events: 2 }]);
});
