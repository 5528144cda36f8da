import { expect, test } from "vitest";
import { SimulatedStream } from "../../support/stream/simulated-stream.ts";
import { sized } from "../../support/sized.ts";

/** Runs of this many steps each; STREAM_SEED runs a single seed, STREAM_RUNS changes the number of runs. */
const STEPS = 1_500;
const RUNS = Number(process.env["STREAM_RUNS"] ?? sized({ short: 80, full: 220 }));
const ONLY = process.env["STREAM_SEED"];

test(`no listener misses a frame or gets one twice, whatever is evicted, lost, late or repeated (${RUNS * STEPS} steps)`, () => {
  let received = 0;
  let pagesFromMemory = 0;
  for (const seed of ONLY === undefined ? Array.from({ length: RUNS }, (_, run) => run + 1) : [Number(ONLY)]) {
    const stream = new SimulatedStream(seed);
    try {
      for (let step = 0; step < STEPS; step++) stream.step();
      stream.settle();
    } catch (error) {
      const replay = `STREAM_SEED=${seed} npx vitest run --config test/vitest.config.ts --project simulations test/simulations/stream/simulation.test.ts`;
      throw new Error(`${String(error)}\nreplay: ${replay}`, { cause: error });
    }
    pagesFromMemory += stream.pagesFromMemory;
    received += stream.clients.reduce((sum, client) => sum + client.received, 0);
  }
  // A simulation in which nothing arrives would prove nothing.
  expect(received).toBeGreaterThan((ONLY === undefined ? RUNS : 1) * 150);
});
