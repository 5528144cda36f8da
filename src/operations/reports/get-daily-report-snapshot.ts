import { defineOperation } from "../../api/operation.ts";
import { textParam } from "../../api/request/query-params.ts";
import { readPeriodReport } from "./read-report.ts";
import { REPORT_OPERATION } from "./report-operation.ts";

export const getDailyReportSnapshot = defineOperation({
  ...REPORT_OPERATION,
  id: "getDailyReportSnapshot",
  path: "/api/v1/reports/daily",
  summary: "Get the report on the large trades of one UTC day.",
  description: "Accepts days from the first covered day to tomorrow. Lists at most the 50 largest trades.",
  query: {
    date: textParam({ pattern: /^\d{4}-\d{2}-\d{2}$/, required: true }).meta({
      description: "The UTC day, YYYY-MM-DD, from the first covered day to tomorrow. Other days are 400.",
      example: "2026-11-20",
    }),
  },
  cacheSeconds: 60,
  mcpTool: "get_daily_report_snapshot",
  handle: ({ query }, context) => readPeriodReport("daily", query.date, "date", context),
});
