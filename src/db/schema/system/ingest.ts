import { index, integer, jsonb, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { id, instant } from "../../columns.ts";

/** The checkpoint of each feed. It is written in the transaction that applies the page. */
export const ingestCheckpoints = pgTable("ingest_checkpoints", {
  feed: text("feed").primaryKey(),
  state: jsonb("state").notNull(),
  updatedAt: instant("updated_at").notNull().defaultNow(),
});

/**
 * Quarantined records: provider records that do not match their schema, stored once each, with the reason.
 */
export const quarantinedRecords = pgTable("quarantined_records", {
  id: id(),
  feed: text("feed").notNull(),
  reason: text("reason").notNull(),
  digest: text("digest").notNull().unique(),
  record: jsonb("record").notNull(),
  seenAt: instant("seen_at").notNull().defaultNow(),
});

/**
 * Not read since `quarantined_records`, which has its rows. Kept for the release before it, which writes here until it
 * is gone.
 */
export const formerQuarantinedRecords = pgTable("set_aside_records", {
  id: id(),
  feed: text("feed").notNull(),
  reason: text("reason").notNull(),
  digest: text("digest").notNull().unique(),
  record: jsonb("record").notNull(),
  seenAt: instant("seen_at").notNull().defaultNow(),
});

/**
 * Queue messages that failed every attempt, for an operator to read and to replay. Rows are deleted 90 days after
 * they were recorded.
 */
export const deadLetters = pgTable(
  "dead_letters",
  {
    id: id(),
    /** The queue that the message failed in: `ingest`, `traders`, `webhooks` or `exports`. */
    queue: text("queue").notNull(),
    messageId: text("message_id").notNull(),
    /** Null for a body that no schema knows: it may contain anything, so it is not stored and cannot be replayed. */
    letter: jsonb("letter"),
    attempts: integer("attempts").notNull(),
    sentAt: instant("sent_at").notNull(),
    recordedAt: instant("recorded_at").notNull().defaultNow(),
    /** When an operator asked to send it again; null before. */
    replayRequestedAt: instant("replay_requested_at"),
    /** When it was sent again; null before. */
    replayedAt: instant("replayed_at"),
  },
  (table) => [
    uniqueIndex("dead_letters_message").on(table.queue, table.messageId),
    index("dead_letters_recorded").on(table.recordedAt),
  ],
);

/** Last success and failure of each background job. Health compares them with the job's interval. */
export const jobHeartbeats = pgTable("job_heartbeats", {
  job: text("job").primaryKey(),
  succeededAt: instant("succeeded_at"),
  failedAt: instant("failed_at"),
  lastError: text("last_error"),
});
