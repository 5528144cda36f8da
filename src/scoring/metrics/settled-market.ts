/** One settled market of one trader, both outcomes together. */
export interface SettledMarket {
  readonly conditionId: string;
  /** Null when the market has no category; it then counts in none. */
  readonly category: string | null;
  /** The title, for Esports; null elsewhere and where unknown. */
  readonly game: GameTitle | null;
  /** Paid for shares in this market, without fees, in micro-dollars; 0 or more. */
  readonly costMicro: bigint;
  /** Total profit: sales, merges and payout minus cost and fees, in micro-dollars. */
  readonly pnlMicro: bigint;
  readonly settledAtMs: number;
  /** Average price paid per share bought, 0 to 1; null when the cost basis is unknown. */
  readonly entryPrice: number | null;
  /** Average payout per share bought, 0 to 1; null when unknown. */
  readonly payout: number | null;
}

export interface GameTitle {
  /** Stable key, for example `league-of-legends`. */
  readonly seriesSlug: string;
  /** Display name, for example `LoL`. */
  readonly name: string;
}
