import type { z } from "zod";
import { closeOf, countDays, finalAfter, type DayRange } from "../../domain/report-periods.ts";
import type { StoredReport } from "../../domain/stored-report.ts";
import type { ReportSnapshot } from "./schemas.ts";

type Completeness = z.input<typeof ReportSnapshot>["completeness"];

/** Whether nothing can be said of a range: its trades are not there because nobody has looked, which is not the same as none. */
export const isUnread = ({ read, trades }: StoredReport): boolean => read === "none" && trades === 0;

/** @param isFinal read when no more trades were to be expected */
export function judgeCompleteness(range: DayRange, report: StoredReport, isFinal: boolean, now: Date): Completeness {
  const { active_days: active, covered_from: coveredFrom } = report;
  const days = {
    expected_days: countDays(range),
    covered_days_with_large_trade_activity: active,
    covered_days_with_whale_activity: active,
  };
  const gaps = gapsOf(range, report, isFinal, now);
  if (report.trades === 0) {
    const nothing = isUnread(report) ? "Nothing is known of the range yet." : "No large trade was detected.";
    return { status: "empty", reason: [nothing, ...gaps].join(" "), ...days };
  }
  const isComplete = isFinal && coveredFrom === null;
  return { status: isComplete ? "complete" : "partial", reason: gaps.join(" ") || EVERY_DAY_READ, ...days };
}

const EVERY_DAY_READ = "Every day of the range has been read to its end.";

/** What keeps a range from being known in full, in sentences. */
function gapsOf(range: DayRange, { read, trades, covered_from: coveredFrom }: StoredReport, isFinal: boolean, now: Date): string[] {
  const settled = finalAfter(range);
  const begins = coveredFrom === null ? [] : [`Detection began on ${coveredFrom}; what was before in the range is not known.`];
  if (isFinal) return trades === 0 && coveredFrom === null ? [EVERY_DAY_READ] : begins;
  if (now < new Date(`${range.startOn}T00:00:00Z`)) return ["The range has not begun."];
  if (read === "none") return [...begins, "The trade feed has not been read into it without a gap."];
  if (now < closeOf(range)) return [...begins, "The range has not ended."];
  if (now < settled) return [...begins, `Trades may still arrive until ${settled.toISOString()}.`];
  return [...begins, read === "whole" ? "It was read before its end had settled." : "The trade feed has not been read to its end."];
}
