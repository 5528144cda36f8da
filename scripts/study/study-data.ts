/**
 * The study's data: every trade as a bet on one outcome (a sale as a purchase of the other side), in columns.
 * Traders, markets and clusters are numbers from 0. Times are seconds from any origin.
 */
export interface StudyData {
  readonly title: string;
  /** Generated data is marked as such in everything the study prints. */
  readonly isGenerated: boolean;
  /** Sentences about the data that a reader needs to know. */
  readonly notes: readonly string[];
  readonly traderCount: number;
  readonly clusterCount: number;
  readonly clusterOfMarket: Int32Array;
  /** By market: the number of its story, -1 where its event has no series. Missing where series are not recorded. */
  readonly storyOfMarket?: Int32Array;
  /** When the market's payout was known; Infinity when it is not. */
  readonly settledAt: Float64Array;
  /** By market: its kickoff; NaN where it is no game. Missing where kickoffs are not recorded. */
  readonly closesAt?: Float64Array;
  readonly bets: BetColumns;
  /** Null except for a simulation. */
  readonly latent: LatentSkill | null;
}

/** Bets in the order of their times. */
export interface BetColumns {
  readonly count: number;
  readonly at: Float64Array;
  readonly trader: Int32Array;
  readonly market: Int32Array;
  /** Price a share of the bought side, 0 to 1. */
  readonly price: Float64Array;
  /** Dollars paid for that side. */
  readonly usd: Float64Array;
  /** Payout a share of that side; NaN while the market is not resolved. */
  readonly payout: Float64Array;
  /** Index of the bought outcome in its market. */
  readonly side: Uint8Array;
  /** 1 for a sale. */
  readonly isSale: Uint8Array;
  /** True probability of the bought side at the purchase; NaN for a sale. Missing except in a simulation. */
  readonly truth?: Float64Array;
  /** 1 for a trade known to be a maker's. Missing where roles are not recorded. */
  readonly isMaker?: Uint8Array;
}

export interface LatentSkill {
  /**
   * By trader: mean of true probability minus price over its purchases, in points; NaN for a trader without
   * purchases.
   */
  readonly edgePoints: Float64Array;
  /** By trader: index into `kinds`. */
  readonly kind: Uint8Array;
  readonly kinds: readonly string[];
}
