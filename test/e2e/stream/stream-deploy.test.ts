import { expect, test } from "vitest";
import { runStreamDeploy } from "../../../scripts/faults/stream-deploy.ts";

test("a deployment in the middle of 200 streams loses and repeats no frame, and the streams come back one after another", async () => {
  const { published, faults, rejoins } = await runStreamDeploy({ connections: 200, log: () => undefined });
  expect(faults).toEqual([]);
  expect(published).toBeGreaterThan(30);
  expect(rejoins.map(({ of }) => of)).toEqual(["objects replaced", "Worker and objects replaced"]);
  for (const { count, mostInOneSecond } of rejoins) {
    expect(count).toBeGreaterThanOrEqual(200);
    // Spread over four to five seconds; without a spread all come within one.
    expect(mostInOneSecond).toBeLessThan(120);
  }
});
