import { describe, expect, test } from "vitest";
import { ESTIMATORS, PUBLISHED } from "../../../../scripts/study/estimators.ts";
import { LARGE_USD, measureEdges, measureWalk } from "../../../../scripts/study/measure-walk.ts";
import { isFalling, renderReport } from "../../../../scripts/study/render-report.ts";
import type { StudyData } from "../../../../scripts/study/study-data.ts";
import { TraderRecord } from "../../../../scripts/study/trader-record.ts";
import type { GradedWalk, MonthEnd } from "../../../../scripts/study/walk-forward.ts";

const [S, A, B, D, F, NONE] = [0, 1, 2, 4, 5, 6];

/** Four buys and a sell by three traders, in three markets of which the first two belong to one event. */
const DATA: StudyData = {
  title: "by hand",
  isGenerated: false,
  notes: [],
  traderCount: 3,
  clusterCount: 2,
  clusterOfMarket: Int32Array.from([0, 0, 1]),
  settledAt: Float64Array.from([100, 100, 100]),
  bets: {
    count: 5,
    at: Float64Array.from([1, 2, 3, 4, 5]),
    trader: Int32Array.from([0, 1, 0, 2, 1]),
    market: Int32Array.from([0, 1, 2, 2, 2]),
    price: Float64Array.from([0.4, 0.5, 0.5, 0.2, 0.3]),
    usd: Float64Array.from([10_000, 9_999, 100, 100, 20_000]),
    payout: Float64Array.from([1, 1, 0, 0, 1]),
    side: new Uint8Array(5),
    isSale: Uint8Array.from([0, 0, 0, 0, 1]),
  },
  latent: null,
};

const ofAll = (column: readonly number[]) => ESTIMATORS.map(() => Uint8Array.from(column));
const month = (letters: readonly number[], scores: readonly number[]): MonthEnd => ({
  letters: ofAll(letters),
  scores: Float64Array.from(scores),
});
const WALK: GradedWalk = {
  estimators: ESTIMATORS,
  flaps: { changes: 0, straightBack: 0, graderMonths: 0 },
  letters: ofAll([S, S, F, F, NONE]),
  forecast: Float64Array.from([1.5, 1.5, -1.5, -0.25, Number.NaN]),
  months: [
    month([S, B, NONE], [80, 55, Number.NaN]),
    month([A, B, F], [70, 56, 20]),
    month([A, NONE, D], [68, Number.NaN, 35]),
  ],
  records: [0, 1, 2].map(() => new TraderRecord()),
  population: null,
};

const result = measureWalk(DATA, WALK);
const published = result.estimators.find(({ name }) => name === PUBLISHED);

describe("a walk of five bets, measured by hand", () => {
  // Edges 60, 50, -50 and -20, mean 10; deviations 50, 40, -60, -30. Events {90} and {-90}: 16200 * 2 =
  // 32400. Traders {-10}, {40}, {-30}: 2600 * 3/2 = 3900. Pairs: 8600 * 4/3. 32400 + 3900 - 11466.7 is below
  // the larger part: sqrt(32400)/4 = 45. By market it would be 33.8.
  test("the standard error of the mean of all buys is clustered by event, not by market", () => {
    expect(result.allPurchases.count).toBe(4);
    expect(result.allPurchases.mean).toBeCloseTo(10, 12);
    expect(result.allPurchases.standardError).toBeCloseTo(45, 9);
    expect(result.allSales).toMatchObject({ count: 1, mean: expect.closeTo(70, 9) });
  });

  test("each grade has the buys made under it, and a single event has no interval", () => {
    expect(published?.edges.map(({ count }) => count)).toEqual([2, 0, 0, 0, 0, 2]);
    expect(published?.edges[S]).toMatchObject({ mean: expect.closeTo(55, 9), standardError: null });
    expect(published?.edges[F]?.mean).toBeCloseTo(-35, 9);
    expect(published?.largeEdges.map(({ count }) => count)).toEqual([1, 0, 0, 0, 0, 0]);
  });

  test("by true probability a purchase is worth that instead of its payout, and needs one", () => {
    const truth = Float64Array.from([0.45, 0.6, 0.4, 0.25, Number.NaN]);
    const known = { ...DATA, bets: { ...DATA.bets, truth } };
    const { edges, traders } = measureEdges(known, WALK, 0, "truth");
    // 5 and 10, -10 and 5 points.
    expect(edges[S]).toMatchObject({ count: 2, mean: expect.closeTo(7.5, 9) });
    expect(edges[F]).toMatchObject({ count: 2, mean: expect.closeTo(-2.5, 9) });
    expect(traders).toEqual([2, 0, 0, 0, 0, 2]);
    const large = measureEdges(known, WALK, LARGE_USD, "truth");
    expect(large.edges[S]).toMatchObject({ count: 1, mean: expect.closeTo(5, 9) });
    expect(large.traders).toEqual([1, 0, 0, 0, 0, 0]);
    expect(measureEdges(DATA, WALK, 0, "truth").edges[S]).toEqual({ count: 0, mean: null, standardError: null });
  });

  test("the edges of one estimator by results are those of all estimators", () => {
    const first = result.estimators[0];
    expect(first?.edges[S]?.count).toBe(2);
    expect(measureEdges(DATA, WALK, 0, "payout").edges).toEqual(first?.edges);
    expect(measureEdges(DATA, WALK, LARGE_USD, "payout").edges).toEqual(first?.largeEdges);
  });

  test("the calibration lists the forecast beside the realized mean", () => {
    expect(
      result.calibration.map(({ from, to, forecast, came: realized }) => [
        from,
        to,
        forecast,
        realized.count,
        realized.mean,
      ]),
    ).toEqual([
      [-2, -1, -1.5, 1, expect.closeTo(-50, 9)],
      [-0.5, 0, -0.25, 1, expect.closeTo(-20, 9)],
      [1, 2, 1.5, 2, expect.closeTo(55, 9)],
    ]);
  });

  // S to A, B to B, A to A, B to none, F to D: two of the four with a grade at both times keep it, four of
  // five change by at most one.
  test("the grades of a month's end are compared with those of the next", () => {
    expect(published?.letterRetention).toBe(0.5);
    expect(result.stability?.withinOne).toBe(0.8);
    expect(result.stability?.transitions[S]).toEqual([0, 1, 0, 0, 0, 0, 0]);
    expect(result.stability?.transitions[B]).toEqual([0, 0, 0.5, 0, 0, 0, 0.5]);
    // 80, 55, 70, 20 and then 70, 56, 68, 35 have the same order.
    expect(result.stability?.scoreCorrelation).toBe(1);
    expect(result.finalLetters).toEqual([0, 1, 0, 0, 1, 0]);
  });
});

test("the winning and losing shares count traders with a settled bet, and are unknown without one", () => {
  expect([result.traders, result.winningShare, result.losingShare]).toEqual([0, null, null]);
  expect(renderReport(result)).toContain("0 wallets with a settled trade: unknown ended above zero, unknown below.");
  const records = [1, 0, 0].map((payout) => {
    const record = new TraderRecord();
    record.settle(
      [
        {
          cluster: 0,
          story: -1,
          market: 0,
          outcome: 0,
          price: 0.5,
          usd: 10,
          payout,
          isSale: false,
          isMaker: false,
          close: null,
        },
      ],
      100,
    );
    return record;
  });
  const { traders, winningShare, losingShare } = measureWalk(DATA, { ...WALK, records });
  expect([traders, winningShare, losingShare]).toEqual([3, 1 / 3, 2 / 3]);
});

test("grades fall in order only when all have buys and each is worse than the one before", () => {
  const means = (...edges: (number | null)[]) =>
    edges.map((mean) => ({ count: mean === null ? 0 : 1, mean, standardError: null }));
  expect(isFalling(means(3, 2, 1, 0, -1, -2))).toBe(true);
  expect(isFalling(means(3, 2, 2, 0, -1, -2))).toBe(false);
  expect(isFalling(means(3, 2, 1, 0, -1, -0.5))).toBe(false);
  expect(isFalling(means(3, null, 1, 0, -1, -2))).toBe(false);
});
