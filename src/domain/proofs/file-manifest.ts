import { z } from "zod";
import { canonicalJson } from "./canonical-json.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

/** The snapshot that a file has. */
const Snapshot = z.object({
  generation_id: z.uuid(),
  /** ISO, UTC. */
  selected_at: z.iso.datetime(),
  /** Of the event outbox. The horizon means nothing in another epoch. */
  epoch: z.int(),
  /** Decimal. Every row of a dataset was committed by a smaller transaction id. */
  commit_horizon_xid: z.string().regex(/^\d{1,20}$/),
});

/** Which rows the file has. */
const Selection = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("whale_dataset"),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    condition_id: z.string().nullable(),
    min_size_cents: z.int().nullable(),
  }),
  z.object({ kind: z.literal("trader_export"), trader_id: z.string(), address: z.string() }),
]);

/** What is signed about the file of a dataset or an export. */
export const FileManifest = z.object({
  type: z.literal("export_file"),
  version: z.literal(1),
  job_id: z.int().positive(),
  format: z.string(),
  schema_version: z.string(),
  selection: Selection,
  snapshot: Snapshot,
  row_count: count,
  content_size_bytes: count,
  content_sha256: hash,
  compressed_size_bytes: count,
  compressed_sha256: hash,
  /** Over the rows in the order of the file. */
  merkle_root: hash,
});

export type FileManifest = z.output<typeof FileManifest>;

/** The text that is signed. */
export const fileManifestText = (manifest: FileManifest): string => canonicalJson(manifest);
