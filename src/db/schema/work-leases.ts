import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant } from "../columns.ts";

/**
 * Work that is under way: handed out to a queue and not done. `kind` is that of the message, `key` one thing the message names. A row goes when
 * its work is done; one that is older than a message can wait stands for a message that was lost.
 */
export const workLeases = pgTable(
  "work_leases",
  { kind: text("kind").notNull(), key: text("key").notNull(), enqueuedAt: instant("enqueued_at").notNull() },
  (table) => [primaryKey({ columns: [table.kind, table.key] })],
);
