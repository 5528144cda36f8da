/** The next page of a walk is read ahead and would wait for pages of the other feed. The other feed waits at most this long for it. */
export const WALK_HEAD_START_MS = 3_000;
