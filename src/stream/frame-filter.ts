import { EVENT_CATALOGUE, EVENT_TYPES } from "../events/registry.ts";
import { GRADES, type Grade } from "../domain/traders/grades.ts";
import { isWatched, type WatchlistMatches } from "../domain/watchlists/watchlist-matches.ts";

/** The attributes by which a frame is filtered. A null facet passes no filter on it. */
export interface FrameFacets {
  /** The frame's name on the stream. */
  readonly type: string;
  /** In the stored form. */
  readonly conditionId: string | null;
  /** Null on events that declare none and for ungraded traders. */
  readonly grade: Grade | null;
  /** The address in lower case; null on events that declare none. */
  readonly wallet: string | null;
  /**
   * The size in millionths of a dollar, as decimal digits without leading zeros; null on events that declare
   * none.
   */
  readonly sizeMicro: string | null;
  /** The account that owns the event and alone may receive it; null on public events. */
  readonly owner: number | null;
}

/** A connection's filter: a frame must pass every condition that is not null. */
export interface FrameFilter {
  readonly types: readonly string[] | null;
  readonly conditionId: string | null;
  /** The lowest grade that passes. */
  readonly minGrade: Grade | null;
  /**
   * Null for every wallet. Left out with `wallets` or `watchlist`: a shard of a release that knows neither then
   * refuses the subscription, where it would otherwise send the trades of all wallets.
   */
  readonly wallet?: string | null | undefined;
  /** Several wallets, in lower case. */
  readonly wallets?: readonly string[] | undefined;
  /** Number of the watchlist that must have the wallet. */
  readonly watchlist?: number | undefined;
  /** Digits, as in the facets: the smallest size that reaches the requested one (`floorLowerBound`). */
  readonly minSizeMicro: string | null;
}

/** Frames about the connection itself, not about an event: no filter removes them. */
export const CONTROL_FRAMES = ["resync", "error"] as const;

/** All frame names. */
export const FRAME_TYPES: readonly string[] = [
  ...EVENT_TYPES.map((type) => EVENT_CATALOGUE[type].frame),
  ...CONTROL_FRAMES,
];

/** Whether an account is allowed to receive a frame. */
export const mayReceive = (facets: FrameFacets, accountId: number): boolean =>
  facets.owner === null || facets.owner === accountId;

/**
 * @param accountId whose watchlist the filter may name
 * @param matches of the frame's wallet with the filter's watchlist
 */
export function passesFilter(
  facets: FrameFacets,
  filter: FrameFilter,
  accountId: number,
  matches: WatchlistMatches,
): boolean {
  const { types, conditionId, minGrade, wallet = null, wallets, watchlist, minSizeMicro } = filter;
  return (
    (types === null || types.includes(facets.type)) &&
    (conditionId === null || facets.conditionId === conditionId) &&
    (minGrade === null || (facets.grade !== null && GRADES.indexOf(facets.grade) <= GRADES.indexOf(minGrade))) &&
    (wallet === null || facets.wallet === wallet) &&
    (wallets === undefined || (facets.wallet !== null && wallets.includes(facets.wallet))) &&
    (watchlist === undefined ||
      (facets.wallet !== null && isWatched(matches, { accountId, id: watchlist }, facets.wallet))) &&
    (minSizeMicro === null || (facets.sizeMicro !== null && isAtLeast(facets.sizeMicro, minSizeMicro)))
  );
}

/**
 * Compares whole numbers by their digits, which have no size limit: without leading zeros the longer one is
 * larger.
 */
const isAtLeast = (digits: string, least: string): boolean =>
  digits.length === least.length ? digits >= least : digits.length > least.length;
