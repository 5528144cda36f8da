import type { Pool } from "@neondatabase/serverless";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { applyResolutions } from "../../../../src/ingest/markets/apply-resolutions.ts";
import type { ProviderTrade } from "../../../../src/platform/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { openIngest } from "../../../support/ingest/ingest-under-test.ts";
import { aProviderMarket } from "../../../support/ingest/provider/provider-markets.ts";
import {
  aTrade,
  anActivity,
  asActivity,
  conditionOf,
  pageOf,
  walletOf,
} from "../../../support/ingest/provider/provider-trades.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

const TRADERS = [1, 2];
const MARKETS = [1, 2, 3];
const OUTCOMES = [0, 1, 2];
/** Prices are 0, 1/2 or 1 dollars, so that results of exactly zero occur. */
const PRICES = ["0", "0.5", "0.5", "1"];

/**
 * A market of three tokens. Its trades have no outcome index, so no position settles before the provider's
 * object is read.
 */
const tokenOf = (market: number, outcome: number) => String(market * 10 + outcome);

const aMarketOfThree = (market: number, known: readonly number[]) =>
  aProviderMarket(market, {
    outcomes: known.map((outcome) => ({
      ...{ tokenId: tokenOf(market, outcome), outcomeIndex: outcome, label: `Outcome ${outcome}` },
      ...{ price: null, lastTradePrice: null, bestBid: null, bestAsk: null },
    })),
  });

const aFill = fc.record({
  wallet: fc.constantFrom(...TRADERS),
  market: fc.constantFrom(...MARKETS),
  outcome: fc.constantFrom(...OUTCOMES),
  side: fc.constantFrom("BUY" as const, "BUY" as const, "SELL" as const),
  shares: fc.constantFrom(1n, 2_000_000n, 4_000_000n),
  price: fc.constantFrom(...PRICES),
  fee: fc.constantFrom(0n, 0n, 1n, 1_000_000n),
  second: fc.nat(20),
});

const aStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("fills" as const),
      fills: fc.array(aFill, { minLength: 1, maxLength: 12 }),
      cut: fc.nat(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("repeat" as const),
      from: fc.nat(),
      length: fc.integer({ min: 1, max: 20 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fees" as const), wallet: fc.constantFrom(...TRADERS) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom("SPLIT" as const, "MERGE" as const, "MAKER_REBATE" as const),
      wallet: fc.constantFrom(...TRADERS),
      market: fc.constantFrom(...MARKETS),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("ruling" as const),
      market: fc.constantFrom(...MARKETS),
      payouts: fc.constantFrom([1_000_000, 0, 0], [0, 1_000_000, 0], [0, 0, 1_000_000], [500_000, 500_000, 0], null),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("market" as const),
      market: fc.constantFrom(...MARKETS),
      known: fc.constantFrom(OUTCOMES, OUTCOMES, [0, 1], [2]),
    }),
  },
);

type Step = typeof aStep extends fc.Arbitrary<infer S> ? S : never;
type Fill = typeof aFill extends fc.Arbitrary<infer F> ? F : never;

/** The meaning of the count columns, computed from the positions. */
const COUNTED = `
  select trader_id, count(*)::int as markets_traded, count(*) filter (where resolved)::int as markets_resolved,
    count(*) filter (where resolved and known and result > 0)::int as markets_won,
    count(*) filter (where resolved and known and result <> 0)::int as markets_decided
  from (
    select trader_id, market_id, bool_and(settled_micro is not null) as resolved, bool_and(unmatched_shares_micro = 0) as known,
      sum(realized_micro + coalesce(settled_micro, 0) - fees_micro) as result
    from positions group by trader_id, market_id
  ) by_market group by trader_id`;

async function differences(pool: Pool): Promise<unknown[]> {
  const names = ["traded", "resolved", "won", "decided"].map((name) => `markets_${name}`);
  const { rows } = await pool.query(
    `select coalesce(t.trader_id, c.trader_id) as trader_id, ${names.map((name) => `t.${name}, c.${name} as counted_${name}`).join(", ")}
     from trader_totals t full join (${COUNTED}) c on c.trader_id = t.trader_id
     where ${names.map((name) => `t.${name} is distinct from coalesce(c.${name}, 0)`).join(" or ")}`,
  );
  return rows;
}

/** Applies steps in order and yields after each, so that the caller can check the state. */
async function* applySteps(pool: Pool, steps: readonly Step[]): AsyncGenerator<void> {
  const { apply, applyActivity } = await openIngest(pool);
  const applied: { fill: Fill; trade: ProviderTrade }[] = [];
  let n = 0;
  const tradeOf = ({ fill, number }: { fill: Fill; number: number }): ProviderTrade => ({
    ...aTrade({ n: number, ...fill, outcome: 0, sharesMicro: fill.shares, atSeconds: 1_760_000_000 + fill.second }),
    ...{ tokenId: tokenOf(fill.market, fill.outcome), outcomeIndex: null },
  });
  for (const step of steps) {
    if (step.do === "fills") {
      const fresh = step.fills.map((fill) => ({ fill, trade: tradeOf({ fill, number: ++n }) }));
      const cut = step.cut % fresh.length;
      for (const page of [fresh.slice(0, cut), fresh.slice(cut)]) {
        if (page.length > 0) await apply("all", pageOf(page.map(({ trade }) => trade)));
      }
      applied.push(...fresh);
    } else if (step.do === "repeat" && applied.length > 0) {
      const from = step.from % applied.length;
      await apply("takers", pageOf(applied.slice(from, from + step.length).map(({ trade }) => trade)));
    } else if (step.do === "fees") {
      const own = applied.filter(({ fill }) => fill.wallet === step.wallet);
      await applyActivity(
        walletOf(step.wallet),
        pageOf(own.map(({ fill, trade }) => asActivity({ ...trade, feeMicro: fill.fee }))),
      );
    } else if (step.do === "ruling") {
      const resolution = {
        ...{
          conditionId: conditionOf(step.market),
          status: step.payouts === null ? "disputed" : "resolved",
          payoutsPpm: step.payouts,
        },
        resolvedAt: step.payouts === null ? null : new Date(1_770_000_000_000),
        expectedAt: null,
      };
      await inTransaction(pool, (session) =>
        applyResolutions(session, [resolution.conditionId], [resolution], [], new Date(0)),
      );
    } else if (step.do === "market") {
      await applyMarkets(pool, [aMarketOfThree(step.market, step.known)], [], new Date(0));
    } else if (step.do !== "repeat") {
      const market = step.do === "MAKER_REBATE" ? null : step.market;
      const row = anActivity(step.do, { n: ++n, wallet: step.wallet, market, sharesMicro: 2_000_000n });
      await applyActivity(walletOf(step.wallet), pageOf([row]));
    }
    yield;
  }
}

/**
 * One of three markets is won, one has a result of zero, one is open. Runs first, so that there is always
 * something to count.
 */
const SOMETHING_OF_EACH: Step[] = [
  ...MARKETS.map((market) => ({ do: "market" as const, market, known: OUTCOMES })),
  {
    ...{ do: "fills" as const, cut: 1 },
    fills: MARKETS.map((market) => ({
      ...{ wallet: 1, market, outcome: 0, side: "BUY" as const, shares: 2_000_000n, fee: 0n, second: market },
      price: market === 1 ? "0.5" : "1",
    })),
  },
  ...[1, 2].map((market) => ({ do: "ruling" as const, market, payouts: [1_000_000, 0, 0] as const })),
];

test("a trader's market counts match its positions after every page, fee, resolution, reversal and market object", async () => {
  const pool = database.openPool();
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 1, maxLength: 40, size: "max" }), async (steps) => {
      for await (const _ of applySteps(pool, steps)) expect(await differences(pool)).toEqual([]);
      for (const name of ["resolved", "won", "decided"]) {
        const { rows } = await pool.query(
          `select from trader_totals where markets_${name} > 0 and markets_${name} < markets_traded`,
        );
        if (rows.length > 0) seen.add(name);
      }
      const { rows } = await pool.query(`select from trader_totals where markets_decided < markets_resolved`);
      if (rows.length > 0) seen.add("a result of nothing");
    }),
    { numRuns: 25, interruptAfterTimeLimit: 45_000, examples: [[SOMETHING_OF_EACH]] },
  );
  // Runs in which nothing is counted would prove nothing.
  expect([...seen].sort()).toEqual(["a result of nothing", "decided", "resolved", "won"]);
});
