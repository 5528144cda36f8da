import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { bytes, id, instant, microShares, microUsd, rowId } from "../../columns.ts";

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
 * Fills that the chain has and the ledger lacks, whose token belongs to no known market yet: an event of the chain
 * names no market. A row is deleted once its market is known and its fill is recorded.
 */
export const chainPendingFills = pgTable(
  "chain_pending_fills",
  {
    blockNumber: bigint("block_number", { mode: "number" }).notNull(),
    logIndex: integer("log_index").notNull(),
    txHash: bytes("tx_hash").notNull(),
    tokenId: text("token_id").notNull(),
    address: text("address").notNull(),
    isTaker: boolean("is_taker").notNull(),
    side: text("side").notNull(),
    sharesMicro: microShares("shares_micro").notNull(),
    /** As in the event, without the fee. */
    usdMicro: microUsd("usd_micro").notNull(),
    /** Null where the fee was taken in shares. */
    feeMicro: microUsd("fee_micro"),
    tradedAt: instant("traded_at").notNull(),
    /** When the provider was last asked for the market of the token. */
    askedAt: instant("asked_at").notNull().defaultNow(),
    /** As in `fill_logs`. */
    ordersMatchedLogIndex: integer("orders_matched_log_index"),
    exchange: smallint("exchange"),
  },
  (table) => [
    primaryKey({ columns: [table.blockNumber, table.logIndex] }),
    check("chain_pending_fills_side", sql`${table.side} in ('BUY', 'SELL')`),
  ],
);

/**
 * The log of a fill on the chain, where the chain was read. It is not part of `ledger_entries`, whose rows come from the
 * trade feed, which has no logs.
 */
export const fillLogs = pgTable(
  "fill_logs",
  {
    /** The row of `ledger_entries`. */
    entryId: rowId("entry_id").primaryKey(),
    blockNumber: integer("block_number").notNull(),
    /** Of its `OrderFilled` event among the logs of the block, from 0. */
    logIndex: integer("log_index").notNull(),
    /** Of the `OrdersMatched` event of its taker order, in the same block; null while unknown. */
    ordersMatchedLogIndex: integer("orders_matched_log_index"),
    /** The exchange that emitted that event, as its number in `EXCHANGE_FAMILIES` of src/domain/trades; null with it. */
    exchange: smallint("exchange"),
  },
  (table) => [
    // Of combos alone, by the number of their exchange: their cursor names block and log index.
    index("fill_logs_combos")
      .on(table.blockNumber, table.logIndex)
      .where(sql`exchange = 4`),
    check("fill_logs_exchange", sql`(${table.exchange} is null) = (${table.ordersMatchedLogIndex} is null)`),
  ],
);

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
    /** The queue that the message failed in: `ingest`, `traders`, `figures`, `webhooks` or `exports`. */
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
