/*
 * A change of an endpoint's URL or secret is refused while a delivery is in progress. An endpoint with
 * constant traffic would be refused forever, so each refusal pauses new attempts for a while (a hold).
 */

/** The longest duration of an attempt: two parallel DNS queries of 5 seconds and a POST of 15. */
export const MAX_ATTEMPT_MS = 20_000;
/**
 * How long no attempt starts after a refusal. Longer than an attempt: the client can retry the change once
 * the running attempts have ended.
 */
export const HOLD_MS = MAX_ATTEMPT_MS + 10_000;
/** How long a refused request waits for running attempts; most have ended by then. */
export const IDLE_WAIT_MS = 2_500;
