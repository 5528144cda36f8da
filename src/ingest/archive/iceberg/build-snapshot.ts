import type { ArtifactStore } from "../../../platform/artifacts/artifact-store.ts";
import type { NewSnapshot, TableMetadata, TableSnapshot } from "../../../platform/iceberg/table-metadata.ts";
import { DAY, HEAD, snapshotIdOf, type DatasetDayFiles } from "./dataset-day.ts";
import { DATA, dayNumber, encodeManifest } from "./manifest.ts";
import { encodeManifestList, parseManifestList, type ManifestFile } from "./manifest-list.ts";
import type { TableLayout } from "./table-schema.ts";

const AVRO = { contentType: "avro/binary", contentEncoding: null };

/**
 * Stores the manifest and the manifest list of a snapshot that adds a day's files to the current one.
 *
 * @throws Error when the table is in another bucket than the archive
 */
export async function buildSnapshot(
  { store, bucket }: { readonly store: ArtifactStore; readonly bucket: string },
  layout: TableLayout,
  table: TableMetadata,
  unit: DatasetDayFiles,
  now: Date,
): Promise<NewSnapshot> {
  const base = baseOf(table.location, bucket);
  const id = snapshotIdOf(unit);
  const sequence = table["last-sequence-number"] + 1;
  const parent = table.snapshots.find((snapshot) => snapshot["snapshot-id"] === table["current-snapshot-id"]) ?? null;
  if (parent === null && table["current-snapshot-id"] !== null) throw new Error("the Iceberg table lacks its snapshot");

  const folder = `${table.location.replace(/\/+$/, "")}/metadata`;
  const manifestPath = `${folder}/${unit.day}-${id}-m0.avro`;
  const manifest = encodeManifest(manifestPath, layout, id, unit.day, unit.files, base);
  await store.put(manifestPath.slice(base.length), manifest, AVRO);

  const listPath = `${folder}/snap-${id}-${sequence}-${parent?.["snapshot-id"] ?? 0}.avro`;
  const earlier = parent === null ? [] : await readManifests(store, parent, base);
  const added = describeManifest(manifestPath, manifest.length, layout, id, sequence, unit);
  const list = encodeManifestList(listPath, [added, ...earlier], {
    "snapshot-id": String(id),
    "parent-snapshot-id": String(parent?.["snapshot-id"] ?? "null"),
    "sequence-number": String(sequence),
  });
  await store.put(listPath.slice(base.length), list, AVRO);

  return {
    "snapshot-id": id,
    ...(parent === null ? {} : { "parent-snapshot-id": parent["snapshot-id"] }),
    "sequence-number": sequence,
    // A snapshot is not older than the table's last change, whatever the clocks of its writers say.
    "timestamp-ms": Math.max(now.getTime(), table["last-updated-ms"]),
    "manifest-list": listPath,
    "schema-id": layout.schema["schema-id"],
    summary: summarize(unit, parent),
  };
}

/** The start of every location in the bucket: `s3://archive/`. */
function baseOf(location: string, bucket: string): string {
  const [base, name] = /^[a-z0-9]+:\/\/([^/]+)\//.exec(location) ?? [];
  if (base === undefined || name !== bucket)
    throw new Error(`the Iceberg table is at ${location}, not in the bucket ${bucket} of the archive`);
  return base;
}

async function readManifests(store: ArtifactStore, parent: TableSnapshot, base: string): Promise<ManifestFile[]> {
  const location = parent["manifest-list"];
  const stored = location.startsWith(base) ? await store.read(location.slice(base.length)) : null;
  if (stored === null) throw new Error(`the manifest list ${location} is not in the bucket`);
  return parseManifestList(new Uint8Array(await new Response(stored).arrayBuffer()));
}

function describeManifest(
  path: string,
  length: number,
  { spec }: TableLayout,
  id: bigint,
  sequence: number,
  { day, files }: DatasetDayFiles,
): ManifestFile {
  // A date is four bytes, the lowest first (Iceberg table spec, "Binary single-value serialization").
  const bound = new Uint8Array(4);
  new DataView(bound.buffer).setInt32(0, dayNumber(day), true);
  return {
    ...{ manifest_path: path, manifest_length: BigInt(length), partition_spec_id: spec["spec-id"], content: DATA },
    ...{ sequence_number: BigInt(sequence), min_sequence_number: BigInt(sequence), added_snapshot_id: id },
    ...{ added_files_count: files.length, existing_files_count: 0, deleted_files_count: 0 },
    ...{ added_rows_count: rowsOf(files), existing_rows_count: 0n, deleted_rows_count: 0n },
    partitions: [{ contains_null: false, contains_nan: false, lower_bound: bound, upper_bound: bound }],
    key_metadata: null,
  };
}

const rowsOf = (files: DatasetDayFiles["files"]): bigint => BigInt(files.reduce((sum, { rows }) => sum + rows, 0));

/** What the snapshot changed, and the totals where those of its parent are known. */
function summarize({ day, head, files }: DatasetDayFiles, parent: TableSnapshot | null): Record<string, string> {
  const added = { "data-files": BigInt(files.length), records: rowsOf(files), "files-size": sizeOf(files) };
  const totals = Object.entries(added).flatMap(([name, count]) => {
    const before = parent === null ? "0" : parent.summary[`total-${name}`];
    return before === undefined ? [] : [[`total-${name}`, String(BigInt(before) + count)] as const];
  });
  return {
    operation: "append",
    ...Object.fromEntries(Object.entries(added).map(([name, count]) => [`added-${name}`, String(count)])),
    "changed-partition-count": "1",
    ...Object.fromEntries(totals),
    [DAY]: day,
    [HEAD]: head,
  };
}

const sizeOf = (files: DatasetDayFiles["files"]): bigint => BigInt(files.reduce((sum, { bytes }) => sum + bytes, 0));
