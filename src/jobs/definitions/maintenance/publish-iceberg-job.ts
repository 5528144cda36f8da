import { publishNextDay } from "../../../ingest/archive/iceberg/publish-iceberg.ts";
import { defineJob } from "../../define-job.ts";

/** Adds the signed days of the archive to Iceberg tables, where a catalog is configured. */
export const publishIcebergJob = defineJob({
  name: "publish_iceberg",
  lane: "maintenance",
  every: 600_000,
  onlyWith: "iceberg",
  run: async ({ pool, iceberg, now }) => iceberg !== null && publishNextDay(pool, iceberg, new Date(now())),
});
