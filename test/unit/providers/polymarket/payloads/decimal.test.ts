import { expect, test } from "vitest";
import { complement, isTradeable, plainDecimal } from "../../../../../src/providers/polymarket/payloads/decimal.ts";

test.each([
  [0.52, "0.52"],
  [1e-7, "0.0000001"],
  [1.25e-9, "0.00000000125"],
  [1e21, "1000000000000000000000"],
  ["1.5e3", "1500"],
  ["007.50", "7.5"],
  ["0.5843311669077693146635445446077281", "0.5843311669077693146635445446077281"],
  [-12.5, "-12.5"],
  ["-0.0", "0"],
  [0, "0"],
])("the number %s is written as %s, without an exponent or a lost digit", (value, plain) => {
  expect(plainDecimal(value)).toBe(plain);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, "", "0x1", "1,5", "."])("the value %s is not a decimal", (value) => {
  expect(plainDecimal(value)).toBeNull();
});

test.each([
  ["0.3", "0.7"],
  ["0.0025", "0.9975"],
  ["0.001", "0.999"],
  ["0.99", "0.01"],
  ["1", "0"],
  ["0", "1"],
])("the complement of %s is exactly %s", (price, other) => {
  expect(complement(price)).toBe(other);
});

test("the prices 0 and 1 are not tradeable", () => {
  expect(["0", "0.0001", "0.9999", "1"].map(isTradeable)).toEqual([false, true, true, false]);
});
