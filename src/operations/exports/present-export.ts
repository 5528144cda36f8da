import type { z } from "zod";
import { EXPORT_SCHEMA_VERSIONS } from "../../domain/exports/file-formats.ts";
import type { ExportJobRow } from "../../queries/exports/export-jobs.ts";
import { presentArtifact, presentJob, readyFile } from "../export-jobs/present-job.ts";
import type { TraderExportJob } from "./schemas.ts";

/** The envelope of a file has no such rows. */
const ABSENT = { coverage: "not_in_file", data_as_of: null } as const;

export function presentExport(job: ExportJobRow, now: Date): z.input<typeof TraderExportJob> {
  const { format } = job;
  const file = readyFile(job, now);
  const { job_id, status, ...rest } = presentJob(job, now);
  const head = { job_id, status, format, ...rest };
  if (file === null) return head;
  const { result } = file;
  const {
    etag: _,
    extraction_elapsed_ms: __,
    proof: ___,
    trade_coverage,
    first_activity_date,
    merkle_root,
    ...digest
  } = result;
  return {
    ...head,
    artifact: {
      ...presentArtifact(file, format),
      manifest: {
        manifest_version: "1",
        format,
        schema_version: EXPORT_SCHEMA_VERSIONS[format],
        coverage: format === "csv" ? "trades_only" : "full_envelope_and_trades",
        generation: {
          id: file.generationId,
          selected_at: file.selectedAt.toISOString(),
          consistency: "repeatable_read",
          source_watermarks: {
            positions: { source: "positions", generation: null, ...ABSENT },
            pnl: { source: "trader_days", coverage: ABSENT.coverage, revision: null, observed_at: null },
            categories: { source: "trader_profiles", publication_fence: null, ...ABSENT },
            trades: {
              source: "ledger_entries",
              coverage: trade_coverage ?? "unknown",
              rows: digest.row_count,
              first_activity_date: first_activity_date ?? null,
            },
          },
        },
        ...digest,
        merkle_root: merkle_root ?? null,
      },
    },
  };
}
