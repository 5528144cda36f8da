import { expect, inject, onTestFailed, test } from "vitest";
import { runWebhookFaults } from "../../../scripts/faults/webhook-faults.ts";

test("500 events published while Worker, queue and Postgres are killed at random are all delivered or dead-lettered", async () => {
  const lines: string[] = [];
  onTestFailed(() => console.log(lines.join("\n")));
  const result = await runWebhookFaults({
    events: 500,
    seconds: 16,
    seed: inject("seed"),
    skipsWaiting: true,
    log: (line) => lines.push(line),
  });
  expect(result.lost).toEqual([]);
  expect(result.acknowledged).toBe(500);
  expect(Object.keys(result.statuses).filter((status) => status !== "delivered" && status !== "dead_letter")).toEqual(
    [],
  );
  expect(Object.values(result.kills).reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(3);
  // Delivery is at least once: only attempts in progress or not recorded at a kill may repeat.
  expect(result.repeats).toBeLessThan(500);
});
