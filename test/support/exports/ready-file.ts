import { gunzipSync } from "node:zlib";
import type { TestDatabase } from "../database/database.ts";
import { parseConfig } from "../../../src/config.ts";
import { accounts } from "../../../src/db/schema.ts";
import type { ExportFormat } from "../../../src/domain/exports/export-job.ts";
import { presentDataset } from "../../../src/operations/datasets/present-dataset.ts";
import { presentExport } from "../../../src/operations/exports/present-export.ts";
import { findExportJob, submitJob } from "../../../src/queries/exports/export-jobs.ts";
import { TEST_SIGNING_KEY } from "../archive/signing-key.ts";
import { TEST_VARIABLES } from "../api/test-variables.ts";
import { ExportConsumer, TINY_LIMITS } from "./export-consumer.ts";
import { FaultyArtifactStore } from "./faulty-artifact-store.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const FILTERS = {
  ...{ from: "2026-11-19T00:00:00.000Z", to: "2026-11-21T00:00:00.000Z" },
  ...{ condition_id: null, min_size_cents: null },
};

/** A file as its owner has it. */
export interface ReadyFile {
  /** The response of the job's status. */
  readonly status: { data: any };
  /** As they are stored. */
  readonly bytes: Uint8Array;
  readonly content: Uint8Array;
}

/**
 * Runs a job of a new account to its end, with limits that need several pages, parts and runs.
 *
 * @param traderId null for a dataset
 */
export async function aReadyFile(
  { db, openPool }: TestDatabase,
  {
    traderId,
    format,
    minSizeCents = null,
  }: { traderId: number | null; format: ExportFormat; minSizeCents?: number | null },
  signingKey: string | null = TEST_SIGNING_KEY,
): Promise<ReadyFile> {
  const [account] = await db
    .insert(accounts)
    .values({ email: `${crypto.randomUUID()}@example.test`, plan: "pro" })
    .returning();
  const accountId = account?.id ?? 0;
  const kind = traderId === null ? ("whale_dataset" as const) : ("trader_export" as const);
  const request = traderId === null ? { ...FILTERS, min_size_cents: minSizeCents } : {};
  const submitted = await submitJob(
    db,
    { accountId, kind, traderId, format, request, requestKey: "key", reusedStates: [] },
    [],
    new Date(NOW),
  );
  if (submitted.kind !== "submitted") throw new Error("the job was not submitted");
  const { id } = submitted.job;
  const store = new FaultyArtifactStore(TINY_LIMITS.partBytes);
  const pool = openPool(() => undefined);
  const consumer = new ExportConsumer(db, pool, store, NOW);
  for (let outcome = await consumer.run(id, { signingKey }); outcome.kind === "again";)
    outcome = await consumer.run(id, { signingKey });
  await pool.end();
  const now = new Date(consumer.nowMs);
  const job = await findExportJob(db, { accountId, id, kind, traderId }, now);
  if (job?.state !== "ready") throw new Error(`the job is ${job?.state}`);
  const config = parseConfig(TEST_VARIABLES);
  const data = kind === "whale_dataset" ? await presentDataset(job, { config, now }) : presentExport(job, now);
  const stored = store.objects.get(job.object_key ?? "");
  if (stored === undefined) throw new Error("the job has no file");
  const { bytes, contentEncoding } = stored;
  const content = contentEncoding === "gzip" ? new Uint8Array(gunzipSync(bytes)) : bytes;
  return { status: { data }, bytes, content };
}
