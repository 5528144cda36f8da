/*
 * A change of an endpoint's URL or secret is refused while a delivery is under way. So that it is not refused for ever at an endpoint that
 * always has one, a refusal lets none begin for a while.
 */

/** The longest that an attempt takes: two DNS questions of 5 seconds at once and a POST of 15. */
export const LONGEST_ATTEMPT_MS = 20_000;
/** How long none begins after a refusal. Longer than an attempt: the change can be made when it is asked for again once those have ended. */
export const HOLD_MS = LONGEST_ATTEMPT_MS + 10_000;
/** How long who was refused is kept waiting for those under way, most of which have ended by then. */
export const AT_REST_WITHIN_MS = 2_500;
