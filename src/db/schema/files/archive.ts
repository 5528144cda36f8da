import { sql } from "drizzle-orm";
import { boolean, check, date, index, integer, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { bytes, id, instant, rowId } from "../../columns.ts";

/**
 * Every result of a market as it was recorded, append-only: a trigger on `markets` adds a row whenever the
 * payouts or the time of the resolution change. The first row of a market that was resolved before this table
 * existed has the time of its migration. A row without payouts takes a result back.
 */
export const marketResolutions = pgTable(
  "market_resolutions",
  {
    id: id(),
    marketId: rowId("market_id").notNull(),
    status: text("status"),
    /** Payout by outcome index in millionths; null when the market lost its result. */
    payoutsPpm: integer("payouts_ppm").array(),
    resolvedAt: instant("resolved_at"),
    recordedAt: instant("recorded_at").notNull().defaultNow(),
  },
  (table) => [index("market_resolutions_recorded").on(table.recordedAt, table.id)],
);

/**
 * One stored file of the archive: consecutive rows of a dataset of one UTC day, in the order of `recorded_at`
 * and id. A day without rows has one part without a file.
 */
export const archiveParts = pgTable(
  "archive_parts",
  {
    day: date("day").notNull(),
    dataset: text("dataset").notNull(),
    /** From 0. */
    part: smallint("part").notNull(),
    rows: integer("rows").notNull(),
    /** The last row, where the next part begins; null without rows. */
    lastAt: instant("last_at"),
    lastId: rowId("last_id"),
    /** Whether the dataset has no further row of this day. */
    isLast: boolean("is_last").notNull(),
    /** All null without rows. */
    objectKey: text("object_key"),
    size: integer("size"),
    /** 64 lowercase hex digits. */
    sha256: text("sha256"),
    /**
     * The library that wrote the file, with its version: another version may write other bytes for the same
     * rows.
     */
    writer: text("writer"),
  },
  (table) => [
    primaryKey({ columns: [table.day, table.dataset, table.part] }),
    check("archive_parts_file", sql`(${table.rows} = 0) = (${table.objectKey} is null)`),
  ],
);

/**
 * The Merkle root over up to 256 consecutive rows of a dataset's day. A proof of a row reads the rows of one
 * block.
 */
export const archiveBlocks = pgTable(
  "archive_blocks",
  {
    day: date("day").notNull(),
    dataset: text("dataset").notNull(),
    /** From 0: the leaves from 256 times this number on. */
    block: integer("block").notNull(),
    rows: smallint("rows").notNull(),
    firstAt: instant("first_at").notNull(),
    firstId: rowId("first_id").notNull(),
    lastAt: instant("last_at").notNull(),
    lastId: rowId("last_id").notNull(),
    root: bytes("root").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.dataset, table.block] })],
);

/** One archived and signed UTC day. Written last, once all its files are stored, and never changed. */
export const archiveDays = pgTable(
  "archive_days",
  {
    day: date("day").primaryKey(),
    /** From 0, without gaps. */
    sequence: integer("sequence").notNull().unique(),
    /** The canonical JSON that is signed: `DayManifest` of src/domain/proofs/day-manifest.ts. */
    manifest: text("manifest").notNull(),
    /** The leaf hash of the manifest, 64 lowercase hex digits. */
    head: text("head").notNull(),
    /** 128 lowercase hex digits. */
    signature: text("signature").notNull(),
    /** The key that signed, 64 lowercase hex digits. */
    publicKey: text("public_key").notNull(),
    signedAt: instant("signed_at").notNull(),
  },
  (table) => [check("archive_days_head", sql`${table.head} ~ '^[0-9a-f]{64}$'`)],
);

/** How far the Iceberg table of a dataset has come. Empty while no catalog is configured. */
export const icebergTables = pgTable("iceberg_tables", {
  dataset: text("dataset").primaryKey(),
  /** `archive_days.sequence` of the last day that was handled, with or without files. */
  sequence: integer("sequence").notNull(),
  /** The last day whose files are in the table. */
  lastDay: date("last_day"),
  changedAt: instant("changed_at").notNull(),
});

/**
 * A dataset's day whose rows have left Postgres, because they are archived and the stored files were read
 * again and compared with the signed manifest. A trigger lets rows of no other day leave.
 */
export const archiveRetirements = pgTable(
  "archive_retirements",
  {
    day: date("day").notNull(),
    dataset: text("dataset").notNull(),
    /** Rows that left: those of the signed manifest. */
    rows: integer("rows").notNull(),
    retiredAt: instant("retired_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.dataset] })],
);
