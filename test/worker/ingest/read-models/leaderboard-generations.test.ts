import { describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { leaderboardEntries } from "../../../../src/db/schema.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { applyResolutions } from "../../../../src/ingest/markets/apply-resolutions.ts";
import { buildLeaderboard } from "../../../../src/ingest/read-models/build-leaderboard.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { boardOf, generationsOf } from "../../../support/ingest/worlds/built-lists.ts";
import {
  anActivityProvider,
  followTrader,
  syncFollowedTrader,
} from "../../../support/ingest/worlds/followed-trader.ts";
import { joinIngest } from "../../../support/ingest/ingest-under-test.ts";
import { aProviderMarket, aResolution } from "../../../support/ingest/provider/provider-markets.ts";
import {
  aTrade,
  anActivity,
  asActivity,
  conditionOf,
  pageOf,
  walletOf,
} from "../../../support/ingest/provider/provider-trades.ts";

const AT = new Date("2026-11-20T12:00:00Z");
const BOUGHT = aTrade({ n: 1 });
/** 10 shares that cost 5.00, sold for 6.00. This feed does not report the fee. */
const SOLD = aTrade({ n: 2, side: "SELL", price: "0.6", atSeconds: 1_760_000_010 });
/** 10 open shares that cost 5.00. */
const HELD = aTrade({ n: 3, market: 2 });

/**
 * A first leaderboard with one trader whose profit is 1.00 in a Politics market. The history of a second
 * trader, with 2.00, is incomplete.
 */
async function aBuiltBoard() {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  const ingest = joinIngest(pool);
  for (const wallet of [1, 2]) await followTrader(pool, wallet);
  await pool.query(`update traders set grade = 'A', score = case when address = $1 then 65 else 70 end`, [walletOf(1)]);
  await ingest.apply("all", pageOf([SOLD, HELD, BOUGHT]));
  await ingest.apply(
    "all",
    pageOf([
      aTrade({ n: 5, wallet: 2, side: "SELL", price: "0.7", atSeconds: 1_760_000_010 }),
      aTrade({ n: 4, wallet: 2 }),
    ]),
  );
  await syncFollowedTrader(pool, anActivityProvider(1, []), 1, AT);
  const describeMarkets = (category: string) =>
    applyMarkets(pool, [aProviderMarket(1, { category }), aProviderMarket(2)], [], AT);
  const resolve = (firstPpm: number | null) =>
    inTransaction(pool, (session) => applyResolutions(session, [conditionOf(2)], [aResolution(2, firstPpm)], [], AT));
  await describeMarkets("Politics");
  const build = () => inTransaction(pool, buildLeaderboard);
  expect(await build()).toBe(true);
  const profits = async (category = "") => (await boardOf(db, category)).map((row) => Number(row.realizedMicro) / 1e6);
  return { db, pool, ingest, build, describeMarkets, resolve, profits };
}

type BuiltBoard = Awaited<ReturnType<typeof aBuiltBoard>>;

test("a build over unchanged records publishes no generation, which would expire cursors", async () => {
  const { db, build, profits } = await aBuiltBoard();
  expect(await build()).toBe(false);
  expect(await generationsOf(db, "leaderboard")).toHaveLength(1);
  expect(await profits()).toEqual([1]);
});

test("markets are not read for a build that another input made due, so the first build without changes repeats it", async () => {
  const { pool, ingest, build, describeMarkets, profits } = await aBuiltBoard();
  /** Whether the newest generation knows what the markets were. */
  const hasReadMarkets = async () => {
    const { rows } = await pool.query(
      "select detail ->> 'input' not like '%?' as has_read from list_generations where list = 'leaderboard' order by id desc limit 1",
    );
    return rows[0]?.["has_read"];
  };
  expect(await hasReadMarkets()).toBe(true);
  await ingest.apply("all", pageOf([aTrade({ n: 6, market: 2, side: "SELL", price: "0.9", sharesMicro: 1_000_000n })]));
  expect([await build(), await hasReadMarkets()]).toEqual([true, false]);
  const sold = await profits();
  expect([await build(), await hasReadMarkets()]).toEqual([true, true]);
  expect(await build()).toBe(false);
  expect(await profits()).toEqual(sold);
  await describeMarkets("Sports");
  expect([await build(), await build()]).toEqual([true, false]);
  expect([await profits("Sports"), await profits("Politics")]).toEqual([[1], []]);
});

test("a category that changes after a build without the markets is found by the next one", async () => {
  const { ingest, build, describeMarkets, profits } = await aBuiltBoard();
  await ingest.apply("all", pageOf([aTrade({ n: 6, market: 2, side: "SELL", price: "0.9", sharesMicro: 1_000_000n })]));
  expect(await build()).toBe(true);
  await describeMarkets("Sports");
  expect([await build(), await build()]).toEqual([true, false]);
  expect([await profits("Sports"), await profits("Politics")]).toEqual([[1], []]);
});

test("a newly published grade publishes a new generation", async () => {
  const { pool, build, profits } = await aBuiltBoard();
  await pool.query(
    `insert into trader_grades (trader_id, valid_from, method_version, input_hash, grade, score, components)
     select id, now(), 'skill-1', '', 'C', 50, '{}' from traders;
     update traders set grade = 'C', score = 50`,
  );
  expect(await build()).toBe(true);
  expect(await profits()).toEqual([]);
});

describe("changes of profit", () => {
  const activityOf = (...rows: Parameters<typeof asActivity>[0][]) => pageOf(rows.map(asActivity));

  test.each<[string, (built: BuiltBoard) => Promise<unknown>, number[]]>([
    ["a completed trader history", ({ pool }) => syncFollowedTrader(pool, anActivityProvider(2, []), 2, AT), [2, 1]],
    [
      "a sale",
      ({ ingest }) =>
        ingest.apply(
          "all",
          pageOf([aTrade({ n: 6, market: 2, side: "SELL", price: "0.9", atSeconds: 1_760_000_020 })]),
        ),
      [5],
    ],
    ["a payout", ({ resolve }) => resolve(1_000_000), [6]],
    [
      "a rebate",
      ({ ingest }) =>
        ingest.applyActivity(
          walletOf(1),
          pageOf([anActivity("MAKER_REBATE", { n: 7, market: null, usdMicro: 250_000n })]),
        ),
      [1.25],
    ],
    [
      "a late fee",
      ({ ingest }) => ingest.applyActivity(walletOf(1), activityOf({ ...SOLD, feeMicro: 100_000n })),
      [0.9],
    ],
  ])("%s publishes a new generation with the new profits", async (_, change, expected) => {
    const built = await aBuiltBoard();
    await change(built);
    expect(await built.build()).toBe(true);
    expect(await built.profits()).toEqual(expected);
  });

  test("a reversed payout publishes a new generation", async () => {
    const { resolve, build, profits } = await aBuiltBoard();
    await resolve(1_000_000);
    await build();
    await resolve(0);
    expect(await build()).toBe(true);
    expect(await profits()).toEqual([-4]);
  });

  test("a changed category of a market moves its profit to the new category's leaderboard", async () => {
    const { describeMarkets, build, profits } = await aBuiltBoard();
    await describeMarkets("Crypto");
    expect(await build()).toBe(true);
    expect([await profits("Politics"), await profits("Crypto")]).toEqual([[], [1]]);
  });
});

test("the leaderboard keeps three generations unchanged and deletes older ones with their rows", async () => {
  const { db, resolve, build } = await aBuiltBoard();
  const firstId = (await generationsOf(db, "leaderboard"))[0]?.id;
  for (const firstPpm of [1_000_000, null, 1_000_000]) {
    await resolve(firstPpm);
    expect(await build()).toBe(true);
  }
  const remaining = await generationsOf(db, "leaderboard");
  expect(remaining.map((row) => row.rowCount)).toEqual([1, 1, 1]);
  expect(remaining.map((row) => row.id)).not.toContain(firstId);
  const overall = (await db.select().from(leaderboardEntries)).filter((row) => row.category === "");
  const profitOf = new Map(overall.map((row) => [row.generation, row.realizedMicro]));
  // The first leaderboard, of 1.00, is deleted. The payout of 5.00 over cost was added, withdrawn and added
  // again.
  expect(remaining.map((row) => profitOf.get(row.id))).toEqual([6_000_000n, 1_000_000n, 6_000_000n]);
  expect(profitOf.size).toBe(3);
});
