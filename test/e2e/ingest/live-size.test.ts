import { expect, test } from "vitest";
import type { LiveSize } from "../../../scripts/bench/live-size/live-size.ts";
import { judgeRun } from "../../../scripts/bench/live-size/print-live-size.ts";
import { runLiveSize, type LiveRun } from "../../../scripts/bench/live-size/run-live-size.ts";

const TINY: LiveSize = {
  ...{ phase: 0, markets: 2_000, traders: 500, fills: 5_000, rate: 100, burst: 500, rttMs: 5, minutes: 0.5 },
  faults: [],
};

async function runPhases(phases: readonly LiveSize[]): Promise<readonly LiveRun[]> {
  const runs: LiveRun[] = [];
  const ignore = () => undefined;
  await runLiveSize(phases, {
    ...{ print: ignore, onSample: ignore, onRun: (run) => runs.push(run), warmUpMs: 10_000, dataDir: null },
  });
  return runs;
}

/** What the command measures in times depends on the machine; what the product stores and asks for does not. */
test("a product under live trades with a burst stores every row that the provider sent, within the provider's budgets, in each phase", async () => {
  const runs = await runPhases([TINY, { ...TINY, phase: 1, rttMs: 20, minutes: 0.2 }]);
  // 22.5 s at 100 rows a second and 7.5 s at 500; 9 s and 3 s.
  expect(runs.map(({ rows }) => rows.sent)).toEqual([6_000, 2_400]);
  for (const run of runs) {
    expect(run.rows.missing).toEqual([]);
    expect(run.rows.unexpected).toEqual([]);
    expect(run.rows.stored).toBe(run.rows.sent);
    const budgets = judgeRun(run).filter(({ name }) => name.startsWith("requests in 10 s"));
    expect(budgets.map(({ name }) => name)).toContain("requests in 10 s: data.trades");
    expect(budgets.filter(({ isMet }) => isMet !== true)).toEqual([]);
  }
});

test("a product whose provider refuses, whose consumers die and whose Postgres restarts loses nothing and keeps its figures", async () => {
  const faults = ["provider", "postgres", "consumers", "traders"] as const;
  const [run] = await runPhases([{ ...TINY, minutes: 1.2, faults }]);
  if (run === undefined) throw new Error("no phase has run");
  expect(run.rows.missing).toEqual([]);
  expect(run.rows.unexpected).toEqual([]);
  expect(run.differences).toBe(0);
  expect(run.recoveries.map(({ fault }) => fault)).toEqual(["provider", "postgres", "traders"]);
  expect(run.recoveries.filter(({ caughtUpMs }) => caughtUpMs === null)).toEqual([]);
  // The outage lasts 18 s, at 100 rows a second. Those of its last 15 s do not count.
  expect(run.recoveries[0]?.behindRows).toBeGreaterThanOrEqual(300);
});
