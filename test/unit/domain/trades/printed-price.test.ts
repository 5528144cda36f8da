import { expect, test } from "vitest";
import { printedPrice } from "../../../../src/domain/trades/printed-price.ts";

test.each([
  // 5.0 of 7.0: 0.714285714285…, of which the eleventh decimal is 8.
  [5_000_000n, 7_000_000n, "0.7142857143"],
  // The eleventh decimal is exactly 5: half up.
  [1n, 20_000_000_000n, "0.0000000001"],
  [37_500_000n, 50_000_000n, "0.75"],
  [1_000_000n, 1_000_000n, "1"],
  [0n, 1_000_000n, "0"],
])("%d micro-dollars for %d millionths of a share print as %s", (usdMicro, sharesMicro, price) => {
  expect(printedPrice(usdMicro, sharesMicro)).toBe(price);
});
