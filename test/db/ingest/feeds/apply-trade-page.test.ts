import { beforeAll, expect, test } from "vitest";
import type { ProviderTrade, TradeFeed } from "../../../../src/platform/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { emptyIngest } from "../../../support/ingest/empty-ingest.ts";
import { joinIngest, openIngest } from "../../../support/ingest/ingest-under-test.ts";
import type { StoredState } from "../../../support/ingest/stored-state.ts";
import { aTrade, pageOf, tokenOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";

const START = 1_760_000_000;
const shares = (n: number) => BigInt(n) * 1_000_000n;

/**
 * One day of one trader, newest first: its sells depend on the fills before them. Two equal fills share
 * transaction 4.
 */
const DAY: readonly ProviderTrade[] = [
  aTrade({ n: 6, side: "SELL", sharesMicro: shares(60), price: "0.65", atSeconds: START + 50 }),
  aTrade({ n: 5, wallet: 2, sharesMicro: shares(20_000), price: "0.4", atSeconds: START + 40 }),
  aTrade({ n: 4, wallet: 2, outcome: 1, sharesMicro: shares(7), atSeconds: START + 30 }),
  aTrade({ n: 4, wallet: 2, outcome: 1, sharesMicro: shares(7), atSeconds: START + 30 }),
  aTrade({ n: 3, sharesMicro: shares(50), price: "0.7", atSeconds: START + 20 }),
  aTrade({ n: 2, market: 2, sharesMicro: shares(9_000), price: "0.6", atSeconds: START + 10 }),
  aTrade({ n: 1, sharesMicro: shares(100), price: "0.4", atSeconds: START }),
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

type FeedPage = readonly [feed: TradeFeed, rows: readonly ProviderTrade[]];

/** The stored state after these pages were applied to an empty database, each as a separate walk. */
async function stateAfter(...feedPages: readonly FeedPage[]): Promise<StoredState> {
  const ingest = await openIngest(database.openPool());
  for (const [feed, rows] of feedPages) await ingest.apply(feed, pageOf(rows));
  return ingest.state();
}

test("a page is stored in full, with fills, average-cost positions, totals and large trades", async () => {
  const state = await stateAfter(["takers", DAY]);
  expect(state.entries).toHaveLength(7);
  // 100 at 0.40 and 50 at 0.70 cost 75 for 150, so 0.50 each; 60 sold at 0.65 bring 39 against a cost of 30.
  expect(
    state.positions.find((row) => row["address"] === walletOf(1) && row["token_id"] === tokenOf(1, 0)),
  ).toMatchObject({
    shares_micro: String(shares(90)),
    cost_micro: "45000000",
    realized_micro: "9000000",
    entry_count: 3,
  });
  // 40 + 35 + 39 in the first market, 5,400 in the second.
  expect(state.totals[0]).toMatchObject({
    address: walletOf(1),
    realized_micro: "9000000",
    volume_micro: "5514000000",
    entry_count: 4,
  });
  expect(state.largeTrades.map((row) => row["size_usd_micro"])).toEqual(["5400000000", "8000000000"]);
});

test("a page applied twice changes nothing", async () => {
  expect(await stateAfter(["takers", DAY], ["takers", DAY])).toEqual(await stateAfter(["takers", DAY]));
});

test("overlapping pages end in the same state in either order", async () => {
  const newer = DAY.slice(0, 5);
  const older = DAY.slice(2);
  const whole = await stateAfter(["takers", DAY]);
  expect(await stateAfter(["takers", newer], ["takers", older])).toEqual(whole);
  expect(await stateAfter(["takers", older], ["takers", newer])).toEqual(whole);
});

test.each([
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
])("pages applied in the order %i, %i, %i end in the same state", async (...order) => {
  const pages = [DAY.slice(0, 2), DAY.slice(2, 5), DAY.slice(5)];
  const feedPages = order.map((index): FeedPage => ["takers", pages[index] ?? []]);
  expect(await stateAfter(...feedPages)).toEqual(await stateAfter(["takers", DAY]));
});

test("a buy in the same second as a sell is booked first, whichever arrives first", async () => {
  const buy = aTrade({ n: 2, sharesMicro: shares(10), price: "0.2" });
  const sell = aTrade({ n: 1, side: "SELL", sharesMicro: shares(10), price: "0.5" });
  for (const [first, second] of [
    [buy, sell],
    [sell, buy],
  ] as const) {
    const { positions, entries } = await stateAfter(["all", [first]], ["all", [second]]);
    expect(positions).toMatchObject([{ shares_micro: "0", realized_micro: "3000000", unmatched_shares_micro: "0" }]);
    expect(entries.map((row) => [row["kind"], row["realized_micro"]])).toEqual([
      ["sell", "3000000"],
      ["buy", null],
    ]);
  }
});

test("a page with its rows in another order ends in the same state", async () => {
  expect(await stateAfter(["takers", DAY.toReversed()])).toEqual(await stateAfter(["takers", DAY]));
});

test("the feed of all trades and the takers' feed store a fill once, in either order, and only takers' rows have the role", async () => {
  const takers = DAY.filter((_, index) => index !== 4);
  const both = await stateAfter(["all", DAY], ["takers", takers]);
  expect(both).toEqual(await stateAfter(["takers", takers], ["all", DAY]));
  expect(both.entries.map((row) => row["role"])).toEqual(["taker", "taker", null, "taker", "taker", "taker", "taker"]);
});

test("a row that is repeated later in its page is one fill", async () => {
  expect(await stateAfter(["takers", [...DAY, ...DAY.slice(0, 3)]])).toEqual(await stateAfter(["takers", DAY]));
});

test("two equal fills of one transaction are both stored, however often they are listed", async () => {
  const pair = DAY.slice(2, 4);
  const state = await stateAfter(["takers", pair], ["all", pair], ["takers", DAY]);
  const twins = state.entries.filter((row) => row["token_id"] === tokenOf(1, 1));
  expect(twins.map((row) => [row["ordinal"], row["role"], row["shares_micro"]])).toEqual([
    [0, "taker", "7000000"],
    [1, "taker", "7000000"],
  ]);
  expect(state.positions.find((row) => row["token_id"] === tokenOf(1, 1))).toMatchObject({
    shares_micro: "14000000",
    entry_count: 2,
  });
});

test("pages applied by two processes at the same time end in the same state", async () => {
  const one = await openIngest(database.openPool());
  const other = joinIngest(database.openPool());
  for (const rows of [DAY.slice(2), DAY])
    await Promise.all([one.apply("takers", pageOf(rows)), other.apply("all", pageOf(rows.toReversed()))]);
  expect(await one.state()).toEqual(await stateAfter(["takers", DAY]));
});

test("equal fills separated by a page boundary are both stored", async () => {
  const ingest = await openIngest(database.openPool());
  const carry = await ingest.apply("takers", pageOf(DAY.slice(0, 3)));
  await ingest.apply("takers", pageOf(DAY.slice(3)), carry);
  expect(await ingest.state()).toEqual(await stateAfter(["takers", DAY]));
});

test("a process whose database was replaced fails once, loses nothing and continues", async () => {
  const pool = database.openPool();
  const ingest = await openIngest(pool);
  await ingest.apply("takers", pageOf(DAY));
  const before = await ingest.state();
  await emptyIngest(pool);
  await expect(ingest.apply("takers", pageOf(DAY))).rejects.toThrow(/not in this database/);
  expect((await ingest.state()).entries).toEqual([]);
  await ingest.apply("takers", pageOf(DAY));
  expect(await ingest.state()).toEqual(before);
});
