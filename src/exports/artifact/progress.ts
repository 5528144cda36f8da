import { z } from "zod";

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
  /** Bytes before compression. */
  contentSizeBytes: z.int().min(0),
  /** Null for a file that is stored as it is. */
  gzip: z.object({ crc: z.int().min(0), length: z.int().min(0) }).nullable(),
  /** Null before the first part. */
  uploadId: z.string().nullable(),
  parts: z.array(
    z.object({ partNumber: z.int().positive(), etag: z.string(), size: z.int().positive(), sha256: hash }),
  ),
  /** The object with the bytes after the last part; null when there are none. */
  tail: z.object({ key: z.string(), sha256: hash }).nullable(),
  /** Once every part is stored and only the upload's completion is left. The hash is null when consumers took turns. */
  end: z.object({ contentSha256: hash.nullable() }).nullable(),
});

export type ArtifactProgress = z.output<typeof ArtifactProgress>;
