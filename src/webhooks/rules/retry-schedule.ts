import { HOUR_MS, MINUTE_MS } from "../../scoring/utc-calendar.ts";

/** After this many failed attempts a delivery becomes a dead letter. */
export const MAX_ATTEMPTS = 8;

/**
 * Attempts are about a minute apart, with 20 % jitter, so that endpoints that failed together are not retried
 * together.
 */
const WAIT_MS = MINUTE_MS;
const JITTER = 0.2;
/** Bounds of the wait that a receiver requests with Retry-After. */
export const MIN_REQUESTED_MS = MINUTE_MS;
export const MAX_REQUESTED_MS = HOUR_MS;

/**
 * The longest time for all attempts of one delivery, unless a receiver requests more, in seconds: seven waits
 * of 72.
 */
export const RETRY_HORIZON_SECONDS = ((MAX_ATTEMPTS - 1) * WAIT_MS * (1 + JITTER)) / 1000;

/**
 * The time until the next attempt, in milliseconds: 48 to 72 seconds.
 *
 * @param random 0 to 1, 1 excluded
 */
export const retryWaitMs = (random: number): number => Math.round(WAIT_MS * (1 - JITTER + 2 * JITTER * random));

/**
 * The wait that a receiver requested, in milliseconds, clamped to 60 seconds to one hour. Null when there is
 * no valid request; only responses 408, 429 and 5xx may request a wait.
 *
 * @param retryAfter the header: whole seconds or an HTTP date (RFC 9110 section 10.2.3); null when absent
 */
export function requestedWaitMs(status: number, retryAfter: string | null, nowMs: number): number | null {
  if (retryAfter === null || !(status === 408 || status === 429 || status >= 500)) return null;
  const text = retryAfter.trim();
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : HTTP_DATE.test(text) ? Date.parse(text) - nowMs : NaN;
  return Number.isNaN(waitMs) ? null : Math.min(MAX_REQUESTED_MS, Math.max(MIN_REQUESTED_MS, waitMs));
}

/** The preferred form of RFC 9110; the two obsolete forms are not read. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
