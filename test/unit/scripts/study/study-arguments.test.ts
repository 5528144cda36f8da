import { expect, test } from "vitest";
import { parseStudyArguments } from "../../../../scripts/study/arguments.ts";

test("the study reads a directory as a recording, with resolutions as recorded by default", () => {
  expect(parseStudyArguments(["dir"])).toEqual({ kind: "recorded", dir: "dir", infersResolutions: false });
  expect(parseStudyArguments(["dir", "--infer-resolutions"])).toMatchObject({ infersResolutions: true });
});

test("the study simulates consecutive seeds with 20,000 traders and 2,000,000 fills by default", () => {
  expect(parseStudyArguments(["--simulate", "7", "--seeds", "3"])).toEqual({
    kind: "simulated",
    seeds: [7, 8, 9],
    wallets: 20_000,
    fills: 2_000_000,
  });
});

test("the study of picks takes the same sources", () => {
  expect(parseStudyArguments(["--picks", "dir"])).toEqual({
    ...{ kind: "recorded", dir: "dir", infersResolutions: false, picks: true },
  });
  expect(parseStudyArguments(["--simulate", "7", "--picks"])).toMatchObject({ seeds: [7], picks: true });
});

test("the study of worlds takes named worlds, or all, and a list of seeds", () => {
  expect(parseStudyArguments(["--world", "base,wash", "--seeds", "7,9"])).toEqual({
    ...{ kind: "worlds", worlds: ["base", "wash"], seeds: [7, 9], wallets: 5_000, fills: 400_000 },
  });
  const all = parseStudyArguments(["--world", "all"]);
  expect(all).toMatchObject({ kind: "worlds", seeds: [91, 92, 93, 94, 95, 96, 97, 98] });
  expect("worlds" in all && all.worlds).toHaveLength(18);
  expect(parseStudyArguments(["--board", "--seeds", "3"])).toEqual({ kind: "board", seeds: [3] });
});

test.each([
  [["--world", "dream"], "There is no world dream. Worlds are: base, misprice-half,"],
  [["--world", "base", "--seeds", "1,x"], "--seeds has to be a whole number from 0 to 1000000000."],
  [["--world", "base", "dir"], "Give --world, --board, --simulate or a directory, not two of them."],
  [[], "Give one directory of recordings, or --simulate SEED."],
  [["a", "b"], "Give one directory of recordings, or --simulate SEED."],
  [["a", "--simulate", "1"], "Give a directory or --simulate, not both."],
  [["--simulate", "1.5"], "--simulate has to be a whole number from 0 to 1000000000."],
  [["--simulate", "1", "--fills", "5000000"], "--fills has to be a whole number from 1000 to 4000000."],
])("the study refuses the arguments %j with a reason", (argv, message) => {
  expect(() => parseStudyArguments(argv)).toThrow(message);
});
