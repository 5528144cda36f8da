import fc from "fast-check";
import { expect, test } from "vitest";
import { poolMeans, twoWayMean } from "../../../../scripts/study/two-way-mean.ts";

const columns = (rows: readonly { value: number; market: number; wallet: number }[]) =>
  [
    Float64Array.from(rows, ({ value }) => value),
    Int32Array.from(rows, ({ market }) => market),
    Int32Array.from(rows, ({ wallet }) => wallet),
    Int32Array.from(rows, ({ market, wallet }) => market * 10 + wallet),
  ] as const;

// Computed by hand: mean 2; deviations -1, 0, 2, -1. Markets {-1, 0} and {2, -1}: squares 1 + 1 = 2, times
// 2/1 = 4. Traders {-1, 2} and {0, -1}: 1 + 1 = 2, times 2 = 4. Both: four groups, 1 + 0 + 4 + 1 = 6, times
// 4/3 = 8. 4 + 4 - 8 = 0 is below the larger part, 4. sqrt(4)/4 = 0.5.
test("the two-way error uses the larger part when the difference is below it", () => {
  const rows = [
    { value: 1, market: 0, wallet: 0 },
    { value: 2, market: 0, wallet: 1 },
    { value: 4, market: 1, wallet: 0 },
    { value: 1, market: 1, wallet: 1 },
  ];
  expect(twoWayMean(...columns(rows))).toEqual({ count: 4, mean: 2, standardError: 0.5 });
});

// Computed by hand: mean 0. Markets {3, 3}, {-3, -3}: 72 * 2 = 144. Traders {3}, {3, -3}, {-3}: 9 + 0 + 9 =
// 18, times 3/2 = 27. Both: 36 * 4/3 = 48. 144 + 27 - 48 = 123 is below the larger part, 144.
test("values that are equal within a market count as two observations, not four", () => {
  const rows = [
    { value: 3, market: 0, wallet: 0 },
    { value: 3, market: 0, wallet: 1 },
    { value: -3, market: 1, wallet: 1 },
    { value: -3, market: 1, wallet: 2 },
  ];
  expect(twoWayMean(...columns(rows)).standardError).toBeCloseTo(Math.sqrt(144) / 4, 12);
});

/** The same estimator as the double sum over pairs that share a group. */
function byPairs(rows: readonly { value: number; market: number; wallet: number }[]): number {
  const mean = rows.reduce((sum, { value }) => sum + value, 0) / rows.length;
  const part = (keyOf: (row: (typeof rows)[number]) => string) => {
    const groups = new Set(rows.map(keyOf)).size;
    let sum = 0;
    for (const one of rows)
      for (const other of rows) if (keyOf(one) === keyOf(other)) sum += (one.value - mean) * (other.value - mean);
    return (sum * groups) / (groups - 1);
  };
  const market = part((row) => `${row.market}`);
  const wallet = part((row) => `${row.wallet}`);
  return (
    Math.sqrt(Math.max(market, wallet, market + wallet - part((row) => `${row.market} ${row.wallet}`))) / rows.length
  );
}

test("the two-way error equals the double sum over pairs that share a market or a trader", () => {
  const row = fc.record({
    value: fc.double({ min: -100, max: 100, noNaN: true }),
    market: fc.integer({ min: 0, max: 5 }),
    wallet: fc.integer({ min: 0, max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), (extra) => {
      const rows = [
        { value: 1, market: 0, wallet: 0 },
        { value: 5, market: 1, wallet: 1 },
        { value: 2, market: 1, wallet: 2 },
        ...extra,
      ];
      const { standardError } = twoWayMean(...columns(rows));
      const expected = byPairs(rows);
      expect(Math.abs((standardError ?? Number.NaN) - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, expected));
    }),
  );
});

test("no values have no mean, and one group has no standard error", () => {
  expect(twoWayMean(...columns([]))).toEqual({ count: 0, mean: null, standardError: null });
  expect(twoWayMean(...columns([{ value: 2, market: 0, wallet: 0 }])).standardError).toBeNull();
});

// Computed by hand: (10*1 + 30*5)/40 = 4; sqrt((10*0.6)^2 + (30*0.2)^2)/40 = sqrt(72)/40.
test("independent samples are pooled by their sizes", () => {
  const pooled = poolMeans([
    { count: 10, mean: 1, standardError: 0.6 },
    { count: 30, mean: 5, standardError: 0.2 },
    { count: 0, mean: null, standardError: null },
  ]);
  expect(pooled.mean).toBe(4);
  expect(pooled.standardError).toBeCloseTo(Math.sqrt(72) / 40, 12);
});
