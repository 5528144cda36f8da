/**
 * What the study reads, whatever it comes from: every trade as a bet on one outcome (a sale as a purchase of the other side), in columns.
 * Wallets, markets and clusters are numbers from 0. Times are seconds, of any origin.
 */
export interface StudyData {
  readonly title: string;
  /** Generated data is marked as such in everything the study prints. */
  readonly isGenerated: boolean;
  /** Plain sentences about the data that a reader has to know. */
  readonly notes: readonly string[];
  readonly walletCount: number;
  readonly clusterCount: number;
  readonly clusterOfMarket: Int32Array;
  /** When the market's payout was known; Infinity when it is not. */
  readonly settledAt: Float64Array;
  readonly bets: BetColumns;
  /** Only a simulation knows. */
  readonly latent: LatentSkill | null;
}

/** Bets in the order of their times. */
export interface BetColumns {
  readonly count: number;
  readonly at: Float64Array;
  readonly wallet: Int32Array;
  readonly market: Int32Array;
  /** Paid per share of the side that was bought, 0 to 1. */
  readonly price: Float64Array;
  /** Dollars paid for that side. */
  readonly usd: Float64Array;
  /** Paid out per share of that side; NaN while the market is not resolved. */
  readonly payout: Float64Array;
  /** 1 where the trade was a sale. */
  readonly isSale: Uint8Array;
}

export interface LatentSkill {
  /** By wallet: mean of true probability minus price over its purchases, in points; NaN for a wallet without purchases. */
  readonly edgePoints: Float64Array;
  /** By wallet: index into `kinds`. */
  readonly kind: Uint8Array;
  readonly kinds: readonly string[];
}
