/** One market of one wallet, after it has settled. Both outcomes are taken together. */
export interface SettledMarket {
  readonly conditionId: string;
  /** Null when the market has no bucket; it then counts in no category. */
  readonly category: string | null;
  /** The title played, for Esports; null elsewhere and where it is not known. */
  readonly game: EsportsGame | null;
  /** Paid for shares in this market, fees excluded, in micro-dollars; 0 or more. */
  readonly costMicro: bigint;
  /** Made with it in all: sales, merges and payout less cost and fees, in micro-dollars. */
  readonly pnlMicro: bigint;
  readonly settledAtMs: number;
  /** Average price paid per share bought, 0 to 1; null when the shares' basis is not known. */
  readonly entryPrice: number | null;
  /** Paid out per share bought, 0 to 1, averaged like `entryPrice`; null when that is not known. */
  readonly payout: number | null;
}

export interface EsportsGame {
  /** Stable key, as `league-of-legends`. */
  readonly seriesSlug: string;
  /** Name shown, as `LoL`. */
  readonly name: string;
}
