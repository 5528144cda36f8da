export interface SettledTrade {
  readonly side: "BUY" | "SELL";
  /** 0 to 1. */
  readonly price: number;
  readonly shares: number;
  /** A share of the traded outcome, 0 to 1; NaN while unknown. */
  readonly payout: number;
}

/**
 * A trade as a bet. A sale counts as the purchase of the other side at 1 - price: both have the same profit
 * in every outcome.
 */
export function toBet({ side, price, shares, payout }: SettledTrade): {
  price: number;
  usd: number;
  payout: number;
} {
  if (side === "BUY") return { price, usd: shares * price, payout };
  return { price: 1 - price, usd: shares * (1 - price), payout: 1 - payout };
}
