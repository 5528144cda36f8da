/** The provider's largest page has 1,000 rows. */
const HALF_PAGE_ROWS = 500;
/** Fewer rows than this say little about the next ones. */
const LEAST_ROWS = 100;
const LEAST_PAUSE_MS = 1_000;

/**
 * How long to wait until a feed has half a page of new rows, judged by the rows of a recent page. With a page or more of news,
 * rows wait for the transaction of the page before theirs.
 *
 * @param times of a page's rows, epoch ms
 * @returns ms, at least a second; null when the page has too few rows to tell
 */
export function pauseForHalfPage(times: readonly number[]): number | null {
  if (times.length < LEAST_ROWS) return null;
  const spanMs = Math.max(...times) - Math.min(...times);
  return Math.max(LEAST_PAUSE_MS, Math.round((spanMs * HALF_PAGE_ROWS) / times.length));
}
