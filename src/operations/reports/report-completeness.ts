import type { z } from "zod";
import { rangeEnd, countDays, finalAfter, type DayRange } from "../../domain/reports/report-periods.ts";
import type { StoredReport } from "../../domain/reports/stored-report.ts";
import type { ReportSnapshot } from "./schemas.ts";

type Completeness = z.input<typeof ReportSnapshot>["completeness"];

/**
 * Whether the trades of a range have not been read, as opposed to read and empty. Its figures are then
 * null, not 0.
 */
export const isReportUnread = ({ read, trades }: StoredReport): boolean => read === "none" && trades === 0;

/** @param isFinal whether the report was read after the last time at which trades can arrive */
export function presentReportCompleteness(
  range: DayRange,
  report: StoredReport,
  isFinal: boolean,
  now: Date,
): Completeness {
  const { active_days: active, covered_from: coveredFrom } = report;
  const days = {
    expected_days: countDays(range),
    covered_days_with_large_trade_activity: active,
    covered_days_with_whale_activity: active,
  };
  const gaps = gapsOf(range, report, isFinal, now);
  if (report.trades === 0) {
    const emptyReason = isReportUnread(report)
      ? "No trades of the range have been read yet."
      : "No large trade was detected.";
    return { status: "empty", reason: [emptyReason, ...gaps].join(" "), ...days };
  }
  const isComplete = isFinal && coveredFrom === null;
  return { status: isComplete ? "complete" : "partial", reason: gaps.join(" ") || EVERY_DAY_READ, ...days };
}

const EVERY_DAY_READ = "Every day of the range has been read completely.";

/** The reasons why the range is not complete, one sentence each. */
function gapsOf(
  range: DayRange,
  { read, trades, covered_from: coveredFrom }: StoredReport,
  isFinal: boolean,
  now: Date,
): string[] {
  const finalAt = finalAfter(range);
  const startGap =
    coveredFrom === null ? [] : [`Detection began on ${coveredFrom}; earlier trades in the range are not known.`];
  if (isFinal) return trades === 0 && coveredFrom === null ? [EVERY_DAY_READ] : startGap;
  if (now < new Date(`${range.startOn}T00:00:00Z`)) return ["The range has not started."];
  if (read === "none") return [...startGap, "The trade feed has not been read up to the range without a gap."];
  if (now < rangeEnd(range)) return [...startGap, "The range has not ended."];
  if (now < finalAt) return [...startGap, `Trades may still arrive until ${finalAt.toISOString()}.`];
  return [
    ...startGap,
    read === "whole"
      ? "The range was read before the last trades could arrive."
      : "The trade feed has not been read to the end of the range.",
  ];
}
