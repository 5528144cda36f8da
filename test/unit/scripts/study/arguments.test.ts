import { expect, test } from "vitest";
import { parseStudyArguments } from "../../../../scripts/study/arguments.ts";

test("a directory is read as a recording, resolutions as recorded unless asked", () => {
  expect(parseStudyArguments(["dir"])).toEqual({ kind: "recorded", dir: "dir", infersResolutions: false });
  expect(parseStudyArguments(["dir", "--infer-resolutions"])).toMatchObject({ infersResolutions: true });
});

test("a simulation runs its seeds in turn, with 20,000 wallets and 2,000,000 fills unless told otherwise", () => {
  expect(parseStudyArguments(["--simulate", "7", "--seeds", "3"])).toEqual({
    kind: "simulated",
    seeds: [7, 8, 9],
    wallets: 20_000,
    fills: 2_000_000,
  });
});

test.each([
  [[], "Give one directory of recordings, or --simulate SEED."],
  [["a", "b"], "Give one directory of recordings, or --simulate SEED."],
  [["a", "--simulate", "1"], "Give a directory or --simulate, not both."],
  [["--simulate", "1.5"], "--simulate has to be a whole number from 0 to 1000000000."],
  [["--simulate", "1", "--fills", "5000000"], "--fills has to be a whole number from 1000 to 4000000."],
])("%j is a mistake that is named", (argv, message) => {
  expect(() => parseStudyArguments(argv)).toThrow(message);
});
