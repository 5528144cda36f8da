import { z } from "zod";
import { ARCHIVE_DATASET_NAMES } from "../../domain/proofs/archive-datasets.ts";

const text = (description: string, example: string) => z.string().meta({ description, example });
const hash = (description: string, digit: string) => text(`${description} 64 lowercase hex digits.`, digit.repeat(64));
const path = (description: string) => z.array(z.string()).meta({ description, example: ["3".repeat(64)] });

const HEAD = {
  day: text("The UTC day.", "2026-11-20"),
  sequence: z
    .int()
    .min(0)
    .meta({ description: "Number of the day in the archive, from 0, without gaps.", example: 41 }),
  head: hash("The head: SHA-256 of a zero byte and the manifest's UTF-8.", "a"),
  manifest: text(
    "The signed text: canonical JSON with the day's row counts, files, Merkle roots, the previous head and the range of " +
      "the outbox. docs/archive.md describes its fields.",
    '{"day":"2026-11-20","sequence":41,"type":"archive_day","version":1}',
  ),
  signature: text("Ed25519 signature over the manifest's UTF-8: 128 lowercase hex digits.", "5".repeat(128)),
  public_key: hash("The key that signed.", "d"),
  signed_at: z.iso.datetime().meta({ description: "When the day was signed.", example: "2026-11-21T02:10:00.000Z" }),
};

export const ArchiveHead = z
  .object(HEAD)
  .meta({ id: "ArchiveHead", description: "The signed head of an archived day." });

export const ConsistencyProof = z
  .object({
    from_sequence: z.int().meta({ description: "Sequence of the older head.", example: 12 }),
    to_sequence: z.int().meta({ description: "Sequence of the newer head.", example: 41 }),
    path: path(
      "The consistency proof of RFC 6962 between the `log_root` of the older manifest, over `from_sequence` heads, and " +
        "that of the newer one, over `to_sequence` heads.",
    ),
  })
  .meta({ id: "ArchiveConsistencyProof", description: "Proof that the log of heads only grew between two heads." });

export const RowProof = z
  .object({
    id: text("The id of the row as requested.", "wt_81"),
    dataset: z.enum(ARCHIVE_DATASET_NAMES).meta({ description: "The dataset of the row.", example: "large_trades" }),
    row: text(
      "The row as it was hashed: canonical JSON of all its columns.",
      '{"dataset":"large_trades","id":"81","side":"BUY"}',
    ),
    leaf_hash: hash("SHA-256 of a zero byte and the row's UTF-8.", "1"),
    leaf_index: z.int().min(0).meta({ description: "Position of the row in its day, from 0.", example: 17 }),
    tree_size: z.int().min(1).meta({ description: "Rows of the dataset on that day.", example: 912 }),
    path: path("The audit path of RFC 6962, from the leaf's sibling to the child of the root."),
    merkle_root: hash("The root of the day's tree, as in the manifest.", "2"),
    head: ArchiveHead,
  })
  .meta({
    id: "ArchiveRowProof",
    description: "Proof that a row is in the archive of the day on which it was recorded.",
  });
