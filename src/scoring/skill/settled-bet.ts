/**
 * One purchase of one outcome, in a market that has resolved. Where a market has no payouts there are no bets, and sales are none either:
 * nobody sells here what it does not hold, so a sale ends a view that its purchase was judged by already (docs/methodology.md has the figures).
 */
export interface SettledBet {
  /** What moves together: the event of the market, or the market where no event is known. */
  readonly cluster: string;
  /** Paid per share, 0 to 1. */
  readonly price: number;
  /** Dollars paid, at least 0. */
  readonly usd: number;
  /** Paid out per share, 0 to 1: 1 for the winner, 0.5 where both sides share. */
  readonly payout: number;
}
