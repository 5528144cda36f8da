import type { ArchiveDatasetName } from "../../../domain/proofs/archive-datasets.ts";
import type { ArchiveFile } from "../../../domain/proofs/day-manifest.ts";
import type { ArtifactStore } from "../../../platform/artifacts/artifact-store.ts";
import { CatalogError, type RestCatalog } from "../../../platform/iceberg/rest-catalog.ts";
import type { TableMetadata } from "../../../platform/iceberg/table-metadata.ts";
import { buildSnapshot } from "./build-snapshot.ts";
import { hasDay, LAST_DAY, LAST_HEAD, type DatasetDayFiles } from "./dataset-day.ts";
import { layoutOf, NAMESPACE, newTable } from "./table-schema.ts";

/** Commits of one run. Others write to the tables rarely, and the next run continues. */
const MAX_ATTEMPTS = 3;

/** The tables, and the bucket of their files, which is that of the archive. */
export interface IcebergTarget {
  readonly catalog: RestCatalog;
  readonly store: ArtifactStore;
  readonly bucket: string;
}

/** `behind`: the table lacks a day that it had, so its days must be added again from behind `lastDay` on. */
export type AppendOutcome =
  | { readonly state: "appended" }
  | { readonly state: "behind"; readonly lastDay: string | null };

/**
 * Adds a day's files to the table of their dataset, exactly once. The commit that adds them also sets the
 * table's last day, and only the table itself says whether a day was added: it is read after every commit,
 * whatever the catalog responded. A commit that takes effect late makes the next one conflict.
 *
 * @param previous the last day that was added to the table; null for none
 * @throws CatalogError when the table does not have the day after some commits; a later run continues
 * @throws Error for a table that is not ours, or that has the day with other files
 */
export async function appendDay(
  target: IcebergTarget,
  unit: DatasetDayFiles,
  previous: string | null,
  now: Date,
): Promise<AppendOutcome> {
  const { catalog } = target;
  await requireFiles(target.store, unit.files);
  for (let attempt = 0; ; attempt++) {
    const table = (await catalog.loadTable(NAMESPACE, unit.dataset)) ?? (await createTable(catalog, unit.dataset));
    if (hasDay(table, unit)) return { state: "appended" };
    const lastDay = table.properties[LAST_DAY] ?? null;
    if (previous !== null && (lastDay === null || lastDay < previous)) return { state: "behind", lastDay };
    if (attempt === MAX_ATTEMPTS) throw new CatalogError(`${unit.dataset} of ${unit.day} is not in its Iceberg table`);
    const snapshot = await buildSnapshot(target, layoutOf(unit.dataset, table), table, unit, now);
    const properties = { [LAST_DAY]: unit.day, [LAST_HEAD]: unit.head };
    await catalog.commit(NAMESPACE, unit.dataset, table, snapshot, properties);
  }
}

async function createTable(catalog: RestCatalog, dataset: ArchiveDatasetName): Promise<TableMetadata> {
  await catalog.createTable(NAMESPACE, newTable(dataset));
  return loadAgain(catalog, dataset);
}

async function loadAgain(catalog: RestCatalog, dataset: ArchiveDatasetName): Promise<TableMetadata> {
  const table = await catalog.loadTable(NAMESPACE, dataset);
  if (table === null) throw new CatalogError(`the Iceberg catalog has no table ${NAMESPACE}.${dataset}`);
  return table;
}

/** A table never refers to a file that is not stored. */
async function requireFiles(store: ArtifactStore, files: readonly ArchiveFile[]): Promise<void> {
  for (const { key, bytes } of files) {
    const stored = await store.head(key);
    if (stored?.size !== bytes) throw new Error(`${key} is not stored with ${bytes} bytes`);
  }
}
