import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { textParam } from "../../api/params.ts";
import { readPeriodReport, readRangeReport } from "./read-report.ts";
import { ReportSnapshot } from "./schemas.ts";

const day = (description: string, example: string) => textParam({ pattern: /^\d{4}-\d{2}-\d{2}$/ }).meta({ description, example });

export const getWeeklyReportSnapshot = defineOperation({
  kind: "single",
  id: "getWeeklyReportSnapshot",
  method: "get",
  path: "/api/v1/reports/weekly",
  tag: "Reports",
  summary: "Read the large trades of one ISO week, or of up to 31 days.",
  description:
    "Takes either `week` (Monday to Sunday, UTC) or both `from` and `to`, inclusive. A week is stored; a range of days is computed for the request. Names at most 100 of the largest trades.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    from: day("First UTC day of a range, YYYY-MM-DD, included. Goes with `to`, and not with `week`.", "2026-11-16"),
    to: day("Last UTC day of the range, included, at most 30 days later.", "2026-11-18"),
    week: textParam({ pattern: /^\d{4}-\d{2}$/ }).meta({
      description: "The ISO week, year and number. One without a covered day is refused, as is leaving out this and both days.",
      example: "2026-47",
    }),
  },
  reasons: [],
  conditional: false,
  cacheSeconds: 5,
  restsOn: ["reports"],
  whileRefreshed: true,
  mcpTool: "get_weekly_report_snapshot",
  object: "report_snapshot",
  data: ReportSnapshot,
  handle({ query: { from, to, week } }, context) {
    if (week !== null) {
      if (from !== null || to !== null) throw refusal("week", "week does not go with from and to.");
      return readPeriodReport("weekly", week, "week", context);
    }
    if (from === null && to === null) throw refusal("week", "Give week, or from and to.");
    if (from === null) throw refusal("from", "to needs from.");
    if (to === null) throw refusal("to", "from needs to.");
    return readRangeReport({ from, to }, { from: "from", to: "to" }, context);
  },
});

const refusal = (param: string, message: string) => new ApiError("invalid_query", { param, message });
