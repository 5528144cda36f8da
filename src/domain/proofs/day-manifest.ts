import { z } from "zod";
import { ARCHIVE_DATASET_NAMES } from "./archive-datasets.ts";
import { canonicalJson } from "./canonical-json.ts";
import { toHex } from "./hex.ts";
import { hashLeaf } from "./merkle-tree.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

/** A position in the outbox: the transaction and the id of an event, as decimal text. */
const Position = z.object({ commit_xid: z.string().regex(/^\d{1,20}$/), id: z.string().regex(/^\d{1,19}$/) });

/**
 * The events of the outbox that a day covers: those after `after`, up to `last`. The public ones among them
 * have the consecutive sequence numbers from `first_sequence` to `last_sequence`.
 */
const OutboxRange = z.object({
  epoch: z.int().positive(),
  after: Position,
  last: Position,
  events: count,
  /** One more than the last of the day before. */
  first_sequence: z.int().positive(),
  /** `first_sequence` - 1 on a day without events. */
  last_sequence: count,
  /**
   * Why events between the day before and `after` are not covered: a restore of the database began an epoch,
   * or they had been deleted for their age. Null when none is missing.
   */
  gap: z.enum(["epoch_changed", "events_deleted"]).nullable(),
});

const ArchiveFile = z.object({ key: z.string(), rows: count, bytes: count, sha256: hash, writer: z.string() });

const DatasetDay = z.object({
  name: z.enum(ARCHIVE_DATASET_NAMES),
  rows: count,
  /** Number of the first row, counted over all days from 1: one more than the last of the day before. */
  first_row: z.int().positive(),
  /** `first_row` - 1 on a day without rows. */
  last_row: count,
  /** Over the day's rows in the order of `recorded_at` and `id`. */
  merkle_root: hash,
  files: z.array(ArchiveFile),
});

/** What is signed about one UTC day of the archive. */
export const DayManifest = z.object({
  type: z.literal("archive_day"),
  version: z.literal(1),
  /** YYYY-MM-DD. */
  day: z.iso.date(),
  /** Number of the day in the archive, from 0, without gaps: its leaf index in the log of heads. */
  sequence: count,
  /** The head of the day before; null on the first day. */
  previous_head: hash.nullable(),
  /** The Merkle root over all earlier heads. */
  log_root: hash,
  datasets: z.array(DatasetDay),
  outbox: OutboxRange,
});

export type DayManifest = z.output<typeof DayManifest>;
export type DatasetDay = z.output<typeof DatasetDay>;
export type OutboxRange = z.output<typeof OutboxRange>;
export type ArchiveFile = z.output<typeof ArchiveFile>;

/** The text that is signed and hashed. */
export const manifestText = (manifest: DayManifest): string => canonicalJson(manifest);

/** The head of a day: the leaf hash of its manifest in the log of heads. 64 hex digits. */
export const headOf = (text: string): string => toHex(hashLeaf(text));
