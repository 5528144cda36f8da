import { retireNextDay } from "../../../ingest/archive/retire-days.ts";
import { defineJob } from "../../define-job.ts";
import { HOUR_MS } from "../../../scoring/utc-calendar.ts";

/** Deletes archived rows that only the archive reads, where a retention is configured. */
export const retireArchivedJob = defineJob({
  name: "retire_archived",
  lane: "maintenance",
  every: HOUR_MS,
  onlyWith: "archiveRetentionDays",
  needsSigningKey: true,
  run: async ({ pool, archive, archiveRetentionDays, now }) =>
    archive !== null &&
    archiveRetentionDays !== null &&
    retireNextDay(pool, archive.store, archiveRetentionDays, new Date(now())),
});
