import { z } from "zod";
import type { AvroRecord, AvroValue } from "../../../lib/avro/avro-types.ts";
import { readAvro } from "../../../lib/avro/read-avro.ts";
import { writeAvro } from "../../../lib/avro/write-avro.ts";
import { syncOf } from "./manifest.ts";

const FieldSummary = z.object({
  contains_null: z.boolean(),
  contains_nan: z.boolean().nullable().default(null),
  lower_bound: z.instanceof(Uint8Array).nullable().default(null),
  upper_bound: z.instanceof(Uint8Array).nullable().default(null),
});

/** A manifest of a snapshot (Iceberg table spec, "Manifest Lists"), by the names of its fields. */
const ManifestFile = z.object({
  manifest_path: z.string(),
  manifest_length: z.bigint(),
  partition_spec_id: z.int(),
  content: z.int().default(0),
  sequence_number: z.bigint().default(0n),
  min_sequence_number: z.bigint().default(0n),
  added_snapshot_id: z.bigint(),
  added_files_count: z.int(),
  existing_files_count: z.int(),
  deleted_files_count: z.int(),
  added_rows_count: z.bigint(),
  existing_rows_count: z.bigint(),
  deleted_rows_count: z.bigint(),
  partitions: z.array(FieldSummary).nullable().default(null),
  key_metadata: z.instanceof(Uint8Array).nullable().default(null),
});

export type ManifestFile = z.output<typeof ManifestFile>;

const field = <T extends AvroRecord["fields"][number]["type"]>(name: string, id: number, type: T) =>
  ({ name, type, "field-id": id }) as const;
const optional = <T extends "boolean" | "bytes">(name: string, id: number, type: T) =>
  ({ name, type: ["null", type], default: null, "field-id": id }) as const;

const SUMMARY: AvroRecord = {
  type: "record",
  name: "r508",
  fields: [
    field("contains_null", 509, "boolean"),
    optional("contains_nan", 518, "boolean"),
    optional("lower_bound", 510, "bytes"),
    optional("upper_bound", 511, "bytes"),
  ],
};

const SCHEMA: AvroRecord = {
  type: "record",
  name: "manifest_file",
  fields: [
    field("manifest_path", 500, "string"),
    field("manifest_length", 501, "long"),
    field("partition_spec_id", 502, "int"),
    field("content", 517, "int"),
    field("sequence_number", 515, "long"),
    field("min_sequence_number", 516, "long"),
    field("added_snapshot_id", 503, "long"),
    field("added_files_count", 504, "int"),
    field("existing_files_count", 505, "int"),
    field("deleted_files_count", 506, "int"),
    field("added_rows_count", 512, "long"),
    field("existing_rows_count", 513, "long"),
    field("deleted_rows_count", 514, "long"),
    {
      ...{ name: "partitions", default: null, "field-id": 507 },
      type: ["null", { type: "array", items: SUMMARY, "element-id": 508 }],
    },
    optional("key_metadata", 519, "bytes"),
  ],
};

const NAMES = new Map(SCHEMA.fields.map((own) => [own["field-id"], own.name]));

/**
 * The manifests of a snapshot, also of one that another writer committed. Fields are found by their ids:
 * writers name some of them differently.
 *
 * @throws Error for a file that is no manifest list
 */
export async function parseManifestList(bytes: Uint8Array): Promise<ManifestFile[]> {
  const { schema, records } = await readAvro(bytes);
  const names = schema.fields.map((own) => [own.name, NAMES.get(own["field-id"])] as const);
  return records.map((record) => {
    const known = names.flatMap(([from, to]) => (to === undefined ? [] : [[to, record[from]] as const]));
    return ManifestFile.parse(Object.fromEntries(known));
  });
}

/** The manifest list of a snapshot. @param metadata the snapshot's ids, for the header */
export function encodeManifestList(
  location: string,
  manifests: readonly ManifestFile[],
  metadata: Readonly<Record<string, string>>,
): Uint8Array {
  const records: { readonly [name: string]: AvroValue }[] = manifests.map((manifest) => ({ ...manifest }));
  return writeAvro(SCHEMA, records, { ...metadata, "format-version": "2" }, syncOf(location));
}
