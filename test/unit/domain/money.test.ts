import { describe, expect, test } from "vitest";
import { formatMicro, multiplyMicro, parseMicro, presentDecimal, presentUsd } from "../../../src/domain/money.ts";

describe("parseMicro", () => {
  test.each([
    [0.1, 100_000n],
    ["0.29", 290_000n],
    [10980911.728675, 10_980_911_728_675n],
    [1e-7, 0n],
    ["5e-7", 1n],
    [1.5e21, 1_500_000_000_000_000_000_000_000_000n],
    ["-2.0000005", -2_000_001n],
    ["7.", 7_000_000n],
  ])("parseMicro reads %s as %s millionths", (value, expected) => {
    expect(parseMicro(value)).toBe(expected);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, "", "abc", "1,5", "0x10"])(
    "parseMicro returns null for %s, which is not a decimal",
    (value) => {
      expect(parseMicro(value)).toBeNull();
    },
  );
});

test("shares times price uses every decimal of the price", () => {
  // Recorded fills: 5543.64 shares at 0.4569996068 cost 2533.4413 dollars, 22.84 at 0.52 cost 11.8768.
  expect(multiplyMicro(5_543_640_000n, 0.4569996068)).toBe(2_533_441_300n);
  expect(multiplyMicro(22_840_000n, "0.52")).toBe(11_876_800n);
  expect(multiplyMicro(1n, "x")).toBeNull();
});

describe("presented amounts", () => {
  test("presented dollars are truncated toward zero at two decimals, not rounded", () => {
    expect(presentUsd(1_999_999n)).toBe(1.99);
    expect(presentUsd(-1_999_999n)).toBe(-1.99);
  });

  test("a presented loss of less than a cent is zero, never negative zero", () => {
    expect(Object.is(presentUsd(-9_999n), 0)).toBe(true);
  });

  test("exact strings keep six decimals and the sign of small losses", () => {
    expect(formatMicro(-12_340_000n)).toBe("-12.340000");
    expect(formatMicro(-1n)).toBe("-0.000001");
  });

  test("a decimal from the database is truncated, and null stays null", () => {
    expect(presentDecimal("0.45699960", 4)).toBe(0.4569);
    expect(presentDecimal(null, 4)).toBeNull();
  });
});
