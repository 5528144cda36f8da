import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { id, instant, rowId, xid8 } from "../../columns.ts";

/**
 * One row per epoch; the highest is current. A restore or failover starts a new epoch, which expires every
 * older cursor.
 */
export const outboxEpoch = pgTable("outbox_epoch", {
  epoch: integer("epoch").primaryKey(),
  startedAt: instant("started_at").notNull().defaultNow(),
  /** The last pruned event; null while nothing is pruned. A reader positioned before it has lost events. */
  prunedXid: xid8("pruned_xid"),
  prunedId: rowId("pruned_id"),
});

/**
 * The outbox. Readers compare the pair `(commit_xid, id)` as a row value and stay below
 * `pg_snapshot_xmin(pg_current_snapshot())`: an id alone is assigned before its transaction commits, so
 * reading by id loses rows.
 */
export const events = pgTable(
  "events",
  {
    id: id(),
    epoch: integer("epoch").notNull(),
    commitXid: xid8("commit_xid")
      .notNull()
      .default(sql`pg_current_xact_id()`),
    type: text("type").notNull(),
    payload: jsonb("payload").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** The large trade of a `large_trade_inserted_v2` event; null on other events. */
    largeTradeId: rowId("large_trade_id"),
    /** The account that owns the event; null on public events. */
    accountId: rowId("account_id"),
    /**
     * The first 128 bits of SHA-256 over the type and the occurrence (src/db/fragments/insert-events.ts), the same when
     * a restored database records the occurrence again. Null on an event that has no such name.
     */
    identity: uuid("identity"),
  },
  (table) => [
    index("events_commit").on(table.commitXid, table.id),
    index("events_large_trades")
      .on(table.commitXid, table.id)
      .where(sql`large_trade_id is not null`),
    index("events_identity")
      .on(table.identity)
      .where(sql`identity is not null`)
      .concurrently(),
  ],
);

/** The position of an outbox reader that stores it here: all events up to this pair are processed. */
export const outboxReaders = pgTable("outbox_readers", {
  name: text("name").primaryKey(),
  epoch: integer("epoch").notNull(),
  commitXid: xid8("commit_xid").notNull(),
  eventId: rowId("event_id").notNull(),
  updatedAt: instant("updated_at").notNull().defaultNow(),
});
