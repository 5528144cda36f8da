export const REPORT_KINDS = ["daily", "weekly", "monthly"] as const;

export type ReportKind = (typeof REPORT_KINDS)[number];

/** UTC days, both inclusive, as YYYY-MM-DD. */
export interface DayRange {
  readonly startOn: string;
  readonly endOn: string;
}

/** A day (`2026-11-20`), an ISO week (`2026-47`) or a month (`2026-11`), and the days in it. */
export interface ReportPeriod extends DayRange {
  readonly kind: ReportKind;
  readonly period: string;
}

/** How many of its largest trades a report names. Source: the contract. */
export const TOP_TRADES: Readonly<Record<ReportKind, number>> = { daily: 50, weekly: 100, monthly: 200 };

/** From a range's end until what is read of it may count as final: trades still arrive late. Source: the contract. */
export const SETTLING_MS = 7_530_000;

const DAY_MS = 86_400_000;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const addDays = (day: string, days: number): string => dayOf(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);

/** How many days a range has. */
export const countDays = ({ startOn, endOn }: DayRange): number => (Date.parse(endOn) - Date.parse(startOn)) / DAY_MS + 1;

/** The first instant after a range. */
export const closeOf = ({ endOn }: DayRange): Date => new Date(Date.parse(`${addDays(endOn, 1)}T00:00:00Z`));

export const finalAfter = (range: DayRange): Date => new Date(closeOf(range).getTime() + SETTLING_MS);

/** Years whose days have neighbours that four digits can write too. */
const isWritable = (year: string): boolean => year >= "0001" && year <= "9998";

/** A date that exists, as it was given, or null. */
export function parseDay(text: string): string | null {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) && isWritable(text.slice(0, 4)) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse reads 30 February as 2 March.
  return !Number.isNaN(ms) && dayOf(ms) === text ? text : null;
}

/** The period that a text of the kind's form names, or null when there is no such day, week or month. */
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
  if (year === undefined || week === undefined || !isWritable(year)) return null;
  const startOn = addDays(mondayOfFirstWeek(year), 7 * (Number(week) - 1));
  // A week belongs to the year of its Thursday: the 53rd may be the next year's first.
  return Number(week) >= 1 && addDays(startOn, 3).slice(0, 4) === year ? { startOn, endOn: addDays(startOn, 6) } : null;
}

/** The week of 4 January is a year's first. */
function mondayOfFirstWeek(year: string): string {
  const fourth = `${year}-01-04`;
  return addDays(fourth, -((new Date(`${fourth}T00:00:00Z`).getUTCDay() + 6) % 7));
}

function monthly(text: string): DayRange | null {
  const startOn = /^\d{4}-\d{2}$/.test(text) ? parseDay(`${text}-01`) : null;
  return startOn === null ? null : { startOn, endOn: addDays(`${addDays(startOn, 31).slice(0, 7)}-01`, -1) };
}
