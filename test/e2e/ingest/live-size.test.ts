import { expect, test } from "vitest";
import { judgeRun } from "../../../scripts/bench/live-size/print-live-size.ts";
import { runLiveSize } from "../../../scripts/bench/live-size/run-live-size.ts";

/** What the command measures in times depends on the machine; what the product stores and asks for does not. */
test("a product under live trades with a burst stores every row that the provider sent, within the provider's budgets", async () => {
  const run = await runLiveSize(
    { markets: 2_000, traders: 500, fills: 5_000, rate: 100, burst: 500, rttMs: 5, minutes: 0.5 },
    { print: () => undefined, onSample: () => undefined, warmUpMs: 10_000 },
  );
  expect(run.rows.missing).toEqual([]);
  expect(run.rows.unexpected).toEqual([]);
  expect(run.rows.stored).toBe(run.rows.sent);
  // 22.5 s at 100 rows a second and 7.5 s at 500.
  expect(run.rows.sent).toBe(6_000);
  const budgets = judgeRun(run).filter(({ name }) => name.startsWith("requests in 10 s"));
  expect(budgets.map(({ name }) => name)).toContain("requests in 10 s: data.trades");
  expect(budgets.filter(({ isMet }) => isMet !== true)).toEqual([]);
});
