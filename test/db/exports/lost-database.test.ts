import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "@neondatabase/serverless";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createRandom } from "../../../scripts/provider/simulate/random.ts";
import { applyMigrations } from "../../../scripts/services/postgres/apply-migrations.ts";
import { freePort } from "../../../scripts/services/free-port.ts";
import { startNeonEndpoint, type NeonEndpoint } from "../../../scripts/services/postgres/neon-endpoint.ts";
import { startPostgres, type EmbeddedPostgres } from "../../../scripts/services/postgres/postgres.ts";
import { openDatabase, openPool, type Database } from "../../../src/db/client.ts";
import { DisturbedJobs, type Form } from "../../support/exports/disturbed-jobs.ts";
import { KillableConsumer } from "../../support/exports/killable-consumer.ts";
import { sized } from "../../support/sized.ts";

const FORMS: readonly Form[] = ["dataset", "json"];

let dataDir: string;
let postgres: EmbeddedPostgres;
let neon: NeonEndpoint;
let db: Database;
let jobs: DisturbedJobs;
const pools: Pool[] = [];

// Of its own, because it is restarted, and durable, because a crash must lose nothing that was committed.
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "test-postgres-"));
  postgres = await startPostgres({ dataDir, port: await freePort(), log: () => undefined });
  neon = await startNeonEndpoint({ port: 0, databaseUrl: postgres.url });
  await applyMigrations(postgres.url);
  const { httpUrl: neonHttpEndpoint, socketProxy: neonSocketProxy } = neon;
  const connection = { databaseUrl: postgres.url, neonHttpEndpoint, neonSocketProxy };
  db = openDatabase(connection);
  jobs = await DisturbedJobs.open(db, () => {
    const pool = openPool(connection);
    pools.push(pool);
    return pool;
  });
});

afterAll(async () => {
  for (const pool of pools) await pool.end().catch(() => undefined);
  await neon.stop();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Ends every other session, as a failover or a pooler does. */
async function cutSessions(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null",
  );
  await client.end();
}

async function restart(): Promise<void> {
  await postgres.crash();
  await postgres.restart();
}

const LOSSES = [
  { name: "its sessions are cut", times: sized({ short: 5, full: 12 }), lose: cutSessions },
  { name: "Postgres crashes and starts again", times: 2, lose: restart },
];

for (const form of FORMS)
  for (const { name, times, lose } of LOSSES)
    test(
      `a ${form} has the bytes of an undisturbed run when ${name} at a random step`,
      { timeout: 240_000 },
      async () => {
        const random = createRandom("lost database", form, name, inject("seed"));
        const { consumer, store } = jobs;
        const life = new KillableConsumer(Number.POSITIVE_INFINITY, "done");
        await consumer.runAll(await jobs.submit(form), life.ports(db, consumer.pool, store));
        const faults: string[] = [];
        let losses = 0;
        for (let n = 0; n < times; n += 1) {
          const jobId = await jobs.submit(form);
          const at = random.integer(1, life.steps);
          const watched = new KillableConsumer(Number.POSITIVE_INFINITY, "done");
          watched.beforeStep = async () => {
            if (watched.steps !== at) return;
            losses += 1;
            await lose();
          };
          await consumer.runAll(jobId, watched.ports(db, consumer.pool, store)).catch(() => undefined);
          const state = await consumer.finish(jobId, () => true);
          await consumer.sweep();
          const found = state === "ready" ? await jobs.findFaults(jobId, form) : [`the job is ${state}`];
          faults.push(...found.map((fault) => `lost at step ${at} of ${life.steps}: ${fault}`));
        }
        expect(faults).toEqual([]);
        expect(losses).toBe(times);
      },
    );
