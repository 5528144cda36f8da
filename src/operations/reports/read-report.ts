import type { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import type { SingleAnswer } from "../../api/operation.ts";
import type { OperationContext } from "../../context.ts";
import { addDays, finalAfter, parseDay, parsePeriod, TOP_TRADES, type DayRange, type ReportKind } from "../../domain/report-periods.ts";
import { computeReport, findReport } from "../../queries/reports.ts";
import { presentReport } from "./present-report.ts";
import type { ReportSnapshot } from "./schemas.ts";

type Answer = SingleAnswer<z.input<typeof ReportSnapshot>>;

const LONGEST_RANGE_DAYS = 31;

/**
 * The report of a day, an ISO week or a month: as it is stored, or as it comes out now while it is not.
 *
 * @param param what a refusal names
 * @throws ApiError invalid_query for a text that names no such period, and for one before the first covered day or after tomorrow
 */
export async function readPeriodReport(kind: ReportKind, text: string, param: string, { db, now }: OperationContext): Promise<Answer> {
  const period = parsePeriod(kind, text);
  if (period === null) throw refusal(param, `${param} names no ${NAMES[kind]} of the calendar.`);
  const { firstDay, snapshot } = await findReport(db, period);
  refuseUncovered(period, { start: param, end: param }, firstDay, now);
  if (snapshot !== null) {
    const { report, status, version, generated_at: generatedAt, source_read_started_at: readStartedAt } = snapshot;
    return { data: presentReport({ kind, range: period, report, status, version, generatedAt, readStartedAt }, now) };
  }
  const { report } = await computeReport(db, period, TOP_TRADES[kind]);
  // Not final before it is stored: what is stored then may name other grades.
  return { data: presentReport({ kind, range: period, report, status: "rolling", version: 0, ...clocks(now) }, now) };
}

const NAMES: Readonly<Record<ReportKind, string>> = { daily: "day", weekly: "ISO week", monthly: "month" };

/**
 * The report of up to 31 days, computed and not stored.
 *
 * @param params what a refusal names for either bound
 * @throws ApiError invalid_query for bounds that are no days, are turned around, too far apart or not covered
 */
export async function readRangeReport(
  bounds: { readonly from: string; readonly to: string },
  params: { readonly from: string; readonly to: string },
  { db, now }: OperationContext,
): Promise<Answer> {
  const [startOn, endOn] = [parseDay(bounds.from), parseDay(bounds.to)];
  if (startOn === null) throw refusal(params.from, `${bounds.from} is no day of the calendar.`);
  if (endOn === null) throw refusal(params.to, `${bounds.to} is no day of the calendar.`);
  if (endOn < startOn) throw refusal(params.to, "The last day must not be before the first.");
  if (endOn > addDays(startOn, LONGEST_RANGE_DAYS - 1)) throw refusal(params.from, `A range has at most ${LONGEST_RANGE_DAYS} days.`);
  const range = { startOn, endOn };
  const { firstDay, report } = await computeReport(db, range, TOP_TRADES.weekly);
  refuseUncovered(range, { start: params.from, end: params.to }, firstDay, now, { whole: true });
  const status = now >= finalAfter(range) && report.read === "whole" ? "final" : "rolling";
  return { data: presentReport({ kind: "weekly", range, report, status, version: 0, ...clocks(now) }, now) };
}

const clocks = (now: Date) => ({ generatedAt: now.toISOString(), readStartedAt: now.toISOString() });

const refusal = (param: string, message: string) => new ApiError("invalid_query", { param, message });

/**
 * Refuses what lies before the first covered day or after tomorrow. A period may reach beyond either; explicit bounds may not.
 */
function refuseUncovered(
  { startOn, endOn }: DayRange,
  params: { readonly start: string; readonly end: string },
  firstDay: string | null,
  now: Date,
  { whole }: { whole: boolean } = { whole: false },
): void {
  const today = now.toISOString().slice(0, 10);
  const [first, last] = [firstDay ?? today, addDays(today, 1)];
  const message = `Reports cover ${first} to ${last}.`;
  if ((whole ? startOn : endOn) < first) throw refusal(params.start, message);
  if ((whole ? endOn : startOn) > last) throw refusal(params.end, message);
}
