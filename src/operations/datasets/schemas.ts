import { z } from "zod";
import { DATASET_FORMATS } from "../../domain/exports/export-job.ts";
import { ARTIFACT_FIELDS, DIGEST_FIELDS, GENERATION_FIELDS, JOB_FIELDS } from "../export-jobs/job-fields.ts";
import { EXAMPLE_CONDITION_ID } from "../shared-fields.ts";

const format = z.enum(DATASET_FORMATS).meta({
  description: "Format of the file. parquet is an addition to the contract.",
  example: "ndjson",
});
const range = (description: string, example: string) => z.iso.datetime({ offset: true }).meta({ description, example });

export const WhaleDatasetRequest = z
  .strictObject({
    from: range("Start of the range, included.", "2026-11-14T00:00:00Z"),
    to: range("End of the range, excluded. It must not be in the future.", "2026-11-21T00:00:00Z"),
    condition_id: z.string().optional().meta({
      description: "Only this market, by condition id or mkt_ id. An unknown market is 400.",
      example: "mkt_7",
    }),
    min_size: z.number().optional().meta({
      description: "Minimum size in dollars, without fees, rounded to cents. Sizes are compared in cents.",
      example: 25_000,
    }),
    format: format.default("ndjson").meta({
      description:
        "Format of the file: ndjson, or parquet with the same rows. An addition to the contract, which has ndjson only.",
      example: "ndjson",
    }),
  })
  .meta({
    id: "WhaleDatasetRequest",
    description: "Which trades: those with from <= traded_at < to. The range must not be longer than 31 days.",
  });

export const WhaleDatasetFilters = z
  .object({
    from: z.iso
      .datetime()
      .meta({ description: "Start of the range, included, UTC.", example: "2026-11-14T00:00:00.000Z" }),
    to: z.iso.datetime().meta({ description: "End of the range, excluded, UTC.", example: "2026-11-21T00:00:00.000Z" }),
    condition_id: z
      .string()
      .nullable()
      .meta({ description: "Condition id of the market; null for all markets.", example: EXAMPLE_CONDITION_ID }),
    min_size_cents: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: "Minimum size in cents; null for all sizes.", example: 2_500_000 }),
  })
  .meta({ id: "WhaleDatasetFilters", description: "The filters of the dataset." });

const WhaleDatasetContinuation = z
  .object({
    path: z
      .literal("/api/v1/events/feed/since")
      .meta({ description: "The operation that continues after the file.", example: "/api/v1/events/feed/since" }),
    cursor: z
      .string()
      .meta({ description: "Its first cursor. Send the two filters below with it.", example: "evr_eyJlIjoxfQ.c2ln" }),
    from_commit_xid: z
      .string()
      .meta({ description: "Decimal. The first transaction of the replay.", example: "90120" }),
    condition_id: z
      .string()
      .nullable()
      .meta({ description: "The filter condition_id; null: leave it out.", example: EXAMPLE_CONDITION_ID }),
    min_size: z
      .string()
      .nullable()
      .meta({ description: "The filter min_size, in dollars; null: leave it out.", example: "25000" }),
    deduplication_identity: z.string().meta({
      description: "How a trade of the file is recognised in the replay.",
      example: "id (wt_ and payload.whale_alert_id)",
    }),
    time_window_applies_to_deltas: z.literal(false).meta({
      description: "The replay has trades of any time: filter them by traded_at.",
      example: false,
    }),
    delivery: z.string().meta({
      description: "How often the replay has a trade. Events are kept for seven days.",
      example: "at_least_once",
    }),
  })
  .meta({ id: "WhaleDatasetContinuation", description: "How to continue after the file without a gap." });

const WhaleDatasetGeneration = z
  .object({
    dataset_schema_version: z
      .literal("whale_dataset_v1")
      .meta({ description: "Version of the rows.", example: "whale_dataset_v1" }),
    ...GENERATION_FIELDS,
    consistency: z.literal("repeatable_read_commit_horizon").meta({
      description: "All trades that were committed below the horizon of one REPEATABLE READ snapshot.",
      example: "repeatable_read_commit_horizon",
    }),
    filters: WhaleDatasetFilters,
    commit_horizon_xid: z
      .string()
      .meta({ description: "Decimal. Every line has a smaller inserted_xid.", example: "90120" }),
    continuation: WhaleDatasetContinuation,
    source: z.literal("whale_alerts").meta({ description: "The stored large trades.", example: "whale_alerts" }),
    coverage: z.string().meta({
      description: "What the file covers.",
      example: "large trades that were detected in the taker feed",
    }),
    expires_at: z.iso
      .datetime()
      .meta({ description: "When the file is deleted, UTC.", example: "2026-11-22T12:00:00.000Z" }),
    extraction_elapsed_ms: z
      .int()
      .min(0)
      .meta({ description: "Milliseconds from the selection to the finished file.", example: 2_140 }),
  })
  .meta({ id: "WhaleDatasetGeneration", description: "The snapshot that the file has." });

const WhaleDatasetArtifactManifest = z
  .object({
    manifest_version: z.string().meta({ description: "Version of the manifest.", example: "1" }),
    format,
    schema_version: z
      .literal("whale_dataset_v1")
      .meta({ description: "Version of the rows.", example: "whale_dataset_v1" }),
    coverage: z.literal("best_effort_detected_whale_alerts").meta({
      description: "Large trades as they were detected; a trade that is never detected is missing.",
      example: "best_effort_detected_whale_alerts",
    }),
    generation: WhaleDatasetGeneration,
    ...DIGEST_FIELDS,
  })
  .meta({ id: "WhaleDatasetArtifactManifest", description: "What the file has, and how to check it." });

export const WhaleDatasetJob = z
  .object({
    ...JOB_FIELDS,
    format,
    filters: WhaleDatasetFilters,
    artifact: z
      .object({
        ...ARTIFACT_FIELDS,
        content_type: z
          .enum(["application/x-ndjson", "application/vnd.apache.parquet"])
          .meta({ description: "Media type of the content.", example: "application/x-ndjson" }),
        manifest: WhaleDatasetArtifactManifest.nullable().meta({
          description: "What the file has, and how to check it.",
        }),
      })
      .optional()
      .meta({ description: "The file; left out unless the job is ready." }),
  })
  .meta({ id: "WhaleDatasetJobData", description: "A job that writes a dataset, and its file." });
