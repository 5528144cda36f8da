import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The seed of all random values that tests draw: TEST_SEED, or a fixed default. */
    seed: number;
  }
}

const DEFAULT = 20_261_121;

/** Provides the seed and prints it, so that the output of a failure says how to repeat it. */
export default function setup(project: TestProject): void {
  const seed = Number(process.env["TEST_SEED"] ?? DEFAULT);
  if (!Number.isInteger(seed)) throw new Error("TEST_SEED must be an integer");
  project.provide("seed", seed);
  console.info(`${project.name}: TEST_SEED=${seed}`);
}
