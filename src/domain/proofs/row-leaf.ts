import { ARCHIVE_DATASETS, type ArchiveDataset, type ArchiveDatasetName, type ArchiveRow } from "./archive-datasets.ts";
import { canonicalJson } from "./canonical-json.ts";
import { hashLeaf, type Hash } from "./merkle-tree.ts";

/**
 * Leaves under one stored subtree root. A power of two, so that the subtrees are subtrees of the whole tree.
 */
export const BLOCK_ROWS = 256;

/**
 * The canonical text of a row: an object of all columns and of `dataset`, keys in ascending order, values
 * text or null.
 *
 * @throws RangeError for text that is not valid Unicode, and for a row of another length than its dataset
 */
export function canonicalRow(name: ArchiveDatasetName, row: ArchiveRow): string {
  const { columns }: ArchiveDataset = ARCHIVE_DATASETS[name];
  if (row.length !== columns.length) throw new RangeError(`a row of ${name} has ${columns.length} columns`);
  const members = columns.map((column, index) => [column.name, row[index] ?? null] as const);
  return canonicalJson({ dataset: name, ...Object.fromEntries(members) });
}

export const hashRow = (name: ArchiveDatasetName, row: ArchiveRow): Hash => hashLeaf(canonicalRow(name, row));
