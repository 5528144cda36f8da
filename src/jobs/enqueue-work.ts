import type { Pool } from "@neondatabase/serverless";
import { countFreeLeases, leaseWork, releaseLeases, type WorkKind } from "../ingest/queue/work-leases.ts";
import type { IngestMessage } from "../messages/ingest-message.ts";
import type { JobContext } from "./define-job.ts";

type EnqueueContext = Pick<JobContext, "pool" | "enqueue">;

/** Enqueues due work, no more than its kind's bound leaves room for. @returns whether any was enqueued */
export async function enqueueIfRoom(
  kind: WorkKind,
  list: (pool: Pool, most: number) => Promise<IngestMessage[]>,
  context: EnqueueContext,
): Promise<boolean> {
  const room = await countFreeLeases(context.pool, kind);
  return room > 0 && enqueueWork(await list(context.pool, room), context);
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
