import { defineOperation } from "../../api/operation.ts";
import { textParam } from "../../api/request/query-params.ts";
import { readPeriodReport } from "./read-report.ts";
import { ReportSnapshot } from "./schemas.ts";

export const getDailyReportSnapshot = defineOperation({
  kind: "single",
  id: "getDailyReportSnapshot",
  method: "get",
  path: "/api/v1/reports/daily",
  tag: "Reports",
  summary: "Get the report on the large trades of one UTC day.",
  description: "Accepts days from the first covered day to tomorrow. Lists at most the 50 largest trades.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    date: textParam({ pattern: /^\d{4}-\d{2}-\d{2}$/, required: true }).meta({
      description: "The UTC day, YYYY-MM-DD, from the first covered day to tomorrow. Other days are 400.",
      example: "2026-11-20",
    }),
  },
  reasons: [],
  conditional: false,
  cacheSeconds: 60,
  cacheTags: ["reports"],
  staleWhileRevalidate: true,
  mcpTool: "get_daily_report_snapshot",
  object: "report_snapshot",
  data: ReportSnapshot,
  handle: ({ query }, context) => readPeriodReport("daily", query.date, "date", context),
});
