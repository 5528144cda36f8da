import { z } from "zod";
import { EXPORT_FORMATS, TEXT_FORMATS } from "../../domain/exports/export-job.ts";
import { ARTIFACT_FIELDS, DIGEST_FIELDS, GENERATION_FIELDS, JOB_FIELDS } from "../export-jobs/job-fields.ts";
import { walletAddress } from "../shared-fields.ts";

const format = z
  .enum(EXPORT_FORMATS)
  .meta({ description: "Format of the file. parquet is an addition to the contract.", example: "csv" });
const NOT_IN_FILE = "not_in_file: the file has no such rows.";
const source = (example: string) => z.string().meta({ description: "Where the rows are stored.", example });
const coverage = z.string().meta({ description: NOT_IN_FILE, example: "not_in_file" });
const absentNumber = z
  .int()
  .nullable()
  .meta({ description: `Null: ${NOT_IN_FILE}`, format: "int64", example: null });
const absentTime = z.iso
  .datetime()
  .nullable()
  .meta({ description: `Null: ${NOT_IN_FILE}`, example: null });

const TraderExportSourceWatermarks = z
  .object({
    positions: z
      .object({ source: source("positions"), coverage, generation: absentNumber, data_as_of: absentTime })
      .meta({ id: "TraderExportPositionWatermark", description: "Positions." }),
    pnl: z
      .object({ source: source("trader_days"), coverage, revision: absentNumber, observed_at: absentTime })
      .meta({ id: "TraderExportPnlWatermark", description: "Daily profit." }),
    categories: z
      .object({ source: source("trader_profiles"), coverage, publication_fence: absentTime, data_as_of: absentTime })
      .meta({ id: "TraderExportCategoryWatermark", description: "Figures by category." }),
    trades: z
      .object({
        source: source("ledger_entries"),
        coverage: z.string().meta({
          description: "complete, partial, gaps, pending or untracked: how far the trader's history was known.",
          example: "complete",
        }),
        rows: z.int().min(0).meta({ description: "Trades in the file.", format: "int64", example: 5_120 }),
        first_activity_date: z.iso
          .date()
          .nullable()
          .meta({ description: "UTC date of the first trade; null without one.", example: "2026-01-05" }),
      })
      .meta({ id: "TraderExportTradeWatermark", description: "Trades." }),
  })
  .meta({ id: "TraderExportSourceWatermarks", description: "The state of each source in the snapshot." });

const TraderExportArtifactManifest = z
  .object({
    manifest_version: z.string().meta({ description: "Version of the manifest.", example: "1" }),
    format,
    schema_version: z
      .enum(["trader-export-json-v1", "trader-export-ndjson-v1", "trader-export-csv-v1", "trader-export-parquet-v1"])
      .meta({ description: "Version of the file's content.", example: "trader-export-csv-v1" }),
    coverage: z.enum(["full_envelope_and_trades", "trades_only"]).meta({
      description:
        "json and ndjson begin with an envelope about the trader, parquet has it in its footer; csv has only trades.",
      example: "trades_only",
    }),
    generation: z
      .object({
        ...GENERATION_FIELDS,
        consistency: z.literal("repeatable_read").meta({
          description: "The file was read in one REPEATABLE READ transaction.",
          example: "repeatable_read",
        }),
        source_watermarks: TraderExportSourceWatermarks,
      })
      .meta({ id: "TraderExportGeneration", description: "The snapshot that the file has." }),
    ...DIGEST_FIELDS,
  })
  .meta({ id: "TraderExportArtifactManifest", description: "What the file has, and how to check it." });

export const TraderExportJob = z
  .object({
    ...JOB_FIELDS,
    format,
    artifact: z
      .object({
        ...ARTIFACT_FIELDS,
        content_type: z
          .enum(["application/json", "application/x-ndjson", "text/csv", "application/vnd.apache.parquet"])
          .meta({ description: "Media type of the content.", example: "text/csv" }),
        manifest: TraderExportArtifactManifest.nullable().meta({
          description: "What the file has, and how to check it.",
        }),
      })
      .optional()
      .meta({ description: "The file; left out unless the job is ready." }),
  })
  .meta({ id: "TraderExportJobData", description: "A job that writes the trades of one trader, and its file." });

const day = (description: string) => z.iso.date().nullable().meta({ description, example: "2026-01-05" });
const time = (description: string) =>
  z.iso.datetime().nullable().meta({ description, example: "2026-11-20T12:00:00.000Z" });
const usd = (description: string) =>
  z.number().meta({ description: `${description}, in dollars.`, example: 182_400.5 });
const unknownUsd = z
  .number()
  .nullable()
  .meta({ description: "Null: the provider publishes its volume in shares, not in dollars.", example: null });
const route = (description: string, example: string) => z.string().meta({ description, example });

export const TraderExportSnapshot = z
  .object({
    address: walletAddress,
    generated_at: z.iso
      .datetime()
      .meta({ description: "When this was computed, UTC.", example: "2026-11-21T12:00:00.000Z" }),
    source_range: z
      .object({
        first_pnl_date: day("First UTC day with a booked entry; null without one."),
        last_pnl_date: day("Last UTC day with a booked entry; null without one."),
        latest_trade_at: time("Newest recorded trade, UTC; null without one."),
        latest_market_activity_at: time("Newest recorded trade, split, merge or conversion, UTC; null without one."),
      })
      .meta({ id: "ExportSourceRange", description: "The time that the record covers." }),
    completeness: z
      .object({
        status: z.enum(["complete", "partial", "empty"]).meta({
          description: "complete: all activity is recorded. partial: see the reason. empty: no trade is recorded.",
          example: "complete",
        }),
        reason: z.string().meta({ description: "Why.", example: "the trader's whole activity is recorded" }),
        sync_coverage: z.number().min(0).meta({
          description: "1 once the trader's activity has been read to its end, 0 before.",
          example: 1,
        }),
      })
      .meta({ id: "ExportCompleteness", description: "How far the trader's record is complete." }),
    reconciliation: z
      .object({
        provider_lifetime_volume: unknownUsd,
        exported_activity_volume: usd("Buys and sells of the export"),
        exported_market_cost_basis: usd("Buys of the export"),
        provider_activity_volume_gap: unknownUsd,
        activity_volume_coverage: unknownUsd,
      })
      .meta({ id: "ExportVolumeReconciliation", description: "The volume of the export beside the provider's." }),
    counts: z
      .object({
        pnl_days: z.int().meta({ description: "UTC days with a booked entry.", example: 120 }),
        exported_markets: z.int().meta({ description: "Markets with a trade.", example: 84 }),
        estimated_trade_rows: z.int().meta({ description: "Trades that an export would have now.", example: 5_120 }),
        estimated_size_mb: z
          .number()
          .meta({ description: "Size of its JSON content in megabytes, estimated.", example: 2.35 }),
      })
      .meta({ id: "ExportCounts", description: "What an export would have now." }),
    large_export_policy: z
      .object({
        mode: z
          .literal("v1_async_export")
          .meta({ description: "Exports are files of jobs.", example: "v1_async_export" }),
        current_internal_route: route("This operation.", "/api/v1/trader/{address}/export"),
        v1_async: z
          .object({
            submit_route: route(
              "Submits an export (POST).",
              "/api/v1/trader/{address}/export?format={format}&fresh=true",
            ),
            status_route: route("Its status.", "/api/v1/trader/{address}/export/status?job_id={job_id}"),
            download_route: route("Its file (302).", "/api/v1/trader/{address}/export/download?job_id={job_id}"),
            cancel_route: route("Cancels it (POST).", "/api/v1/trader/{address}/export/cancel?job_id={job_id}"),
            formats: z
              .array(z.enum(TEXT_FORMATS))
              .meta({ description: "Formats of the contract.", examples: [["json", "ndjson", "csv"]] }),
            added_formats: z
              .array(z.literal("parquet"))
              .meta({ description: "Formats that are an addition to the contract.", examples: [["parquet"]] }),
            status_values: z
              .array(JOB_FIELDS.status)
              .meta({ description: "Statuses of a job.", examples: [["queued", "ready"]] }),
            retention: z
              .string()
              .meta({ description: "How long a file can be downloaded.", example: "24 hours from the submit" }),
          })
          .meta({ description: "How to export." }),
        direct_streaming: z
          .object({ available: z.literal(false).meta({ description: "There is none.", example: false }) })
          .meta({ description: "Exports in the response itself." }),
        async_job: z
          .object({
            max_attempts: z.int().meta({ description: "Attempts before a job fails.", example: 3 }),
            max_read_seconds: z.int().meta({ description: "Longest time for reading the trades.", example: 600 }),
            max_content_bytes: z.int().meta({ description: "Largest content of a file.", example: 2_147_483_648 }),
          })
          .meta({ description: "Limits of a job." }),
        rate_limit: z
          .object({
            submits_per_day: z.int().meta({ description: "Exports and datasets of an account a day.", example: 20 }),
            submits_per_trader_per_hour: z.int().meta({ description: "Exports of one trader an hour.", example: 5 }),
          })
          .meta({ description: "Quotas. Cancelled and failed jobs count." }),
      })
      .meta({ id: "LargeExportPolicy", description: "How and how often to export." }),
  })
  .meta({ id: "TraderExportSnapshot", description: "What an export of the trader would have." });
