import { z } from "zod";
import { JOB_STATES } from "../../domain/exports/export-job.ts";

/** @param example null for what has not happened to a job that is ready, as the other examples have it */
const instant = (description: string, example: string | null = "2026-11-21T12:00:05.000Z") =>
  z.iso
    .datetime()
    .nullable()
    .meta({ description: `${description}, UTC; null before.`, example });
const size = (description: string, example: number) => z.int().min(0).meta({ description, format: "int64", example });

/** The fields by which the manifests of both kinds name their snapshot. */
export const GENERATION_FIELDS = {
  id: z.uuid().meta({ description: "Id of the snapshot.", example: "3f6c2f0e-6f6d-4b0e-9a3f-0d5d3b9f4c11" }),
  selected_at: z.iso
    .datetime()
    .meta({ description: "When the snapshot was selected, UTC.", example: "2026-11-21T12:00:05.000Z" }),
};

/** The fields that jobs of both kinds share. */
export const JOB_FIELDS = {
  job_id: z.int().min(1).meta({ description: "Number of the job.", format: "int64", example: 17 }),
  status: z.enum(JOB_STATES).meta({
    description:
      "queued and running lead to ready. cancel_requested becomes cancelled. reconcile_required: the storage has not " +
      "confirmed the file, and it is checked again. ready, failed, expired and cancelled are final.",
    example: "ready",
  }),
  total_trades: z
    .int()
    .nullable()
    .meta({ description: "Trades of the snapshot; null until it is selected.", format: "int64", example: 5_120 }),
  processed_trades: z
    .int()
    .nullable()
    .meta({ description: "Trades read so far; null before the first.", format: "int64", example: 5_120 }),
  file_size: z.int().nullable().meta({
    description: "Bytes of the content, before compression; null until the job is ready.",
    format: "int64",
    example: 1_802_240,
  }),
  error: z.string().nullable().meta({ description: "Why a failed job failed; null otherwise.", example: null }),
  terminal: z.boolean().meta({ description: "Whether the status is final.", example: true }),
  next_action: z.enum(["poll", "download", "resubmit"]).meta({ description: "What to do next.", example: "download" }),
  poll_after_s: z
    .int()
    .optional()
    .meta({ description: "Seconds until the next poll; left out in a final status.", example: 5 }),
  created_at: z.iso
    .datetime()
    .meta({ description: "When the job was submitted, UTC.", example: "2026-11-21T12:00:00.000Z" }),
  started_at: instant("When a worker last took the job"),
  ready_at: instant("When the file was ready"),
  failed_at: instant("When the job failed", null),
  expires_at: z.iso.datetime().meta({
    description: "When the file is deleted: 24 hours after the submit, UTC.",
    example: "2026-11-22T12:00:00.000Z",
  }),
  expired_at: instant("When the file expired", null),
  data_as_of: instant("When the snapshot of the data was selected"),
  cancel_requested_at: instant("When the cancellation was requested", null),
  cancelled_at: instant("When the job was cancelled", null),
  attempt: z.int().min(0).meta({ description: "Attempts begun; 0 while queued.", example: 1 }),
  max_attempts: z.int().meta({ description: "Attempts after which the job fails.", example: 3 }),
};

/** The fields of an artifact beside its media type. */
export const ARTIFACT_FIELDS = {
  artifact_id: z.string().meta({
    description: "Id of the file. It stays the same when a new download link is issued.",
    example: "art_3f6c2f0e-6f6d-4b0e-9a3f-0d5d3b9f4c11",
  }),
  etag: z.string().nullable().meta({ description: "ETag of the stored file.", example: '"9b1c2d3e"' }),
  compressed_size_bytes: z
    .int()
    .nullable()
    .meta({ description: "Bytes of the stored file: gzip, or Parquet as it is.", format: "int64", example: 240_128 }),
  proof: z
    .object({
      manifest: z.string().meta({
        description: "The text that is signed: canonical JSON with the fields that docs/files.md names.",
        example: '{"compressed_sha256":"9f86d081…","type":"export_file","version":1}',
      }),
      signature: z
        .string()
        .regex(/^[0-9a-f]{128}$/)
        .meta({ description: "Ed25519 signature over the UTF-8 of the manifest, hex.", example: "e5".repeat(64) }),
      public_key: sha256("The key that verifies the signature, hex. Compare it with a copy that you trust."),
    })
    .nullable()
    .meta({
      id: "FileProof",
      description:
        "An addition to the contract. The signed manifest of the file: verify.mjs checks a download against it. Null: " +
        "see proof_unavailable_reason.",
    }),
  proof_unavailable_reason: z
    .enum(["no_signing_key", "earlier_release"])
    .nullable()
    .meta({
      description:
        "An addition to the contract. Why proof is null. no_signing_key: the service has no signing key. " +
        "earlier_release: the file was written before files were signed. Null with a proof.",
      example: null,
    }),
  content_encoding: z.literal("gzip").nullable().meta({
    description: "Encoding of the stored file; null for parquet, which is stored as it is.",
    example: "gzip",
  }),
};

/** Sizes and hashes of a file. */
export const DIGEST_FIELDS = {
  row_count: size("Trades in the file.", 5_120),
  content_size_bytes: size("Bytes of the content, after decompression.", 1_802_240),
  content_sha256: sha256("SHA-256 of the content, after decompression, lower-case hex."),
  compressed_size_bytes: size("Bytes of the stored file: gzip, or Parquet as it is.", 240_128),
  compressed_sha256: sha256("SHA-256 of the stored file, lower-case hex."),
  merkle_root: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .meta({
      description:
        "An addition to the contract. The Merkle root over the rows (RFC 6962), lower-case hex; null on files of an " +
        "earlier release.",
      example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    }),
};

function sha256(description: string) {
  return z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description, example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" });
}
