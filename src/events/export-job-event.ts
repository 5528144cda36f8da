import { z } from "zod";

const ExportJobData = z
  .looseObject({
    job_id: z.int().positive().meta({ description: "The job's id, as its status operation accepts it.", example: 17 }),
    kind: z.enum(["trader_export", "whale_dataset"]).meta({ description: "Kind of job.", example: "trader_export" }),
    status: z
      .enum(["ready", "failed", "expired", "cancelled"])
      .meta({ description: "Final status of the job.", example: "ready" }),
  })
  .meta({
    id: "WebhookExportJobData",
    description: "An export or dataset job of the account. The event never contains a download URL.",
  });

/** What the events of export jobs have in common. Nothing publishes them before export jobs exist. */
export const EXPORT_JOB_EVENT = { access: "owner", isLive: false, payload: ExportJobData } as const;
