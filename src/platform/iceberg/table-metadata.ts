import { z } from "zod";

/** An id of 63 bits. A smaller one arrives as a number. */
const LongId = z.union([z.int(), z.bigint()]).transform(BigInt);

const TableField = z.object({ id: z.int(), name: z.string(), type: z.unknown(), required: z.boolean() });
const Schema = z.looseObject({ "schema-id": z.int(), fields: z.array(TableField) });
const PartitionField = z.object({
  "source-id": z.int(),
  "field-id": z.int(),
  name: z.string(),
  transform: z.string(),
});
const PartitionSpec = z.object({ "spec-id": z.int(), fields: z.array(PartitionField) });

const Snapshot = z.object({
  "snapshot-id": LongId,
  "manifest-list": z.string(),
  summary: z.record(z.string(), z.string()).default({}),
});

/** What we read of a table's metadata (Iceberg table spec, "Table Metadata Fields"). */
export const TableMetadata = z.object({
  "format-version": z.int(),
  "table-uuid": z.string(),
  location: z.string(),
  "last-sequence-number": z.int(),
  "last-updated-ms": z.int(),
  schemas: z.array(Schema),
  "current-schema-id": z.int(),
  "partition-specs": z.array(PartitionSpec),
  "default-spec-id": z.int(),
  properties: z.record(z.string(), z.string()).default({}),
  /** Of the branch `main`; null, absent or -1 in a table without snapshots. */
  "current-snapshot-id": LongId.nullish().transform((id) => (id === undefined || id === -1n ? null : id)),
  snapshots: z.array(Snapshot).default([]),
});

export type TableMetadata = z.output<typeof TableMetadata>;
export type TableSnapshot = z.output<typeof Snapshot>;

/** A table that is to be created. */
export interface NewTable {
  readonly name: string;
  readonly schema: object;
  readonly "partition-spec": object;
  readonly properties: Readonly<Record<string, string>>;
}

/** A snapshot that is to be added to `main`. */
export interface NewSnapshot {
  readonly "snapshot-id": bigint;
  readonly "parent-snapshot-id"?: bigint;
  readonly "sequence-number": number;
  readonly "timestamp-ms": number;
  readonly "manifest-list": string;
  readonly "schema-id": number;
  readonly summary: Readonly<Record<string, string>>;
}
