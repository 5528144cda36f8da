import { jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { id, instant } from "../columns.ts";

/** The checkpoint of each feed. It is written in the transaction that applies the page. */
export const ingestCheckpoints = pgTable("ingest_checkpoints", {
  feed: text("feed").primaryKey(),
  state: jsonb("state").notNull(),
  updatedAt: instant("updated_at").notNull().defaultNow(),
});

/**
 * Quarantined records: provider records that do not match their schema, stored once each, with the reason.
 */
export const setAsideRecords = pgTable("set_aside_records", {
  id: id(),
  feed: text("feed").notNull(),
  reason: text("reason").notNull(),
  digest: text("digest").notNull().unique(),
  record: jsonb("record").notNull(),
  seenAt: instant("seen_at").notNull().defaultNow(),
});

/** Last success and failure of each background job. Health compares them with the job's interval. */
export const jobHeartbeats = pgTable("job_heartbeats", {
  job: text("job").primaryKey(),
  succeededAt: instant("succeeded_at"),
  failedAt: instant("failed_at"),
  lastError: text("last_error"),
});
