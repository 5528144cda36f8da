import { DAY_MS } from "../../../src/scoring/utc-calendar.ts";

/** YYYY-MM-DD of a number of days since 1970-01-01. */
export const dayOfNumber = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);
