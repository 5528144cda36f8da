import { defineOperation } from "../../api/operation.ts";
import { textParam } from "../../api/params.ts";
import { readPeriodReport } from "./read-report.ts";
import { ReportSnapshot } from "./schemas.ts";

export const getDailyReportSnapshot = defineOperation({
  kind: "single",
  id: "getDailyReportSnapshot",
  method: "get",
  path: "/api/v1/reports/daily",
  tag: "Reports",
  summary: "Read the large trades of one UTC day.",
  description: "Takes days from the first covered one to tomorrow. Names at most 50 of the largest trades.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    date: textParam({ pattern: /^\d{4}-\d{2}-\d{2}$/, required: true }).meta({
      description: "The UTC day, YYYY-MM-DD, from the first covered one to tomorrow; others are refused.",
      example: "2026-11-20",
    }),
  },
  reasons: [],
  conditional: false,
  cacheSeconds: 60,
  restsOn: ["reports"],
  whileRefreshed: true,
  mcpTool: "get_daily_report_snapshot",
  object: "report_snapshot",
  data: ReportSnapshot,
  handle: ({ query }, context) => readPeriodReport("daily", query.date, "date", context),
});
