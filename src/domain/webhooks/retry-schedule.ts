/** After so many failed attempts a delivery is set aside as a dead letter. */
export const MAX_ATTEMPTS = 8;

/** Attempts are about a minute apart: a fifth more or less, so that endpoints that failed together do not come back together. */
const WAIT_MS = 60_000;
const JITTER = 0.2;
/** What a receiver asks for is granted within these. */
const SHORTEST_ASKED_MS = 60_000;
const LONGEST_ASKED_MS = 3_600_000;

/** The longest that the attempts of one delivery can take when no receiver asks for more, in seconds: seven waits of 72. */
export const RETRY_HORIZON_SECONDS = ((MAX_ATTEMPTS - 1) * WAIT_MS * (1 + JITTER)) / 1000;

/**
 * How long until the next attempt, in milliseconds: 48 to 72 seconds.
 *
 * @param random 0 to 1, 1 excluded
 */
export const retryWaitMs = (random: number): number => Math.round(WAIT_MS * (1 - JITTER + 2 * JITTER * random));

/**
 * How long a receiver asked to be left alone, in milliseconds, brought inside 60 seconds to an hour. Null where it asked for nothing that
 * is honoured: only answers 408, 429 and 5xx may ask.
 *
 * @param retryAfter the header: whole seconds or an HTTP date (RFC 9110 section 10.2.3); null when absent
 */
export function askedWaitMs(status: number, retryAfter: string | null, nowMs: number): number | null {
  if (retryAfter === null || !(status === 408 || status === 429 || status >= 500)) return null;
  const text = retryAfter.trim();
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : HTTP_DATE.test(text) ? Date.parse(text) - nowMs : NaN;
  return Number.isNaN(waitMs) ? null : Math.min(LONGEST_ASKED_MS, Math.max(SHORTEST_ASKED_MS, waitMs));
}

/** The form that is sent; the two obsolete ones are not read. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
