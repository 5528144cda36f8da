import type { DirectedTrade } from "./trade-direction.ts";

/** A large trade as the suspicion tracks see it, with what was known when it was made. Null is not known, and accuses nobody. */
export interface SuspicionInput extends DirectedTrade {
  readonly sizeUsd: number;
  /** Capture floor in dollars, above 0. */
  readonly floorUsd: number;
  /** Price of the traded outcome, 0 to 1. */
  readonly price: number;
  /** The trade's shares over all shares traded in the market by then, 0 to 1. */
  readonly marketVolumeShare: number | null;
  /** Null unless the wallet's whole history has been read. */
  readonly wallet: WalletBefore | null;
  /** What the wallet bought of the same side within the 24 hours up to this trade, this one included (see `recentSlices`). */
  readonly slices: RecentSlices | null;
}

export interface WalletBefore {
  /** Days since its first trade; 0 at the first. */
  readonly ageDays: number;
  /** Distinct markets traded before this trade, this market left out. */
  readonly markets: number;
  /** Dollars traded before this trade. */
  readonly volumeUsd: number;
}

export interface RecentSlices {
  /** Transactions: the makers that one order met are one slice. */
  readonly count: number;
  readonly totalUsd: number;
  readonly largestUsd: number;
  /** All of them over all shares traded in the market by then, 0 to 1. */
  readonly marketVolumeShare: number | null;
}
