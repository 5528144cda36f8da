/** The maximum number of prefetched deliveries: claimed before they can start. */
export const MAX_PREFETCH = 60;
/** Deliveries that are claimed but not started after this time are released: the endpoint has become slow. */
export const START_WITHIN_MS = 3_000;

/** A claim takes at most as many deliveries as end in this time. */
const AHEAD_MS = 1_000;

/**
 * Decides how many deliveries to prefetch, in addition to those that start at once. Each claim is one
 * statement, so prefetching pays off for a fast endpoint. But claimed deliveries count as in progress, so an
 * endpoint gets no more than it has ended lately in the time of AHEAD_MS.
 *
 * @param ended the number of attempts that have ended since the last claim
 * @param elapsedMs the time since the last claim; null when there was none, an attempt since then failed, or part
 *   of it was not started
 */
export function decidePrefetch(ended: number, elapsedMs: number | null): number {
  if (elapsedMs === null) return 0;
  return Math.min(MAX_PREFETCH, Math.floor((ended * AHEAD_MS) / Math.max(1, elapsedMs)));
}

/**
 * Whether the next claim is made although deliveries are left to start: a fast endpoint would otherwise wait for
 * each claim.
 *
 * @param ready the number of deliveries that are claimed and not started
 * @param ahead the number decided for the last claim
 */
export const mustClaimAhead = (ready: number, ahead: number): boolean => ready <= ahead / 2;
