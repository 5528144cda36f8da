import { expect, test } from "vitest";
import { parseBenchArguments } from "../../../../scripts/bench/arguments.ts";

test("without a name every part runs, with names those, in one order", () => {
  expect(parseBenchArguments([])).toMatchObject({ parts: ["ingest", "reads", "engine"], isSmall: false, growth: false, trades: 100_000 });
  expect(parseBenchArguments(["engine", "ingest"]).parts).toEqual(["ingest", "engine"]);
});

test("small sizes leave the recordings out, unless they are named", () => {
  expect(parseBenchArguments(["--small"])).toMatchObject({ isSmall: true, trades: 5_000, recordedDir: null });
  expect(parseBenchArguments(["--small", "--trades", "70", "--recorded", "dir"])).toMatchObject({ trades: 70, recordedDir: "dir" });
});

test.each([
  [["engines"], "There is no part engines"],
  [["--growth"], "--growth goes with engine alone"],
  [["engine", "reads", "--growth"], "--growth goes with engine alone"],
  [["--trades", "0"], "--trades is a whole number above 0"],
])("%j is a mistake that is named", (argv, message) => {
  expect(() => parseBenchArguments(argv)).toThrow(message);
});

test("growth is a measure of the engine", () => {
  expect(parseBenchArguments(["engine", "--growth"])).toMatchObject({ parts: ["engine"], growth: true });
});
