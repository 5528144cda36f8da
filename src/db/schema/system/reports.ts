import { sql } from "drizzle-orm";
import { check, date, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant } from "../../columns.ts";

/**
 * The stored report of one UTC day, ISO week or month. `version` counts how often its content has changed.
 */
export const reportSnapshots = pgTable(
  "report_snapshots",
  {
    kind: text("kind").notNull(),
    /** `2026-11-20`, `2026-47` or `2026-11`. */
    period: text("period").notNull(),
    startOn: date("start_on").notNull(),
    endOn: date("end_on").notNull(),
    version: integer("version").notNull(),
    status: text("status").notNull(),
    generatedAt: instant("generated_at").notNull(),
    sourceReadStartedAt: instant("source_read_started_at").notNull(),
    /** A fingerprint of the report's input: an equal fingerprint means an equal report. */
    basis: text("basis").notNull(),
    /** `StoredReport` of src/domain/reports/stored-report.ts describes it. */
    report: jsonb("report").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.period] }),
    index("report_snapshots_rolling")
      .on(table.endOn)
      .where(sql`status = 'rolling'`),
    check("report_snapshots_kind", sql`${table.kind} in ('daily', 'weekly', 'monthly')`),
    check("report_snapshots_status", sql`${table.status} in ('rolling', 'final')`),
  ],
);
