import { HOUR_MS } from "../../scoring/utc-calendar.ts";

/** A pick is released, and sealed, this long before its kickoff. */
export const RELEASE_BEFORE_MS = HOUR_MS;

/** A game is considered from this long before its kickoff. */
export const SELECTION_HORIZON_MS = 12 * HOUR_MS;

/** Suggested wait while no instant may be named: nothing is chosen, or only what the caller may not open. */
export const RELEASE_POLL_SECONDS = 900;

/** Suggested wait while a released pick's holders or price cannot be read. */
export const PROOF_RETRY_SECONDS = 30;

/** A price older than this is not an entry or a closing price. */
export const PRICE_MAX_AGE_SECONDS = 600;

export const releaseAt = (kickoff: Date): Date => new Date(kickoff.getTime() - RELEASE_BEFORE_MS);

// Built on first use: constructing it takes about a millisecond.
let eastern: Intl.DateTimeFormat | null = null;

/** The product day of an instant: its date in US Eastern time, with daylight saving, as YYYY-MM-DD. */
export function productDayOf(instant: Date): string {
  eastern ??= new Intl.DateTimeFormat("en-CA", {
    ...{ timeZone: "America/New_York", calendar: "iso8601", numberingSystem: "latn" },
    ...{ year: "numeric", month: "2-digit", day: "2-digit" },
  });
  return eastern.format(instant);
}

/** The job that selects and publishes picks. Until its first success it is unknown whether a day has picks. */
export const PUBLISHING_JOB = "publish_picks";
