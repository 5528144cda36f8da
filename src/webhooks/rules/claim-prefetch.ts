/** The maximum number of prefetched deliveries: claimed before they can start. */
export const MAX_PREFETCH = 60;
/** Deliveries that are claimed but not started after this time are released: the endpoint has become slow. */
export const START_WITHIN_MS = 3_000;

const INITIAL_PREFETCH = 4;
const QUICK_MS = 250;
const SLOW_MS = 1_000;

/**
 * Decides how many deliveries to prefetch, in addition to those that start at once. Each claim is one
 * statement, so prefetching pays off for a fast endpoint. But claimed deliveries count as in progress, so a
 * slow endpoint gets none. The number doubles each time the last claim was consumed quickly.
 *
 * @param ahead the number decided for the last claim
 * @param usedUpMs how long it took to consume the last claim; null when there was none or part of it was not
 *   started
 */
export function decidePrefetch(ahead: number, usedUpMs: number | null): number {
  if (usedUpMs === null || usedUpMs >= SLOW_MS) return 0;
  return usedUpMs > QUICK_MS ? ahead : Math.min(MAX_PREFETCH, Math.max(INITIAL_PREFETCH, ahead * 2));
}
