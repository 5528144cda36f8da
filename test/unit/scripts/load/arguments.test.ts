import { expect, test } from "vitest";
import { parseLoadArguments } from "../../../../scripts/load/arguments.ts";

test("a load needs a directory and the floor of large trades", () => {
  expect(parseLoadArguments(["fills", "--large-trade-min-usd", "5000"])).toEqual({
    directory: "fills",
    largeTradeMinUsd: 5_000,
    takers: false,
    dataDir: ".local",
  });
});

test.each([
  [["--large-trade-min-usd", "5"], "Name one directory."],
  [["a", "b", "--large-trade-min-usd", "5"], "Name one directory."],
  [["a"], "--large-trade-min-usd is not a number of dollars"],
  [["a", "--large-trade-min-usd", "0"], "--large-trade-min-usd is not a number of dollars"],
])("a command line %j is refused: %s", (argv, message) => {
  expect(() => parseLoadArguments(argv)).toThrow(message);
});
