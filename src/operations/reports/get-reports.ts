import { defineOperation } from "../../api/operation.ts";
import { requiredEnumParam, textParam } from "../../api/params.ts";
import { REPORT_KINDS } from "../../domain/report-periods.ts";
import { readPeriodReport, readRangeReport } from "./read-report.ts";
import { ReportSnapshot } from "./schemas.ts";

export const getReports = defineOperation({
  kind: "single",
  id: "getReports",
  method: "get",
  path: "/api/v1/reports",
  tag: "Reports",
  summary: "Read a report by its granularity and period.",
  description:
    "The same answer as the daily, weekly and monthly routes. `period` is `2026-11-20` for a day, `2026-47` for an ISO week or `2026-11-16,2026-11-18` for up to 31 days with granularity weekly, and `2026-11` for a month.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    granularity: requiredEnumParam(REPORT_KINDS).meta({ description: "Which kind of report.", example: "weekly" }),
    period: textParam({ min: 1, required: true }).meta({
      description:
        "Which day, ISO week, range of days or month, as the granularity wants it. One that is not of the calendar or not covered is refused.",
      example: "2026-47",
    }),
  },
  reasons: [],
  conditional: false,
  cacheSeconds: 5,
  restsOn: ["reports"],
  whileRefreshed: true,
  mcpTool: "get_report",
  object: "report_snapshot",
  data: ReportSnapshot,
  handle({ query: { granularity, period } }, context) {
    const [from, to, ...rest] = period.split(",");
    if (granularity === "weekly" && from !== undefined && to !== undefined && rest.length === 0) {
      return readRangeReport({ from, to }, { from: "period", to: "period" }, context);
    }
    return readPeriodReport(granularity, period, "period", context);
  },
});
