const DAY_MS = 86_400_000;

/**
 * Days from 1970-01-01 to a UTC date.
 *
 * @param day YYYY-MM-DD
 * @throws RangeError for any other text and for dates that do not exist
 */
export function dayNumber(day: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // Date.parse reads 30 February as 2 March.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== day) throw new RangeError(`not a date: ${day}`);
  return ms / DAY_MS;
}

/** YYYY-MM-DD of a number of days since 1970-01-01. */
export const dayOfNumber = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);
