import { describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { leaderboardEntries } from "../../../../src/db/schema.ts";
import { applyMarkets } from "../../../../src/ingest/apply-markets.ts";
import { applyResolutions } from "../../../../src/ingest/apply-resolutions.ts";
import { buildLeaderboard } from "../../../../src/ingest/read-models/leaderboard.ts";
import { createTestDatabase } from "../../../support/database.ts";
import { boardOf, generationsOf } from "../../../support/ingest/built-lists.ts";
import { anActivityProvider, follow, sync } from "../../../support/ingest/followed-wallet.ts";
import { joinIngest } from "../../../support/ingest/ingest-under-test.ts";
import { aProviderMarket, aResolution } from "../../../support/ingest/markets.ts";
import { aTrade, anActivity, asActivity, conditionOf, pageOf, walletOf } from "../../../support/ingest/trades.ts";

const AT = new Date("2026-11-20T12:00:00Z");
const BOUGHT = aTrade({ n: 1 });
/** 10 shares that cost 5.00, sold for 6.00. The feed that tells of it does not tell the fee. */
const SOLD = aTrade({ n: 2, side: "SELL", price: "0.6", atSeconds: 1_760_000_010 });
/** 10 shares that cost 5.00 and are held. */
const HELD = aTrade({ n: 3, market: 2 });

/** A first board: one wallet that made 1.00 in a market of Politics. A second one, with 2.00, has not been read to its end. */
async function aBuiltBoard() {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  const ingest = joinIngest(pool);
  for (const wallet of [1, 2]) await follow(pool, wallet);
  await pool.query(`update traders set grade = 'A', score = case when address = $1 then 65 else 70 end`, [walletOf(1)]);
  await ingest.apply("all", pageOf([SOLD, HELD, BOUGHT]));
  await ingest.apply(
    "all",
    pageOf([aTrade({ n: 5, wallet: 2, side: "SELL", price: "0.7", atSeconds: 1_760_000_010 }), aTrade({ n: 4, wallet: 2 })]),
  );
  await sync(pool, anActivityProvider(1, []), 1, AT);
  const describeMarkets = (category: string) =>
    inTransaction(pool, (session) => applyMarkets(session, [aProviderMarket(1, { category }), aProviderMarket(2)], [], AT));
  const resolve = (firstPpm: number | null) =>
    inTransaction(pool, (session) => applyResolutions(session, [conditionOf(2)], [aResolution(2, firstPpm)], [], AT));
  await describeMarkets("Politics");
  const build = () => inTransaction(pool, buildLeaderboard);
  expect(await build()).toBe(true);
  const profits = async (category = "") => (await boardOf(db, category)).map((row) => Number(row.realizedMicro) / 1e6);
  return { db, pool, ingest, build, describeMarkets, resolve, profits };
}

type Built = Awaited<ReturnType<typeof aBuiltBoard>>;

test("a build over unchanged records makes no new generation, which would only expire cursors", async () => {
  const { db, build, profits } = await aBuiltBoard();
  expect(await build()).toBe(false);
  expect(await generationsOf(db, "leaderboard")).toHaveLength(1);
  expect(await profits()).toEqual([1]);
});

test("a grade that is published anew makes a new board", async () => {
  const { pool, build, profits } = await aBuiltBoard();
  await pool.query(
    `insert into trader_grades (trader_id, valid_from, method_version, input_hash, grade, score, components)
     select id, now(), 'skill-1', '', 'C', 50, '{}' from traders;
     update traders set grade = 'C', score = 50`,
  );
  expect(await build()).toBe(true);
  expect(await profits()).toEqual([]);
});

describe("what changes a profit makes a new board, which takes the place of the old", () => {
  const told = (...rows: Parameters<typeof asActivity>[0][]) => pageOf(rows.map(asActivity));

  test.each<[string, (built: Built) => Promise<unknown>, number[]]>([
    ["a wallet read to its end", ({ pool }) => sync(pool, anActivityProvider(2, []), 2, AT), [2, 1]],
    [
      "a sale",
      ({ ingest }) => ingest.apply("all", pageOf([aTrade({ n: 6, market: 2, side: "SELL", price: "0.9", atSeconds: 1_760_000_020 })])),
      [5],
    ],
    ["a payout", ({ resolve }) => resolve(1_000_000), [6]],
    [
      "a rebate",
      ({ ingest }) => ingest.applyActivity(walletOf(1), pageOf([anActivity("MAKER_REBATE", { n: 7, market: null, usdMicro: 250_000n })])),
      [1.25],
    ],
    ["a fee that is told later", ({ ingest }) => ingest.applyActivity(walletOf(1), told({ ...SOLD, feeMicro: 100_000n })), [0.9]],
  ])("%s", async (_, change, expected) => {
    const built = await aBuiltBoard();
    await change(built);
    expect(await built.build()).toBe(true);
    expect(await built.profits()).toEqual(expected);
  });

  test("a payout that is reversed", async () => {
    const { resolve, build, profits } = await aBuiltBoard();
    await resolve(1_000_000);
    await build();
    await resolve(0);
    expect(await build()).toBe(true);
    expect(await profits()).toEqual([-4]);
  });

  test("a market that is told to belong to another category", async () => {
    const { describeMarkets, build, profits } = await aBuiltBoard();
    await describeMarkets("Crypto");
    expect(await build()).toBe(true);
    expect([await profits("Politics"), await profits("Crypto")]).toEqual([[], [1]]);
  });
});

test("three generations are kept to walk on in, each as it was built and with its number of rows; older ones go with their rows", async () => {
  const { db, resolve, build } = await aBuiltBoard();
  const firstId = (await generationsOf(db, "leaderboard"))[0]?.id;
  for (const firstPpm of [1_000_000, null, 1_000_000]) {
    await resolve(firstPpm);
    expect(await build()).toBe(true);
  }
  const kept = await generationsOf(db, "leaderboard");
  expect(kept.map((row) => row.rowCount)).toEqual([1, 1, 1]);
  expect(kept.map((row) => row.id)).not.toContain(firstId);
  const overall = (await db.select().from(leaderboardEntries)).filter((row) => row.category === "");
  const profitOf = new Map(overall.map((row) => [row.generation, row.realizedMicro]));
  // The first board, of 1.00, is gone; the share's payout of 5.00 over its cost came, went and came again.
  expect(kept.map((row) => profitOf.get(row.id))).toEqual([6_000_000n, 1_000_000n, 6_000_000n]);
  expect(profitOf.size).toBe(3);
});
