import { z } from "zod";
import { exportJob as job } from "../../db/aliases.ts";
import { epochMs } from "../../db/sql.ts";
import { sql } from "drizzle-orm";
import { EXPORT_FORMATS, JOB_KINDS, JOB_STATES } from "../../domain/exports/export-job.ts";
import { ArtifactProgress } from "../artifact/progress.ts";

const count = z.coerce.number().int();
const instantMs = z.number().transform((ms) => new Date(ms));

/** A job as its consumer sees it. */
export const ClaimedJob = z.object({
  id: count,
  kind: z.enum(JOB_KINDS),
  account_id: count,
  trader_id: count.nullable(),
  format: z.enum(EXPORT_FORMATS),
  request: z.unknown(),
  state: z.enum(JOB_STATES),
  expires_at: instantMs,
  attempt: z.number().int(),
  max_attempts: z.number().int(),
  data_as_of: instantMs.nullable(),
  generation_id: z.string().nullable(),
  epoch: z.number().int().nullable(),
  horizon_xid: z.string().nullable(),
  total_trades: count.nullable(),
  object_key: z.string().nullable(),
  // The progress of another release may have another form. The file is then written again from its snapshot.
  progress: ArtifactProgress.nullable().catch(null),
});

export type ClaimedJob = z.output<typeof ClaimedJob>;

export const CLAIMED_COLUMNS = sql`${job.id}, ${job.kind}, ${job.accountId}, ${job.traderId}, ${job.format}, ${job.request},
  ${job.state}, ${epochMs(job.expiresAt)} as expires_at, ${job.attempt}, ${job.maxAttempts},
  ${epochMs(job.dataAsOf)} as data_as_of, ${job.generationId}, ${job.epoch}, ${job.horizonXid}::text as horizon_xid,
  ${job.totalTrades}, ${job.objectKey}, ${job.progress}`;
