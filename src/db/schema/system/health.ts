import { boolean, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { instant } from "../../columns.ts";

/**
 * The health of the service, once a minute, as the health operation states it, for 90 days. A minute without a row was not
 * measured: cron did not run, or the database did not answer it.
 */
export const healthMinutes = pgTable("health_minutes", {
  /** The start of the minute. */
  minute: instant("minute").primaryKey(),
  /** ok, degraded, down or maintenance. */
  status: text("status").notNull(),
  /** Null in maintenance, in which nothing is judged; the same holds for the next three. */
  isCacheUp: boolean("is_cache_up"),
  isWebhookCompatible: boolean("is_webhook_compatible"),
  isSchemaCurrent: boolean("is_schema_current"),
  /** Of the jobs that health expects. */
  healthyJobs: smallint("healthy_jobs"),
});
