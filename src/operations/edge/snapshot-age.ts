import {
  EDGE_MAX_AGE_SECONDS,
  IN_PLAY_MAX_AGE_SECONDS,
  PRE_GAME_LATE_SECONDS,
  type EDGE_LISTS,
} from "../../domain/edge/edge-snapshot.ts";
import { ApiError } from "../../api/errors.ts";
import type { EdgePage, EdgeSnapshot } from "../../queries/edge/edge-entries.ts";

/** Time to live of the cached responses of the edge reads, in seconds. */
export const EDGE_CACHE_SECONDS = 5;

/** A response may be served from the cache, so the time there counts toward the age of a snapshot of live games. */
export const IN_PLAY_SERVED_SECONDS = IN_PLAY_MAX_AGE_SECONDS - EDGE_CACHE_SECONDS;

export const isOlderThan = ({ builtAt }: EdgeSnapshot, seconds: number, now: Date): boolean =>
  now.getTime() - Date.parse(builtAt) > seconds * 1000;

/** Whether a rebuild of the list is late. */
export const isLate = (snapshot: EdgeSnapshot, list: keyof typeof EDGE_LISTS, now: Date): boolean =>
  isOlderThan(snapshot, list === "in_play" ? IN_PLAY_SERVED_SECONDS : PRE_GAME_LATE_SECONDS, now);

/**
 * The page, if its snapshot can be served.
 *
 * @throws ApiError cursor_expired when the cursor's snapshot is deleted or too old, read_model_warming when there is
 *   no usable snapshot
 */
export function requireUsable(page: EdgePage | null, isFirstPage: boolean, now: Date): EdgePage {
  if (page !== null && !isOlderThan(page.snapshot, EDGE_MAX_AGE_SECONDS, now)) return page;
  throw isFirstPage ? new ApiError("read_model_warming") : new ApiError("cursor_expired", { param: "cursor" });
}
