import { defineOperation } from "../../api/operation.ts";
import { textParam } from "../../api/request/query-params.ts";
import { readPeriodReport } from "./read-report.ts";
import { REPORT_OPERATION } from "./report-operation.ts";

export const getMonthlyReportSnapshot = defineOperation({
  ...REPORT_OPERATION,
  id: "getMonthlyReportSnapshot",
  path: "/api/v1/reports/monthly",
  summary: "Get the report on the large trades of one UTC month.",
  description:
    "Accepts UTC months with at least one day between the first covered day and tomorrow. Lists at most " +
    "the 200 largest trades.",
  query: {
    month: textParam({ pattern: /^\d{4}-\d{2}$/, required: true }).meta({
      description: "The UTC month, YYYY-MM. A month without a covered day is 400.",
      example: "2026-11",
    }),
  },
  cacheSeconds: 60,
  mcpTool: "get_monthly_report_snapshot",
  handle: ({ query }, context) => readPeriodReport("monthly", query.month, "month", context),
});
