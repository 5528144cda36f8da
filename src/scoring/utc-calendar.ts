export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** The length of a UTC day, which has no leap second, in milliseconds. */
export const DAY_MS = 24 * HOUR_MS;

/** The UTC date of an instant in Unix milliseconds, YYYY-MM-DD. */
export const utcDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The UTC month of an instant in Unix milliseconds, YYYY-MM. */
export const utcMonth = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

/** The first instant of the month that is this many months after the month of `ms`. Unix milliseconds. */
export function startOfMonth(ms: number, monthsLater = 0): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater, 1);
}

/** The first instant of the next UTC day. Unix milliseconds. */
export const startOfNextDay = (ms: number): number => (Math.floor(ms / DAY_MS) + 1) * DAY_MS;

/** The first instant of a UTC date YYYY-MM-DD, Unix milliseconds; null for other texts and missing dates. */
export function parseDate(text: string): number | null {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse reads 30 February as 2 March.
  return Number.isNaN(ms) || utcDate(ms) !== text ? null : ms;
}
