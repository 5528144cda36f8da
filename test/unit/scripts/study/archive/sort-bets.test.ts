import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { createRandom } from "../../../../../scripts/provider/simulate/random.ts";
import { BetSorter } from "../../../../../scripts/study/archive/sort-bets.ts";
import { BET_FIELDS } from "../../../../../scripts/study/archive/streamed-data.ts";

test("bets of several runs are read in the order of time, and of writing within one time", async () => {
  const random = createRandom(5, "bets");
  const sorter = await BetSorter.create();
  // Three runs; few different times, so that most bets have others of their time.
  const times = Array.from({ length: 600_000 }, () => random.integer(0, 5_000));
  times.forEach((at, number) => sorter.add([at, number, 0, 0.5, 1, 1, 0]));
  sorter.finish();
  const read: [number, number][] = [];
  for (const batch of sorter.read())
    for (let from = 0; from < batch.length; from += BET_FIELDS)
      read.push([batch[from] ?? Number.NaN, batch[from + 1] ?? Number.NaN]);
  const expected = times.map((at, number): [number, number] => [at, number]).sort((a, b) => a[0] - b[0]);
  expect(read.length).toBe(expected.length);
  expect(read.findIndex(([at, number], index) => at !== expected[index]?.[0] || number !== expected[index]?.[1])).toBe(
    -1,
  );
  sorter.dispose();
});

test("a sorter removes its file when it is disposed of", async () => {
  const list = () => readdirSync(tmpdir()).filter((name) => name.startsWith("study-bets-"));
  const before = list();
  const sorter = await BetSorter.create();
  const own = list().filter((name) => !before.includes(name));
  expect(own.length).toBeGreaterThan(0);
  sorter.dispose();
  expect(list().filter((name) => own.includes(name)).length).toBeLessThan(own.length);
});
