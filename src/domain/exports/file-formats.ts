import type { ExportFormat } from "./export-job.ts";

/** Media types of the content. */
export const CONTENT_TYPES = {
  json: "application/json",
  ndjson: "application/x-ndjson",
  csv: "text/csv",
  parquet: "application/vnd.apache.parquet",
} as const satisfies Record<ExportFormat, string>;

/** How files are stored. Parquet compresses its own pages. */
export const CONTENT_ENCODINGS = {
  json: "gzip",
  ndjson: "gzip",
  csv: "gzip",
  parquet: null,
} as const satisfies Record<ExportFormat, string | null>;

/** Versions of the content of trader exports. */
export const EXPORT_SCHEMA_VERSIONS = {
  json: "trader-export-json-v1",
  ndjson: "trader-export-ndjson-v1",
  csv: "trader-export-csv-v1",
  parquet: "trader-export-parquet-v1",
} as const satisfies Record<ExportFormat, string>;

/** Version of the rows of datasets. */
export const DATASET_SCHEMA_VERSION = "whale_dataset_v1";
