import { defineOperation } from "../../api/operation.ts";
import { textParam } from "../../api/params.ts";
import { readPeriodReport } from "./read-report.ts";
import { ReportSnapshot } from "./schemas.ts";

export const getMonthlyReportSnapshot = defineOperation({
  kind: "single",
  id: "getMonthlyReportSnapshot",
  method: "get",
  path: "/api/v1/reports/monthly",
  tag: "Reports",
  summary: "Read the large trades of one month.",
  description: "Takes months with a day from the first covered one to tomorrow, in UTC. Names at most 200 of the largest trades.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    month: textParam({ pattern: /^\d{4}-\d{2}$/, required: true }).meta({
      description: "The month, YYYY-MM, in UTC; one without a covered day is refused.",
      example: "2026-11",
    }),
  },
  reasons: [],
  conditional: false,
  cacheSeconds: 60,
  restsOn: ["reports"],
  whileRefreshed: true,
  mcpTool: "get_monthly_report_snapshot",
  object: "report_snapshot",
  data: ReportSnapshot,
  handle: ({ query }, context) => readPeriodReport("monthly", query.month, "month", context),
});
