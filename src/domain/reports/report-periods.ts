import { DAY_MS, parseDate, utcDate } from "../../scoring/utc-calendar.ts";

export const REPORT_KINDS = ["daily", "weekly", "monthly"] as const;

export type ReportKind = (typeof REPORT_KINDS)[number];

/** UTC days, both inclusive, as YYYY-MM-DD. */
export interface DayRange {
  readonly startOn: string;
  readonly endOn: string;
}

/** A day (`2026-11-20`), an ISO week (`2026-47`) or a month (`2026-11`), with its range of days. */
export interface ReportPeriod extends DayRange {
  readonly kind: ReportKind;
  readonly period: string;
}

/** The number of largest trades that a report lists. Source: the contract. */
export const TOP_TRADES: Readonly<Record<ReportKind, number>> = { daily: 50, weekly: 100, monthly: 200 };

/**
 * The time after a range's end until its data counts as final: trades still arrive late. Source: the
 * contract.
 */
export const SETTLING_MS = 7_530_000;

export const addDays = (day: string, days: number): string => utcDate(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);

/** The number of days in a range. */
export const countDays = ({ startOn, endOn }: DayRange): number =>
  (Date.parse(endOn) - Date.parse(startOn)) / DAY_MS + 1;

/** The first instant after a range. */
export const rangeEnd = ({ endOn }: DayRange): Date => new Date(Date.parse(`${addDays(endOn, 1)}T00:00:00Z`));

export const finalAfter = (range: DayRange): Date => new Date(rangeEnd(range).getTime() + SETTLING_MS);

/** Years for which the days before and after also have four-digit years. */
const isSupportedYear = (year: string): boolean => year >= "0001" && year <= "9998";

/** The text itself if it is an existing date, else null. */
export function parseDay(text: string): string | null {
  return parseDate(text) !== null && isSupportedYear(text.slice(0, 4)) ? text : null;
}

/** Parses a period of the given kind; null when no such day, week or month exists. */
export function parsePeriod(kind: ReportKind, text: string): ReportPeriod | null {
  const range = kind === "daily" ? daily(text) : kind === "weekly" ? weekly(text) : monthly(text);
  return range === null ? null : { kind, period: text, ...range };
}

function daily(text: string): DayRange | null {
  const day = parseDay(text);
  return day === null ? null : { startOn: day, endOn: day };
}

function weekly(text: string): DayRange | null {
  const [, year, week] = /^(\d{4})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined || week === undefined || !isSupportedYear(year)) return null;
  const startOn = addDays(mondayOfFirstWeek(year), 7 * (Number(week) - 1));
  // A week belongs to the year of its Thursday: a 53rd week may be the first week of the next year.
  return Number(week) >= 1 && addDays(startOn, 3).slice(0, 4) === year ? { startOn, endOn: addDays(startOn, 6) } : null;
}

/** The week of 4 January is the first week of a year. */
function mondayOfFirstWeek(year: string): string {
  const fourth = `${year}-01-04`;
  return addDays(fourth, -((new Date(`${fourth}T00:00:00Z`).getUTCDay() + 6) % 7));
}

function monthly(text: string): DayRange | null {
  const startOn = /^\d{4}-\d{2}$/.test(text) ? parseDay(`${text}-01`) : null;
  return startOn === null ? null : { startOn, endOn: addDays(`${addDays(startOn, 31).slice(0, 7)}-01`, -1) };
}
