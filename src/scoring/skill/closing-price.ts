import { CLOSE_TRADERS, MICRO, MIN_CLOSE_TRADERS } from "./parameters.ts";

/** One side of a trade in a market with two outcomes, from before its close. */
export interface ClosingTrade<Id> {
  /** All sides of one transaction traded with each other. */
  readonly transaction: Id;
  readonly trader: number;
  /** Price of the first outcome, 0 to 1. */
  readonly price: number;
}

/**
 * The closing price of the first outcome for one trader: the median of the last prices of the last CLOSE_TRADERS other
 * traders.
 *
 * Whole transactions of the trader are left out, not only its own sides: those who sold to a trader that moved the price
 * traded at its price. Each other trader counts once, so that one of them cannot make the close alone.
 *
 * @param trades the last ones before the close, newest first
 * @returns 0 to 1, in millionths; null where fewer than MIN_CLOSE_TRADERS others traded
 */
export function closingPriceFor<Id>(trades: readonly ClosingTrade<Id>[], trader: number): number | null {
  const own = new Set(trades.filter((trade) => trade.trader === trader).map(({ transaction }) => transaction));
  const prices = new Map<number, number>();
  for (const trade of trades) {
    if (prices.size === CLOSE_TRADERS) break;
    if (!own.has(trade.transaction) && !prices.has(trade.trader)) prices.set(trade.trader, trade.price);
  }
  if (prices.size < MIN_CLOSE_TRADERS) return null;
  return Math.round(MICRO * median([...prices.values()])) / MICRO;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = low] = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return (low + high) / 2;
}
