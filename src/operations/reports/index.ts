import type { Operation } from "../../api/operation.ts";
import { getDailyReportSnapshot } from "./get-daily-report-snapshot.ts";
import { getMonthlyReportSnapshot } from "./get-monthly-report-snapshot.ts";
import { getReports } from "./get-reports.ts";
import { getWeeklyReportSnapshot } from "./get-weekly-report-snapshot.ts";

export const REPORT_OPERATIONS: readonly Operation[] = [
  getReports,
  getDailyReportSnapshot,
  getWeeklyReportSnapshot,
  getMonthlyReportSnapshot,
];
