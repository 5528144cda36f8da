import { expect, test } from "vitest";
import { presentPercent, presentShare } from "../../../src/domain/present-share.ts";

test("a share has four decimals and a percentage two, both truncated", () => {
  expect([presentShare(2, 3), presentPercent(2, 3)]).toEqual([0.6666, 66.66]);
  expect([presentShare(0, 7), presentPercent(7, 7)]).toEqual([0, 100]);
});
