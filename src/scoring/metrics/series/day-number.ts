import { DAY_MS, parseDate } from "../../utc-calendar.ts";

/**
 * Days from 1970-01-01 to a UTC date.
 *
 * @param day YYYY-MM-DD
 * @throws RangeError for any other text and for dates that do not exist
 */
export function dayNumber(day: string): number {
  const ms = parseDate(day);
  if (ms === null) throw new RangeError(`not a date: ${day}`);
  return ms / DAY_MS;
}
