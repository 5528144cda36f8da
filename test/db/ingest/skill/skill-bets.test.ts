import type { Pool, QueryConfig } from "@neondatabase/serverless";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { applyResolutions } from "../../../../src/ingest/markets/apply-resolutions.ts";
import { scoreMarket } from "../../../../src/ingest/skill/score-market.ts";
import { evidenceOf } from "../../../../src/scoring/skill/evidence.ts";
import { addBet, NO_BETS, netMarket } from "../../../../src/scoring/skill/market-bets.ts";
import type { SettledBet } from "../../../../src/scoring/skill/settled-bet.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { joinIngest, openIngest, type IngestUnderTest } from "../../../support/ingest/ingest-under-test.ts";
import { aProviderMarket, aResolution } from "../../../support/ingest/provider/provider-markets.ts";
import { emptySkill, readSkill, runJobs } from "../../../support/ingest/worlds/skill-jobs.ts";
import {
  aTrade,
  conditionOf,
  pageOf,
  walletOf,
  type TradeFacts,
} from "../../../support/ingest/provider/provider-trades.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

const AT = new Date("2026-11-20T12:00:00Z");

const anEvent = (slug: string, { series = null, end = null }: Partial<Nights> = {}) => ({
  providerEventId: slug,
  slug,
  title: slug,
  image: null,
  seriesSlug: series,
  tags: [],
  startAt: null,
  endAt: end === null ? null : new Date(end * 1000),
});

/** The series and the scheduled end of an event, in seconds. */
interface Nights {
  readonly series: string | null;
  readonly end: number | null;
}

/**
 * A step of a story: a page of fills, a (reversed) settlement, a new description, or scoring of the due
 * markets.
 */
type Step =
  | { readonly kind: "fills"; readonly fills: readonly Partial<TradeFacts>[]; readonly feed?: "all" | "takers" }
  | { readonly kind: "settle"; readonly market: number; readonly firstPpm: number | null }
  | {
      readonly kind: "describe";
      readonly market: number;
      readonly event: string | null;
      readonly swapped: boolean;
      readonly kickoff?: number | null;
      readonly nights?: Nights;
    }
  | { readonly kind: "score" };

async function applyStep(pool: Pool, ingest: IngestUnderTest, step: Step): Promise<void> {
  switch (step.kind) {
    case "fills":
      await ingest.apply(step.feed ?? "all", pageOf(step.fills.map((facts) => aTrade(facts))));
      return;
    case "settle": {
      const { market, firstPpm } = step;
      await inTransaction(pool, (session) =>
        applyResolutions(session, [conditionOf(market)], [aResolution(market, firstPpm)], [], AT),
      );
      return;
    }
    case "describe": {
      const gameStartAt = step.kickoff ? new Date(step.kickoff * 1000) : null;
      const event = step.event === null ? null : anEvent(step.event, step.nights);
      const market = aProviderMarket(step.market, { event, gameStartAt });
      const outcomes = market.outcomes.map((outcome, index) => ({
        ...outcome,
        outcomeIndex: step.swapped ? 1 - index : index,
      }));
      await applyMarkets(pool, [{ ...market, outcomes }], [], AT);
      return;
    }
    case "score":
      await scoreAll(pool, { traders: 2, entries: 3 });
  }
}

async function scoreAll(pool: Pool, limits: { traders: number; entries: number }): Promise<void> {
  const { rows } = await pool.query<{ market_id: string }>(`select market_id from skill_due`);
  for (const row of rows) await scoreMarket(pool, Number(row.market_id), limits);
}

/** The bets of a story, computed from its steps alone. */
function betsOf(story: readonly Step[]) {
  const fills = new Map<number, Partial<TradeFacts>>();
  const takers = new Set<number>();
  const markets = new Map<
    number,
    { cluster: string; firstPpm: number | null; swapped: boolean; kickoff: number | null }
  >();
  const nights = new Map<string, Nights>();
  const alone = (market: number) => `market ${conditionOf(market)}`;
  for (const step of story) {
    if (step.kind === "fills") {
      for (const fill of step.fills) {
        fills.set(fill.n ?? 0, fill);
        if (step.feed === "takers") takers.add(fill.n ?? 0);
        const market = fill.market ?? 1;
        if (!markets.has(market))
          markets.set(market, { cluster: `event-${market}`, firstPpm: null, swapped: false, kickoff: null });
      }
    } else if (step.kind === "describe") {
      const { market, event, swapped, kickoff = null } = step;
      if (event !== null) nights.set(event, step.nights ?? { series: null, end: null });
      markets.set(market, {
        firstPpm: markets.get(market)?.firstPpm ?? null,
        cluster: event ?? alone(market),
        swapped,
        kickoff,
      });
    } else if (step.kind === "settle") {
      const known = markets.get(step.market);
      if (known !== undefined) markets.set(step.market, { ...known, firstPpm: step.firstPpm });
    }
  }
  const settlementOf = ({ n, tx = n, market = 1 }: Partial<TradeFacts>) => `${tx} ${market}`;
  const withTaker = new Set([...fills].flatMap(([n, fill]) => (takers.has(n) ? [settlementOf(fill)] : [])));
  return [...fills].flatMap(([n, facts]): (SettledBet & { wallet: string })[] => {
    const isMaker = !takers.has(n) && withTaker.has(settlementOf(facts));
    const market = markets.get(facts.market ?? 1);
    const { usdMicro, sharesMicro, side } = aTrade(facts);
    if (side === "SELL" || market === undefined || market.firstPpm === null) return [];
    const index = market.swapped ? 1 - (facts.outcome ?? 0) : (facts.outcome ?? 0);
    const payoutPpm = index === 0 ? market.firstPpm : 1_000_000 - market.firstPpm;
    const money = { shares: Number(sharesMicro) / 1e6, usd: Number(usdMicro) / 1e6, payout: payoutPpm / 1e6 };
    const close = closeOf({ ...market, fills: [...fills.values()] }, facts);
    const place = { cluster: market.cluster, market: conditionOf(facts.market ?? 1), outcome: index };
    const first = close === null ? {} : { close: index === 0 ? close : 1 - close };
    const night = storyOfTest(nights.get(market.cluster), market.kickoff);
    return [{ ...place, ...money, ...first, ...night, isMaker, wallet: walletOf(facts.wallet ?? 1) }];
  });
}

const NIGHT = 86_400;
/** 2025-10-08, 12:00 in New York. A night of the steps lasts from there to the same time of the next day. */
const NOON = 1_759_939_200;

/** The story of a market: the series of its event, and the days since a noon. */
function storyOfTest(nights: Nights | undefined, kickoff: number | null): { readonly story?: string } {
  const at = kickoff ?? nights?.end ?? null;
  const series = nights?.series ?? null;
  return series === null || at === null ? {} : { story: `${series} ${Math.floor((at - NOON) / NIGHT)}` };
}

/** Fills below a hundredth of a share set no price. */
const DUST = 10_000n;

/**
 * The closing price of the first outcome for the trader of a purchase, from the fills of all: the middle of the last prices
 * of at most ten others, in transactions without the trader.
 */
function closeOf(
  { fills, kickoff, swapped }: { fills: readonly Partial<TradeFacts>[]; kickoff: number | null; swapped: boolean },
  purchase: Partial<TradeFacts>,
): number | null {
  const timeOf = (fill: Partial<TradeFacts>) => aTrade(fill).tradedAt.getTime() / 1000;
  if (kickoff === null || timeOf(purchase) >= kickoff) return null;
  const transactionOf = ({ n, tx = n }: Partial<TradeFacts>) => tx ?? 0;
  const early = fills.filter(
    (fill) =>
      (fill.market ?? 1) === (purchase.market ?? 1) && timeOf(fill) < kickoff && aTrade(fill).sharesMicro >= DUST,
  );
  const own = early.filter(({ wallet }) => wallet === purchase.wallet).map(transactionOf);
  const others = early
    .filter((fill) => !own.includes(transactionOf(fill)))
    .sort(
      (a, b) =>
        timeOf(b) - timeOf(a) ||
        transactionOf(b) - transactionOf(a) ||
        Number(b.price) - Number(a.price) ||
        Number((b.sharesMicro ?? 0n) - (a.sharesMicro ?? 0n)),
    );
  const last = [...new Map(others.toReversed().map((fill) => [fill.wallet, fill])).values()];
  const prices = last
    .map(({ price, outcome = 0 }) => ((outcome === 0) === swapped ? 1 - Number(price) : Number(price)))
    .sort((a, b) => a - b);
  const middle = [prices[(prices.length - 1) >> 1] ?? 0, prices[prices.length >> 1] ?? 0];
  return prices.length < 3 ? null : Math.round(((middle[0] ?? 0) + (middle[1] ?? 0)) * 500_000) / 1e6;
}

function expectedSkill(story: readonly Step[]) {
  const all = betsOf(story);
  const byMarketAndTrader = Map.groupBy(all, (bet) => `${bet.market} ${bet.wallet}`);
  const bets = [...byMarketAndTrader]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, marketBets]) => {
      const [condition_id, address] = key.split(" ");
      const net = (own: readonly SettledBet[]) =>
        netMarket(
          own
            .map(({ outcome, shares, usd, payout, isMaker = false }) => ({
              ...{ outcome, payout, isMaker, sharesMicro: Math.round(shares * 1e6), usdMicro: Math.round(usd * 1e6) },
            }))
            .reduce(addBet, NO_BETS),
        );
      const { bets: count, usdMicro: usd, edgeMicro: edge, varianceMicro: variance } = net(marketBets);
      const early = net(marketBets.flatMap((bet) => (bet.close === undefined ? [] : [{ ...bet, payout: bet.close }])));
      const closes = {
        ...{ close_usd: early.usdMicro, close_edge: early.edgeMicro, close_variance: early.varianceMicro },
      };
      return { condition_id, address, cluster: marketBets[0]?.cluster, bets: count, usd, edge, variance, ...closes };
    });
  const byTrader = [...Map.groupBy(all, (bet) => bet.wallet)].sort(([a], [b]) => (a < b ? -1 : 1));
  // An event whose markets are on several nights counts once in each of their stories.
  const byNight = (own: readonly SettledBet[]) =>
    own.map((bet) => ({ ...bet, cluster: `${bet.cluster} ${bet.story ?? ""}` }));
  const evidence = byTrader.map(([address, own]) => ({ address, ...evidenceOf(byNight(own)) }));
  return { bets, evidence: evidence.filter(({ bets: count }) => count > 0), due: [] };
}

async function openSkill(pool: Pool): Promise<IngestUnderTest> {
  await emptySkill(pool);
  return openIngest(pool);
}

const PRICES = ["0", "1", "0.5", "0.333333", "0.0005", "0.9995", "0.6180339887"];
const location = {
  wallet: fc.integer({ min: 1, max: 5 }),
  market: fc.integer({ min: 1, max: 4 }),
  outcome: fc.constantFrom(0 as const, 1 as const),
};
const aFill = fc
  .record({
    n: fc.integer({ min: 1, max: 60 }),
    tx: fc.integer({ min: 1, max: 15 }),
    ...location,
    side: fc.constantFrom("BUY" as const, "BUY" as const, "BUY" as const, "SELL" as const),
    // From a millionth of a share on; some amounts have half a millionth of a dollar.
    sharesMicro: fc.oneof(fc.constantFrom(0n, 1n, 10_001n), fc.bigInt({ min: 1n, max: 50_000_000n })),
    price: fc.constantFrom(...PRICES),
    atSeconds: fc.integer({ min: 1_760_000_000, max: 1_760_000_100 }),
  })
  // Shares differ by number: fills of one transaction that agree in all else are distinguished by them.
  .map((fill) => ({ ...fill, sharesMicro: 100n * fill.sharesMicro + BigInt(fill.n) }));
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("fills" as const),
      feed: fc.constantFrom("all" as const, "takers" as const),
      fills: fc.array(aFill, { minLength: 1, maxLength: 8 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("settle" as const),
      market: location.market,
      firstPpm: fc.constantFrom(0, 1_000_000, 500_000, 333_333, null),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("describe" as const),
      market: location.market,
      event: fc.constantFrom("cup", "league", null),
      nights: fc.record({
        series: fc.constantFrom("nba", "nba", "nba", "mlb", null),
        end: fc.constantFrom(NOON - 1, NOON, NOON + NIGHT - 1, null),
      }),
      swapped: fc.boolean(),
      kickoff: fc.constantFrom(null, 1_760_000_050, 1_760_000_101),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: "score" as const }) },
);

/** Gives each number one fill: the number is the transaction, and other values would be another fill. */
function withFixedFills(story: readonly Step[]): Step[] {
  const first = new Map<number, Partial<TradeFacts>>();
  return story.map((step) => {
    if (step.kind !== "fills") return step;
    const fills = step.fills.map((fill) => {
      const known = first.get(fill.n ?? 0) ?? fill;
      first.set(fill.n ?? 0, known);
      return known;
    });
    // A row that is repeated within one page would be two equal fills of one transaction.
    return { ...step, fills: [...new Map(fills.map((fill) => [fill.n, fill])).values()] };
  });
}

test("bets and evidence end as the sums over all settled bets, in any order of data and scoring", async () => {
  const pool = database.openPool();
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 25 }), async (drawnSteps) => {
      const story = withFixedFills(drawnSteps);
      const ingest = await openSkill(pool);
      for (const step of story) await applyStep(pool, ingest, step);
      await runJobs(pool, "score_markets");
      expect(await readSkill(pool)).toEqual(expectedSkill(story));
    }),
    { numRuns: 60 },
  );
});

test("events of one series on one night are one story, until one moves to another night or its result is withdrawn", async () => {
  const pool = database.openPool();
  const ingest = await openSkill(pool);
  const ofNight = (market: number, end: number): Step => ({
    ...{ kind: "describe", market, event: `game ${market}`, swapped: false, nights: { series: "nba", end } },
  });
  const steps: Step[] = [];
  const pairsAfter = async (...next: Step[]) => {
    for (const step of [...next, { kind: "score" } satisfies Step]) {
      steps.push(step);
      await applyStep(pool, ingest, step);
    }
    const skill = await readSkill(pool);
    expect(skill).toEqual(expectedSkill(steps));
    return skill.evidence.map(({ storyInformation }) => Number(storyInformation));
  };
  // 400 shares at 0.50 have full weight: a root of 0.5, so each pair of events adds 2 * 0.25.
  const fills = [1, 2, 3].map((market) => ({ n: market, market, wallet: 1, price: "0.5", sharesMicro: 400_000_000n }));
  const settle = (market: number, firstPpm: number | null): Step => ({ kind: "settle", market, firstPpm });
  const nights = [1, 2, 3].map((market) => ofNight(market, NOON));
  expect(await pairsAfter({ kind: "fills", fills }, ...nights, settle(1, 1_000_000))).toEqual([0]);
  expect(await pairsAfter(settle(2, 0))).toEqual([500_000]);
  expect(await pairsAfter(settle(3, 1_000_000))).toEqual([1_500_000]);
  expect(await pairsAfter(ofNight(2, NOON - 1))).toEqual([500_000]);
  expect(await pairsAfter(ofNight(2, NOON + NIGHT - 1))).toEqual([1_500_000]);
  expect(await pairsAfter(settle(3, null))).toEqual([500_000]);
});

describe("markets due for scoring", () => {
  const SETTLED: Step[] = [
    {
      kind: "fills",
      fills: [
        { n: 1, wallet: 1 },
        { n: 2, wallet: 2, outcome: 1 },
      ],
    },
    { kind: "settle", market: 1, firstPpm: 1_000_000 },
    { kind: "score" },
  ];
  const dueAfter = async (...steps: Step[]) => {
    const pool = database.openPool();
    const ingest = await openSkill(pool);
    for (const step of [...SETTLED, ...steps]) await applyStep(pool, ingest, step);
    return (await readSkill(pool)).due.length === 1;
  };
  const describeIt = (event: string | null, swapped = false): Step => ({ kind: "describe", market: 1, event, swapped });
  const ofNight = (event: string, market: number, series: string, end: number): Step => ({
    ...{ kind: "describe", market, event, swapped: false, nights: { series, end } },
  });

  test.each([
    ["nothing", false, []],
    ["it is settled the same way again", false, [{ kind: "settle", market: 1, firstPpm: 1_000_000 }]],
    ["its settlement changes", true, [{ kind: "settle", market: 1, firstPpm: 0 }]],
    ["its settlement is withdrawn", true, [{ kind: "settle", market: 1, firstPpm: null }]],
    ["a fill arrives late", true, [{ kind: "fills", fills: [{ n: 3, wallet: 3 }] }]],
    ["a sell, which is not a bet, arrives late", false, [{ kind: "fills", fills: [{ n: 3, side: "SELL" }] }]],
    ["a fill is repeated", false, [{ kind: "fills", fills: [{ n: 1, wallet: 1 }] }]],
    ["a fill of an open market arrives", false, [{ kind: "fills", fills: [{ n: 3, market: 2 }] }]],
    ["it moves to another event", true, [describeIt("cup")]],
    ["its description is unchanged", false, [describeIt("cup"), { kind: "score" }, describeIt("cup")]],
    ["its event gets a series", true, [describeIt("cup"), { kind: "score" }, ofNight("cup", 1, "nba", NOON)]],
    [
      "its event ends on another night",
      true,
      [ofNight("cup", 1, "nba", NOON), { kind: "score" }, ofNight("cup", 1, "nba", NOON - 1)],
    ],
    [
      "another market of its event tells another end",
      true,
      [ofNight("cup", 1, "nba", NOON), { kind: "score" }, ofNight("cup", 2, "nba", NOON - 1)],
    ],
    ["its outcomes are swapped", true, [describeIt("cup"), { kind: "score" }, describeIt("cup", true)]],
  ] satisfies [string, boolean, Step[]][])("a scored market is due after %s: %s", async (_, due, steps) => {
    expect(await dueAfter(...steps)).toBe(due);
  });

  test("a market that becomes due while its bets are read stays due", async () => {
    const pool = database.openPool();
    const other = database.openPool();
    const ingest = await openSkill(pool);
    for (const step of SETTLED.slice(0, 2)) await applyStep(pool, ingest, step);
    const late = joinIngest(other);
    // The slice of the last trader has been committed; the market is removed from the due list next.
    const between = new Proxy(pool, {
      get(target, name) {
        if (name !== "query") return Reflect.get(target, name)?.bind?.(target) ?? Reflect.get(target, name);
        return async (query: string | QueryConfig, values: unknown[]) => {
          const text = typeof query === "string" ? query : query.text;
          if (text.startsWith('delete from "skill_due"'))
            await late.apply("all", pageOf([aTrade({ n: 9, wallet: 1 })]));
          return target.query(query, values);
        };
      },
    });
    await scoreAll(between, { traders: 2, entries: 3 });
    expect((await readSkill(pool)).due).toHaveLength(1);
    await runJobs(pool, "score_markets");
    expect(await readSkill(pool)).toEqual(expectedSkill([...SETTLED, { kind: "fills", fills: [{ n: 9, wallet: 1 }] }]));
  });
});

describe("settled markets with late fills", () => {
  const SCORED: Step[] = [
    {
      kind: "fills",
      fills: [
        { n: 1, wallet: 1 },
        { n: 2, wallet: 2, outcome: 1 },
      ],
    },
    { kind: "settle", market: 1, firstPpm: 1_000_000 },
    { kind: "score" },
  ];

  /**
   * A scored market whose stored sum for trader 2 is deliberately wrong: only a new read of its bets corrects
   * it.
   */
  async function scoredWithAMark(pool: Pool): Promise<IngestUnderTest> {
    const ingest = await openSkill(pool);
    for (const step of SCORED) await applyStep(pool, ingest, step);
    await pool.query(
      `update skill_markets set usd_micro = 1 where trader_id = (select id from traders where address = $1)`,
      [walletOf(2)],
    );
    return ingest;
  }
  const isMarkLeft = async (pool: Pool) =>
    (await pool.query(`select from skill_markets where usd_micro = 1`)).rows.length === 1;
  const dueFor = async (pool: Pool) =>
    (
      await pool.query<{ traders: string[] | null }>(`select array(
       select address from traders where id = any(trader_ids) order by address) as wallets from skill_due where trader_ids is not null`)
    ).rows;

  test("sums of earlier versions of the method are computed again from all bets of their markets, once", async () => {
    const pool = database.openPool();
    await scoredWithAMark(pool);
    await pool.query(`update skill_markets set story = null`);
    await runJobs(pool, "score_markets");
    const { bets, due } = await readSkill(pool);
    expect(bets).toEqual(expectedSkill(SCORED).bets);
    expect(due).toEqual([]);
    expect((await pool.query(`select from skill_markets where story is null`)).rows).toEqual([]);
    await pool.query(`update skill_markets set usd_micro = 1`);
    await runJobs(pool, "score_markets");
    expect((await pool.query(`select distinct usd_micro::int as usd from skill_markets`)).rows).toEqual([{ usd: 1 }]);
  });

  test("late fills only rescore the bets of their own traders", async () => {
    const pool = database.openPool();
    const ingest = await scoredWithAMark(pool);
    await ingest.apply("all", pageOf([aTrade({ n: 21, wallet: 1 })]));
    await ingest.apply("all", pageOf([aTrade({ n: 22, wallet: 3 }), aTrade({ n: 23, wallet: 3 })]));
    expect(await dueFor(pool)).toEqual([{ wallets: [walletOf(1), walletOf(3)] }]);
    await scoreAll(pool, { traders: 2, entries: 3 });
    const { bets, due } = await readSkill(pool);
    expect(due).toEqual([]);
    const expected = expectedSkill([
      ...SCORED,
      {
        kind: "fills",
        fills: [
          { n: 21, wallet: 1 },
          { n: 22, wallet: 3 },
          { n: 23, wallet: 3 },
        ],
      },
    ]);
    const others = (rows: readonly { address?: string | undefined }[]) =>
      rows.filter(({ address }) => address !== walletOf(2));
    expect(others(bets)).toEqual(others(expected.bets));
    expect(await isMarkLeft(pool)).toBe(true);
  });

  test.each([
    [
      "its settlement changes too",
      (pool: Pool, ingest: IngestUnderTest) => applyStep(pool, ingest, { kind: "settle", market: 1, firstPpm: 0 }),
    ],
    [
      "there are very many traders",
      (pool: Pool) => pool.query(`update skill_due set trader_ids = array(select generate_series(1000001, 1001000))`),
    ],
  ])("late fills rescore all bets of a market when %s", async (_, happen) => {
    const pool = database.openPool();
    const ingest = await scoredWithAMark(pool);
    await ingest.apply("all", pageOf([aTrade({ n: 21, wallet: 1 })]));
    await happen(pool, ingest);
    await ingest.apply("all", pageOf([aTrade({ n: 22, wallet: 1 })]));
    await scoreAll(pool, { traders: 2, entries: 3 });
    expect(await isMarkLeft(pool)).toBe(false);
  });
});

describe("the close of a game's market", () => {
  const KICKOFF = 1_760_000_100;
  /** Trader 1 buys at 0.50 before the kickoff, four others at 0.60 later, and one of them after it at 0.99. */
  const fills: Partial<TradeFacts>[] = [
    { n: 1, wallet: 1, price: "0.5", sharesMicro: 200_000_000n },
    ...[2, 3, 4, 5].map((n) => ({ n, wallet: n, price: "0.6", atSeconds: KICKOFF - 10 })),
    { n: 6, wallet: 2, price: "0.99", atSeconds: KICKOFF },
  ];
  const GAME: Step[] = [
    { kind: "fills", fills },
    { kind: "describe", market: 1, event: "cup", swapped: false, kickoff: KICKOFF },
    { kind: "settle", market: 1, firstPpm: 1_000_000 },
  ];
  test("does not exist where the result was known by the kickoff", async () => {
    const pool = database.openPool();
    const scored = async (resolvedAt: number) => {
      const shift = 1_770_000_000 - resolvedAt;
      const ingest = await openSkill(pool);
      const earlier = fills.map((fill) => ({ ...fill, atSeconds: (fill.atSeconds ?? 1_760_000_000) + shift }));
      const [, , settle = { kind: "score" }] = GAME;
      const game = { kind: "describe", market: 1, event: "cup", swapped: false, kickoff: KICKOFF + shift } as const;
      for (const step of [{ kind: "fills", fills: earlier } as const, game, settle])
        await applyStep(pool, ingest, step);
      await runJobs(pool, "score_markets");
      return (await readSkill(pool)).bets[0];
    };
    expect(await scored(KICKOFF)).toMatchObject({ close_usd: 0 });
    expect(await scored(KICKOFF + 1)).toMatchObject({ close_usd: 200e6 });
  });

  const closesAfter = async (pool: Pool, ...steps: Step[]) => {
    const ingest = await openSkill(pool);
    for (const step of [...GAME, { kind: "score" } as const, ...steps]) await applyStep(pool, ingest, step);
    const due = (await readSkill(pool)).due.length;
    await runJobs(pool, "score_markets");
    const { bets, evidence } = await readSkill(pool);
    return { due, first: bets[0], evidence: evidence[0] };
  };

  test("is the price of others before the kickoff, beside the result", async () => {
    const { first, evidence } = await closesAfter(database.openPool());
    // 200 shares at 0.50 that close at 0.60.
    expect(first).toMatchObject({ edge: 100e6, close_usd: 200e6, close_edge: 20e6, close_variance: 50e6 });
    expect(evidence).toMatchObject({ closeClusters: 1, closeEdge: 1e8, closeInformation: 25e7, crossEdgeEdge: 5e7 });
  });

  test.each([
    ["a late sale of another", [{ n: 7, wallet: 6, side: "SELL" as const, price: "0.8", atSeconds: KICKOFF - 5 }], 0.6],
    [
      "late sales of many others",
      [6, 7, 8, 9, 10, 11].map((n) => ({ n, wallet: n, side: "SELL" as const, price: "0.8", atSeconds: KICKOFF - 5 })),
      0.8,
    ],
    [
      "late dust of many others, which sets no price,",
      [6, 7, 8, 9, 10, 11].map((n) => {
        return { n, wallet: n, price: "0.8", sharesMicro: 9_999n, atSeconds: KICKOFF - 5 };
      }),
      0.6,
    ],
    ["a late purchase after the kickoff", [{ n: 7, wallet: 6, price: "0.9", atSeconds: KICKOFF + 5 }], 0.6],
  ])("of a scored market follows %s", async (_, late, close) => {
    const { due, first } = await closesAfter(database.openPool(), { kind: "fills", fills: late });
    expect(due).toBe(1);
    expect(first?.close_edge).toBeCloseTo(200e6 * (close - 0.5), 0);
  });

  test("that is unchanged leaves the bets of other traders unread after a late purchase", async () => {
    const pool = database.openPool();
    await closesAfter(pool);
    await pool.query(
      `update skill_markets set usd_micro = 1 where trader_id = (select id from traders where address = $1)`,
      [walletOf(3)],
    );
    const ingest = joinIngest(pool);
    await ingest.apply("all", pageOf([aTrade({ n: 7, wallet: 6, atSeconds: KICKOFF + 5 })]));
    await runJobs(pool, "score_markets");
    expect((await pool.query(`select from skill_markets where usd_micro = 1`)).rows).toHaveLength(1);
    expect((await readSkill(pool)).bets).toHaveLength(6);
  });

  test("goes where the kickoff goes, and with it", async () => {
    const moveTo = (kickoff: number | null): Step => ({
      kind: "describe",
      market: 1,
      event: "cup",
      swapped: false,
      kickoff,
    });
    const pool = database.openPool();
    expect(await closesAfter(pool, moveTo(KICKOFF))).toMatchObject({ due: 0, first: { close_edge: 20e6 } });
    // Without the trades at 0.60 there are too few others.
    expect(await closesAfter(pool, moveTo(KICKOFF - 10))).toMatchObject({ due: 1, first: { close_usd: 0 } });
    // More than twelve hours after the trades.
    expect(await closesAfter(pool, moveTo(KICKOFF + 50_000))).toMatchObject({ due: 1, first: { close_usd: 0 } });
    expect(await closesAfter(pool, moveTo(null))).toMatchObject({ due: 1, first: { close_usd: 0 } });
  });
});

test("a late purchase of the other side nets the bet that is already scored", async () => {
  const pool = database.openPool();
  const ingest = await openSkill(pool);
  await ingest.apply("all", pageOf([aTrade({ n: 1, wallet: 1, price: "0.9", sharesMicro: 100_000_000n })]));
  await applyStep(pool, ingest, { kind: "settle", market: 1, firstPpm: 1_000_000 });
  await runJobs(pool, "score_markets");
  expect((await readSkill(pool)).bets).toMatchObject([
    { bets: 1, usd: 100_000_000, edge: 10_000_000, variance: 9_000_000 },
  ]);
  const hedge = aTrade({ n: 2, wallet: 1, outcome: 1, price: "0.1", sharesMicro: 100_000_000n });
  await ingest.apply("all", pageOf([hedge]));
  await runJobs(pool, "score_markets");
  const { bets, evidence } = await readSkill(pool);
  expect(bets).toMatchObject([{ bets: 2, usd: 0, edge: 0, variance: 0 }]);
  expect(evidence).toMatchObject([{ bets: 2, clusters: 0, weight: 0, edge: 0, information: 0, edgeEdge: 0 }]);
});

test("a purchase counts until the taker of its transaction is known, then no more", async () => {
  const pool = database.openPool();
  const ingest = await openSkill(pool);
  const [made, taken] = [aTrade({ n: 1, wallet: 1 }), aTrade({ n: 2, tx: 1, wallet: 2, outcome: 1 })];
  await ingest.apply("all", pageOf([made, taken]));
  await applyStep(pool, ingest, { kind: "settle", market: 1, firstPpm: 1_000_000 });
  await runJobs(pool, "score_markets");
  expect((await readSkill(pool)).bets).toMatchObject([
    { address: walletOf(1), bets: 1, usd: 10_000_000, edge: 5_000_000 },
    { address: walletOf(2), bets: 1, usd: 10_000_000, edge: -5_000_000 },
  ]);
  await ingest.apply("takers", pageOf([taken]));
  await runJobs(pool, "score_markets");
  const { bets, evidence } = await readSkill(pool);
  expect(bets).toMatchObject([
    { address: walletOf(1), bets: 0, usd: 0, edge: 0 },
    { address: walletOf(2), bets: 1, usd: 10_000_000, edge: -5_000_000 },
  ]);
  expect(evidence).toMatchObject([{ address: walletOf(2), bets: 1, clusters: 1 }]);
});

test("a fill of an outcome with an unknown index is not a bet until the index is known", async () => {
  const pool = database.openPool();
  const ingest = await openSkill(pool);
  await ingest.apply("all", pageOf([{ ...aTrade(), outcomeIndex: null }]));
  await applyStep(pool, ingest, { kind: "settle", market: 1, firstPpm: 1_000_000 });
  await runJobs(pool, "score_markets");
  expect(await readSkill(pool)).toEqual({ bets: [], evidence: [], due: [] });
  await applyStep(pool, ingest, { kind: "describe", market: 1, event: null, swapped: false });
  await runJobs(pool, "score_markets");
  expect((await readSkill(pool)).bets).toMatchObject([
    { address: walletOf(1), bets: 1, usd: 10_000_000, edge: 5_000_000, variance: 2_500_000 },
  ]);
});
