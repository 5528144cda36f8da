/** The most deliveries that are claimed before their turn. */
export const MOST_AHEAD = 60;
/** What was claimed and has not begun after this long is given back: its endpoint has become slow. */
export const BEGIN_WITHIN_MS = 3_000;

const FIRST_AHEAD = 4;
const QUICK_MS = 250;
const SLOW_MS = 1_000;

/**
 * How many deliveries to claim beside those that begin at once. Each claim is a statement, so that a quick endpoint is worth claiming ahead
 * for; but what is claimed counts as under way, so that a slow one is not. Twice as many each time that the last claim was used up quickly.
 *
 * @param ahead what was decided for the last claim
 * @param usedUpMs how long the last claim took to be used up; null when there was none or not all of it was begun
 */
export function decideAhead(ahead: number, usedUpMs: number | null): number {
  if (usedUpMs === null || usedUpMs >= SLOW_MS) return 0;
  return usedUpMs > QUICK_MS ? ahead : Math.min(MOST_AHEAD, Math.max(FIRST_AHEAD, ahead * 2));
}
