import { beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { SchemaOutdated } from "../../../src/db/schema-version.ts";
import { defineJob } from "../../../src/jobs/define-job.ts";
import { LaneRunner, type LaneOptions } from "../../../src/jobs/lane-runner.ts";
import type { Job } from "../../../src/jobs/registry.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";

const T0 = 1_000_000;
const PAUSE_MS = 60_000;

let database: TestDatabase;
let now: number;
let isOutdated: boolean;

beforeAll(async () => {
  database = await createTestDatabase();
});

let measured: object[] = [];

beforeEach(() => {
  measured = [];
  now = T0;
  isOutdated = false;
});

/** A lane with one job. Its clock moves only where a test moves it. */
function openLane(run: (runner: LaneRunner) => Promise<boolean>): LaneRunner {
  const job: Job = defineJob({ name: "build_explore", lane: "lists", every: PAUSE_MS, run: () => run(runner) });
  const runner = new LaneRunner({
    jobs: [job],
    storage: { get: async () => undefined, put: async () => undefined },
    openPool: () => database.openPool(() => undefined),
    requireSchema: async () => {
      if (isOutdated) throw new SchemaOutdated(null);
    },
    context: { now: () => now },
    invalidator: { publishVersions: async () => undefined },
    feedPollMs: 10_000,
    onEvents: () => undefined,
    onIdle: async () => undefined,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    metrics: { write: (_name: string, fields: object) => void measured.push(fields) },
  } as unknown as LaneOptions);
  // The runner itself ends the pool of a turn that failed.
  onTestFinished(() => runner.pool.end());
  return runner;
}

test("each run is measured with its outcome and duration, a failed one too", async () => {
  const outcomes = [true, false];
  const lane = openLane(async () => {
    now += 250;
    const isMore = outcomes.shift();
    if (isMore === undefined) throw new Error("the provider is away");
    return isMore;
  });
  await lane.turn();
  now += PAUSE_MS;
  await lane.turn();
  const run = { job: "build_explore", duration_ms: 250 };
  expect(measured).toEqual(["more", "idle", "failed"].map((outcome) => ({ ...run, outcome })));
});

test("a job that is scheduled while it runs is due again at that time", async () => {
  const lane = openLane(async (runner) => {
    runner.scheduleWithin(["build_explore"], 6_000);
    now += 100;
    return false;
  });
  await lane.turn();
  expect(lane.nextDueAt).toBe(T0 + 6_000);
});

test("a job that is scheduled while it runs keeps its back-off after a failure", async () => {
  const lane = openLane(async (runner) => {
    runner.scheduleWithin(["build_explore"], 0);
    throw new Error("the provider is down");
  });
  await lane.turn();
  expect(lane.nextDueAt).toBe(T0 + 1_000);
});

test("a job that is not scheduled during its run is due after its pause", async () => {
  const lane = openLane(async () => false);
  await lane.turn();
  expect(lane.nextDueAt).toBe(T0 + PAUSE_MS);
});

test("a lane runs no job and writes nothing while the schema is outdated, and runs its jobs once it is migrated", async () => {
  let runs = 0;
  const lane = openLane(async () => (runs++, false));
  const heartbeats = async () => (await database.openPool().query("select job from job_heartbeats")).rows;
  await database.openPool().query("delete from job_heartbeats");
  isOutdated = true;
  await expect(lane.turn()).rejects.toThrow(SchemaOutdated);
  expect([runs, await heartbeats()]).toEqual([0, []]);
  isOutdated = false;
  await lane.turn();
  expect([runs, await heartbeats()]).toEqual([1, [{ job: "build_explore" }]]);
});
