import { expect, test } from "vitest";
import {
  differenceOf,
  intervalOf,
  measureSample,
  type SampleSums,
} from "../../../../src/scoring/record/measure-sample.ts";

/** Events of decided claims: of each claim its price in millionths and whether it won. */
type Events = readonly (readonly (readonly [pricePpm: number, hasWon: boolean])[])[];

function sumsOf(events: Events, voids: readonly { pricePpm: number; payoutPpm: number }[] = []): SampleSums {
  const claims = events.flat();
  const byEvent = events.map((own) => ({
    edge: own.reduce((sum, [price, hasWon]) => sum + (hasWon ? 1_000_000 : 0) - price, 0),
    count: own.length,
  }));
  const sum = (values: readonly number[]) => BigInt(values.reduce((total, value) => total + value, 0));
  return {
    won: BigInt(claims.filter(([, hasWon]) => hasWon).length),
    lost: BigInt(claims.filter(([, hasWon]) => !hasWon).length),
    voided: BigInt(voids.length),
    pricePpm: sum(claims.map(([price]) => price)),
    returnMicro:
      sum(claims.map(([price, hasWon]) => (hasWon ? Math.trunc(1e12 / price) : 0))) +
      sum(voids.map(({ pricePpm, payoutPpm }) => Math.trunc((payoutPpm * 1e6) / pricePpm))),
    events: BigInt(events.length),
    edgeSquares: sum(byEvent.map(({ edge }) => edge ** 2)),
    edgeCounts: sum(byEvent.map(({ edge, count }) => edge * count)),
    countSquares: sum(byEvent.map(({ count }) => count ** 2)),
  };
}

const coin = (hasWon: boolean) => [500_000, hasWon] as const;
const TEN = Array.from({ length: 10 }, (_, n) => [coin(n < 6)]);

test("six of ten coin flips are ten points over the price, with the error of ten observations", () => {
  const measured = measureSample(sumsOf(TEN));
  expect(measured).toMatchObject({ hitRatePpm: 600_000n, expectedHitRatePpm: 500_000n, profitPpm: 200_000n });
  expect(measured?.edge.points).toBeCloseTo(10, 12);
  // sqrt(10 / 9 × (6 × 0.4² + 4 × 0.6²)) / 10
  expect(measured?.edge.standardError).toBeCloseTo(16.329_931_618_554_52, 10);
  expect(measured?.edge.degrees).toBe(9);
});

test("claims on one event are one observation: repeating each of them changes nothing", () => {
  const repeated = measureSample(sumsOf(TEN.map((event) => [...event, ...event, ...event])));
  const once = measureSample(sumsOf(TEN));
  expect(repeated?.edge.points).toBeCloseTo(once?.edge.points ?? Number.NaN, 12);
  expect(repeated?.edge.standardError).toBeCloseTo(once?.edge.standardError ?? Number.NaN, 10);
});

test("fewer than ten events have no measure, and no events have none", () => {
  expect(measureSample(sumsOf(TEN.slice(1).map((event) => [...event, ...event])))).toBeNull();
  expect(measureSample(sumsOf([]))).toBeNull();
});

test("a void claim counts in the profit alone, with what it paid", () => {
  const measured = measureSample(sumsOf(TEN, [{ pricePpm: 250_000, payoutPpm: 500_000 }]));
  expect(measured).toMatchObject({ hitRatePpm: 600_000n, expectedHitRatePpm: 500_000n });
  // Ten dollars returned 12, the eleventh 2.
  expect(measured?.profitPpm).toBe(272_727n);
});

test("events of different sizes weigh by their claims", () => {
  // One event of three losses at 0.20 and nine of one win at 0.90: e is -0.6 once and 0.1 nine times, n = 12.
  const events: Events = [
    [
      [200_000, false],
      [200_000, false],
      [200_000, false],
    ],
    ...Array.from({ length: 9 }, () => [[900_000, true] as const]),
  ];
  const measured = measureSample(sumsOf(events));
  // Mean 0.3 / 12 = 0.025. Squares: (-0.6 - 0.075)² + 9 × 0.075² = 0.50625; × 10 / 9 = 0.5625, whose root is 0.75.
  expect(measured?.edge.points).toBeCloseTo(2.5, 12);
  expect(measured?.edge.standardError).toBeCloseTo(6.25, 10);
});

test("the interval of ten events is that of Student's t with nine degrees of freedom", () => {
  const { low, high } = intervalOf({ points: 1, standardError: 10, degrees: 9 });
  // 2.262157 in published tables.
  expect(low).toBeCloseTo(1 - 22.62157, 3);
  expect(high).toBeCloseTo(1 + 22.62157, 3);
});

test("a difference has the error of both samples and the degrees of the smaller one", () => {
  const difference = differenceOf(
    { points: 5, standardError: 3, degrees: 40 },
    { points: 7, standardError: 4, degrees: 12 },
  );
  expect(difference).toEqual({ points: -2, standardError: 5, degrees: 12 });
});

test("sums far beyond 2^53 lose nothing", () => {
  const many: Events = Array.from({ length: 10 }, (_, n) => [coin(n < 6)]);
  const sums = sumsOf(many);
  const scale = 100_000n;
  // Each event 100,000 times within itself.
  const measured = measureSample({
    ...{ won: sums.won * scale, lost: sums.lost * scale, voided: 0n, pricePpm: sums.pricePpm * scale },
    ...{ returnMicro: sums.returnMicro * scale, events: 10n, edgeSquares: sums.edgeSquares * scale * scale },
    ...{ edgeCounts: sums.edgeCounts * scale * scale, countSquares: sums.countSquares * scale * scale },
  });
  expect(measured?.edge.standardError).toBeCloseTo(16.329_931_618_554_52, 10);
});
