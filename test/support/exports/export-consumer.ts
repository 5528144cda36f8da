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
  readonly #db: Database;
  readonly #pool: Pool;
  readonly #store: FaultyArtifactStore;
  readonly #limits: RunLimits;

  constructor(db: Database, pool: Pool, store: FaultyArtifactStore, nowMs: number, limits: RunLimits = TINY_LIMITS) {
    this.#db = db;
    this.#pool = pool;
    this.#store = store;
    this.nowMs = nowMs;
    this.#limits = limits;
  }

  run(jobId: number, ports: Partial<ExportPorts> = {}) {
    return runExportJob(jobId, {
      db: this.#db,
      pool: this.#pool,
      store: this.#store,
      now: () => new Date(this.nowMs),
      newId: () => crypto.randomUUID(),
      log: SILENT_LOG,
      limits: this.#limits,
      ...ports,
    });
  }

  sweep() {
    return sweepExportJobs({
      pool: this.#pool,
      store: this.#store,
      enqueue: async (messages) => void this.messages.push(...messages),
      now: new Date(this.nowMs),
    });
  }

  /** Lets time pass and runs what the sweep enqueues, until the job has ended. @returns its state */
  async finish(jobId: number): Promise<string> {
    for (let turn = 0; turn < 60; turn += 1) {
      const state = await stateOf(this.#db, jobId);
      if (["ready", "failed", "expired", "cancelled"].includes(state)) return state;
      this.nowMs += 180_000;
      // A lane runs a failed sweep again.
      await this.sweep().catch((error: unknown) => {
        if (!(error instanceof ArtifactStoreUnavailable)) throw error;
      });
      for (const { job_id } of this.messages.splice(0)) {
        for (let outcome = await this.run(job_id); outcome.kind === "again" && outcome.dueAt.getTime() <= this.nowMs;)
          outcome = await this.run(job_id);
      }
    }
    throw new Error(`job ${jobId} is stuck in ${await stateOf(this.#db, jobId)}`);
  }
}

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
