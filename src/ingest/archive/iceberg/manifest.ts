import { sha256 } from "../../../domain/proofs/merkle-tree.ts";
import type { ArchiveFile } from "../../../domain/proofs/day-manifest.ts";
import type { AvroRecord } from "../../../lib/avro/avro-types.ts";
import { writeAvro } from "../../../lib/avro/write-avro.ts";
import { DAY_MS } from "../../../scoring/utc-calendar.ts";
import type { TableLayout } from "./table-schema.ts";

/** The status of an entry whose file the snapshot added. */
const ADDED = 1;
/** The content of a file or manifest with rows, not deletes. */
export const DATA = 0;

/** Days since 1970-01-01, the partition value of a day. @param day YYYY-MM-DD */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;

/** The marker between the blocks of a file of ours, so that the same content gives the same bytes. */
export const syncOf = (location: string): Uint8Array => sha256(new TextEncoder().encode(location)).slice(0, 16);

const optional = (name: string, id: number) =>
  ({ name, type: ["null", "long"], default: null, "field-id": id }) as const;

/**
 * The schema of a manifest of format version 2 (Iceberg table spec, "Manifests"). Optional metrics are left
 * out: the Parquet files have their own.
 */
const schemaOf = ({ dayField }: TableLayout): AvroRecord => ({
  type: "record",
  name: "manifest_entry",
  fields: [
    { name: "status", type: "int", "field-id": 0 },
    optional("snapshot_id", 1),
    optional("sequence_number", 3),
    optional("file_sequence_number", 4),
    {
      name: "data_file",
      "field-id": 2,
      type: {
        type: "record",
        name: "r2",
        fields: [
          { name: "content", type: "int", "field-id": 134 },
          { name: "file_path", type: "string", "field-id": 100 },
          { name: "file_format", type: "string", "field-id": 101 },
          {
            name: "partition",
            "field-id": 102,
            type: {
              type: "record",
              name: "r102",
              fields: [
                {
                  ...{ name: dayField.name, "field-id": dayField["field-id"], default: null },
                  type: ["null", { type: "int", logicalType: "date" }],
                },
              ],
            },
          },
          { name: "record_count", type: "long", "field-id": 103 },
          { name: "file_size_in_bytes", type: "long", "field-id": 104 },
        ],
      },
    },
  ],
});

/**
 * A manifest of the files of one day. Their sequence numbers are those of the commit, which the entries
 * inherit, so the manifest is the same in every attempt.
 *
 * @param location of the manifest
 * @param base of the files' locations, before their keys
 */
export function encodeManifest(
  location: string,
  layout: TableLayout,
  snapshotId: bigint,
  day: string,
  files: readonly ArchiveFile[],
  base: string,
): Uint8Array {
  const { schema, spec, dayField } = layout;
  const entries = files.map(({ key, rows, bytes }) => ({
    ...{ status: ADDED, snapshot_id: snapshotId, sequence_number: null, file_sequence_number: null },
    data_file: {
      ...{ content: DATA, file_path: `${base}${key}`, file_format: "PARQUET" },
      partition: { [dayField.name]: dayNumber(day) },
      ...{ record_count: BigInt(rows), file_size_in_bytes: BigInt(bytes) },
    },
  }));
  const metadata = {
    schema: JSON.stringify(schema),
    "schema-id": String(schema["schema-id"]),
    "partition-spec": JSON.stringify(spec.fields),
    "partition-spec-id": String(spec["spec-id"]),
    "format-version": "2",
    content: "data",
  };
  return writeAvro(schemaOf(layout), entries, metadata, syncOf(location));
}
