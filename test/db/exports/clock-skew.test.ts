import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { RETENTION_MS } from "../../../src/domain/exports/export-job.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";
import { DATABASE_TIME, DisturbedJobs, type Form } from "../../support/exports/disturbed-jobs.ts";
import { stateOf } from "../../support/exports/export-consumer.ts";

const SECOND = 1_000;
const BOTH: readonly Form[] = ["dataset", "csv"];
const SKEWS = [-600, -59, 59, 600];

let database: TestDatabase;
let jobs: DisturbedJobs;
let closeSessions: () => Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase();
  jobs = await DisturbedJobs.open(database.db, () => database.openPool((end) => void (closeSessions = end)));
  return () => closeSessions();
});

const hasFile = (jobId: number): boolean =>
  [...jobs.store.objects.keys()].some((key) => key.startsWith(`exports/${jobId}/`) && key.endsWith("/file"));

for (const form of BOTH)
  for (const skew of SKEWS) {
    const where = `${Math.abs(skew)} s ${skew < 0 ? "behind" : "ahead"}`;

    test(`a ${form} of a consumer whose clock is ${where} has the right bytes and a duration of 0 or more`, async () => {
      // The clock of the API is the consumer's; only the database's differs.
      jobs.consumer.nowMs = DATABASE_TIME + skew * SECOND;
      const jobId = await jobs.submit(form);
      await jobs.consumer.runAll(jobId);
      expect(await stateOf(database.db, jobId)).toBe("ready");
      await jobs.consumer.sweep();
      expect(await jobs.findFaults(jobId, form)).toEqual([]);
      const { rows } = await database.db.execute(
        sql`select (result ->> 'extraction_elapsed_ms')::int >= 0 as ok from export_jobs where id = ${jobId}`,
      );
      expect(rows[0]).toEqual({ ok: true });
    });

    test(`a ${form} that a consumer finishes at the expiry, ${where}, ends explicitly and leaves nothing`, async () => {
      jobs.consumer.nowMs = DATABASE_TIME;
      const jobId = await jobs.submit(form);
      const expiresAt = DATABASE_TIME + RETENTION_MS;
      // The sweep's clock is right; it runs at each of the consumer's calls of the store.
      const sweeper = jobs.openConsumer(database.openPool(), expiresAt - 30 * SECOND);
      const skewed = jobs.openConsumer(jobs.consumer.pool, sweeper.nowMs + skew * SECOND);
      let isSweeping = false;
      jobs.store.faultOf = async () => {
        if (isSweeping) return null;
        isSweeping = true;
        for (const consumer of [sweeper, skewed]) consumer.nowMs += 10 * SECOND;
        await sweeper.sweep();
        isSweeping = false;
        return null;
      };
      await skewed.runAll(jobId);
      jobs.store.faultOf = () => null;
      sweeper.nowMs = Math.max(sweeper.nowMs, expiresAt + 3_600 * SECOND);
      await sweeper.sweep();
      await sweeper.sweep();
      expect(["expired", "failed"]).toContain(await stateOf(database.db, jobId));
      expect(await jobs.findFaults(jobId, form)).toEqual([]);
      expect(hasFile(jobId)).toBe(false);
    });
  }

test("a file is there and its job ready until its expiry while the sweep's clock is 59 s ahead", async () => {
  jobs.consumer.nowMs = DATABASE_TIME;
  const jobId = await jobs.submit("dataset");
  await jobs.consumer.runAll(jobId);
  const expiresAt = DATABASE_TIME + RETENTION_MS;
  const missingAt: number[] = [];
  for (let now = expiresAt - 90 * SECOND; now < expiresAt + 120 * SECOND; now += 10 * SECOND) {
    jobs.consumer.nowMs = now + 59 * SECOND;
    await jobs.consumer.sweep();
    if (now < expiresAt && !((await stateOf(database.db, jobId)) === "ready" && hasFile(jobId))) missingAt.push(now);
  }
  expect(missingAt).toEqual([]);
  expect(await stateOf(database.db, jobId)).toBe("expired");
  expect(hasFile(jobId)).toBe(false);
});
