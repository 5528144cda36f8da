import type { SettledBet } from "../../src/scoring/skill/settled-bet.ts";

/** A bet by its price, in a market of its own among those of its cluster: bets with other facts are not netted with it. */
export const aSettledBet = (facts: {
  readonly cluster: string;
  readonly price: number;
  readonly usd: number;
  readonly payout: number;
}): SettledBet => {
  const { cluster, price, usd, payout } = facts;
  // Shares without a price cost nothing.
  if (price === 0) return { cluster, market: `${cluster} free ${payout}`, outcome: 0, shares: usd, usd: 0, payout };
  return { cluster, market: `${cluster} ${price} ${payout}`, outcome: 0, shares: usd / price, usd, payout };
};
