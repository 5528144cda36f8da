import { z } from "zod";
import type { OperationContext } from "../../context.ts";
import { sizeText } from "../../domain/exports/dataset-range.ts";
import { DATASET_FORMATS } from "../../domain/exports/export-job.ts";
import { DATASET_SCHEMA_VERSION } from "../../domain/exports/file-formats.ts";
import type { ExportJobRow } from "../../queries/exports/export-jobs.ts";
import { filterKey, signReplayCursor } from "../events/replay-cursor.ts";
import { presentArtifact, presentJob, readyFile } from "../export-jobs/present-job.ts";
import { WhaleDatasetFilters, type WhaleDatasetJob } from "./schemas.ts";

const DatasetFormat = z.enum(DATASET_FORMATS);

type DatasetJob = z.input<typeof WhaleDatasetJob>;

export async function presentDataset(
  job: ExportJobRow,
  { config, now }: Pick<OperationContext, "config" | "now">,
): Promise<DatasetJob> {
  const filters = WhaleDatasetFilters.parse(job.request);
  const file = readyFile(job, now);
  const { job_id, status, ...rest } = presentJob(job, now);
  const format = DatasetFormat.parse(job.format);
  const head = { job_id, status, format, ...rest, filters };
  if (file === null) return head;
  const { result, generationId, selectedAt, horizonXid, epoch } = file;
  const minSize = filters.min_size_cents === null ? null : sizeText(filters.min_size_cents);
  const { etag: _, extraction_elapsed_ms, proof: __, merkle_root = null, ...digest } = result;
  return {
    ...head,
    artifact: {
      ...presentArtifact(file, format),
      manifest: {
        manifest_version: "1",
        format,
        schema_version: DATASET_SCHEMA_VERSION,
        coverage: "best_effort_detected_whale_alerts",
        generation: {
          dataset_schema_version: DATASET_SCHEMA_VERSION,
          id: generationId,
          selected_at: selectedAt.toISOString(),
          consistency: "repeatable_read_commit_horizon",
          filters,
          commit_horizon_xid: horizonXid,
          continuation: {
            path: "/api/v1/events/feed/since",
            // Ids begin at 1: every event of the horizon's own transaction follows this position.
            cursor: await signReplayCursor(config, {
              epoch,
              commitXid: horizonXid,
              id: "0",
              filters: filterKey({
                trader: null,
                condition: filters.condition_id,
                minGrade: null,
                minSize: minSize === null ? null : Number(minSize),
              }),
              sequence: 0,
            }),
            from_commit_xid: horizonXid,
            condition_id: filters.condition_id,
            min_size: minSize,
            deduplication_identity: "id: wt_ and the number that the replay has in payload.whale_alert_id",
            time_window_applies_to_deltas: false,
            delivery: "at_least_once",
          },
          source: "whale_alerts",
          coverage: "Large trades that were detected in the provider's feed of takers and stored by selected_at.",
          expires_at: job.expires_at.toISOString(),
          extraction_elapsed_ms,
        },
        ...digest,
        merkle_root,
      },
    },
  };
}
