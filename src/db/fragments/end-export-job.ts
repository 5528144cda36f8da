import { inArray, sql, type SQL } from "drizzle-orm";
import { statesBefore, type TerminalState } from "../../domain/exports/export-job.ts";
import { exportJob as job } from "../aliases.ts";
import { columnName, isoText, timestamp } from "../sql.ts";
import { insertEvents } from "./insert-events.ts";

const EVENT_OF = {
  ready: "export_job_ready",
  failed: "export_job_failed",
  expired: "export_job_expired",
  cancelled: "export_job_cancelled",
} as const satisfies Record<TerminalState, string>;

const TIME_OF = {
  ready: job.readyAt,
  failed: job.failedAt,
  expired: job.expiredAt,
  cancelled: job.cancelledAt,
} as const;

/** The payload of the event, in the form of WebhookExportJobData. It contains no URL. */
const PAYLOAD = sql`jsonb_build_object('job_id', ${job.id}, 'kind', ${job.kind}, 'status', ${job.state},
    'format', ${job.format}, 'created_at', ${isoText(job.createdAt)}, 'expires_at', ${isoText(job.expiresAt)},
    'error', ${job.error})
  || case when ${job.traderId} is null then jsonb_build_object('filters', ${job.request})
    else jsonb_build_object('trader_id', ${job.traderId}) end`;

export interface JobEnd {
  readonly state: TerminalState;
  readonly now: Date;
  /** For the owner. Null except on failed jobs. */
  readonly error?: string;
  /** Which jobs, among those in a state from which they may reach this one. */
  readonly where: SQL;
  /** Further assignments. */
  readonly set?: SQL;
}

/**
 * Common table expressions that move jobs to a terminal state and publish their events. `ended` has the rows of
 * the jobs that have changed. One statement, so that there is never one without the other.
 */
export const endJobs = ({ state, now, error, where, set }: JobEnd): SQL => sql`ended as (
    update ${job} set ${columnName(job.state)} = ${state}, ${columnName(TIME_OF[state])} = ${timestamp(now)},
      ${columnName(job.endedAt)} = ${timestamp(now)}, ${columnName(job.leaseToken)} = null,
      ${columnName(job.leaseUntil)} = null, ${columnName(job.progress)} = null,
      ${columnName(job.error)} = ${error ?? null}::text ${set === undefined ? sql`` : sql`, ${set}`}
    where ${inArray(job.state, [...statesBefore(state)])} and ${where}
    returning job.*
  ), published as (
    ${insertEvents(sql`(select ${EVENT_OF[state]} as type, ${PAYLOAD} as payload, null::bigint as large_trade_id,
      ${job.accountId}, ${job.id}::text as occurrence, ${job.id} as ord from ended job) t`)}
  )`;
