import fc from "fast-check";
import { expect, test } from "vitest";
import { EMPTY_CLUSTER } from "../../../../src/scoring/skill/cluster-sums.ts";
import { evidenceOf, evidenceOfCluster, NO_EVIDENCE } from "../../../../src/scoring/skill/evidence.ts";
import { reverseBet, settleBet, type SkillRecord } from "../../../support/oracles/settle-bet.ts";
import { EMPTY_STORY, NO_PAIRS } from "../../../../src/scoring/skill/story-sums.ts";
import { NO_BETS } from "../../../../src/scoring/skill/market-bets.ts";
import { aSettledBet } from "../../../support/a-settled-bet.ts";
import type { SettledBet } from "../../../../src/scoring/skill/settled-bet.ts";
import { anyBet } from "./skill-cases.ts";

const BILLIONTHS = 1e9;

// Computed by hand. Cluster a: 120 and 80 shares at 0.40 and 0.50 on the winner: x = (120*0.6 + 80*0.5)/200 =
// 0.56, v = (120*0.24 + 80*0.25)/200 = 0.244, w = 1. Cluster b: 50 shares at 0.80 on the loser: x = -0.8, v =
// 0.16, w = 50/200.
test("a cluster is one observation: its profit a share and price variance, weighted by at most two hundred shares", () => {
  const evidence = evidenceOf([
    aSettledBet({ cluster: "a", price: 0.4, usd: 48, payout: 1 }),
    aSettledBet({ cluster: "b", price: 0.8, usd: 40, payout: 0 }),
    aSettledBet({ cluster: "a", price: 0.5, usd: 40, payout: 1 }),
  ]);
  const parts = (value: number) => Math.round(value * BILLIONTHS);
  expect(evidence).toEqual({
    ...NO_EVIDENCE,
    bets: 3,
    clusters: 2,
    weight: parts(1.25),
    edge: parts(0.56 - 0.25 * 0.8),
    information: parts(0.244 + 0.25 * 0.16),
    squareInformation: parts(0.244 + 0.0625 * 0.16),
    edgeEdge: parts(0.56 ** 2 + 0.0625 * 0.64),
    edgeVariance: parts(0.56 * 0.244 - 0.0625 * 0.8 * 0.16),
    varianceVariance: parts(0.244 ** 2 + 0.0625 * 0.0256),
  });
});

// Computed by hand. Cluster a: 200 shares at 0.50 that close at 0.56 and win: x = 0.5, v = 0.25, w = 1; y = 0.06, u = 0.25, z =
// 1. And 100 shares at 0.30 from after the close, in another market, that lose: with the first, x = (100 - 30)/300, v =
// (50 + 21)/300. Cluster b: 50 shares at 0.80 that close at 0.70 and win: x = 0.2, v = 0.16, w = z = 0.25, y = -0.1.
test("purchases from before a close are a second observation, with the closing price as their payout", () => {
  const evidence = evidenceOf([
    { ...aSettledBet({ cluster: "a", price: 0.5, usd: 100, payout: 1 }), close: 0.56 },
    aSettledBet({ cluster: "a", price: 0.3, usd: 30, payout: 0 }),
    { ...aSettledBet({ cluster: "b", price: 0.8, usd: 40, payout: 1 }), close: 0.7 },
  ]);
  const parts = (value: number) => Math.round(value * BILLIONTHS);
  const [x, v] = [70 / 300, 71 / 300];
  expect(evidence).toMatchObject({
    bets: 3,
    clusters: 2,
    closeClusters: 2,
    edge: parts(x + 0.05),
    closeEdge: parts(0.06 - 0.025),
    closeInformation: parts(0.25 + 0.04),
    closeSquareInformation: parts(0.25 + 0.01),
    closeEdgeEdge: parts(0.0036 + 0.000625),
    closeEdgeVariance: parts(0.015 - 0.001),
    closeVarianceVariance: parts(0.0625 + 0.0016),
    crossEdgeEdge: parts(0.06 * x) + parts(0.0625 * 0.2 * -0.1),
    crossEdgeVariance: parts(0.25 * x) + parts(0.0625 * 0.2 * 0.16),
    crossVarianceEdge: parts(0.06 * v) + parts(0.0625 * 0.16 * -0.1),
    crossVarianceVariance: parts(0.25 * v) + parts(0.0625 * 0.16 * 0.16),
  });
});

// Computed by hand. Three clusters of one night: 200 shares at 0.50 that win: w x = 0.5, w v = 0.25, root of w² v 0.5. 200 at
// 0.80 that lose: -0.8, 0.16, 0.4. 100 at 0.50 that win: half of the first. Pairs in both orders: (sum)² - sum of squares.
test("pairs of clusters of one story are counted apart, those of different stories are not", () => {
  const bets = [
    { ...aSettledBet({ cluster: "a", price: 0.5, usd: 100, payout: 1 }), story: "night" },
    { ...aSettledBet({ cluster: "b", price: 0.8, usd: 160, payout: 0 }), story: "night" },
    { ...aSettledBet({ cluster: "c", price: 0.5, usd: 50, payout: 1 }), story: "night" },
    { ...aSettledBet({ cluster: "d", price: 0.5, usd: 100, payout: 1 }), story: "other night" },
    aSettledBet({ cluster: "e", price: 0.5, usd: 100, payout: 1 }),
  ];
  const alone = evidenceOf(bets.map(({ story: _, ...bet }) => bet));
  const millionths = (value: number) => Math.round(value * 1e6);
  expect(evidenceOf(bets)).toEqual({
    ...alone,
    storyEdgeEdge: millionths(2 * (0.5 * -0.8 + 0.5 * 0.25 + -0.8 * 0.25)),
    storyEdgeVariance: millionths(0.5 * (0.16 + 0.125) + -0.8 * (0.25 + 0.125) + 0.25 * (0.25 + 0.16)),
    storyVarianceVariance: millionths(2 * (0.25 * 0.16 + 0.25 * 0.125 + 0.16 * 0.125)),
    storyInformation: millionths(2 * (0.5 * 0.4 + 0.5 * 0.25 + 0.4 * 0.25)),
  });
  expect(alone).toMatchObject(NO_PAIRS);
});

test("a market that paid half to both sides has an edge of 0.5 minus the price", () => {
  expect(evidenceOf([aSettledBet({ cluster: "a", price: 0.7, usd: 140, payout: 0.5 })]).edge).toBe(-200_000_000);
});

const settle = (bets: readonly SettledBet[]) => {
  const clusters = new Map<string, SkillRecord["cluster"]>();
  const stories = new Map<string | undefined, SkillRecord["story"]>();
  const markets = new Map<string, Pick<SkillRecord, "market" | "early">>();
  let evidence = NO_EVIDENCE;
  const recordOf = (bet: SettledBet): SkillRecord => ({
    ...{
      evidence,
      cluster: clusters.get(bet.cluster) ?? EMPTY_CLUSTER,
      story: stories.get(bet.story) ?? EMPTY_STORY,
      ...(markets.get(bet.market) ?? { market: NO_BETS, early: NO_BETS }),
    },
  });
  for (const bet of bets) {
    const next = settleBet(recordOf(bet), bet);
    clusters.set(bet.cluster, next.cluster);
    stories.set(bet.story, next.story);
    markets.set(bet.market, { market: next.market, early: next.early });
    ({ evidence } = next);
  }
  return { evidence, recordOf };
};

test("evidence is identical in any order, and the same when settled bet by bet as when rebuilt", () => {
  const shuffled = fc
    .array(anyBet, { maxLength: 40 })
    .chain((bets) => fc.tuple(fc.constant(bets), fc.shuffledSubarray(bets, { minLength: bets.length })));
  fc.assert(
    fc.property(shuffled, ([bets, others]) => {
      expect(evidenceOf(others)).toEqual(evidenceOf(bets));
      expect(settle(others).evidence).toEqual(evidenceOf(bets));
    }),
  );
});

test("a reversed settlement leaves the same evidence as if it had never happened", () => {
  fc.assert(
    fc.property(
      fc.array(anyBet, { maxLength: 20 }),
      anyBet,
      fc.array(anyBet, { maxLength: 20 }),
      (before, wrong, after) => {
        const undone = reverseBet(settle([...before, wrong, ...after]).recordOf(wrong), wrong);
        expect(undone.evidence).toEqual(evidenceOf([...before, ...after]));
      },
    ),
  );
});

test("all sums of evidence are integers without negative zero, for any bets", () => {
  fc.assert(
    fc.property(fc.array(anyBet, { maxLength: 40 }), (bets) => {
      for (const value of Object.values(evidenceOf(bets))) {
        expect(Number.isSafeInteger(value)).toBe(true);
        expect(Object.is(value, -0)).toBe(false);
      }
    }),
  );
});

// A loss of one millionth of a dollar on 10,000 dollars is an edge of -1e-10.
test("an edge that rounds up to zero is zero, not negative zero", () => {
  const { edge } = evidenceOfCluster({ ...EMPTY_CLUSTER, bets: 1, usdMicro: 1e10, edgeMicro: -1 });
  expect(Object.is(edge, 0)).toBe(true);
});
