import { sql } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { createRandom } from "../../../scripts/provider/simulate/random.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";
import { DisturbedJobs, FORMS, type Form } from "../../support/exports/disturbed-jobs.ts";
import { stateOf } from "../../support/exports/export-consumer.ts";
import { KillableConsumer } from "../../support/exports/killable-consumer.ts";
import type { Fault } from "../../support/exports/faulty-artifact-store.ts";
import { MINUTE_MS } from "../../../src/scoring/utc-calendar.ts";

let database: TestDatabase;
let jobs: DisturbedJobs;
let closeSessions: () => Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase();
  jobs = await DisturbedJobs.open(database.db, () => database.openPool((end) => void (closeSessions = end)));
  return () => closeSessions();
});

afterEach(() => {
  jobs.store.faultOf = () => null;
});

/** Deletes what the job has left, on time. @returns what is wrong after it */
async function sweepAndFindFaults(jobId: number, form: Form): Promise<string[]> {
  jobs.store.faultOf = () => null;
  await jobs.consumer.sweep();
  return jobs.findFaults(jobId, form);
}

test(
  "jobs end with the right file or fail when a tenth of the store's calls goes wrong",
  { timeout: 240_000 },
  async () => {
    const random = createRandom("faulty store", inject("seed"));
    const faults: string[] = [];
    const ends = new Map<string, number>();
    for (let n = 0; n < 32; n += 1) {
      const form = FORMS[n % FORMS.length] ?? "dataset";
      const happened: string[] = [];
      jobs.store.faultOf = (step) => {
        // Time passes while the store is slow, sometimes more than a lease.
        if (random.chance(0.05)) jobs.consumer.nowMs += random.integer(1, 4) * MINUTE_MS;
        if (!random.chance(0.1)) return null;
        const fault = random.pick<Fault>(["refuse", "lose_answer", "lose_part", "change_bytes"]);
        happened.push(`${fault} at ${step}`);
        return fault;
      };
      const jobId = await jobs.submit(form);
      const state = await jobs.consumer.finish(jobId);
      ends.set(state, (ends.get(state) ?? 0) + 1);
      for (const fault of await sweepAndFindFaults(jobId, form)) faults.push(`${form}, ${happened.join()}: ${fault}`);
    }
    expect(faults).toEqual([]);
    expect([...ends.keys()].toSorted()).toEqual(["failed", "ready"]);
  },
);

/** The two kinds of jobs. */
const BOTH: readonly Form[] = ["dataset", "csv"];

for (const form of BOTH) {
  test(`a store that changes every byte range it stores never makes a ${form} ready`, async () => {
    jobs.store.faultOf = () => "change_bytes";
    const jobId = await jobs.submit(form);
    expect(await jobs.consumer.finish(jobId)).toBe("failed");
    expect(await sweepAndFindFaults(jobId, form)).toEqual([]);
  });

  for (const step of ["put", "part"] as const)
    test(`a ${form} is written again when the store changes bytes once at ${step}`, async () => {
      let left = 1;
      jobs.store.faultOf = (at) => (at === step && (left -= 1) === 0 ? "change_bytes" : null);
      const jobId = await jobs.submit(form);
      expect(await jobs.consumer.finish(jobId)).toBe("ready");
      expect(await sweepAndFindFaults(jobId, form)).toEqual([]);
    });
}

describe("a store that is slow", () => {
  for (const form of BOTH)
    for (const minutes of [3, 11])
      for (const slow of ["call", "answer"])
        test(`to carry out (${slow}, ${minutes} minutes) leaves a ${form} to another consumer, whose file stays`, async () => {
          const jobId = await jobs.submit(form);
          const waitForAnother = async () => {
            jobs.consumer.nowMs += minutes * MINUTE_MS;
            const another = jobs.openConsumer(database.openPool(), jobs.consumer.nowMs);
            expect(await another.finish(jobId)).toBe("ready");
          };
          let isFirst = true;
          jobs.store.faultOf = async (step) => {
            if (step !== "part" || !isFirst) return null;
            isFirst = false;
            if (slow === "answer") return waitForAnother;
            await waitForAnother();
            return null;
          };
          await jobs.consumer.runAll(jobId);
          expect(isFirst).toBe(false);
          expect(await stateOf(database.db, jobId)).toBe("ready");
          expect(await sweepAndFindFaults(jobId, form)).toEqual([]);
        });
});

describe("a call that arrives late, of a consumer that was killed at it", () => {
  for (const form of BOTH)
    for (const step of ["store.put", "store.startUpload", "store.putPart", "store.complete"])
      test(`changes no ${form} of the next consumer when it arrives after the end: ${step}`, async () => {
        const jobId = await jobs.submit(form);
        const life = await killAt(jobId, step);
        expect(await jobs.consumer.finish(jobId)).toBe("ready");
        await life.deliverLateCall();
        expect(await sweepAndFindFaults(jobId, form)).toEqual([]);
      });

  test("makes a dataset's part unusable when it arrives in between, and the file is written again", async () => {
    const jobId = await jobs.submit("dataset");
    // The third part: the job's progress has the upload.
    const life = await killAt(jobId, "store.putPart", 3);
    jobs.store.faultOf = async (step) => {
      if (step === "complete") await life.deliverLateCall();
      return null;
    };
    expect(await jobs.consumer.finish(jobId)).toBe("ready");
    const { rows } = await database.db.execute(sql`select attempt from export_jobs where id = ${jobId}`);
    expect(rows[0]).toEqual({ attempt: 3 });
    expect(await sweepAndFindFaults(jobId, "dataset")).toEqual([]);
  });

  /** Runs the job and kills its consumer at the nth call of this name. */
  async function killAt(jobId: number, name: string, nth = 1): Promise<KillableConsumer> {
    const life = new KillableConsumer({ name, nth }, "late");
    const { consumer, store } = jobs;
    await consumer.runAll(jobId, life.ports(database.db, consumer.pool, store)).catch(() => undefined);
    expect(life.killedAt).toBe(name);
    return life;
  }
});
