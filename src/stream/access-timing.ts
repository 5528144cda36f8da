/** Interval between the checks of a stream's access. */
export const CHECK_INTERVAL_MS = 30_000;

/** The delay of the next check after one that failed. */
export const CHECK_RETRY_MS = 10_000;

/** A check that takes longer counts as failed, so that a refusal ends the stream within 40 seconds. */
export const CHECK_TIMEOUT_MS = 8_000;

/** Checks run every five seconds, a little early or late. */
export const CHECK_RUN_MS = 5_000;
export const CHECK_TOLERANCE_MS = CHECK_RUN_MS / 2;

/** How long a stream may continue without a check that confirms its access. */
export const MAX_UNCONFIRMED_MS = 90_000;
