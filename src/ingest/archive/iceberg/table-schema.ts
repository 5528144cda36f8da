import {
  ARCHIVE_DATASETS,
  type ArchiveColumn,
  type ArchiveDataset,
  type ArchiveDatasetName,
} from "../../../domain/proofs/archive-datasets.ts";
import type { NewTable, TableMetadata } from "../../../platform/iceberg/table-metadata.ts";

/** The namespace of the tables, one for each dataset. The version is that of the files. */
export const NAMESPACE = "archive_v1";

/** The types of Iceberg that match the Parquet types of `parquetSchema`. */
const TYPES: Readonly<Record<ArchiveColumn["kind"], string>> = {
  integer: "long",
  instant: "timestamptz",
  float: "double",
  text: "string",
};

const fieldsOf = (name: ArchiveDatasetName) => {
  const { columns }: ArchiveDataset = ARCHIVE_DATASETS[name];
  return columns.map(({ name: column, kind, isNullable }, index) => ({
    ...{ id: index + 1, name: column, type: TYPES[kind], required: isNullable !== true },
  }));
};

/**
 * The table of a dataset. Its files are those of the archive, which have no field ids, so the table maps names
 * to them. A row belongs to the day of `recorded_at`, so the partition is computed from a column of the files:
 * readers need not know a column that only the path has.
 */
export function newTable(name: ArchiveDatasetName): NewTable {
  const fields = fieldsOf(name);
  return {
    name,
    schema: { type: "struct", "schema-id": 0, fields },
    "partition-spec": {
      "spec-id": 0,
      fields: [{ "source-id": 1, "field-id": 1000, name: "recorded_at_day", transform: "day" }],
    },
    properties: {
      "schema.name-mapping.default": JSON.stringify(
        fields.map(({ id, name: column }) => ({ "field-id": id, names: [column] })),
      ),
      // The files are the signed archive: no maintenance of the table may delete them.
      "gc.enabled": "false",
    },
  };
}

/** How the files of a table are described. */
export interface TableLayout {
  readonly schema: TableMetadata["schemas"][number];
  readonly spec: TableMetadata["partition-specs"][number];
  readonly dayField: TableMetadata["partition-specs"][number]["fields"][number];
}

/**
 * The current layout of a dataset's table.
 *
 * @throws Error when it is not the one that `newTable` asked for: files would be read wrongly
 */
export function layoutOf(name: ArchiveDatasetName, metadata: TableMetadata): TableLayout {
  const schema = metadata.schemas.find((candidate) => candidate["schema-id"] === metadata["current-schema-id"]);
  const spec = metadata["partition-specs"].find((candidate) => candidate["spec-id"] === metadata["default-spec-id"]);
  const columns = schema?.fields.map(({ id, name: column, type, required }) => ({ id, name: column, type, required }));
  const [dayField, ...others] = spec?.fields ?? [];
  if (
    metadata["format-version"] !== 2 ||
    schema === undefined ||
    JSON.stringify(columns) !== JSON.stringify(fieldsOf(name)) ||
    spec === undefined ||
    dayField === undefined ||
    others.length > 0 ||
    dayField["source-id"] !== 1 ||
    dayField.transform !== "day"
  )
    throw new Error(`the Iceberg table ${NAMESPACE}.${name} has another format, schema or partition than the archive`);
  return { schema, spec, dayField };
}
