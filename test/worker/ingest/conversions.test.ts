import type { Pool } from "@neondatabase/serverless";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Provider, ProviderActivity } from "../../../src/platform/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";
import { fetchResults } from "../../support/ingest/fetch-results.ts";
import { emptyIngest } from "../../support/ingest/empty-ingest.ts";
import { followTrader, syncFollowedTrader } from "../../support/ingest/worlds/followed-trader.ts";
import { aResolution } from "../../support/ingest/provider/provider-markets.ts";
import { ProcessKilled, KillableProcess } from "../../support/ingest/killable-process.ts";
import { aConversion, negRiskMarkets, questionsOf } from "../../support/ingest/worlds/neg-risk.ts";
import { readStoredState } from "../../support/ingest/stored-state.ts";
import {
  aTrade,
  anActivity,
  asActivity,
  conditionOf,
  pageOf,
  tokenOf,
  walletOf,
} from "../../support/ingest/provider/provider-trades.ts";
import { aPagedProvider, type ProviderPages } from "../../support/ingest/provider/paged-provider.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

/** After the timestamps of the rows and after the database's clock. */
const NOW = new Date(Date.now() + 3_600_000);
const START = 1_760_000_000;
/** Two neg-risk events, with five and three questions. */
const EVENTS: Readonly<Record<number, readonly number[]>> = { 51: [1, 2, 3, 4, 5], 52: [6, 7, 8] };
const MARKETS = Object.entries(EVENTS).flatMap(([event, markets]) => negRiskMarkets(Number(event), markets));
const WORLD = { takers: [], all: [], markets: MARKETS, resolutions: [], questions: questionsOf(EVENTS) };

function providerOf(pages: readonly (readonly ProviderActivity[])[], facts: Partial<ProviderPages> = {}): Provider {
  return aPagedProvider({ ...WORLD, activity: { [walletOf(1)]: pages.map((rows) => pageOf(rows)) }, ...facts });
}

async function aFollowedTrader(): Promise<Pool> {
  const pool = database.openPool();
  await emptyIngest(pool);
  await followTrader(pool, 1);
  return pool;
}

const read = (pool: Pool, rows: readonly ProviderActivity[], facts: Partial<ProviderPages> = {}) =>
  syncFollowedTrader(pool, providerOf([rows], facts), 1, NOW);

const resolve = (pool: Pool, winners: readonly number[]) =>
  fetchResults(
    pool,
    providerOf([], {
      resolutions: Object.values(EVENTS)
        .flat()
        .map((market) => aResolution(market, winners.includes(market) ? 1_000_000 : 0)),
    }),
    MARKETS.map((market) => market.conditionId),
    NOW,
  );

async function gapsOf(pool: Pool): Promise<unknown> {
  return (await pool.query("select gaps from trader_syncs")).rows[0]?.gaps;
}

/** The booked legs: kind, token and micro-dollars. */
async function legsOf(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query(
    `select e.kind, o.token_id, e.usd_micro from ledger_entries e join outcomes o on o.id = e.outcome_id
     where e.kind like 'convert%' order by o.token_id`,
  );
  return rows.map((row) => `${row.kind} ${row.token_id} ${row.usd_micro}`);
}

const no = (n: number, market: number, sharesMicro: bigint, price: string, atSeconds: number) =>
  asActivity({ ...aTrade({ n, market, outcome: 1, sharesMicro, price, atSeconds }), feeMicro: 0n });

describe("conversion of two of five questions", () => {
  const history = [
    no(1, 1, 9_000_000n, "0.8", START),
    no(2, 2, 6_000_000n, "0.7", START + 10),
    ...aConversion({ n: 3, markets: [2, 1], sharesMicro: 5_000_000n, atSeconds: START + 20 }),
  ];

  // By hand, for 5 shares: NO leaves markets 1 and 2 at 4.00 each, YES of 3, 4 and 5 arrives at 1.00 each.
  // The difference, 8 less 3, is the 5 that the conversion pays.
  test("a conversion removes the NO shares and adds YES shares of all other questions at the event's uniform price", async () => {
    const pool = await aFollowedTrader();
    await read(pool, history);
    expect(await gapsOf(pool)).toEqual([]);
    expect(await legsOf(pool)).toEqual([
      `convert_out ${tokenOf(1, 1)} 4000000`,
      `convert_out ${tokenOf(2, 1)} 4000000`,
      `convert_in ${tokenOf(3, 0)} 1000000`,
      `convert_in ${tokenOf(4, 0)} 1000000`,
      `convert_in ${tokenOf(5, 0)} 1000000`,
    ]);
    const { positions, totals } = await readStoredState(pool);
    // 9 NO for 7.20: 5 of them cost 4.00. 6 NO for 4.20: 5 of them cost 3.50, which realizes 0.50.
    expect(positions.map((p) => [p["token_id"], p["shares_micro"], p["cost_micro"], p["realized_micro"]])).toEqual([
      [tokenOf(1, 1), "4000000", "3200000", "0"],
      [tokenOf(2, 1), "1000000", "700000", "500000"],
      [tokenOf(3, 0), "5000000", "1000000", "0"],
      [tokenOf(4, 0), "5000000", "1000000", "0"],
      [tokenOf(5, 0), "5000000", "1000000", "0"],
    ]);
    // The volume is the two buys of 7.20 and 4.20; a conversion is not a trade.
    expect(totals).toMatchObject([{ realized_micro: "500000", volume_micro: "11400000", entry_count: 7 }]);
  });

  // 11.40 paid in, 5.00 received from the conversion. Question 4 wins: 5 YES, 4 NO of market 1 and 1 NO of
  // market 2 pay 10.00. The profit is 3.60.
  test("a settled conversion realizes the profit that the cash flows show", async () => {
    const pool = await aFollowedTrader();
    await read(pool, history);
    await resolve(pool, [4]);
    const { totals } = await readStoredState(pool);
    expect(BigInt(String(totals[0]?.["realized_micro"])) + BigInt(String(totals[0]?.["settled_micro"]))).toBe(
      3_600_000n,
    );
  });
});

/** One act of a trader, one transaction each. Sizes derive from its open shares. */
const anAct = fc.record({
  type: fc.constantFrom("NO", "NO", "YES", "SPLIT", "SELL", "CONVERT", "CONVERT"),
  market: fc.integer({ min: 1, max: 8 }),
  event: fc.constantFrom(51, 51, 52),
  /**
   * Questions of the event. A conversion needs two, and never three of five: the remaining two would fit as
   * well, and a choice without tokens is ambiguous.
   */
  questions: fc.uniqueArray(fc.nat(4), { minLength: 2, maxLength: 5 }),
  shares: fc.oneof(fc.bigInt(1n, 5n), fc.bigInt(1n, 50_000_000_000n)),
  part: fc.integer({ min: 1, max: 4 }),
  price: fc.integer({ min: 1, max: 9_999 }),
  gap: fc.nat(2),
});

type Act = typeof anAct extends fc.Arbitrary<infer A> ? A : never;

interface History {
  readonly transactions: readonly (readonly ProviderActivity[])[];
  /** Micro-dollars received less micro-dollars paid, according to the rows. */
  readonly cashMicro: bigint;
  /** Open shares at the end, by token. */
  readonly openShares: ReadonlyMap<string, bigint>;
  readonly conversions: number;
}

/** Cash and open shares, summed from the acts alone: no average, no price of the product. */
function foldActs(acts: readonly Act[]): History {
  const openShares = new Map<string, bigint>();
  const transactions: ProviderActivity[][] = [];
  let [cashMicro, atSeconds, conversions] = [0n, START, 0];
  const of = (market: number, outcome: 0 | 1) => openShares.get(tokenOf(market, outcome)) ?? 0n;
  const move = (market: number, outcome: 0 | 1, shares: bigint) =>
    openShares.set(tokenOf(market, outcome), of(market, outcome) + shares);
  for (const [index, act] of acts.entries()) {
    const { type, market, shares: sharesMicro } = act;
    const n = index + 1;
    atSeconds += act.gap;
    const price = `0.${String(act.price).padStart(4, "0")}`;
    if (type === "NO" || type === "YES") {
      const outcome = type === "NO" ? 1 : 0;
      const trade = aTrade({ n, market, outcome, sharesMicro, price, atSeconds });
      move(market, outcome, sharesMicro);
      cashMicro -= trade.usdMicro;
      transactions.push([asActivity({ ...trade, feeMicro: 0n })]);
    } else if (type === "SPLIT") {
      move(market, 0, sharesMicro);
      move(market, 1, sharesMicro);
      cashMicro -= sharesMicro;
      transactions.push([anActivity("SPLIT", { n, market, sharesMicro, atSeconds })]);
    } else if (type === "SELL") {
      const sold = of(market, 1) / BigInt(act.part);
      if (sold === 0n) continue;
      const trade = aTrade({ n, market, outcome: 1, side: "SELL", sharesMicro: sold, price, atSeconds });
      move(market, 1, -sold);
      cashMicro += trade.usdMicro;
      transactions.push([asActivity({ ...trade, feeMicro: 0n })]);
    } else {
      const questions = EVENTS[act.event] ?? [];
      const markets = questions.filter((_, at) => act.questions.includes(at));
      const least = markets.map((one) => of(one, 1)).reduce((a, b) => (a < b ? a : b), sharesMicro * 4n);
      const size = least / BigInt(act.part);
      if (markets.length < 2 || size === 0n) continue;
      for (const one of questions) {
        if (markets.includes(one)) move(one, 1, -size);
        else move(one, 0, size);
      }
      cashMicro += BigInt(markets.length - 1) * size;
      conversions += 1;
      transactions.push(aConversion({ n, markets, sharesMicro: size, atSeconds }));
    }
  }
  return { transactions, cashMicro, openShares, conversions };
}

/** A history with many conversions: it begins with NO of every question. */
const aHistory = fc
  .tuple(
    fc.array(fc.bigInt(1n, 20_000_000n), { minLength: 8, maxLength: 8 }),
    fc.array(anAct, { minLength: 1, maxLength: 14 }),
  )
  .map(([first, acts]) =>
    foldActs([...first.map((shares, index) => ({ ...TEMPLATE, market: index + 1, shares })), ...acts]),
  );
const TEMPLATE: Act = {
  type: "NO",
  market: 1,
  event: 51,
  questions: [0, 1],
  shares: 1n,
  part: 1,
  price: 7_331,
  gap: 0,
};

function cut<Row>(rows: readonly Row[], cuts: readonly number[]): Row[][] {
  const ends = [...new Set(cuts.map((index) => index % (rows.length + 1)))].sort((a, b) => a - b);
  return [...ends, rows.length].map((end, index) => rows.slice(index === 0 ? 0 : ends[index - 1], end));
}

test("a trader's history has the same result however it is paged, repeated, delayed or partly delivered", async () => {
  let conversions = 0;
  const delivery = fc.record({
    cuts: fc.array(fc.nat(60), { maxLength: 6 }),
    late: fc.array(fc.nat(60), { maxLength: 3 }),
    repeat: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(aHistory, delivery, async (history, { cuts, late, repeat }) => {
      const rows = history.transactions.flat();
      const whole = await aFollowedTrader();
      await read(whole, rows);
      const expected = await readStoredState(whole);
      const booked = expected.entries.filter((entry) => entry["kind"] === "convert_out").length;
      expect(booked).toBe(rows.filter((row) => row.kind === "other" && row.activity.type === "CONVERSION").length);
      conversions += history.conversions;

      const pool = await aFollowedTrader();
      if (late.length > 0) {
        const missing = new Set(late.map((index) => index % rows.length));
        await read(
          pool,
          rows.filter((_, index) => !missing.has(index)),
        );
      }
      await syncFollowedTrader(pool, providerOf(cut(rows, cuts)), 1, NOW);
      if (repeat)
        await syncFollowedTrader(
          pool,
          providerOf(
            cut(
              rows,
              cuts.map((index) => index + 1),
            ),
          ),
          1,
          NOW,
        );
      expect(await readStoredState(pool)).toEqual(expected);
    }),
    { numRuns: 16 },
  );
  expect(conversions).toBeGreaterThan(8);
});

test("the profit over settled events equals cash received less cash paid, to the micro-dollar", async () => {
  await fc.assert(
    fc.asyncProperty(aHistory, fc.constantFrom(1, 3, 5), fc.constantFrom(6, 8), async (history, first, second) => {
      const pool = await aFollowedTrader();
      await read(pool, history.transactions.flat());
      await resolve(pool, [first, second]);
      const { totals, positions } = await readStoredState(pool);
      for (const position of positions) {
        expect(position["unmatched_shares_micro"]).toBe("0");
        expect(position["shares_micro"]).toBe(String(history.openShares.get(String(position["token_id"])) ?? 0n));
      }
      let payoutMicro = 0n;
      for (const market of Object.values(EVENTS).flat()) {
        const winner = market === first || market === second ? 0 : 1;
        payoutMicro += history.openShares.get(tokenOf(market, winner)) ?? 0n;
      }
      const profitMicro = BigInt(String(totals[0]?.["realized_micro"])) + BigInt(String(totals[0]?.["settled_micro"]));
      expect(profitMicro).toBe(history.cashMicro + payoutMicro);
    }),
    { numRuns: 16 },
  );
});

test("a sync killed after any step books nothing twice or in part, and the next sync completes it", async () => {
  const rows = [
    ...[1, 2, 3, 6, 7].map((market, index) => no(index + 1, market, 9_000_000n, "0.6", START + index)),
    ...aConversion({ n: 10, markets: [1, 2, 3], sharesMicro: 2_000_000n, atSeconds: START + 20 }),
    ...aConversion({ n: 11, markets: [6, 7], sharesMicro: 3_000_001n, atSeconds: START + 30 }),
    ...aConversion({ n: 12, markets: [1, 2], sharesMicro: 4_000_000n, atSeconds: START + 40 }),
  ];
  const provider = providerOf(cut(rows, [6, 9, 11]));
  const runUntilKilled = async (pool: Pool, process: KillableProcess) => {
    await syncFollowedTrader(process.pool(pool), process.provider(provider), 1, NOW).catch((error: unknown) => {
      if (!(error instanceof ProcessKilled)) throw error;
    });
  };
  const immortal = new KillableProcess(Infinity);
  const pool = await aFollowedTrader();
  await runUntilKilled(pool, immortal);
  const expected = await readStoredState(pool);
  expect(expected.entries.filter((entry) => entry["kind"] === "convert_out")).toHaveLength(7);
  expect(expected.traders).toMatchObject([{ complete: true, gaps: [] }]);
  for (let dieAfter = 1; dieAfter < immortal.steps; dieAfter++) {
    const repeat = await aFollowedTrader();
    await runUntilKilled(repeat, new KillableProcess(dieAfter));
    await syncFollowedTrader(repeat, provider, 1, NOW);
    expect(await readStoredState(repeat), `killed after step ${dieAfter}`).toEqual(expected);
  }
});

describe("unproven conversion", () => {
  const bought = [1, 2, 6].map((market, index) => no(index + 1, market, 9_000_000n, "0.8", START + index));
  const good = aConversion({ n: 9, markets: [1, 2], sharesMicro: 5_000_000n, atSeconds: START + 20 });
  const converted = (facts: Partial<Parameters<typeof aConversion>[0]>) =>
    aConversion({ n: 9, markets: [1, 2], sharesMicro: 5_000_000n, atSeconds: START + 20, ...facts });
  const without = (market: number) => MARKETS.filter((one) => one.conditionId !== conditionOf(market));
  const changed = (market: number, facts: Parameters<typeof negRiskMarkets>[2]) => [
    ...without(market),
    ...negRiskMarkets(market > 5 ? 52 : 51, [market], facts),
  ];

  const outcomesOf4 = MARKETS[3]?.outcomes ?? [];
  const [first4] = outcomesOf4;
  if (first4 === undefined) throw new Error("a market has outcomes");

  test.each<[string, ProviderActivity[], Partial<ProviderPages>]>([
    ["one row", converted({ markets: [1] }), {}],
    ["one row with the event's id, which belongs to no market", converted({ markets: [99], usdMicro: 5_000_000n }), {}],
    ["one condition named twice", converted({ markets: [1, 1] }), {}],
    ["questions of two events", converted({ markets: [1, 6] }), {}],
    ["an unknown market", converted({ markets: [1, 99] }), {}],
    ["the dollars of one question too many", converted({ usdMicro: 10_000_000n }), {}],
    ["no dollars", converted({ usdMicro: 0n }), {}],
    [
      "unequal sizes",
      [...converted({ markets: [1], usdMicro: 5_000_000n }), ...converted({ markets: [2], sharesMicro: 4_000_000n })],
      {},
    ],
    ["questions that the provider does not list", good, { questions: {} }],
    ["a listed question without a full market object", converted({ markets: [1, 2, 3] }), { markets: without(5) }],
    ["a listed question of another event", good, { questions: questionsOf({ 51: [1, 2, 3, 4, 5, 8] }) }],
    ["a question that opened later", good, { markets: changed(4, { startAt: new Date((START + 60) * 1000) }) }],
    ["a question without an opening time", good, { markets: changed(4, { startAt: null }) }],
    [
      "a question with a third outcome",
      good,
      { markets: changed(4, { outcomes: [...outcomesOf4, { ...first4, tokenId: "777", outcomeIndex: 2 }] }) },
    ],
    ["a market that is not neg-risk", good, { markets: changed(1, { negRisk: false }) }],
    ["a market of the second protocol", good, { markets: changed(1, { protocolVersion: "v2" }) }],
    ["a market without an event", good, { markets: changed(1, { event: null }) }],
    ["half of the questions and no tokens", good, { questions: questionsOf({ 51: [1, 2, 3, 4] }) }],
  ])("a conversion with %s leaves a gap and books nothing", async (_, rows, facts) => {
    const pool = await aFollowedTrader();
    await read(pool, [...bought, ...rows], facts);
    expect(await gapsOf(pool)).toEqual(["conversion"]);
    expect(await legsOf(pool)).toEqual([]);
    const { positions, activity } = await readStoredState(pool);
    expect(positions.map((p) => [p["token_id"], p["shares_micro"]])).toEqual(
      [1, 2, 6].map((market) => [tokenOf(market, 1), "9000000"]),
    );
    expect(activity).toHaveLength(rows.length);
  });

  test("a conversion of half of the questions is proven by its NO tokens", async () => {
    const pool = await aFollowedTrader();
    await read(pool, [...bought, ...converted({ tokens: true })], { questions: questionsOf({ 51: [1, 2, 3, 4] }) });
    expect(await gapsOf(pool)).toEqual([]);
    expect(await legsOf(pool)).toHaveLength(4);
  });

  test("a sync that finds a complete event books an earlier conversion and closes its gap", async () => {
    const pool = await aFollowedTrader();
    await read(pool, [...bought, ...good], { questions: {} });
    await read(pool, bought);
    expect(await gapsOf(pool)).toEqual([]);
    expect(await legsOf(pool)).toHaveLength(5);
  });
});

test("proven conversions are booked while an unproven one keeps the gap open", async () => {
  const pool = await aFollowedTrader();
  await read(pool, [
    ...aConversion({ n: 1, markets: [1, 2], sharesMicro: 1_000_000n }),
    ...aConversion({ n: 2, markets: [1], sharesMicro: 1_000_000n }),
  ]);
  expect(await gapsOf(pool)).toEqual(["conversion"]);
  expect(await legsOf(pool)).toHaveLength(5);
});

test("many unproven conversions do not stop the lookup of another event", async () => {
  // Half of an event's questions without tokens. The proven event has the highest id, so it is looked up
  // last.
  const unproven = Array.from({ length: 60 }, (_, n) => ({
    event: 1_000 + n,
    markets: [0, 1, 2, 3].map((index) => 1_000 + 4 * n + index),
  }));
  const events = [...unproven, { event: 9_999, markets: [1, 2, 3] }];
  const facts = {
    markets: events.flatMap(({ event, markets }) => negRiskMarkets(event, markets)),
    questions: questionsOf(Object.fromEntries(events.map(({ event, markets }) => [event, markets]))),
  };
  const rows = events.flatMap(({ markets }, n) =>
    aConversion({ n: n + 1, markets: markets.slice(0, 2), sharesMicro: 1_000_000n }),
  );
  const pool = await aFollowedTrader();
  for (const minute of [0, 1])
    await syncFollowedTrader(pool, providerOf([rows], facts), 1, new Date(NOW.getTime() + minute * 60_000));
  expect(await legsOf(pool)).toHaveLength(3);
  expect(await gapsOf(pool)).toEqual(["conversion"]);
});

test("a row that arrives after its transaction was booked contradicts it and opens the gap", async () => {
  const pool = await aFollowedTrader();
  const rows = aConversion({ n: 1, markets: [1, 2], sharesMicro: 1_000_000n });
  await read(pool, rows);
  expect(await gapsOf(pool)).toEqual([]);
  const late = aConversion({ n: 1, markets: [3], sharesMicro: 1_000_000n, usdMicro: 1_000_000n });
  for (let times = 0; times < 2; times++) await read(pool, [...rows, ...late]);
  expect(await gapsOf(pool)).toEqual(["conversion"]);
  expect(await legsOf(pool)).toHaveLength(5);
});

test("a conversion in the same second as two buys is folded after both, whatever the order of the rows", async () => {
  const conversion = aConversion({ n: 3, markets: [1, 2], sharesMicro: 4_000_000n, atSeconds: START });
  const buys = [
    no(1, 1, 2_000_000n, "0.5", START),
    no(2, 1, 2_000_000n, "0.7", START),
    no(4, 2, 4_000_000n, "0.5", START),
  ];
  const states = [];
  for (const rows of [
    [...conversion, ...buys],
    [...buys, ...conversion],
  ]) {
    const pool = await aFollowedTrader();
    await read(pool, rows);
    states.push(await readStoredState(pool));
  }
  expect(states[0]).toEqual(states[1]);
  expect(states[0]?.positions[0]).toMatchObject({ shares_micro: "0", cost_micro: "0", unmatched_shares_micro: "0" });
});

test("a migration stays a gap when conversions are booked", async () => {
  const pool = await aFollowedTrader();
  await read(pool, [
    ...aConversion({ n: 1, markets: [1, 2], sharesMicro: 1_000_000n }),
    anActivity("MIGRATION", { n: 2 }),
  ]);
  expect(await gapsOf(pool)).toEqual(["migration"]);
});

test("a provider outage during the question lookup leaves the gap, and the next sync closes it", async () => {
  const pool = await aFollowedTrader();
  const rows = aConversion({ n: 1, markets: [1, 2], sharesMicro: 1_000_000n });
  const failingProvider: Provider = {
    ...providerOf([rows]),
    findQuestions: async () => Promise.reject(new Error("away")),
  };
  await expect(syncFollowedTrader(pool, failingProvider, 1, NOW)).rejects.toThrow("away");
  expect(await gapsOf(pool)).toEqual(["conversion"]);
  await read(pool, rows);
  expect(await gapsOf(pool)).toEqual([]);
});
