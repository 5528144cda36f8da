import { expect, test } from "vitest";
import { parseSoakArguments } from "../../../../scripts/soak/arguments.ts";

test("the soak runs a million fills of the first seed by default", () => {
  expect(parseSoakArguments([])).toEqual({ fills: 1_000_000, seed: 1 });
  expect(parseSoakArguments(["--fills", "500", "--seed", "7"])).toEqual({ fills: 500, seed: 7 });
});

test.each([
  [["--fills", "0"], "--fills is a whole number above 0, not 0."],
  [["--fills", "many"], "--fills is a whole number above 0, not many."],
  [["--seed", "1.5"], "--seed is a whole number above 0, not 1.5."],
  [["now"], "Unexpected argument"],
])("the soak refuses the arguments %j with a reason", (argv, message) => {
  expect(() => parseSoakArguments(argv)).toThrow(message);
});
