import { sql } from "drizzle-orm";
import { bigint, check, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { id, instant, rowId, xid8 } from "../../columns.ts";
import { accounts } from "../accounts/accounts.ts";

/**
 * Jobs that write a file for an account: a whale-trade dataset, or the export of one trader. Rows are deleted
 * 48 hours after the job has ended; quotas count the rows.
 */
export const exportJobs = pgTable(
  "export_jobs",
  {
    id: id(),
    kind: text("kind").notNull(),
    accountId: rowId("account_id")
      .notNull()
      .references(() => accounts.id),
    /** The trader of an export; null on datasets. */
    traderId: rowId("trader_id"),
    format: text("format").notNull(),
    /** The filters of a dataset; `{}` on exports. */
    request: jsonb("request").notNull(),
    /** Equal for equal requests of one account. */
    requestKey: text("request_key").notNull(),
    state: text("state").notNull().default("queued"),
    createdAt: instant("created_at").notNull(),
    startedAt: instant("started_at"),
    readyAt: instant("ready_at"),
    failedAt: instant("failed_at"),
    expiresAt: instant("expires_at").notNull(),
    expiredAt: instant("expired_at"),
    cancelRequestedAt: instant("cancel_requested_at"),
    cancelledAt: instant("cancelled_at"),
    /** When the job reached a terminal state; null before. A ready job that expires ends again. */
    endedAt: instant("ended_at"),
    /** The database's clock when the snapshot was selected. */
    dataAsOf: instant("data_as_of"),
    attempt: integer("attempt").notNull().default(0),
    maxAttempts: integer("max_attempts").notNull(),
    /** Names the consumer that works on the job; null between two consumers. */
    leaseToken: uuid("lease_token"),
    leaseUntil: instant("lease_until"),
    /** When the sweep enqueues the job again, if no consumer has claimed it. */
    dueAt: instant("due_at").notNull(),
    /** The snapshot: its id, the outbox epoch and the commit horizon. Null before it is selected. */
    generationId: uuid("generation_id"),
    epoch: integer("epoch"),
    horizonXid: xid8("horizon_xid"),
    totalTrades: bigint("total_trades", { mode: "number" }),
    processedTrades: bigint("processed_trades", { mode: "number" }),
    /** Where the extraction stands (`src/exports/artifact/progress.ts`); null before the first part is stored. */
    progress: jsonb("progress"),
    objectKey: text("object_key"),
    /** Bytes of the content, before compression; null until the job is ready. */
    fileSize: bigint("file_size", { mode: "number" }),
    /** The manifest's own values and the stored object; null until the job is ready. */
    result: jsonb("result"),
    error: text("error"),
  },
  (table) => [
    index("export_jobs_account").on(table.accountId, table.createdAt),
    index("export_jobs_due")
      .on(table.dueAt)
      .where(sql`state in ('queued', 'running', 'cancel_requested', 'reconcile_required')`),
    index("export_jobs_ready")
      .on(table.expiresAt)
      .where(sql`state = 'ready'`),
    index("export_jobs_ended")
      .on(table.endedAt)
      .where(sql`ended_at is not null`),
    check("export_jobs_kind", sql`${table.kind} in ('whale_dataset', 'trader_export')`),
    check(
      "export_jobs_state",
      sql`${table.state} in ('queued', 'running', 'cancel_requested', 'reconcile_required', 'ready', 'failed', 'expired', 'cancelled')`,
    ),
  ],
);
