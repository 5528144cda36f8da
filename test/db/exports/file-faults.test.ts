import { expect, inject, test } from "vitest";
import { runFileFaults } from "../../../scripts/faults/file-faults.ts";
import { sized } from "../../support/sized.ts";

const JOBS = sized({ short: 20, full: 40 });

// The long form is `npm run faults -- files`.
test(
  `${JOBS} jobs disturbed in every way at once end with the right file or fail, and leave nothing`,
  { timeout: 240_000 },
  async () => {
    const { jobs, happened, ends, faults } = await runFileFaults({
      goesOn: (count) => count < JOBS,
      seed: inject("seed"),
      log: () => undefined,
    });
    expect(faults).toEqual([]);
    expect(jobs).toBe(JOBS);
    expect(Object.keys(happened)).toEqual(
      expect.arrayContaining(["kill", "refuse", "lose_answer", "cut", "clock skew"]),
    );
    expect(ends["ready"]).toBeGreaterThan(JOBS / 2);
  },
);
