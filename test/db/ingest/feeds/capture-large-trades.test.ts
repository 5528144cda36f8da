import { beforeAll, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { applyTradePage } from "../../../../src/ingest/feeds/apply-trade-page.ts";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { NEW_FEED } from "../../../../src/ingest/feeds/trade-walk-state.ts";
import { EVENT_CATALOGUE, type EventType } from "../../../../src/events/registry.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { openIngest } from "../../../support/ingest/ingest-under-test.ts";
import { aTrade, conditionOf, pageOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

const LARGE = aTrade({
  n: 1,
  wallet: 7,
  market: 3,
  outcome: 1,
  sharesMicro: 12_500_000_000n,
  price: "0.48",
  atSeconds: 1_760_000_000,
});
const LARGER = aTrade({
  n: 2,
  wallet: 8,
  side: "SELL",
  sharesMicro: 40_000_000_000n,
  price: "0.25",
  atSeconds: 1_760_000_060,
});
const SMALL = aTrade({ n: 3 });

// 10,000 shares at 0.50 are the floor. A trade less than half a cent below still counts: the chain truncates
// round orders by small amounts.
test.each([
  ["at the floor", { sharesMicro: 10_000_000_000n, price: "0.5" }, 1],
  ["a millionth of a dollar below the floor", { sharesMicro: 9_999_999_998n, price: "0.5" }, 1],
  ["half a cent below the floor", { sharesMicro: 9_999_990_000n, price: "0.5" }, 1],
  ["more than half a cent below the floor", { sharesMicro: 9_999_989_998n, price: "0.5" }, 0],
  ["of $5,000.00 minus a millionth, as recorded", { sharesMicro: 13_859_117_565n, price: "0.3607733302" }, 1],
  ["on the sell side at the floor", { sharesMicro: 10_000_000_000n, price: "0.5", side: "SELL" }, 1],
  ["just below the price bound", { sharesMicro: 10_000_000_000n, price: "0.969999" }, 1],
  ["at the price bound", { sharesMicro: 10_000_000_000n, price: "0.97" }, 0],
  ["at the price bound minus the truncation", { sharesMicro: 10_000_000_000n, price: "0.9699999999" }, 0],
  ["of a millionth of a dollar", { sharesMicro: 2n, price: "0.5" }, 0],
] as const)("a taker's trade %s is recorded as $2 large trades", async (_, facts, captured) => {
  const { apply, state } = await openIngest(database.openPool());
  await apply("takers", pageOf([aTrade(facts)]));
  const { entries, largeTrades, announced } = await state();
  expect([entries.length, largeTrades.length, announced.length]).toEqual([1, captured, captured]);
});

test("trades from the configured floor on are captured, reviewed by a score that starts at the floor, and their traders are followed", async () => {
  const pool = database.openPool();
  const { state } = await openIngest(pool);
  const shares = (n: number, sharesMicro: bigint) => aTrade({ n, wallet: n, sharesMicro, price: "0.5" });
  const page = pageOf([shares(1, 2_499_989_998n), shares(2, 2_500_000_000n), shares(3, 20_000_000_000n)]);
  const settings = { rowIds: new RowIdCache(), largeTradeMinUsd: 1_250 };
  await inTransaction(pool, (session) => applyTradePage(session, "takers", page, null, () => NEW_FEED, settings));
  const { largeTrades, traders } = await state();
  expect(largeTrades.map((row) => row["address"])).toEqual([walletOf(2), walletOf(3)]);
  const hot = traders.filter((row) => row["tier"] === "hot").map((row) => row["address"]);
  expect(hot).toEqual([walletOf(2), walletOf(3)]);
  // Computed by hand at odds of a half: at the floor the size counts 0; 10,000 dollars are eight floors, ln 8
  // / ln 200 = 0.392472 of the full size.
  const { rows } = await pool.query("select review_score from large_trades order by size_usd_micro");
  expect(rows.map((row) => row.review_score)).toEqual([0.15, 0.4247]);
});

test("a fill without a known role becomes a large trade only when the takers' feed lists it", async () => {
  const { apply, state } = await openIngest(database.openPool());
  await apply("all", pageOf([LARGER, LARGE]));
  expect((await state()).largeTrades).toEqual([]);
  await apply("takers", pageOf([LARGE]));
  const { largeTrades, announced } = await state();
  expect(largeTrades.map((row) => row["address"])).toEqual([walletOf(7)]);
  expect(announced).toHaveLength(1);
});

test("each large trade is published exactly once, with exact amounts", async () => {
  const { apply, state } = await openIngest(database.openPool());
  for (const feed of ["takers", "all", "takers"] as const) await apply(feed, pageOf([SMALL, LARGER, LARGE]));
  const { announced } = await state();
  expect(announced).toEqual([
    {
      type: "large_trade_inserted_v2",
      payload: {
        condition_id: conditionOf(3),
        wallet: walletOf(7),
        grade: null,
        size_usd: "6000.000000",
        shares: "12500.000000",
        price: "0.48",
        side: "BUY",
        outcome_index: 1,
        traded_at: "2025-10-09T08:53:20.000Z",
        platform: "polymarket",
      },
    },
    {
      type: "large_trade_inserted_v2",
      payload: {
        condition_id: conditionOf(1),
        wallet: walletOf(8),
        grade: null,
        size_usd: "10000.000000",
        shares: "40000.000000",
        price: "0.25",
        side: "SELL",
        outcome_index: 0,
        traded_at: "2025-10-09T08:54:20.000Z",
        platform: "polymarket",
      },
    },
  ]);
});

test("the events of large trades have exact amounts of any size and match their schemas", async () => {
  const pool = database.openPool();
  const { apply } = await openIngest(pool);
  // Beyond the integers of a double, and beyond the digits that a division of numerics keeps.
  const huge = aTrade({ n: 5, wallet: 5, sharesMicro: 1_234_567_890_123_456_789n, price: "0.5" });
  await apply("takers", pageOf([LARGE]));
  await pool.query("update traders set grade = 'A'");
  await apply("takers", pageOf([{ ...huge, trader: LARGE.trader }, LARGER]));
  const { rows } = await pool.query<{ type: EventType; payload: Record<string, unknown> }>(
    "select type, payload from events order by id",
  );
  for (const { type, payload } of rows) expect(EVENT_CATALOGUE[type].payload.parse(payload)).toEqual(payload);
  expect(rows.map(({ type, payload }) => [type, payload["grade"], payload["size_usd"], payload["shares"]])).toEqual([
    ["large_trade_inserted_v2", null, "6000.000000", "12500.000000"],
    ["large_trades_inserted", undefined, undefined, undefined],
    ["large_trade_inserted_v2", "A", "617283945061.728395", "1234567890123.456789"],
    ["large_trade_inserted_v2", null, "10000.000000", "40000.000000"],
    ["large_trades_inserted", undefined, undefined, undefined],
  ]);
});

test("a page with new large trades also publishes one batch event with their number", async () => {
  const pool = database.openPool();
  const { apply } = await openIngest(pool);
  await apply("takers", pageOf([SMALL]));
  await apply("takers", pageOf([LARGER, LARGE]));
  await apply("takers", pageOf([LARGER, LARGE, SMALL]));
  const { rows } = await pool.query("select payload from events where type = 'large_trades_inserted'");
  expect(rows).toEqual([{ payload: { count: 2 } }]);
});

test("an event references the stored large trade, and its trader is followed from then on", async () => {
  const pool = database.openPool();
  const { apply, state } = await openIngest(pool);
  await apply("takers", pageOf([LARGE, SMALL]));
  const { rows } = await pool.query<{ whale_alert_id: string; large_trade_id: string; id: string }>(
    `select e.payload ->> 'whale_alert_id' as whale_alert_id, e.large_trade_id, l.id
     from events e, large_trades l where e.type = 'large_trade_inserted_v2'`,
  );
  expect(rows).toEqual([{ whale_alert_id: rows[0]?.id, large_trade_id: rows[0]?.id, id: rows[0]?.id }]);
  expect((await state()).traders.map((row) => [row["address"], row["tier"], row["complete"]])).toEqual([
    [walletOf(1), "cold", false],
    [walletOf(7), "hot", false],
  ]);
});

test("a market counts each of its large trades once", async () => {
  const { apply, state } = await openIngest(database.openPool());
  const another = aTrade({ n: 4, wallet: 9, sharesMicro: 10_000_000_000n, price: "0.6", atSeconds: 1_760_000_030 });
  await apply("takers", pageOf([LARGER]));
  await apply("takers", pageOf([LARGER, another]));
  expect((await state()).markets).toMatchObject([
    { large_trade_count: 2, large_trade_usd_micro: "16000000000", large_trade_last_at: "2025-10-09T08:54:20.000Z" },
  ]);
});
