/**
 * One purchase of one outcome in a resolved market. Markets without payouts have no bets. Sales are not bets:
 * a trader can only sell shares it has, so a sale ends a position whose purchase is already a bet
 * (docs/methodology.md has the figures).
 */
export interface SettledBet {
  /** Markets that move together: the event of the market, or the market where no event is known. */
  readonly cluster: string;
  /** Events of one series on one night; missing where the event has no series. The same for all bets of a cluster. */
  readonly story?: string;
  readonly market: string;
  /** Index of the bought outcome in its market. */
  readonly outcome: number;
  /** Shares bought, above 0. */
  readonly shares: number;
  /** Dollars paid, at least 0. */
  readonly usd: number;
  /** Payout per share, 0 to 1: 1 for the winner, 0.5 where both sides share. */
  readonly payout: number;
  /** Whether the purchase is known to be a maker's; missing where its role is unknown. */
  readonly isMaker?: boolean;
  /**
   * The closing price of the bought outcome for its trader, 0 to 1 (`closingPriceFor`); missing where none is known, or
   * where the purchase is from after the close.
   */
  readonly close?: number;
}
