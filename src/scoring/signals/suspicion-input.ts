import type { DirectedTrade } from "./trade-direction.ts";

/**
 * The input of the suspicion tracks: a large trade, with what was known at its time. Null is unknown and
 * never raises the score.
 */
export interface SuspicionInput extends DirectedTrade {
  readonly sizeUsd: number;
  /** Capture floor in dollars, above 0. */
  readonly floorUsd: number;
  /** Price of the traded outcome, 0 to 1. */
  readonly price: number;
  /** The trade's shares divided by all shares traded in the market up to then, 0 to 1. */
  readonly marketVolumeShare: number | null;
  /** Null unless the trader's whole history has been read. */
  readonly trader: TraderBeforeTrade | null;
  /**
   * The trader's purchases of the same side within the 24 hours up to this trade, including it (see
   * `recentSlices`).
   */
  readonly slices: RecentSlices | null;
}

export interface TraderBeforeTrade {
  /** Days since its first trade; 0 at the first trade. */
  readonly ageDays: number;
  /** Distinct markets traded before this trade, without this market. */
  readonly markets: number;
  /** Dollars traded before this trade. */
  readonly volumeUsd: number;
}

export interface RecentSlices {
  /** Number of transactions: all fills of one order are one slice. */
  readonly count: number;
  readonly totalUsd: number;
  readonly largestUsd: number;
  /** Their shares divided by all shares traded in the market up to then, 0 to 1. */
  readonly marketVolumeShare: number | null;
}
