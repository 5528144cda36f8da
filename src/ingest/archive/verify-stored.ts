import type { DatasetDay } from "../../domain/proofs/day-manifest.ts";
import { toHex } from "../../domain/proofs/hex.ts";
import { MerkleTree } from "../../domain/proofs/merkle-tree.ts";
import { canonicalRow, hashRow } from "../../domain/proofs/row-leaf.ts";
import type { ArchiveDatasetName, ArchiveRow } from "../../domain/proofs/archive-datasets.ts";
import { PARQUET_WRITER } from "../../lib/parquet/parquet-columns.ts";
import { encodeParquet } from "./encode-parquet.ts";
import { sha256Hex } from "./put-once.ts";

/** Reads a stored file; null when it is not there. */
export type ReadFile = (key: string) => Promise<Uint8Array | null>;
/** The next rows of the database, in the order of leaves. */
export type ReadRows = (count: number) => Promise<readonly ArchiveRow[]>;

/** Reads the rows of a file. The Worker has no reader of Parquet. */
export type Decode = (name: ArchiveDatasetName, bytes: Uint8Array) => Promise<readonly ArchiveRow[]>;

/**
 * Compares the stored files of a dataset's day with its signed manifest: bytes by their SHA-256, rows by the
 * Merkle root. The rows are those of the files, of the database, or of both, which then must be equal. Without
 * `decode` the rows of the database must give the bytes of the file again.
 *
 * @param readRows null when the rows have left the database
 * @returns how they differ; null when they do not
 */
export async function findStoredProblem(
  { name, rows, merkle_root, files }: DatasetDay,
  readFile: ReadFile,
  {
    readRows,
    decode,
  }:
    | { readonly readRows: ReadRows; readonly decode: Decode | null }
    | { readonly readRows: null; readonly decode: Decode },
): Promise<string | null> {
  const tree = new MerkleTree();
  for (const { key, sha256, bytes, rows: count, writer } of files) {
    const stored = await readFile(key);
    if (stored === null) return `${key} is not stored`;
    if (stored.length !== bytes || sha256Hex(stored) !== sha256) return `${key} has another SHA-256`;
    const own = decode === null ? null : await decode(name, stored);
    if (own !== null && own.length !== count) return `${key} has ${own.length} of ${count} rows`;
    const current = readRows === null ? null : await readRows(count);
    if (current !== null && current.length !== count) return `${key} differs from the database`;
    if (own !== null && current !== null && !isSame(name, own, current)) return `${key} differs from the database`;
    if (own === null && current !== null && writer === PARQUET_WRITER) {
      if (sha256Hex(await encodeParquet(name, current)) !== sha256) return `${key} differs from the database`;
    }
    for (const row of own ?? current ?? []) tree.append(hashRow(name, row));
  }
  if (tree.size !== rows || toHex(tree.root()) !== merkle_root) return `the rows of ${name} have another Merkle root`;
  const beyond = await readRows?.(1);
  return beyond === undefined || beyond.length === 0 ? null : `the database has rows of ${name} that the archive lacks`;
}

const isSame = (name: ArchiveDatasetName, own: readonly ArchiveRow[], current: readonly ArchiveRow[]): boolean =>
  own.every((row, at) => canonicalRow(name, row) === canonicalRow(name, current[at] ?? []));
