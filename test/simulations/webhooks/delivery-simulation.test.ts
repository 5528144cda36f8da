import { expect, test } from "vitest";
import { simulateDeliveries } from "../../support/webhooks/simulate-deliveries.ts";
import { sized } from "../../support/sized.ts";

const RUNS = sized({ short: 120, full: 400 });
const STEPS = 1_000;
/** SIMULATION_SEED=n runs only the seed that a failure printed. */
const only = process.env["SIMULATION_SEED"];

test(`${(RUNS * STEPS).toLocaleString("en-US")} simulated steps of deliveries, failures, crashes and owner actions lose, repeat or miscount no delivery`, () => {
  const seeds = only === undefined ? Array.from({ length: RUNS }, (_, run) => run + 1) : [Number(only)];
  expect(seeds.flatMap((seed) => failureOf(seed))).toEqual([]);
});

/** The violated invariant, with the command that repeats the run. */
function failureOf(seed: number): string[] {
  try {
    simulateDeliveries(seed, STEPS);
    return [];
  } catch (error) {
    return [
      `${error instanceof Error ? error.message : String(error)}. Repeat with: SIMULATION_SEED=${seed} npm test -- --only simulations`,
    ];
  }
}
