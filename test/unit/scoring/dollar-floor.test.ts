import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { usdOf } from "../../../src/providers/polymarket/mapping/trades/trade.ts";
import { floorLowerBound, reachesFloor, reachesUsd } from "../../../src/scoring/dollar-floor.ts";
import { hasRecorded, micro, readLines } from "../../support/providers/recorded-lines.ts";

describe("the floor of an amount", () => {
  test.for<[amount: bigint, floor: bigint, reaches: boolean]>([
    [5_000_000_000n, 5_000_000_000n, true],
    // A round order after the chain's truncation.
    [4_999_999_999n, 5_000_000_000n, true],
    [4_999_995_000n, 5_000_000_000n, true],
    [4_999_994_999n, 5_000_000_000n, false],
    // The floor is rounded too: 5,000.005 is 5,000.01.
    [5_000_000_000n, 5_000_004_999n, true],
    [5_000_000_000n, 5_000_005_000n, false],
    [5_000_005_000n, 5_000_005_000n, true],
    // Beyond the precision of a float.
    [9_007_199_254_740_993_000_000n, 9_007_199_254_740_993_010_000n, false],
    [0n, 0n, true],
    [0n, 4_999n, true],
    [4_999n, 10_000n, false],
    [5_000n, 10_000n, true],
  ])("the amount %s reaches the floor %s in cents: %s", ([amount, floor, reaches]) => {
    expect(reachesFloor(amount, floor)).toBe(reaches);
  });

  test("an amount reaches a floor exactly as its text rounded to cents does", () => {
    // Independent of the product: both texts are rounded to whole cents by the next digit.
    const cents = (amount: bigint) => {
      const digits = String(amount).padStart(7, "0");
      return BigInt(digits.slice(0, -4)) + (digits.charAt(digits.length - 4) >= "5" ? 1n : 0n);
    };
    const amount = fc.bigInt(0n, 20_000_000_000n);
    const nearby = fc
      .tuple(amount, fc.bigInt(-12_000n, 12_000n))
      .map(([a, off]) => [a, a + off < 0n ? 0n : a + off] as const);
    fc.assert(
      fc.property(nearby, ([a, floor]) => {
        expect(reachesFloor(a, floor)).toBe(cents(a) >= cents(floor));
      }),
    );
  });
});

test("numbers of dollars compare like their millionths", () => {
  expect(reachesUsd(4_999.995, 5_000)).toBe(true);
  expect(reachesUsd(4_999.994999, 5_000)).toBe(false);
  // As floats, 0.1 + 0.2 is a little more than 0.3.
  expect(reachesUsd(0.3, 0.1 + 0.2)).toBe(true);
  expect(floorLowerBound(50_000_000_000n)).toBe(49_999_995_000n);
});

describe.runIf(hasRecorded)("one trader's recorded trades", () => {
  const trades = () =>
    readLines("wallet-0x0afc7ce5/activity.data-api.ndjson.gz").map(({ size, price, usdcSize }) => ({
      usdMicro: usdOf(BigInt(micro(size)), String(price)),
      cashMicro: BigInt(micro(usdcSize)),
    }));

  test("recorded amounts just below round dollars match the provider's own cash amounts, so they are not corrected", () => {
    const dusty = trades().filter(({ usdMicro }) => usdMicro % 10_000n === 9_999n);
    expect(dusty).toHaveLength(33);
    // A price of ten decimals leaves a millionth undetermined above 10,000 shares.
    expect(
      trades().filter(({ usdMicro, cashMicro }) => usdMicro - cashMicro > 1n || cashMicro - usdMicro > 1n),
    ).toEqual([]);
    expect(dusty.filter(({ cashMicro }) => cashMicro % 10_000n === 0n)).toHaveLength(1);
  });

  test.for<[usd: bigint, orders: number, exact: number]>([
    [1_000n, 16, 4],
    [2_000n, 6, 0],
  ])(
    "recorded orders of %s dollars reach the floor in all %s cases, but to the millionth in only %s",
    ([usd, orders, exact]) => {
      const floor = usd * 1_000_000n;
      const meant = trades().filter(({ usdMicro }) => usdMicro > floor - 10_000n && usdMicro < floor + 10_000n);
      expect(meant.filter(({ usdMicro }) => reachesFloor(usdMicro, floor))).toHaveLength(orders);
      expect(meant.filter(({ usdMicro }) => usdMicro >= floor)).toHaveLength(exact);
    },
  );
});
