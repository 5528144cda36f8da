import { z } from "zod";

const Sha256State = z.object({
  words: z.array(z.int()).length(8).readonly(),
  rest: z.string(),
  length: z.int().min(0),
});

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** Where the rows of a file stand between two pages. */
export const RowProgress = z.object({
  /** The key of the last row that was written; null before the first. Only its source reads it. */
  position: z.unknown(),
  rows: z.int().min(0),
  /** The Merkle tree over the rows. */
  tree: z.object({ size: z.int().min(0), subtrees: z.array(hash) }),
  /** Of a Parquet file; null for other formats. */
  parquet: z.object({ offset: z.int().min(0), rowGroups: z.array(z.string()) }).nullable(),
});

export type RowProgress = z.output<typeof RowProgress>;

/**
 * Where the extraction of a job stands, as `export_jobs.progress` stores it. All bytes up to `position` are in
 * stored parts and in the tail object, so another consumer continues there and never reads a row again.
 */
export const ArtifactProgress = RowProgress.extend({
  /** Of the bytes before compression. */
  content: Sha256State,
  /** Null for a file that is stored as it is. */
  gzip: z.object({ crc: z.int().min(0), length: z.int().min(0) }).nullable(),
  /** Of the bytes as stored. */
  compressed: Sha256State,
  /** Null before the first part. */
  uploadId: z.string().nullable(),
  parts: z.array(z.object({ partNumber: z.int().positive(), etag: z.string() })),
  /** The object with the bytes after the last part; null when there are none. */
  tail: z.object({ key: z.string(), size: z.int().positive() }).nullable(),
  /** Every part is stored, and only the upload's completion is left. */
  isComplete: z.boolean(),
});

export type ArtifactProgress = z.output<typeof ArtifactProgress>;
