import type { Pool } from "@neondatabase/serverless";
import { inArray, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { exportJob as job } from "../db/aliases.ts";
import { sessionOf } from "../db/client.ts";
import { array, integer, run, selectRows, timestamp } from "../db/sql.ts";
import { ACTIVE_STATES, JOB_STATES, READABLE_MS, type TerminalState } from "../domain/exports/export-job.ts";
import type { ExportMessage } from "../messages/export-message.ts";
import type { ArtifactStore } from "../platform/artifacts/artifact-store.ts";
import { deleteJobObjects, deleteObjects, EXPORTS_PREFIX, jobIdOf } from "./artifact/object-keys.ts";
import { endJob } from "./jobs/end-job.ts";

/** A file is deleted this long after its expiry, so that a clock that is ahead deletes none that is still served. */
const EXPIRY_GRACE_MS = 60_000;
/** A message that has not led to a claim by now was lost or waits behind others. */
const ENQUEUE_GRACE_MS = 30_000;
const MOST_PER_SWEEP = 100;

export interface SweepPorts {
  readonly pool: Pool;
  readonly store: ArtifactStore;
  readonly enqueue: (messages: readonly ExportMessage[]) => Promise<void>;
  readonly now: Date;
}

const JobRow = z.object({ id: integer, state: z.enum(JOB_STATES) });

/**
 * Ends jobs that are past their time, enqueues jobs that no consumer works on, and deletes objects that no job
 * refers to. It may be killed at any point, and running it twice changes nothing more.
 *
 * @returns whether more is left
 */
export async function sweepExportJobs(ports: SweepPorts): Promise<boolean> {
  const enqueued = await enqueueStuckJobs(ports);
  const ended = await endLateJobs(ports);
  await deleteOrphans(ports);
  await deleteOldRows(ports);
  return ended === MOST_PER_SWEEP || enqueued === MOST_PER_SWEEP;
}

const select = ({ pool }: SweepPorts, where: SQL, order: SQL) =>
  selectRows(
    sessionOf(pool),
    sql`select ${job.id}, ${job.state} from ${job} where ${where} order by ${order} limit ${MOST_PER_SWEEP}`,
    JobRow,
  );

/** First the objects, then the state: a job that says expired has no file any more. */
async function endLateJobs(ports: SweepPorts): Promise<number> {
  const { pool, store, now } = ports;
  const before = new Date(now.getTime() - EXPIRY_GRACE_MS);
  const late = await select(
    ports,
    sql`(${job.state} = 'ready' or (${isActive()} and coalesce(${job.leaseUntil} <= ${timestamp(now)}, true)))
      and ${job.expiresAt} <= ${timestamp(before)}`,
    sql`${job.expiresAt}`,
  );
  for (const { id, state } of late) {
    await deleteJobObjects(store, id, []);
    await endJob(sessionOf(pool), { jobId: id, token: null, now, ...endOf(state) });
  }
  return late.length;
}

function endOf(state: z.output<typeof JobRow>["state"]): { state: TerminalState; error?: string } {
  if (state === "ready") return { state: "expired" };
  if (state === "cancel_requested") return { state: "cancelled" };
  return { state: "failed", error: "The file was not finished within 24 hours. Submit the request again." };
}

const isActive = (): SQL => inArray(job.state, [...ACTIVE_STATES]);

/** Jobs whose message was lost, whose consumer has died, or whose next attempt is due. */
async function enqueueStuckJobs(ports: SweepPorts): Promise<number> {
  const before = new Date(ports.now.getTime() - ENQUEUE_GRACE_MS);
  const stuck = await select(ports, sql`${isActive()} and ${job.dueAt} <= ${timestamp(before)}`, sql`${job.dueAt}`);
  if (stuck.length > 0) await ports.enqueue(stuck.map(({ id }) => ({ job_id: id })));
  return stuck.length;
}

/**
 * Deletes the objects of jobs that no longer exist or have ended, and what a ready job has beside its file. A
 * running job's objects stay: it may continue from them.
 */
async function deleteOrphans({ pool, store }: SweepPorts): Promise<void> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<ArtifactStore["list"]>> = await store.list(EXPORTS_PREFIX, cursor ?? undefined);
    const ids = [...new Set(page.keys.flatMap((key) => jobIdOf(key) ?? []))];
    const kept = await selectRows(
      sessionOf(pool),
      sql`select ${job.id}, ${job.state}, ${job.objectKey} from ${job} where ${job.id} = any(${array(ids, "bigint")})
        and (${job.state} = 'ready' or ${isActive()})`,
      JobRow.extend({ object_key: z.string().nullable() }),
    );
    const byId = new Map(kept.map((row) => [row.id, row]));
    await deleteObjects(
      store,
      page.keys.filter((key) => {
        const owner = byId.get(jobIdOf(key) ?? 0);
        return owner === undefined || (owner.state === "ready" && owner.object_key !== key);
      }),
    );
    ({ cursor } = page);
  } while (cursor !== null);
}

/** Ended jobs can be read for 48 hours. Their objects are gone by then. */
async function deleteOldRows({ pool, now }: SweepPorts): Promise<void> {
  const before = new Date(now.getTime() - READABLE_MS);
  await run(
    sessionOf(pool),
    sql`delete from ${job} where ${job.endedAt} <= ${timestamp(before)} and ${job.state} in ('failed', 'expired', 'cancelled')`,
  );
}
