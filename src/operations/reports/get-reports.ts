import { defineOperation } from "../../api/operation.ts";
import { requiredEnumParam, textParam } from "../../api/request/query-params.ts";
import { REPORT_KINDS } from "../../domain/reports/report-periods.ts";
import { readPeriodReport, readRangeReport } from "./read-report.ts";
import { REPORT_OPERATION } from "./report-operation.ts";

export const getReports = defineOperation({
  ...REPORT_OPERATION,
  id: "getReports",
  path: "/api/v1/reports",
  summary: "Get a report by granularity and period.",
  description:
    "Returns the same response as the daily, weekly and monthly routes. `period` is a day (`2026-11-20`) " +
    "with `daily`, an ISO week (`2026-47`) or a range of up to 31 days (`2026-11-16,2026-11-18`) with " +
    "`weekly`, and a month (`2026-11`) with `monthly`.",
  query: {
    granularity: requiredEnumParam(REPORT_KINDS).meta({ description: "The kind of report.", example: "weekly" }),
    period: textParam({ min: 1, required: true }).meta({
      description:
        "The day, ISO week, range of days or month, in the form that `granularity` requires. A period " +
        "that does not exist in the calendar or is not covered is 400.",
      example: "2026-47",
    }),
  },
  cacheSeconds: 5,
  mcpTool: "get_report",
  handle({ query: { granularity, period } }, context) {
    const [from, to, ...rest] = period.split(",");
    if (granularity === "weekly" && from !== undefined && to !== undefined && rest.length === 0) {
      return readRangeReport({ from, to }, { from: "period", to: "period" }, context);
    }
    return readPeriodReport(granularity, period, "period", context);
  },
});
