import type { Pool } from "@neondatabase/serverless";
import { gunzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import type { Database } from "../../../src/db/client.ts";
import { runExportJob, type ExportPorts, type RunLimits } from "../../../src/exports/run-export-job.ts";
import { sweepExportJobs } from "../../../src/exports/sweep-export-jobs.ts";
import type { ExportMessage } from "../../../src/messages/export-message.ts";
import { ArtifactStoreUnavailable } from "../../../src/platform/artifacts/artifact-store.ts";
import type { FaultyArtifactStore } from "./faulty-artifact-store.ts";
import { SILENT_LOG } from "./silent-log.ts";

/** Small enough that a few dozen trades need several pages, parts and runs. */
export const TINY_LIMITS: RunLimits = { rows: 40, ms: 240_000, pageRows: 7, partBytes: 400 };

/** The consumers and the sweep of one database, on a clock that the test moves. */
export class ExportConsumer {
  readonly messages: ExportMessage[] = [];
  nowMs: number;
  /** Makes the ids of one run: first its lease's, then the snapshot's. */
  idsOfRun: () => () => string = () => () => crypto.randomUUID();
  readonly #db: Database;
  readonly pool: Pool;
  readonly #store: FaultyArtifactStore;
  readonly #limits: RunLimits;

  constructor(db: Database, pool: Pool, store: FaultyArtifactStore, nowMs: number, limits: RunLimits = TINY_LIMITS) {
    this.#db = db;
    this.pool = pool;
    this.#store = store;
    this.nowMs = nowMs;
    this.#limits = limits;
  }

  run(jobId: number, ports: Partial<ExportPorts> = {}) {
    return runExportJob(jobId, {
      db: this.#db,
      pool: this.pool,
      store: this.#store,
      now: () => new Date(this.nowMs),
      newId: this.idsOfRun(),
      log: SILENT_LOG,
      signingKey: null,
      limits: this.#limits,
      ...ports,
    });
  }

  sweep() {
    return sweepExportJobs({
      pool: this.pool,
      store: this.#store,
      enqueue: async (messages) => void this.messages.push(...messages),
      now: new Date(this.nowMs),
    });
  }

  /** Runs the job until it is done or due later, as a queue does that delivers at once. */
  async runAll(jobId: number, ports: Partial<ExportPorts> = {}): Promise<void> {
    for (let outcome = await this.run(jobId, ports); outcome.kind === "again";) {
      if (outcome.dueAt.getTime() > this.nowMs) return;
      outcome = await this.run(jobId, ports);
    }
  }

  /**
   * Lets time pass and runs what the sweep enqueues, until the job has ended. After an expected error the queue and
   * the lane of the sweep try again.
   *
   * @returns its state
   */
  async finish(jobId: number, isExpected: (error: unknown) => boolean = isOfStore): Promise<string> {
    const ignore = (error: unknown) => {
      if (!isExpected(error)) throw error;
    };
    for (let turn = 0; turn < 60; turn += 1) {
      const state = await stateOf(this.#db, jobId);
      if (["ready", "failed", "expired", "cancelled"].includes(state)) return state;
      this.nowMs += 180_000;
      await this.sweep().catch(ignore);
      for (const { job_id } of this.messages.splice(0)) await this.runAll(job_id).catch(ignore);
    }
    throw new Error(`job ${jobId} is stuck in ${await stateOf(this.#db, jobId)}`);
  }
}

const isOfStore = (error: unknown): boolean => error instanceof ArtifactStoreUnavailable;

export async function stateOf(db: Database, jobId: number): Promise<string> {
  const { rows } = await db.execute(sql`select state from export_jobs where id = ${jobId}`);
  return String(rows[0]?.["state"]);
}

/** The stored file of a ready job: its content, its stored bytes, and what the job says of them. */
export async function readFileOf(db: Database, store: FaultyArtifactStore, jobId: number) {
  const { rows } = await db.execute(
    sql`select object_key, result, data_as_of, horizon_xid::text as horizon, epoch from export_jobs where id = ${jobId}`,
  );
  const stored = store.objects.get(String(rows[0]?.["object_key"]));
  if (stored === undefined) throw new Error(`job ${jobId} has no file`);
  return {
    content: gunzipSync(stored.bytes).toString("utf8"),
    bytes: stored.bytes,
    result: rows[0]?.["result"] as Record<string, unknown>,
    horizon: String(rows[0]?.["horizon"]),
    epoch: Number(rows[0]?.["epoch"]),
    contentType: stored.contentType,
  };
}
