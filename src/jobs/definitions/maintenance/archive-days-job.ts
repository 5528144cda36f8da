import { archiveNextPart } from "../../../ingest/archive/archive-days.ts";
import { defineJob } from "../../define-job.ts";

/** Writes each closed UTC day into the archive and signs it. It is paused without a signing key. */
export const archiveDaysJob = defineJob({
  name: "archive_days",
  lane: "maintenance",
  every: 600_000,
  needsSigningKey: true,
  run: async ({ pool, archive, now }) => archive !== null && archiveNextPart(pool, archive, new Date(now())),
});
