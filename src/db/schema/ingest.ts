import { jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { id, instant } from "../columns.ts";

/** Where each feed stands. Written in the transaction that applies the page it describes. */
export const ingestCheckpoints = pgTable("ingest_checkpoints", {
  feed: text("feed").primaryKey(),
  state: jsonb("state").notNull(),
  updatedAt: instant("updated_at").notNull().defaultNow(),
});

/** Records the provider sent that do not fit their schema: kept whole, with the reason, once each. */
export const setAsideRecords = pgTable("set_aside_records", {
  id: id(),
  feed: text("feed").notNull(),
  reason: text("reason").notNull(),
  digest: text("digest").notNull().unique(),
  record: jsonb("record").notNull(),
  seenAt: instant("seen_at").notNull().defaultNow(),
});

/** Last success of each background job; health compares it with the job's declared interval. */
export const jobHeartbeats = pgTable("job_heartbeats", {
  job: text("job").primaryKey(),
  succeededAt: instant("succeeded_at"),
  failedAt: instant("failed_at"),
  lastError: text("last_error"),
});
