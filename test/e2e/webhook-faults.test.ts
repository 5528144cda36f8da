import { expect, onTestFailed, test } from "vitest";
import { runWebhookFaults } from "../../scripts/faults/webhook-faults.ts";

test("of 500 events published while Worker, queue and Postgres are killed at random none is lost", async () => {
  const seed = Number(process.env["FAULTS_SEED"] ?? 1 + Math.floor(Math.random() * 1_000_000));
  const lines = [`Again with FAULTS_SEED=${seed}`];
  onTestFailed(() => console.log(lines.join("\n")));
  const result = await runWebhookFaults({ events: 500, seconds: 16, seed, skipsWaiting: true, log: (line) => lines.push(line) });
  expect(result.lost).toEqual([]);
  expect(result.acknowledged).toBe(500);
  expect(Object.keys(result.statuses).filter((status) => status !== "delivered" && status !== "dead_letter")).toEqual([]);
  expect(Object.values(result.kills).reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(3);
  // At least once is not many times: only what was under way or not recorded yet at a kill comes again.
  expect(result.repeats).toBeLessThan(500);
});
