import type { ArchiveDatasetName } from "../../../domain/proofs/archive-datasets.ts";
import type { ArchiveFile } from "../../../domain/proofs/day-manifest.ts";
import { toHex } from "../../../domain/proofs/hex.ts";
import { sha256 } from "../../../domain/proofs/merkle-tree.ts";
import type { TableMetadata } from "../../../platform/iceberg/table-metadata.ts";

/** Properties of a table: the last day of the archive that was added to it, and the head of that day. */
export const LAST_DAY = "archive.last-day";
export const LAST_HEAD = "archive.last-head";
/** Keys in the summary of a snapshot: the day that it added, and the head of that day. */
export const DAY = "archive.day";
export const HEAD = "archive.head";

/** A dataset's day of the archive, with one file or more. */
export interface DatasetDayFiles {
  readonly dataset: ArchiveDatasetName;
  readonly day: string;
  /** The head of the day. */
  readonly head: string;
  readonly files: readonly ArchiveFile[];
}

/** The id of the snapshot that adds a day. Within the safe integers, for readers that parse ids as numbers. */
export const snapshotIdOf = ({ dataset, head }: Pick<DatasetDayFiles, "dataset" | "head">): bigint =>
  BigInt(`0x${toHex(sha256(new TextEncoder().encode(`${dataset} ${head}`))).slice(0, 13)}`);

/**
 * Whether the table has the day. Snapshots may have expired, and the properties name the last day only.
 *
 * @throws Error when the table has the day with other files
 */
export function hasDay({ properties, snapshots }: TableMetadata, { day, head, dataset }: DatasetDayFiles): boolean {
  const lastDay = properties[LAST_DAY];
  const own = snapshots.find(({ summary }) => summary[DAY] === day);
  const storedHead = lastDay === day ? properties[LAST_HEAD] : own?.summary[HEAD];
  if (storedHead !== undefined && storedHead !== head)
    throw new Error(`the Iceberg table of ${dataset} has ${day} of another archive`);
  return storedHead !== undefined || (lastDay !== undefined && lastDay >= day);
}
