import { parseConfig } from "../src/config.ts";
import { openDatabase, openPool, sessionOf } from "../src/db/client.ts";
import { requireCurrentSchema } from "../src/db/schema-version.ts";
import type { Env } from "../src/env.ts";
import { runExportJob, type RunOutcome } from "../src/exports/run-export-job.ts";
import { backoff } from "../src/lib/timing/backoff.ts";
import { inScope } from "../src/lib/work-scope.ts";
import { ExportMessage } from "../src/messages/export-message.ts";
import { R2ArtifactStore } from "../src/platform/artifacts/r2-artifact-store.ts";
import { consoleLog, describeError } from "../src/platform/log/console-log.ts";
import { wakeOutboxReaders } from "../src/platform/objects/wake-outbox-readers.ts";

const FIRST_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 300;
/** Twelve hours, the maximum delay of a queue. */
const MAX_DELAY_SECONDS = 43_200;

/** Consumes the queue `exports`: one job a message, until the job is done or hands itself on. */
export async function consumeExports(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  for (const message of batch.messages) await consumeOne(message, env);
}

async function consumeOne(message: Message<unknown>, env: Env): Promise<void> {
  const parsed = ExportMessage.safeParse(message.body);
  if (!parsed.success) {
    // An unreadable message is never retried. The next sweep finds the job.
    consoleLog.error("export.message_dropped", { id: message.id, error: parsed.error.message });
    return message.ack();
  }
  const { job_id: jobId, request_id: requestId = null } = parsed.data;
  try {
    const outcome = await inScope({ requestId, work: "run_export_job" }, () => run(jobId, env));
    if (outcome.kind === "again")
      await env.EXPORTS_QUEUE.send({ job_id: jobId }, { delaySeconds: delayTo(outcome.dueAt) });
    message.ack();
  } catch (error) {
    consoleLog.warn("export.message_failed", { job_id: jobId, attempt: message.attempts, error: describeError(error) });
    message.retry({ delaySeconds: backoff(message.attempts, FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS) });
  }
}

async function run(jobId: number, env: Env): Promise<RunOutcome> {
  const config = parseConfig(env);
  const db = openDatabase(config);
  const pool = openPool(config);
  try {
    await requireCurrentSchema(config.databaseUrl, sessionOf(pool), consoleLog);
    return await runExportJob(jobId, {
      db,
      pool,
      store: new R2ArtifactStore(env.ARTIFACTS),
      now: () => new Date(),
      newId: () => crypto.randomUUID(),
      log: consoleLog,
      signingKey: config.archiveSigningKey,
    });
  } finally {
    // A session that broke cannot be closed, which changes nothing.
    await pool.end().catch(() => undefined);
    await wakeOutboxReaders(env);
  }
}

const delayTo = (dueAt: Date): number =>
  Math.min(MAX_DELAY_SECONDS, Math.max(0, Math.ceil((dueAt.getTime() - Date.now()) / 1000)));
