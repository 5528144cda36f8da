import type { Pool } from "@neondatabase/serverless";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { applyMarkets } from "../../../../src/ingest/apply-markets.ts";
import { applyResolutions } from "../../../../src/ingest/apply-resolutions.ts";
import { scoreMarket } from "../../../../src/ingest/skill/score-market.ts";
import { addBet, EMPTY_CLUSTER, type ClusterSums } from "../../../../src/scoring/skill/cluster-sums.ts";
import { evidenceOf } from "../../../../src/scoring/skill/evidence.ts";
import type { SettledBet } from "../../../../src/scoring/skill/settled-bet.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { joinIngest, openIngest, type IngestUnderTest } from "../../../support/ingest/ingest-under-test.ts";
import { aProviderMarket, aResolution } from "../../../support/ingest/markets.ts";
import { emptySkill, readSkill, runJobs } from "../../../support/ingest/skill.ts";
import { aTrade, conditionOf, pageOf, walletOf, type TradeFacts } from "../../../support/ingest/trades.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

const AT = new Date("2026-11-20T12:00:00Z");

const anEvent = (slug: string) => ({
  providerEventId: slug,
  slug,
  title: slug,
  image: null,
  seriesSlug: null,
  tags: [],
  startAt: null,
  endAt: null,
});

/** What can happen: a page of fills, a market (un)settles, is described anew, or the bets of what is due are read. */
type Step =
  | { readonly kind: "fills"; readonly fills: readonly Partial<TradeFacts>[] }
  | { readonly kind: "settle"; readonly market: number; readonly firstPpm: number | null }
  | { readonly kind: "describe"; readonly market: number; readonly event: string | null; readonly swapped: boolean }
  | { readonly kind: "score" };

async function take(pool: Pool, ingest: IngestUnderTest, step: Step): Promise<void> {
  switch (step.kind) {
    case "fills":
      await ingest.apply("all", pageOf(step.fills.map((facts) => aTrade(facts))));
      return;
    case "settle": {
      const { market, firstPpm } = step;
      await inTransaction(pool, (session) => applyResolutions(session, [conditionOf(market)], [aResolution(market, firstPpm)], [], AT));
      return;
    }
    case "describe": {
      const market = aProviderMarket(step.market, { event: step.event === null ? null : anEvent(step.event) });
      const outcomes = market.outcomes.map((outcome, index) => ({ ...outcome, outcomeIndex: step.swapped ? 1 - index : index }));
      await inTransaction(pool, (session) => applyMarkets(session, [{ ...market, outcomes }], [], AT));
      return;
    }
    case "score":
      await scoreAll(pool, { wallets: 2, entries: 3 });
  }
}

async function scoreAll(pool: Pool, limits: { wallets: number; entries: number }): Promise<void> {
  const { rows } = await pool.query<{ market_id: string }>(`select market_id from skill_due`);
  for (const row of rows) await scoreMarket(pool, Number(row.market_id), limits);
}

/** The bets that a story leaves, worked out from what was told alone. */
function betsOf(story: readonly Step[]) {
  const fills = new Map<number, Partial<TradeFacts>>();
  const markets = new Map<number, { cluster: string; firstPpm: number | null; swapped: boolean }>();
  const alone = (market: number) => `market ${conditionOf(market)}`;
  for (const step of story) {
    if (step.kind === "fills") {
      for (const fill of step.fills) {
        fills.set(fill.n ?? 0, fill);
        const market = fill.market ?? 1;
        if (!markets.has(market)) markets.set(market, { cluster: `event-${market}`, firstPpm: null, swapped: false });
      }
    } else if (step.kind === "describe") {
      const { market, event, swapped } = step;
      markets.set(market, { firstPpm: markets.get(market)?.firstPpm ?? null, cluster: event ?? alone(market), swapped });
    } else if (step.kind === "settle") {
      const known = markets.get(step.market);
      if (known !== undefined) markets.set(step.market, { ...known, firstPpm: step.firstPpm });
    }
  }
  return [...fills.values()].flatMap((facts): (SettledBet & { wallet: string; market: number })[] => {
    const market = markets.get(facts.market ?? 1);
    const { usdMicro, price, side } = aTrade(facts);
    if (side === "SELL" || market === undefined || market.firstPpm === null) return [];
    const index = market.swapped ? 1 - (facts.outcome ?? 0) : (facts.outcome ?? 0);
    const payoutPpm = index === 0 ? market.firstPpm : 1_000_000 - market.firstPpm;
    const bet = { cluster: market.cluster, price: Number(price), usd: Number(usdMicro) / 1e6, payout: payoutPpm / 1e6 };
    return [{ ...bet, wallet: walletOf(facts.wallet ?? 1), market: facts.market ?? 1 }];
  });
}

function expectedSkill(story: readonly Step[]) {
  const all = betsOf(story);
  const byPlace = Map.groupBy(all, (bet) => `${conditionOf(bet.market)} ${bet.wallet}`);
  const bets = [...byPlace]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([place, placed]) => {
      const sums = placed.reduce<ClusterSums>((left, bet) => addBet(left, bet), EMPTY_CLUSTER);
      const [condition_id, address] = place.split(" ");
      const { bets: count, usdMicro: usd, edgeMicro: edge, varianceMicro: variance } = sums;
      return { condition_id, address, cluster: placed[0]?.cluster, bets: count, usd, edge, variance };
    });
  const byWallet = [...Map.groupBy(all, (bet) => bet.wallet)].sort(([a], [b]) => (a < b ? -1 : 1));
  return { bets, evidence: byWallet.map(([address, own]) => ({ address, ...evidenceOf(own) })), due: [] };
}

async function openSkill(pool: Pool): Promise<IngestUnderTest> {
  await emptySkill(pool);
  return openIngest(pool);
}

const PRICES = ["0", "1", "0.5", "0.333333", "0.0005", "0.9995", "0.6180339887"];
const place = {
  wallet: fc.integer({ min: 1, max: 5 }),
  market: fc.integer({ min: 1, max: 4 }),
  outcome: fc.constantFrom(0 as const, 1 as const),
};
const aFill = fc.record({
  n: fc.integer({ min: 1, max: 60 }),
  ...place,
  side: fc.constantFrom("BUY" as const, "BUY" as const, "BUY" as const, "SELL" as const),
  // From a millionth of a share on; those with half a millionth of a dollar among them.
  sharesMicro: fc.oneof(fc.constantFrom(1n, 3n, 1_000_001n), fc.bigInt({ min: 1n, max: 5_000_000_000n })),
  price: fc.constantFrom(...PRICES),
  atSeconds: fc.integer({ min: 1_760_000_000, max: 1_760_000_100 }),
});
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("fills" as const), fills: fc.array(aFill, { minLength: 1, maxLength: 8 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("settle" as const),
      market: place.market,
      firstPpm: fc.constantFrom(0, 1_000_000, 500_000, 333_333, null),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("describe" as const),
      market: place.market,
      event: fc.constantFrom("cup", "league", null),
      swapped: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: "score" as const }) },
);

/** One fill a number, whatever was drawn: its number is its transaction, and a transaction told otherwise would be another fill. */
function withFixedFills(story: readonly Step[]): Step[] {
  const first = new Map<number, Partial<TradeFacts>>();
  return story.map((step) => {
    if (step.kind !== "fills") return step;
    const fills = step.fills.map((fill) => {
      const known = first.get(fill.n ?? 0) ?? fill;
      first.set(fill.n ?? 0, known);
      return known;
    });
    // The same row twice on one page would be two equal fills of one transaction.
    return { ...step, fills: [...new Map(fills.map((fill) => [fill.n, fill])).values()] };
  });
}

test("whatever is told in whatever order and scored in between, bets and evidence end as the sums over all settled bets", async () => {
  const pool = database.openPool();
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 25 }), async (drawn) => {
      const story = withFixedFills(drawn);
      const ingest = await openSkill(pool);
      for (const step of story) await take(pool, ingest, step);
      await runJobs(pool, "skill");
      expect(await readSkill(pool)).toEqual(expectedSkill(story));
    }),
    { numRuns: 60 },
  );
}, 120_000);

describe("a market is due", () => {
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
    for (const step of [...SETTLED, ...steps]) await take(pool, ingest, step);
    return (await readSkill(pool)).due.length === 1;
  };
  const describeIt = (event: string | null, swapped = false): Step => ({ kind: "describe", market: 1, event, swapped });

  test.each([
    ["nothing happens", false, []],
    ["it is told settled the same way again", false, [{ kind: "settle", market: 1, firstPpm: 1_000_000 }]],
    ["it is settled otherwise", true, [{ kind: "settle", market: 1, firstPpm: 0 }]],
    ["it is unsettled", true, [{ kind: "settle", market: 1, firstPpm: null }]],
    ["a fill comes late", true, [{ kind: "fills", fills: [{ n: 3, wallet: 3 }] }]],
    ["a sale comes late, which is no bet", false, [{ kind: "fills", fills: [{ n: 3, side: "SELL" }] }]],
    ["a fill is told again", false, [{ kind: "fills", fills: [{ n: 1, wallet: 1 }] }]],
    ["a fill of a market still open comes", false, [{ kind: "fills", fills: [{ n: 3, market: 2 }] }]],
    ["it moves to another event", true, [describeIt("cup")]],
    ["it is described as it was", false, [describeIt("cup"), { kind: "score" }, describeIt("cup")]],
    ["its outcomes change places", true, [describeIt("cup"), { kind: "score" }, describeIt("cup", true)]],
  ] satisfies [string, boolean, Step[]][])("once it is scored and %s: %s", async (_, due, steps) => {
    expect(await dueAfter(...steps)).toBe(due);
  });

  test("still, when it becomes due while its bets are being read", async () => {
    const pool = database.openPool();
    const other = database.openPool();
    const ingest = await openSkill(pool);
    for (const step of SETTLED.slice(0, 2)) await take(pool, ingest, step);
    const late = joinIngest(other);
    // The slice that reads the last wallet has been committed; the market is taken off the list next.
    const between = new Proxy(pool, {
      get(target, name) {
        if (name !== "query") return Reflect.get(target, name)?.bind?.(target) ?? Reflect.get(target, name);
        return async (text: string, values: unknown[]) => {
          if (text.startsWith("delete from skill_due")) await late.apply("all", pageOf([aTrade({ n: 9, wallet: 1 })]));
          return target.query(text, values);
        };
      },
    });
    await scoreAll(between, { wallets: 2, entries: 3 });
    expect((await readSkill(pool)).due).toHaveLength(1);
    await runJobs(pool, "skill");
    expect(await readSkill(pool)).toEqual(expectedSkill([...SETTLED, { kind: "fills", fills: [{ n: 9, wallet: 1 }] }]));
  });
});

describe("of a settled market that gets late fills", () => {
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

  /** A market that is scored, with a stored sum of wallet 2 that is not that of its bets: reading them again would put it right. */
  async function scoredWithAMark(pool: Pool): Promise<IngestUnderTest> {
    const ingest = await openSkill(pool);
    for (const step of SCORED) await take(pool, ingest, step);
    await pool.query(`update skill_markets set usd_micro = 1 where trader_id = (select id from traders where address = $1)`, [walletOf(2)]);
    return ingest;
  }
  const isMarkLeft = async (pool: Pool) => (await pool.query(`select from skill_markets where usd_micro = 1`)).rows.length === 1;
  const dueFor = async (pool: Pool) =>
    (
      await pool.query<{ wallets: string[] | null }>(`select array(
       select address from traders where id = any(trader_ids) order by address) as wallets from skill_due where trader_ids is not null`)
    ).rows;

  test("the bets of the wallets that made them are read, and no others", async () => {
    const pool = database.openPool();
    const ingest = await scoredWithAMark(pool);
    await ingest.apply("all", pageOf([aTrade({ n: 21, wallet: 1 })]));
    await ingest.apply("all", pageOf([aTrade({ n: 22, wallet: 3 }), aTrade({ n: 23, wallet: 3 })]));
    expect(await dueFor(pool)).toEqual([{ wallets: [walletOf(1), walletOf(3)] }]);
    await scoreAll(pool, { wallets: 2, entries: 3 });
    const { bets, due } = await readSkill(pool);
    expect(due).toEqual([]);
    const told = expectedSkill([
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
    const others = (rows: readonly { address?: string | undefined }[]) => rows.filter(({ address }) => address !== walletOf(2));
    expect(others(bets)).toEqual(others(told.bets));
    expect(await isMarkLeft(pool)).toBe(true);
  });

  test.each([
    ["it also settles otherwise", (pool: Pool, ingest: IngestUnderTest) => take(pool, ingest, { kind: "settle", market: 1, firstPpm: 0 })],
    [
      "there are very many of them",
      (pool: Pool) => pool.query(`update skill_due set trader_ids = array(select generate_series(1000001, 1001000))`),
    ],
  ])("all bets are read when %s", async (_, happen) => {
    const pool = database.openPool();
    const ingest = await scoredWithAMark(pool);
    await ingest.apply("all", pageOf([aTrade({ n: 21, wallet: 1 })]));
    await happen(pool, ingest);
    await ingest.apply("all", pageOf([aTrade({ n: 22, wallet: 1 })]));
    await scoreAll(pool, { wallets: 2, entries: 3 });
    expect(await isMarkLeft(pool)).toBe(false);
  });
});

test("an outcome whose place nobody has told is no bet until it is told", async () => {
  const pool = database.openPool();
  const ingest = await openSkill(pool);
  await ingest.apply("all", pageOf([{ ...aTrade(), outcomeIndex: null }]));
  await take(pool, ingest, { kind: "settle", market: 1, firstPpm: 1_000_000 });
  await runJobs(pool, "skill");
  expect(await readSkill(pool)).toEqual({ bets: [], evidence: [], due: [] });
  await take(pool, ingest, { kind: "describe", market: 1, event: null, swapped: false });
  await runJobs(pool, "skill");
  expect((await readSkill(pool)).bets).toMatchObject([
    { address: walletOf(1), bets: 1, usd: 5_000_000, edge: 2_500_000, variance: 1_250_000 },
  ]);
});
