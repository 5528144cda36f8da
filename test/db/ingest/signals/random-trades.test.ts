import type { Pool } from "@neondatabase/serverless";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { readDayFills } from "../../../../src/ingest/signals/day-fills.ts";
import { judgeTrades, type ReadBounds } from "../../../../src/ingest/signals/judge-trades.ts";
import { readMarketShares } from "../../../../src/ingest/signals/market-shares.ts";
import { readTraderHistories } from "../../../../src/ingest/signals/trader-histories.ts";
import { openTestDatabase } from "../../../support/database/database.ts";
import { expectedInputs } from "./expected-inputs.ts";
import { isLargeTrade, MARKETS, NOW, seedFills, seedWorld, TRADERS, withDueTrades, type Fill } from "./seed-fills.ts";

/** A failure shows the trade that differs. Shrinking its ledger takes minutes and adds little. */
const RUNS = { numRuns: 5, endOnFailure: true };

const facts = fc.record({
  trader: fc.constantFrom(...TRADERS),
  market: fc.constantFrom(...MARKETS),
  outcome: fc.constantFrom(0, 1),
  kind: fc.constantFrom("buy", "buy", "buy", "sell", "split"),
  shares: fc.constantFrom(1_000, 20_000, 100_000, 400_000),
  // So few that many fills share a second, and many are exactly a day apart.
  hour: fc.nat(60),
  isTaker: fc.boolean(),
  isLarge: fc.boolean(),
});

/** All entries of one ledger. */
const someFills: fc.Arbitrary<Fill[]> = fc
  .array(facts, { minLength: 150, maxLength: 150 })
  .map((fills) => fills.map((fill, index) => ({ ...fill, id: index + 1 })));

/** Some of the traders and markets are beyond them. */
const someBounds: fc.Arbitrary<ReadBounds> = fc.record({
  own: fc.integer({ min: 12, max: 30 }),
  market: fc.integer({ min: 5, max: 40 }),
  day: fc.integer({ min: 1, max: 5 }),
});

let pool: Pool;
beforeEach(async () => {
  ({ pool } = await openTestDatabase());
  await seedWorld(pool);
});

const readInputs = (bounds: ReadBounds) =>
  withDueTrades(pool, async (session, trades) => {
    const shares = await readMarketShares(session, trades, bounds.market);
    const histories = await readTraderHistories(session, trades, bounds.own);
    const fills = await readDayFills(session, trades, bounds.day);
    return trades.map(({ id }) => ({ id, shares: shares.get(id), history: histories.get(id), fills: fills.get(id) }));
  });

test("the inputs of all due trades are those that a look at every fill of the ledger gives", async () => {
  const property = fc.asyncProperty(someFills, someBounds, async (ledger, bounds) => {
    await seedFills(pool, ledger);
    const expected = ledger
      .filter(isLargeTrade)
      .sort((a, b) => a.hour - b.hour || a.id - b.id)
      .map((trade) => ({ id: String(trade.id), ...expectedInputs(trade, ledger, bounds) }));
    const read = await readInputs(bounds);
    expect(read.map((inputs) => ({ ...inputs, fills: byHash(inputs.fills) }))).toEqual(
      expected.map((inputs) => ({ ...inputs, fills: byHash(inputs.fills) })),
    );
  });
  await fc.assert(property, RUNS);
});

const byHash = <F extends { readonly txHash: string }>(fills: readonly F[] | undefined): F[] | undefined =>
  fills?.toSorted((a, b) => a.txHash.localeCompare(b.txHash));

/** Everything that judgements write, without its time and the ids of its rows. */
async function written() {
  const select = async (text: string) => (await pool.query(text)).rows;
  return {
    trades: await select(
      "select id, judged_at, suspicion_score, suspicion_track, market_volume_share from large_trades order by id",
    ),
    flags: await select(
      `select large_trade_id, trader_id, market_id, track, side, score, scores, evidence, traded_at, recorded_at
       from suspicious_trades order by id`,
    ),
    events: await select("select type, payload, identity from events order by id"),
  };
}

test("trades that are judged together get the verdicts that each gets alone", async () => {
  let flags = 0;
  const property = fc.asyncProperty(someFills, someBounds, async (ledger, bounds) => {
    await seedFills(pool, ledger);
    expect(await judgeTrades(pool, 5_000, NOW, bounds)).toBe(true);
    const together = await written();
    flags += together.flags.length;

    await seedFills(pool, ledger);
    const { rows: inOrder } = await pool.query<{ id: string }>(
      `with due as (update large_trades set judged_at = traded_at where judged_at is null returning id, traded_at)
       select id from due order by traded_at, id`,
    );
    for (const { id } of inOrder) {
      await pool.query("update large_trades set judged_at = null where id = $1", [id]);
      await judgeTrades(pool, 5_000, NOW, bounds);
    }
    expect(await written()).toEqual(together);
  });
  await fc.assert(property, RUNS);
  expect(flags).toBeGreaterThan(0);
});
