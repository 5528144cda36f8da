import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant } from "../../columns.ts";

/**
 * Leases of work that is enqueued and not done. `kind` is the kind of the queue message, `key` one item of
 * the message. The row is deleted when the work is done. A row older than a message can wait means that the
 * message was lost.
 *
 * The table is unlogged: after a crash of Postgres it is empty, queued messages then do nothing, and work that is due is
 * enqueued again.
 */
export const workLeases = pgTable(
  "work_leases",
  { kind: text("kind").notNull(), key: text("key").notNull(), enqueuedAt: instant("enqueued_at").notNull() },
  (table) => [primaryKey({ columns: [table.kind, table.key] })],
);
