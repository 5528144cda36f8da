import { nth } from "../nth.ts";
import type { StudyData } from "../study-data.ts";

/** Trades of others that a close is the mean of. */
const CLOSING_TRADES = 10;

/**
 * By trader: mean over settled purchases of the market's close less the price paid, in points. The close is the mean
 * price of the last trades of others; with fewer than CLOSING_TRADES of them the market is left out.
 *
 * @returns NaN for a trader without such a purchase
 */
export function closingLineValues(data: StudyData): Float64Array {
  const { bets } = data;
  const byMarket: number[][] = Array.from(data.clusterOfMarket, () => []);
  for (let bet = 0; bet < bets.count; bet += 1)
    if (!Number.isNaN(nth(bets.payout, bet))) nth(byMarket, nth(bets.market, bet)).push(bet);
  const sums = new Float64Array(data.traderCount);
  const counts = new Float64Array(data.traderCount);
  for (const own of byMarket) {
    // Deep enough that the last trades of one trader leave enough others.
    const last = own.slice(-10 * CLOSING_TRADES).reverse();
    const closes = new Map<number, number | null>();
    for (const bet of own) {
      if (bets.isSale[bet] === 1) continue;
      const trader = nth(bets.trader, bet);
      if (!closes.has(trader)) closes.set(trader, closeWithout(data, last, trader));
      const close = closes.get(trader) ?? null;
      if (close === null) continue;
      sums[trader] = nth(sums, trader) + (bets.side[bet] === 0 ? close : 1 - close) - nth(bets.price, bet);
      counts[trader] = nth(counts, trader) + 1;
    }
  }
  return sums.map((sum, trader) => (100 * sum) / nth(counts, trader));
}

/** The close of the first outcome; null where too few trades of others are known. */
function closeWithout({ bets }: StudyData, last: readonly number[], trader: number): number | null {
  const others = last.filter((bet) => bets.trader[bet] !== trader).slice(0, CLOSING_TRADES);
  if (others.length < CLOSING_TRADES) return null;
  const prices = others.map((bet) => (bets.side[bet] === 0 ? nth(bets.price, bet) : 1 - nth(bets.price, bet)));
  return prices.reduce((sum, price) => sum + price, 0) / prices.length;
}
