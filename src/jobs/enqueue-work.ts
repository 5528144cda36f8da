import type { Pool } from "@neondatabase/serverless";
import { countFreeLeases, countItems, leaseWork, releaseLeases, type WorkKind } from "../ingest/queue/work-leases.ts";
import type { IngestMessage } from "../messages/ingest-message.ts";
import type { JobContext } from "./define-job.ts";

type EnqueueContext = Pick<JobContext, "pool" | "enqueue">;

/** Work items that one run enqueues. */
const MOST_AT_ONCE = 500;

/**
 * Enqueues due work, no more than its kind's bound leaves room for.
 *
 * @param list the work that is due, `most` items at most
 * @returns whether more may be due: as much as one run enqueues was. At the bound of the kind nothing more can be enqueued, so the
 *   next run comes after the job's pause
 */
export async function enqueueIfRoom(
  kind: WorkKind,
  list: (pool: Pool, most: number) => Promise<IngestMessage[]>,
  context: EnqueueContext,
): Promise<boolean> {
  const most = Math.min(await countFreeLeases(context.pool, kind), MOST_AT_ONCE);
  if (most === 0) return false;
  const due = await list(context.pool, most);
  return (await enqueueWork(due, context)) && countItems(due) >= MOST_AT_ONCE;
}

/** Leases work and enqueues what was not under way. @returns whether any was enqueued */
export async function enqueueWork(
  messages: readonly IngestMessage[],
  { pool, enqueue }: EnqueueContext,
): Promise<boolean> {
  const leased = await leaseWork(pool, messages);
  if (leased.length === 0) return false;
  try {
    await enqueue(leased);
  } catch (error) {
    // A message sent before the failure finds its lease gone and does nothing; the next run enqueues all of
    // them. Leases that could not be released expire.
    await releaseLeases(pool, leased).catch(() => undefined);
    throw error;
  }
  return true;
}
