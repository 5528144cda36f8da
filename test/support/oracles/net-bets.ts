import type { SettledBet } from "../../../src/scoring/skill/settled-bet.ts";

/**
 * The netted bets of one trader in one market with two outcomes, by pairs: as many shares of both sides as possible are
 * one dollar each, and what remains is shares of one side at the remaining cost. A maker's purchases are only counted
 * for the shares of that side that they take back.
 */
export function netBets(all: readonly SettledBet[]) {
  const bets = all.filter(({ isMaker }) => !isMaker);
  const micro = (value: number) => BigInt(Math.round(value * 1e6));
  const shares = [0n, 0n];
  let cost = 0n;
  for (const bet of bets) {
    shares[bet.outcome] = (shares[bet.outcome] ?? 0n) + micro(bet.shares);
    cost += micro(bet.usd);
  }
  const [first = 0n, second = 0n] = shares;
  const pairs = first < second ? first : second;
  const side = first > second ? 0 : 1;
  const rest = Number((first > second ? first : second) - pairs);
  const paid = Number(cost - pairs);
  // The payout of the side that remains; of one side, the other's is the rest of the dollar.
  const known = bets.find(({ outcome }) => outcome === side) ?? bets[0];
  const payout = known === undefined ? 0 : known.outcome === side ? known.payout : 1 - known.payout;
  const empty = { bets: bets.length, usd: 0, edge: 0, variance: 0 };
  if (paid <= 0) return empty;
  // More than a dollar a share is a certain loss: as many lost shares at a dollar.
  const bought = Math.max(rest, paid);
  const price = paid / bought;
  const left = all.reduce((sum, bet) => sum + (bet.outcome === side ? micro(bet.shares) : -micro(bet.shares)), 0n);
  // A certain loss without shares of either side has nothing to take back.
  const kept = rest === 0 ? 1 : Math.min(1, Math.max(0, Number(left) / rest));
  return {
    bets: bets.length,
    usd: Math.round(bought * kept),
    edge: Math.round(bought * kept * ((rest * payout) / bought - price)) + 0,
    variance: Math.round(bought * kept * price * (1 - price)),
  };
}
