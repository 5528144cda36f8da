import { expect, test } from "vitest";
import { simulateDeliveries } from "../../../support/webhooks/simulate-deliveries.ts";

const RUNS = 400;
const STEPS = 1_000;
/** SIMULATION_SEED=n runs that one only, as a failure says. */
const only = process.env["SIMULATION_SEED"];

test("in 400,000 steps of deliveries, failures, deaths and owners' doings nothing is lost, repeated too soon or counted wrongly", () => {
  const seeds = only === undefined ? Array.from({ length: RUNS }, (_, run) => run + 1) : [Number(only)];
  expect(seeds.flatMap((seed) => failureOf(seed))).toEqual([]);
});

/** What did not hold, with the command that shows it again. */
function failureOf(seed: number): string[] {
  try {
    simulateDeliveries(seed, STEPS);
    return [];
  } catch (error) {
    return [`${error instanceof Error ? error.message : String(error)}. Again: SIMULATION_SEED=${seed} npm test -- --only unit`];
  }
}
