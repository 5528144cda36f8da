import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take over 20 seconds, the longest of a suite first. Without earlier durations Vitest starts the files with
 * the most bytes first; a long file that starts last occupies one core while the others have nothing left to do.
 */
export const LONGEST_FILES = [
  "test/e2e/clients/simulated-product.test.ts",
  "test/e2e/start/simulate.test.ts",
  "test/e2e/stream/stream-connections.test.ts",
  "test/e2e/ingest/first-fill.test.ts",
  "test/e2e/faults/outages.test.ts",
  "test/db/ingest/feeds/replays-recorded.test.ts",
  "test/db/ingest/read-models/explore-at-size.test.ts",
  "test/db/ingest/jobs/jobs-survive-kills.test.ts",
  "test/db/ingest/feeds/resumes.test.ts",
  "test/db/downloads/parquet-files.test.ts",
  "test/db/ingest/ledger/random-fills.test.ts",
  "test/db/ingest/feeds/survives-provider-faults.test.ts",
  "test/worker/kernel/registry/fuzz.test.ts",
  "test/worker/ingest/conversions.test.ts",
  "test/worker/kernel/registry/registry-security.test.ts",
];

/** Starts the files of LONGEST_FILES before all others. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = LONGEST_FILES.findIndex((file) => moduleId.endsWith(`/${file}`));
      return index === -1 ? LONGEST_FILES.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}
