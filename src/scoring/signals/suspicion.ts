import { SUSPICION_FLOOR, SUSPICION_VERSION } from "./parameters.ts";
import { convictionShare } from "./suspicion-components.ts";
import type { SuspicionInput } from "./suspicion-input.ts";
import { admittingTracks, type SuspicionTrack, type TrackResult } from "./suspicion-tracks.ts";
import { directionOf } from "./trade-direction.ts";

/** How much a large trade looks like informed trading: a reason to look, not a finding. */
export interface Suspicion {
  /** Integer 0 to 100, the total rounded down, so that 59.99 does not reach the floor. */
  readonly score: number;
  /** The track with the highest total. */
  readonly track: SuspicionTrack;
  readonly side: "yes" | "no";
  /** Whether it is a live flag. */
  readonly isFlagged: boolean;
  /** Components 0 to 100, truncated to two decimals; timing and edge are not measured. Null is unknown. */
  readonly scores: {
    readonly timing: null;
    readonly edge: null;
    readonly size: number;
    readonly freshWallet: number | null;
  };
  readonly evidence: SuspicionEvidence;
}

/**
 * Stored and served unchanged, hence the JSON names: every input, every track's total, and the deciding
 * values.
 */
export interface SuspicionEvidence {
  readonly version: string;
  readonly track: SuspicionTrack;
  readonly size: number;
  readonly fresh: number | null;
  readonly slicing: number | null;
  readonly timing: null;
  readonly edge: null;
  readonly total: number;
  readonly floor: number;
  /** Totals of all tracks that admitted the trade. */
  readonly tracks: { readonly [Track in SuspicionTrack]?: number };
  readonly inputs: {
    readonly side: "BUY" | "SELL";
    readonly outcome_index: number | null;
    readonly price: number;
    readonly size_usd: number;
    readonly capture_floor_usd: number;
    readonly market_volume_share: number | null;
    readonly wallet: {
      readonly age_days: number;
      readonly markets_before: number;
      readonly volume_before_usd: number;
      readonly share_of_all_traded: number;
    } | null;
    readonly slices: {
      readonly count: number;
      readonly total_usd: number;
      readonly largest_usd: number;
      readonly market_volume_share: number | null;
    } | null;
  };
}

/**
 * Scores a large trade on the three tracks (see `admittingTracks`). The highest total counts; ties go to the
 * first of whale, fresh_conviction, sliced_position.
 *
 * @returns null when no track admits it, or its direction is unknown
 */
export function suspicionOf(input: SuspicionInput): Suspicion | null {
  const direction = directionOf(input);
  const admitted = admittingTracks(input);
  const [first] = admitted;
  if (direction === null || first === undefined) return null;
  const best = admitted.reduce((highest, result) => (result.total > highest.total ? result : highest), first);
  const score = Math.floor(toHundredths(best.total));
  return {
    score,
    track: best.track,
    side: direction === "YES" ? "yes" : "no",
    isFlagged: score >= SUSPICION_FLOOR,
    scores: {
      timing: null,
      edge: null,
      size: toHundredths(best.size),
      freshWallet: best.freshWallet === null ? null : toHundredths(best.freshWallet),
    },
    evidence: evidenceOf(input, best, admitted),
  };
}

function evidenceOf(input: SuspicionInput, best: TrackResult, admitted: readonly TrackResult[]): SuspicionEvidence {
  const { trader, slices } = input;
  return {
    version: SUSPICION_VERSION,
    track: best.track,
    size: toHundredths(best.size),
    fresh: best.freshWallet === null ? null : toHundredths(best.freshWallet),
    slicing: best.slicing === null ? null : toHundredths(best.slicing),
    timing: null,
    edge: null,
    total: toHundredths(best.total),
    floor: SUSPICION_FLOOR,
    tracks: Object.fromEntries(admitted.map(({ track, total }) => [track, toHundredths(total)])),
    inputs: {
      side: input.side,
      outcome_index: input.outcomeIndex,
      price: input.price,
      size_usd: input.sizeUsd,
      capture_floor_usd: input.floorUsd,
      market_volume_share: input.marketVolumeShare,
      wallet: trader && {
        age_days: trader.ageDays,
        markets_before: trader.markets,
        volume_before_usd: trader.volumeUsd,
        share_of_all_traded: convictionShare(trader, input.sizeUsd),
      },
      slices: slices && {
        count: slices.count,
        total_usd: slices.totalUsd,
        largest_usd: slices.largestUsd,
        market_volume_share: slices.marketVolumeShare,
      },
    },
  };
}

/**
 * Truncated, not rounded, so that a total below the floor never appears as the floor. The inner rounding
 * corrects floating point, which gives 59.99999999999999 for 60.
 */
const toHundredths = (value: number): number => Math.floor(Math.round(value * 1e6) / 1e4) / 100;
