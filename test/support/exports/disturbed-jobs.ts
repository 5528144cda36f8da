import { gunzipSync } from "node:zlib";
import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import type { Database } from "../../../src/db/client.ts";
import { ExportConsumer, readFileOf, stateOf, TINY_LIMITS } from "./export-consumer.ts";
import { eventsOfJob, seedExportWorld, stopDatabaseClock, type ExportWorld } from "./export-world.ts";
import { FaultyArtifactStore } from "./faulty-artifact-store.ts";

export const FORMS = ["dataset", "json", "ndjson", "csv"] as const;
/** A dataset, or the format of a trader export. */
export type Form = (typeof FORMS)[number];

/** The time of the database, which stands still, and the first time of the consumers. */
export const DATABASE_TIME = Date.parse("2026-11-21T12:00:00Z");
const GENERATION = "3f6c2f0e-6f6d-4b0e-9a3f-0d5d3b9f4c11";
const TRADES = 61;
const TERMINAL: readonly string[] = ["ready", "failed", "expired", "cancelled"];

/**
 * Jobs over one set of trades whose files must have the bytes of an undisturbed run. Clock and snapshot id of the
 * database stand still, because a trader export states them.
 */
export class DisturbedJobs {
  readonly store = new FaultyArtifactStore(TINY_LIMITS.partBytes);
  readonly consumer: ExportConsumer;
  readonly #db: Database;
  readonly #world: ExportWorld;
  readonly #expected = new Map<Form, Uint8Array>();

  private constructor(db: Database, pool: Pool, world: ExportWorld) {
    this.#db = db;
    this.#world = world;
    this.consumer = this.openConsumer(pool);
  }

  /** A consumer with its own session and clock. */
  openConsumer(pool: Pool, nowMs = DATABASE_TIME): ExportConsumer {
    const consumer = new ExportConsumer(this.#db, pool, this.store, nowMs);
    consumer.idsOfRun = idsOfRun;
    return consumer;
  }

  /** Seeds the database, which must be new, and writes each form undisturbed. */
  static async open(db: Database, openPool: () => Pool): Promise<DisturbedJobs> {
    await stopDatabaseClock(db, new Date(DATABASE_TIME).toISOString());
    const jobs = new DisturbedJobs(db, openPool(), await seedExportWorld(db, TRADES));
    for (const form of FORMS) jobs.#expected.set(form, await jobs.#writeUndisturbed(form));
    return jobs;
  }

  submit(form: Form): Promise<number> {
    const now = new Date(this.consumer.nowMs);
    return form === "dataset" ? this.#world.submitDataset(now) : this.#world.submitExport(form, now);
  }

  /** What is wrong with a job after its faults: its end, its file, its event, or what remains in the store. */
  async findFaults(jobId: number, form: Form): Promise<string[]> {
    const faults: string[] = [];
    const state = await stateOf(this.#db, jobId);
    if (!TERMINAL.includes(state)) faults.push(`the job is stuck in ${state}`);
    const events = (await eventsOfJob(this.#db, jobId)).join();
    const ends = state === "expired" ? "export_job_ready,export_job_expired" : `export_job_${state}`;
    if (events !== ends) faults.push(`events of a job that is ${state}: ${events}`);
    if (state === "ready") faults.push(...(await this.#findFileFaults(jobId, form)));
    const prefix = `exports/${jobId}/`;
    const objects = [...this.store.objects.keys()].filter((key) => key.startsWith(prefix));
    if (objects.length > (state === "ready" ? 1 : 0)) faults.push(`orphaned objects: ${objects.join()}`);
    for (const { key, parts } of this.store.uploads.values())
      // The store does not tell a dead consumer the id of an upload that it has just started. It has no part.
      if (key.startsWith(prefix) && parts.size > 0) faults.push(`an orphaned upload of ${parts.size} parts`);
    return faults;
  }

  async #findFileFaults(jobId: number, form: Form): Promise<string[]> {
    const { bytes } = await readFileOf(this.#db, this.store, jobId);
    return Buffer.from(bytes).equals(this.#expected.get(form) ?? new Uint8Array()) ? [] : ["the file has other bytes"];
  }

  async #writeUndisturbed(form: Form): Promise<Uint8Array> {
    const jobId = await this.submit(form);
    await this.consumer.runAll(jobId);
    const { bytes, content } = await readFileOf(this.#db, this.store, jobId);
    const ids = content.match(form === "dataset" ? /(?<=^\{"id":")wt_\d+/gm : /(?<=^|\{"id":")pe_\d+/gm) ?? [];
    const { rows } = await this.#db.execute(
      form === "dataset"
        ? sql`select 'wt_' || id as id from large_trades order by traded_at, id`
        : sql`select 'pe_' || id as id from ledger_entries order by traded_at, id`,
    );
    if (gunzipSync(bytes).length === 0 || ids.join() !== rows.map(({ id }) => id).join())
      throw new Error(`an undisturbed ${form} has ${ids.length} of ${rows.length} trades`);
    return bytes;
  }
}

/** The first id of a run is its lease's; the next names the snapshot. */
function idsOfRun(): () => string {
  let isFirst = true;
  return () => {
    const id = isFirst ? crypto.randomUUID() : GENERATION;
    isFirst = false;
    return id;
  };
}
