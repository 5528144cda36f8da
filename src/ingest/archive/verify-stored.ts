import type { DatasetDay } from "../../domain/proofs/day-manifest.ts";
import { toHex } from "../../domain/proofs/hex.ts";
import { MerkleTree } from "../../domain/proofs/merkle-tree.ts";
import { canonicalRow, hashRow } from "../../domain/proofs/row-leaf.ts";
import type { ArchiveRow } from "../../domain/proofs/archive-datasets.ts";
import { decodeParquet } from "./decode-parquet.ts";
import { sha256Hex } from "./put-once.ts";

/** Reads a stored file; null when it is not there. */
export type ReadFile = (key: string) => Promise<Uint8Array | null>;
/** The next rows of the database, in the order of leaves. */
export type ReadRows = (count: number) => Promise<readonly ArchiveRow[]>;

/**
 * Compares the stored files of a dataset's day with its signed manifest: bytes by their SHA-256, rows by the
 * Merkle root. With `readRows` also with the database, row by row.
 *
 * @param readRows null when the rows have left the database
 * @returns how they differ; null when they do not
 */
export async function findStoredProblem(
  { name, rows, merkle_root, files }: DatasetDay,
  readFile: ReadFile,
  readRows: ReadRows | null,
): Promise<string | null> {
  const tree = new MerkleTree();
  for (const { key, sha256, bytes, rows: count } of files) {
    const stored = await readFile(key);
    if (stored === null) return `${key} is not stored`;
    if (stored.length !== bytes || sha256Hex(stored) !== sha256) return `${key} has another SHA-256`;
    const own = await decodeParquet(name, stored);
    if (own.length !== count) return `${key} has ${own.length} of ${count} rows`;
    for (const row of own) tree.append(hashRow(name, row));
    const current = await readRows?.(count);
    const isSame = own.every(
      (row, at) => current?.[at] === undefined || canonicalRow(name, row) === canonicalRow(name, current[at]),
    );
    if (current !== undefined && (current.length !== count || !isSame)) return `${key} differs from the database`;
  }
  if (tree.size !== rows || toHex(tree.root()) !== merkle_root) return `the files of ${name} have another Merkle root`;
  const beyond = await readRows?.(1);
  return beyond === undefined || beyond.length === 0 ? null : `the database has rows of ${name} that the archive lacks`;
}
