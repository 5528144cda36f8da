import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "@neondatabase/serverless";
import pg from "pg";
import { openDatabase, openPool, type Database } from "../../src/db/client.ts";
import { DisturbedJobs, FORMS, type Form } from "../../test/support/exports/disturbed-jobs.ts";
import { stateOf } from "../../test/support/exports/export-consumer.ts";
import type { Fault } from "../../test/support/exports/faulty-artifact-store.ts";
import { KillableConsumer, type LastCall } from "../../test/support/exports/killable-consumer.ts";
import { createRandom, type Random } from "../provider/simulate/random.ts";
import { applyMigrations } from "../services/postgres/apply-migrations.ts";
import { freePort } from "../services/free-port.ts";
import { startNeonEndpoint } from "../services/postgres/neon-endpoint.ts";
import { startPostgres, type EmbeddedPostgres } from "../services/postgres/postgres.ts";
import { HOUR_MS } from "../../src/scoring/utc-calendar.ts";

export interface FileFaultsRequest {
  /** Whether another job is submitted after so many. */
  readonly goesOn: (jobs: number) => boolean;
  readonly seed: number;
  readonly log: (line: string) => void;
}

export interface FileFaultsResult {
  readonly jobs: number;
  /** How often each kind of fault happened. */
  readonly happened: Readonly<Record<string, number>>;
  /** How many jobs have each state at the end. */
  readonly ends: Readonly<Record<string, number>>;
  /** Wrong files, stuck jobs, and objects and uploads without a job. */
  readonly faults: readonly string[];
}

interface Parts {
  readonly postgres: EmbeddedPostgres;
  readonly db: Database;
  readonly jobs: DisturbedJobs;
  readonly random: Random;
  readonly count: (fault: string) => void;
}

/**
 * Runs jobs one after another while their consumers are killed, the store fails, sessions are cut and Postgres
 * crashes at random, on clocks that differ. After each job the sweep runs undisturbed and the job is checked.
 */
export async function runFileFaults(request: FileFaultsRequest): Promise<FileFaultsResult> {
  const dataDir = mkdtempSync(join(tmpdir(), "faults-postgres-"));
  const postgres = await startPostgres({ dataDir, port: await freePort(), log: () => undefined });
  const neon = await startNeonEndpoint({ port: 0, databaseUrl: postgres.url });
  const pools: Pool[] = [];
  const { httpUrl: neonHttpEndpoint, socketProxy: neonSocketProxy } = neon;
  const connection = { databaseUrl: postgres.url, neonHttpEndpoint, neonSocketProxy };
  try {
    await applyMigrations(postgres.url);
    const db = openDatabase(connection);
    const jobs = await DisturbedJobs.open(db, () => {
      const pool = openPool(connection);
      pools.push(pool);
      return pool;
    });
    return await run({ postgres, db, jobs, random: createRandom("file faults", request.seed) }, request);
  } finally {
    for (const pool of pools) await pool.end().catch(() => undefined);
    await neon.stop();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function run(parts: Omit<Parts, "count">, { goesOn, log }: FileFaultsRequest): Promise<FileFaultsResult> {
  const happened: Record<string, number> = {};
  const ends: Record<string, number> = {};
  const faults: string[] = [];
  const add = (counts: Record<string, number>, name: string) => void (counts[name] = (counts[name] ?? 0) + 1);
  let jobs = 0;
  for (; goesOn(jobs); jobs += 1) {
    const ofJob: string[] = [];
    const count = (fault: string) => {
      add(happened, fault);
      ofJob.push(fault);
    };
    const form = parts.random.pick(FORMS);
    const { state, found } = await disturb({ ...parts, count }, form);
    add(ends, state);
    faults.push(...found.map((fault) => `${form} after ${ofJob.join(", ")}: ${fault}`));
    if (jobs % 50 === 49) log(`${jobs + 1} jobs, ${JSON.stringify(ends)}, ${faults.length} faults`);
  }
  return { jobs, happened, ends, faults };
}

const LAST_CALLS: readonly LastCall[] = ["lost", "done", "late"];
/** About as many steps as an undisturbed job takes. */
const STEPS = 40;

/** Submits one job and disturbs it. @returns its end, and what is wrong with it */
async function disturb({ postgres, db, jobs, random, count }: Parts, form: Form) {
  const { consumer, store } = jobs;
  const jobId = await jobs.submit(form);
  const skewMs = random.chance(0.3) ? random.integer(-60_000, 60_000) : 0;
  if (skewMs !== 0) count("clock skew");
  const lifes: KillableConsumer[] = [];
  store.faultOf = random.chance(0.4) ? () => drawFault(random, count) : () => null;
  for (let consumers = random.integer(1, 2); consumers > 0; consumers -= 1) {
    const dies = random.chance(0.7);
    const life = new KillableConsumer(
      dies ? random.integer(1, STEPS) : Number.POSITIVE_INFINITY,
      random.pick(LAST_CALLS),
    );
    const lossAt = random.chance(0.2) ? random.integer(1, STEPS) : 0;
    life.beforeStep = async () => {
      if (life.steps !== lossAt) return;
      await (random.chance(0.2) ? crash(postgres, count) : cutSessions(postgres, count));
    };
    const { pool, nowMs } = consumer;
    // What a consumer throws is a retry of its message.
    await jobs
      .openConsumer(pool, nowMs + skewMs)
      .runAll(jobId, life.ports(db, pool, store))
      .catch(() => undefined);
    if (life.killedAt !== null) count("kill");
    lifes.push(life);
    consumer.nowMs += 180_000;
  }
  let untilLateCalls = random.integer(0, 20);
  const faultOf = store.faultOf;
  store.faultOf = async (step, key) => {
    untilLateCalls -= 1;
    if (untilLateCalls === 0) for (const life of lifes) await life.deliverLateCall();
    return faultOf(step, key);
  };
  await consumer.finish(jobId, () => true);
  store.faultOf = () => null;
  for (const life of lifes) await life.deliverLateCall();
  await consumer.sweep();
  const state = await stateOf(db, jobId);
  const found = await jobs.findFaults(jobId, form);
  consumer.nowMs += 25 * HOUR_MS;
  await consumer.sweep();
  if (store.objects.size > 0) found.push(`objects are left after the expiry: ${[...store.objects.keys()].join()}`);
  return { state, found };
}

function drawFault(random: Random, count: (fault: string) => void): Fault {
  if (!random.chance(0.06)) return null;
  const fault = random.pick(["refuse", "lose_answer", "lose_part", "change_bytes"] as const);
  count(fault);
  return fault;
}

async function crash(postgres: EmbeddedPostgres, count: (fault: string) => void): Promise<void> {
  count("crash");
  await postgres.crash();
  await postgres.restart();
}

/** Ends every other session, as a failover or a pooler does. */
async function cutSessions({ url }: Pick<EmbeddedPostgres, "url">, count: (fault: string) => void): Promise<void> {
  count("cut");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null",
  );
  await client.end();
}
