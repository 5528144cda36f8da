import { EVENT_CATALOGUE, EVENT_TYPES } from "../event-catalogue.ts";
import { GRADES, type Grade } from "../grades.ts";

/** What a frame is filtered by. A facet that is null passes no filter on it. */
export interface FrameFacets {
  /** The frame's name on the stream. */
  readonly type: string;
  /** In the form we store. */
  readonly conditionId: string | null;
  /** Of large trades the wallet's letter, of changed grades the letter now; null on other frames and on wallets without one. */
  readonly grade: Grade | null;
  /** Of large trades, in lower case; null on other frames. */
  readonly wallet: string | null;
  /** Of large trades: millionths of a dollar as decimal digits without leading zeros; null on other frames. */
  readonly sizeMicro: string | null;
  /** The account whose event it is, and the only one to be told; null on those that are everybody's. */
  readonly owner: number | null;
}

/** Which frames a connection wants: those that pass all that is not null. */
export interface FrameFilter {
  readonly types: readonly string[] | null;
  readonly conditionId: string | null;
  /** The worst letter that passes. */
  readonly minGrade: Grade | null;
  readonly wallet: string | null;
  /** Digits, as in the facets: the least size that reaches the asked one (`leastReaching`). */
  readonly minSizeMicro: string | null;
}

/** Told of the connection itself and not of an event: no filter holds them back. */
export const CONTROL_FRAMES = ["resync", "error"] as const;

/** All frame names there are. */
export const FRAME_TYPES: readonly string[] = [...EVENT_TYPES.map((type) => EVENT_CATALOGUE[type].frame), ...CONTROL_FRAMES];

/** Whether an account may be told of a frame at all. */
export const mayKnow = (facets: FrameFacets, accountId: number): boolean => facets.owner === null || facets.owner === accountId;

export function passesFilter(facets: FrameFacets, { types, conditionId, minGrade, wallet, minSizeMicro }: FrameFilter): boolean {
  return (
    (types === null || types.includes(facets.type)) &&
    (conditionId === null || facets.conditionId === conditionId) &&
    (minGrade === null || (facets.grade !== null && GRADES.indexOf(facets.grade) <= GRADES.indexOf(minGrade))) &&
    (wallet === null || facets.wallet === wallet) &&
    (minSizeMicro === null || (facets.sizeMicro !== null && isAtLeast(facets.sizeMicro, minSizeMicro)))
  );
}

/** Compares whole numbers as their digits, which have no limit; without leading zeros the longer one is the larger. */
const isAtLeast = (digits: string, least: string): boolean =>
  digits.length === least.length ? digits >= least : digits.length > least.length;
