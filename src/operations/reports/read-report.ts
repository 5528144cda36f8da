import { utcDate } from "../../scoring/utc-calendar.ts";
import type { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import type { SingleResult } from "../../api/operation.ts";
import type { OperationContext } from "../../context.ts";
import {
  addDays,
  finalAfter,
  parseDay,
  parsePeriod,
  TOP_TRADES,
  type DayRange,
  type ReportKind,
} from "../../domain/reports/report-periods.ts";
import { computeReport, findReport } from "../../queries/stored-reports.ts";
import { presentReport } from "./present-report.ts";
import type { ReportSnapshot } from "./schemas.ts";

type ReportResponse = SingleResult<z.input<typeof ReportSnapshot>>;

const MAX_RANGE_DAYS = 31;

/**
 * Returns the stored report of a day, an ISO week or a month, or computes it if none is stored yet.
 *
 * @param param the query parameter that errors refer to
 * @throws ApiError invalid_query when the period does not exist, or lies before the first covered day or
 * after tomorrow
 */
export async function readPeriodReport(
  kind: ReportKind,
  text: string,
  param: string,
  { db, now }: OperationContext,
): Promise<ReportResponse> {
  const period = parsePeriod(kind, text);
  if (period === null) throw invalidQuery(param, `${param} is not a valid ${KIND_LABELS[kind]}.`);
  const { firstDay, snapshot } = await findReport(db, period);
  requireCovered(period, { start: param, end: param }, firstDay, now);
  if (snapshot !== null) {
    const { report, status, version, generated_at: generatedAt, source_read_started_at: readStartedAt } = snapshot;
    return { data: presentReport({ kind, range: period, report, status, version, generatedAt, readStartedAt }, now) };
  }
  const { report } = await computeReport(db, period, TOP_TRADES[kind]);
  // Never final: the report that is stored later may contain other grades.
  return {
    data: presentReport({ kind, range: period, report, status: "rolling", version: 0, ...timestamps(now) }, now),
  };
}

const KIND_LABELS: Readonly<Record<ReportKind, string>> = { daily: "day", weekly: "ISO week", monthly: "month" };

/**
 * Computes the report of a range of up to 31 days. The report is not stored.
 *
 * @param params the query parameters that errors refer to, one for each bound
 * @throws ApiError invalid_query for bounds that are not dates, are reversed, too far apart or not covered
 */
export async function readRangeReport(
  bounds: { readonly from: string; readonly to: string },
  params: { readonly from: string; readonly to: string },
  { db, now }: OperationContext,
): Promise<ReportResponse> {
  const [startOn, endOn] = [parseDay(bounds.from), parseDay(bounds.to)];
  if (startOn === null) throw invalidQuery(params.from, `${bounds.from} is not a valid date.`);
  if (endOn === null) throw invalidQuery(params.to, `${bounds.to} is not a valid date.`);
  if (endOn < startOn) throw invalidQuery(params.to, "The last day is before the first day.");
  if (endOn > addDays(startOn, MAX_RANGE_DAYS - 1))
    throw invalidQuery(params.from, `A range can have at most ${MAX_RANGE_DAYS} days.`);
  const range = { startOn, endOn };
  const { firstDay, report } = await computeReport(db, range, TOP_TRADES.weekly);
  requireCovered(range, { start: params.from, end: params.to }, firstDay, now, { whole: true });
  const status = now >= finalAfter(range) && report.read === "whole" ? "final" : "rolling";
  return { data: presentReport({ kind: "weekly", range, report, status, version: 0, ...timestamps(now) }, now) };
}

const timestamps = (now: Date) => ({ generatedAt: now.toISOString(), readStartedAt: now.toISOString() });

const invalidQuery = (param: string, message: string) => new ApiError("invalid_query", { param, message });

/**
 * Rejects ranges before the first covered day or after tomorrow. A period may overlap these limits;
 * explicit bounds (`whole`) must be within them.
 */
function requireCovered(
  { startOn, endOn }: DayRange,
  params: { readonly start: string; readonly end: string },
  firstDay: string | null,
  now: Date,
  { whole }: { whole: boolean } = { whole: false },
): void {
  const today = utcDate(now.getTime());
  const [first, last] = [firstDay ?? today, addDays(today, 1)];
  const message = `Reports cover ${first} to ${last}.`;
  if ((whole ? startOn : endOn) < first) throw invalidQuery(params.start, message);
  if ((whole ? endOn : startOn) > last) throw invalidQuery(params.end, message);
}
