import { z } from "zod";
import { EXPORT_FORMATS } from "../domain/exports/export-job.ts";

const ExportJobData = z
  .looseObject({
    job_id: z.int().positive().meta({ description: "The job's id, as its status operation accepts it.", example: 17 }),
    kind: z.enum(["trader_export", "whale_dataset"]).meta({ description: "Kind of job.", example: "trader_export" }),
    status: z
      .enum(["ready", "failed", "expired", "cancelled"])
      .meta({ description: "Final status of the job.", example: "ready" }),
    format: z.enum(EXPORT_FORMATS).meta({ description: "Format of the file.", example: "csv" }),
    trader_id: z
      .int()
      .optional()
      .meta({ description: "Row number of the exported trader: 12 is trd_12; left out on datasets.", example: 12 }),
    filters: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: "The filters of a dataset; left out on exports.", example: { condition_id: null } }),
    created_at: z.iso
      .datetime()
      .meta({ description: "When the job was submitted, UTC.", example: "2026-11-21T12:00:00.000Z" }),
    expires_at: z.iso
      .datetime()
      .meta({ description: "When the file is deleted, UTC.", example: "2026-11-22T12:00:00.000Z" }),
    error: z
      .string()
      .nullable()
      .meta({ description: "Why a failed job failed; null otherwise.", example: "The file could not be written." }),
  })
  .meta({
    id: "WebhookExportJobData",
    description: "An export or dataset job of the account. The event never contains a download URL.",
  });

/** What the events of export jobs have in common. `endJobs` of src/db/fragments publishes them. */
export const EXPORT_JOB_EVENT = { access: "owner", isLive: true, payload: ExportJobData } as const;
