import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { textParam } from "../../api/request/query-params.ts";
import { readPeriodReport, readRangeReport } from "./read-report.ts";
import { REPORT_OPERATION } from "./report-operation.ts";

const day = (description: string, example: string) =>
  textParam({ pattern: /^\d{4}-\d{2}-\d{2}$/ }).meta({ description, example });

export const getWeeklyReportSnapshot = defineOperation({
  ...REPORT_OPERATION,
  id: "getWeeklyReportSnapshot",
  path: "/api/v1/reports/weekly",
  summary: "Get the report on the large trades of one ISO week, or of a range of up to 31 days.",
  description:
    "Requires either `week` (Monday to Sunday, UTC) or both `from` and `to`, inclusive. The report of a " +
    "week is stored; the report of a range is computed for the request. Lists at most the 100 largest trades.",
  query: {
    from: day("First UTC day of the range, YYYY-MM-DD, inclusive. Requires `to` and excludes `week`.", "2026-11-16"),
    to: day("Last UTC day of the range, inclusive, at most 30 days after `from`.", "2026-11-18"),
    week: textParam({ pattern: /^\d{4}-\d{2}$/ }).meta({
      description:
        "The ISO week as year and week number. A week without a covered day is 400, and so is a request " +
        "without `week`, `from` and `to`.",
      example: "2026-47",
    }),
  },
  cacheSeconds: 5,
  mcpTool: "get_weekly_report_snapshot",
  handle({ query: { from, to, week } }, context) {
    if (week !== null) {
      if (from !== null || to !== null) throw invalidQuery("week", "week cannot be combined with from or to.");
      return readPeriodReport("weekly", week, "week", context);
    }
    if (from === null && to === null) throw invalidQuery("week", "Send week, or from and to.");
    if (from === null) throw invalidQuery("from", "to requires from.");
    if (to === null) throw invalidQuery("to", "from requires to.");
    return readRangeReport({ from, to }, { from: "from", to: "to" }, context);
  },
});

const invalidQuery = (param: string, message: string) => new ApiError("invalid_query", { param, message });
