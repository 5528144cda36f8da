import type { Pool } from "@neondatabase/serverless";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Provider, ProviderActivity } from "../../../src/ports/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { askForResults } from "../../support/ingest/ask-for-results.ts";
import { emptyIngest } from "../../support/ingest/empty-ingest.ts";
import { follow, sync } from "../../support/ingest/followed-wallet.ts";
import { aResolution } from "../../support/ingest/markets.ts";
import { Killed, MortalProcess } from "../../support/ingest/mortal-process.ts";
import { aConversion, negRiskMarkets, questionsOf } from "../../support/ingest/neg-risk.ts";
import { readStoredState } from "../../support/ingest/stored-state.ts";
import { aTrade, anActivity, asActivity, conditionOf, pageOf, tokenOf, walletOf } from "../../support/ingest/trades.ts";
import { aWrittenProvider, type Written } from "../../support/ingest/written-provider.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

/** Ahead of the rows and of the database's clock. */
const NOW = new Date(Date.now() + 3_600_000);
const START = 1_760_000_000;
/** Two neg-risk events: of five questions, and of three. */
const EVENTS: Readonly<Record<number, readonly number[]>> = { 51: [1, 2, 3, 4, 5], 52: [6, 7, 8] };
const MARKETS = Object.entries(EVENTS).flatMap(([event, markets]) => negRiskMarkets(Number(event), markets));
const WORLD = { takers: [], all: [], markets: MARKETS, resolutions: [], questions: questionsOf(EVENTS) };

function providerOf(pages: readonly (readonly ProviderActivity[])[], facts: Partial<Written> = {}): Provider {
  return aWrittenProvider({ ...WORLD, activity: { [walletOf(1)]: pages.map((rows) => pageOf(rows)) }, ...facts });
}

async function aFollowedWallet(): Promise<Pool> {
  const pool = database.openPool();
  await emptyIngest(pool);
  await follow(pool, 1);
  return pool;
}

const read = (pool: Pool, rows: readonly ProviderActivity[], facts: Partial<Written> = {}) => sync(pool, providerOf([rows], facts), 1, NOW);

const resolve = (pool: Pool, winners: readonly number[]) =>
  askForResults(
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
  return (await pool.query("select gaps from wallet_syncs")).rows[0]?.gaps;
}

/** Legs booked: kind, token, dollars in millionths. */
async function legsOf(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query(
    `select e.kind, o.token_id, e.usd_micro from ledger_entries e join outcomes o on o.id = e.outcome_id
     where e.kind like 'convert%' order by o.token_id`,
  );
  return rows.map((row) => `${row.kind} ${row.token_id} ${row.usd_micro}`);
}

const no = (n: number, market: number, sharesMicro: bigint, price: string, atSeconds: number) =>
  asActivity({ ...aTrade({ n, market, outcome: 1, sharesMicro, price, atSeconds }), feeMicro: 0n });

describe("a conversion of two of five questions", () => {
  const history = [
    no(1, 1, 9_000_000n, "0.8", START),
    no(2, 2, 6_000_000n, "0.7", START + 10),
    ...aConversion({ n: 3, markets: [2, 1], sharesMicro: 5_000_000n, atSeconds: START + 20 }),
  ];

  // By hand, 5 shares: NO leaves at 4.00 each of markets 1 and 2, YES of 3, 4 and 5 arrives at 1.00: 8 less 3 is the 5 paid.
  test("takes the NO shares and gives the YES shares of all others, at the event's uniform price", async () => {
    const pool = await aFollowedWallet();
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
    // 9 NO for 7.20: 5 of them cost 4.00. 6 NO for 4.20: 5 of them cost 3.50, and half a dollar is made.
    expect(positions.map((p) => [p["token_id"], p["shares_micro"], p["cost_micro"], p["realized_micro"]])).toEqual([
      [tokenOf(1, 1), "4000000", "3200000", "0"],
      [tokenOf(2, 1), "1000000", "700000", "500000"],
      [tokenOf(3, 0), "5000000", "1000000", "0"],
      [tokenOf(4, 0), "5000000", "1000000", "0"],
      [tokenOf(5, 0), "5000000", "1000000", "0"],
    ]);
    // Two buys of 7.20 and 4.20 are the volume; a conversion trades nothing.
    expect(totals).toMatchObject([{ realized_micro: "500000", volume_micro: "11400000", entry_count: 7 }]);
  });

  // Paid in 11.40, got 5.00 from the conversion. Question 4 wins: 5 YES, 4 NO of the first and 1 NO of the second pay 10.00. 3.60 made.
  test("makes over the settled event what the cash makes", async () => {
    const pool = await aFollowedWallet();
    await read(pool, history);
    await resolve(pool, [4]);
    const { totals } = await readStoredState(pool);
    expect(BigInt(String(totals[0]?.["realized_micro"])) + BigInt(String(totals[0]?.["settled_micro"]))).toBe(3_600_000n);
  });
});

/** What a wallet does, one transaction each; sizes follow from what it holds. */
const anAct = fc.record({
  type: fc.constantFrom("NO", "NO", "YES", "SPLIT", "SELL", "CONVERT", "CONVERT"),
  market: fc.integer({ min: 1, max: 8 }),
  event: fc.constantFrom(51, 51, 52),
  /** Of the event's questions; a conversion needs two, and never three of five, whose rest would be two that fit as well: there are none. */
  questions: fc.uniqueArray(fc.nat(4), { minLength: 2, maxLength: 5 }),
  shares: fc.oneof(fc.bigInt(1n, 5n), fc.bigInt(1n, 50_000_000_000n)),
  part: fc.integer({ min: 1, max: 4 }),
  price: fc.integer({ min: 1, max: 9_999 }),
  gap: fc.nat(2),
});

type Act = typeof anAct extends fc.Arbitrary<infer A> ? A : never;

interface Told {
  readonly transactions: readonly (readonly ProviderActivity[])[];
  /** Millionths of a dollar that came less those that went, by the rows. */
  readonly cashMicro: bigint;
  /** Shares held at the end, by token. */
  readonly held: ReadonlyMap<string, bigint>;
  readonly conversions: number;
}

/** The wallet's cash and shares, by adding up what each act moves: no average, no price of ours. */
function tell(acts: readonly Act[]): Told {
  const held = new Map<string, bigint>();
  const transactions: ProviderActivity[][] = [];
  let [cashMicro, atSeconds, conversions] = [0n, START, 0];
  const of = (market: number, outcome: 0 | 1) => held.get(tokenOf(market, outcome)) ?? 0n;
  const move = (market: number, outcome: 0 | 1, shares: bigint) => held.set(tokenOf(market, outcome), of(market, outcome) + shares);
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
      const markets = questions.filter((_, place) => act.questions.includes(place));
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
  return { transactions, cashMicro, held, conversions };
}

/** Whatever else it did, a wallet that converts a lot: NO of every question first. */
const aHistory = fc
  .tuple(fc.array(fc.bigInt(1n, 20_000_000n), { minLength: 8, maxLength: 8 }), fc.array(anAct, { minLength: 1, maxLength: 14 }))
  .map(([first, acts]) => tell([...first.map((shares, index) => ({ ...TEMPLATE, market: index + 1, shares })), ...acts]));
const TEMPLATE: Act = { type: "NO", market: 1, event: 51, questions: [0, 1], shares: 1n, part: 1, price: 7_331, gap: 0 };

function cut<Row>(rows: readonly Row[], cuts: readonly number[]): Row[][] {
  const places = [...new Set(cuts.map((place) => place % (rows.length + 1)))].sort((a, b) => a - b);
  return [...places, rows.length].map((end, index) => rows.slice(index === 0 ? 0 : places[index - 1], end));
}

test("a wallet's history ends the same however pages cut it, transactions repeat, arrive late or arrive in part", async () => {
  let conversions = 0;
  const telling = fc.record({
    cuts: fc.array(fc.nat(60), { maxLength: 6 }),
    late: fc.array(fc.nat(60), { maxLength: 3 }),
    again: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(aHistory, telling, async (history, { cuts, late, again }) => {
      const rows = history.transactions.flat();
      const whole = await aFollowedWallet();
      await read(whole, rows);
      const expected = await readStoredState(whole);
      const booked = expected.entries.filter((entry) => entry["kind"] === "convert_out").length;
      expect(booked).toBe(rows.filter((row) => row.kind === "other" && row.activity.type === "CONVERSION").length);
      conversions += history.conversions;

      const pool = await aFollowedWallet();
      if (late.length > 0) {
        const missing = new Set(late.map((place) => place % rows.length));
        await read(
          pool,
          rows.filter((_, place) => !missing.has(place)),
        );
      }
      await sync(pool, providerOf(cut(rows, cuts)), 1, NOW);
      if (again)
        await sync(
          pool,
          providerOf(
            cut(
              rows,
              cuts.map((place) => place + 1),
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
}, 120_000);

test("over settled events a wallet has made what came in less what went out, to the millionth", async () => {
  await fc.assert(
    fc.asyncProperty(aHistory, fc.constantFrom(1, 3, 5), fc.constantFrom(6, 8), async (history, first, second) => {
      const pool = await aFollowedWallet();
      await read(pool, history.transactions.flat());
      await resolve(pool, [first, second]);
      const { totals, positions } = await readStoredState(pool);
      for (const position of positions) {
        expect(position["unmatched_shares_micro"]).toBe("0");
        expect(position["shares_micro"]).toBe(String(history.held.get(String(position["token_id"])) ?? 0n));
      }
      let payoutMicro = 0n;
      for (const market of Object.values(EVENTS).flat()) {
        const winner = market === first || market === second ? 0 : 1;
        payoutMicro += history.held.get(tokenOf(market, winner)) ?? 0n;
      }
      const made = BigInt(String(totals[0]?.["realized_micro"])) + BigInt(String(totals[0]?.["settled_micro"]));
      expect(made).toBe(history.cashMicro + payoutMicro);
    }),
    { numRuns: 16 },
  );
}, 120_000);

test("a process killed after any of its steps books nothing twice and nothing by half: the next one ends the same", async () => {
  const rows = [
    ...[1, 2, 3, 6, 7].map((market, index) => no(index + 1, market, 9_000_000n, "0.6", START + index)),
    ...aConversion({ n: 10, markets: [1, 2, 3], sharesMicro: 2_000_000n, atSeconds: START + 20 }),
    ...aConversion({ n: 11, markets: [6, 7], sharesMicro: 3_000_001n, atSeconds: START + 30 }),
    ...aConversion({ n: 12, markets: [1, 2], sharesMicro: 4_000_000n, atSeconds: START + 40 }),
  ];
  const provider = providerOf(cut(rows, [6, 9, 11]));
  const live = async (pool: Pool, life: MortalProcess) => {
    await sync(life.pool(pool), life.provider(provider), 1, NOW).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
  };
  const untroubled = new MortalProcess(Infinity);
  const pool = await aFollowedWallet();
  await live(pool, untroubled);
  const expected = await readStoredState(pool);
  expect(expected.entries.filter((entry) => entry["kind"] === "convert_out")).toHaveLength(7);
  expect(expected.traders).toMatchObject([{ complete: true, gaps: [] }]);
  for (let dieAfter = 1; dieAfter < untroubled.steps; dieAfter++) {
    const again = await aFollowedWallet();
    await live(again, new MortalProcess(dieAfter));
    await sync(again, provider, 1, NOW);
    expect(await readStoredState(again), `killed after step ${dieAfter}`).toEqual(expected);
  }
}, 120_000);

describe("a conversion that its rows or the event do not prove leaves a gap and books nothing:", () => {
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

  test.each<[string, ProviderActivity[], Partial<Written>]>([
    ["one row", converted({ markets: [1] }), {}],
    ["one row that names the event's id, as no market has it", converted({ markets: [99], usdMicro: 5_000_000n }), {}],
    ["one condition named twice", converted({ markets: [1, 1] }), {}],
    ["questions of two events", converted({ markets: [1, 6] }), {}],
    ["a market the provider does not know", converted({ markets: [1, 99] }), {}],
    ["dollars of one question too many", converted({ usdMicro: 10_000_000n }), {}],
    ["no dollars", converted({ usdMicro: 0n }), {}],
    ["unequal sizes", [...converted({ markets: [1], usdMicro: 5_000_000n }), ...converted({ markets: [2], sharesMicro: 4_000_000n })], {}],
    ["questions the provider does not list", good, { questions: {} }],
    ["a question listed that is not known in full", converted({ markets: [1, 2, 3] }), { markets: without(5) }],
    ["a question listed that belongs to another event", good, { questions: questionsOf({ 51: [1, 2, 3, 4, 5, 8] }) }],
    ["a question that opened later", good, { markets: changed(4, { startAt: new Date((START + 60) * 1000) }) }],
    ["a question that does not say when it opened", good, { markets: changed(4, { startAt: null }) }],
    [
      "a question with a third outcome",
      good,
      { markets: changed(4, { outcomes: [...outcomesOf4, { ...first4, tokenId: "777", outcomeIndex: 2 }] }) },
    ],
    ["a market that is no neg-risk market", good, { markets: changed(1, { negRisk: false }) }],
    ["a market of the second protocol", good, { markets: changed(1, { protocolVersion: "v2" }) }],
    ["a market without an event", good, { markets: changed(1, { event: null }) }],
    ["half of the questions and no tokens", good, { questions: questionsOf({ 51: [1, 2, 3, 4] }) }],
  ])("%s", async (_, rows, facts) => {
    const pool = await aFollowedWallet();
    await read(pool, [...bought, ...rows], facts);
    expect(await gapsOf(pool)).toEqual(["conversion"]);
    expect(await legsOf(pool)).toEqual([]);
    const { positions, activity } = await readStoredState(pool);
    expect(positions.map((p) => [p["token_id"], p["shares_micro"]])).toEqual([1, 2, 6].map((market) => [tokenOf(market, 1), "9000000"]));
    expect(activity).toHaveLength(rows.length);
  });

  test("but half of the questions with their NO tokens is proof", async () => {
    const pool = await aFollowedWallet();
    await read(pool, [...bought, ...converted({ tokens: true })], { questions: questionsOf({ 51: [1, 2, 3, 4] }) });
    expect(await gapsOf(pool)).toEqual([]);
    expect(await legsOf(pool)).toHaveLength(4);
  });

  test("and is booked, and its gap closed, by the sync that finds the event known", async () => {
    const pool = await aFollowedWallet();
    await read(pool, [...bought, ...good], { questions: {} });
    await read(pool, bought);
    expect(await gapsOf(pool)).toEqual([]);
    expect(await legsOf(pool)).toHaveLength(5);
  });
});

test("of several conversions the proven ones are booked; the gap stays for the other", async () => {
  const pool = await aFollowedWallet();
  await read(pool, [
    ...aConversion({ n: 1, markets: [1, 2], sharesMicro: 1_000_000n }),
    ...aConversion({ n: 2, markets: [1], sharesMicro: 1_000_000n }),
  ]);
  expect(await gapsOf(pool)).toEqual(["conversion"]);
  expect(await legsOf(pool)).toHaveLength(5);
});

test("conversions without proof in more events than are asked for at once do not keep another event from its turn", async () => {
  // Half of an event's questions, and no tokens. By its id the event of the proven one comes after all of theirs.
  const unproven = Array.from({ length: 60 }, (_, n) => ({
    event: 1_000 + n,
    markets: [0, 1, 2, 3].map((place) => 1_000 + 4 * n + place),
  }));
  const events = [...unproven, { event: 9_999, markets: [1, 2, 3] }];
  const facts = {
    markets: events.flatMap(({ event, markets }) => negRiskMarkets(event, markets)),
    questions: questionsOf(Object.fromEntries(events.map(({ event, markets }) => [event, markets]))),
  };
  const rows = events.flatMap(({ markets }, n) => aConversion({ n: n + 1, markets: markets.slice(0, 2), sharesMicro: 1_000_000n }));
  const pool = await aFollowedWallet();
  for (const minute of [0, 1]) await sync(pool, providerOf([rows], facts), 1, new Date(NOW.getTime() + minute * 60_000));
  expect(await legsOf(pool)).toHaveLength(3);
  expect(await gapsOf(pool)).toEqual(["conversion"]);
});

test("a row that lands after its transaction was booked contradicts the booking and opens the gap", async () => {
  const pool = await aFollowedWallet();
  const rows = aConversion({ n: 1, markets: [1, 2], sharesMicro: 1_000_000n });
  await read(pool, rows);
  expect(await gapsOf(pool)).toEqual([]);
  const late = aConversion({ n: 1, markets: [3], sharesMicro: 1_000_000n, usdMicro: 1_000_000n });
  for (let times = 0; times < 2; times++) await read(pool, [...rows, ...late]);
  expect(await gapsOf(pool)).toEqual(["conversion"]);
  expect(await legsOf(pool)).toHaveLength(5);
});

test("a conversion between two buys of one second is folded after both, whichever is told first", async () => {
  const conversion = aConversion({ n: 3, markets: [1, 2], sharesMicro: 4_000_000n, atSeconds: START });
  const buys = [no(1, 1, 2_000_000n, "0.5", START), no(2, 1, 2_000_000n, "0.7", START), no(4, 2, 4_000_000n, "0.5", START)];
  const states = [];
  for (const rows of [
    [...conversion, ...buys],
    [...buys, ...conversion],
  ]) {
    const pool = await aFollowedWallet();
    await read(pool, rows);
    states.push(await readStoredState(pool));
  }
  expect(states[0]).toEqual(states[1]);
  expect(states[0]?.positions[0]).toMatchObject({ shares_micro: "0", cost_micro: "0", unmatched_shares_micro: "0" });
});

test("a migration stays a gap beside conversions that are booked", async () => {
  const pool = await aFollowedWallet();
  await read(pool, [...aConversion({ n: 1, markets: [1, 2], sharesMicro: 1_000_000n }), anActivity("MIGRATION", { n: 2 })]);
  expect(await gapsOf(pool)).toEqual(["migration"]);
});

test("a provider that is away when questions are asked for leaves the gap, and the next sync closes it", async () => {
  const pool = await aFollowedWallet();
  const rows = aConversion({ n: 1, markets: [1, 2], sharesMicro: 1_000_000n });
  const away: Provider = { ...providerOf([rows]), findQuestions: async () => Promise.reject(new Error("away")) };
  await expect(sync(pool, away, 1, NOW)).rejects.toThrow("away");
  expect(await gapsOf(pool)).toEqual(["conversion"]);
  await read(pool, rows);
  expect(await gapsOf(pool)).toEqual([]);
});
