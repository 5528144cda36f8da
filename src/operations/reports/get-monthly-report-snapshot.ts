import { defineOperation } from "../../api/operation.ts";
import { textParam } from "../../api/request/query-params.ts";
import { readPeriodReport } from "./read-report.ts";
import { ReportSnapshot } from "./schemas.ts";

export const getMonthlyReportSnapshot = defineOperation({
  kind: "single",
  id: "getMonthlyReportSnapshot",
  method: "get",
  path: "/api/v1/reports/monthly",
  tag: "Reports",
  summary: "Get the report on the large trades of one UTC month.",
  description:
    "Accepts UTC months with at least one day between the first covered day and tomorrow. Lists at most " +
    "the 200 largest trades.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    month: textParam({ pattern: /^\d{4}-\d{2}$/, required: true }).meta({
      description: "The UTC month, YYYY-MM. A month without a covered day is 400.",
      example: "2026-11",
    }),
  },
  reasons: [],
  conditional: false,
  cacheSeconds: 60,
  cacheTags: ["reports"],
  staleWhileRevalidate: true,
  mcpTool: "get_monthly_report_snapshot",
  object: "report_snapshot",
  data: ReportSnapshot,
  handle: ({ query }, context) => readPeriodReport("monthly", query.month, "month", context),
});
