import { ONE, parsePrice } from "./decimal.ts";

/** The stored columns of a market that determine prices and states. */
export interface MarketFacts {
  readonly id: number;
  readonly conditionId: string;
  readonly eventId: number | null;
  readonly title: string | null;
  readonly category: string | null;
  readonly closed: boolean;
  readonly endMs: number | null;
  readonly createdMs: number | null;
  /** Of a combination: the result that follows from its legs, and not the stored one. */
  readonly payoutsPpm: readonly number[] | null;
  /** A combination of which a leg or a leg's market is not known: its results cannot be booked. */
  readonly isUnknownCombo: boolean;
  readonly resolvedAt: string | null;
  readonly settledOn: string | null;
  readonly volumeUsd: string | null;
  readonly outcomes: readonly OutcomeFacts[];
}

export interface OutcomeFacts {
  readonly id: number;
  /** Null while the outcome of the token is unknown. */
  readonly index: number | null;
  readonly tokenId: string;
  readonly label: string | null;
  readonly bestBid: string | null;
  readonly bestAsk: string | null;
  readonly bookSource: string | null;
  readonly bookMs: number | null;
  /** As stored by the product. */
  readonly lastTradePrice: string | null;
  readonly lastTradeMs: number | null;
}

/** A trade that sets the last-trade price. */
export interface PricedTrade {
  readonly price: string;
  readonly atMs: number;
}

export interface Price {
  /** Dollars a share, in 1e-18. */
  readonly value: bigint;
  readonly basis: "payout" | "midpoint" | "last_trade";
}

/**
 * Quotes of a provider listing may be this much older than the time they were read, because of the provider's
 * cache.
 */
const LISTING_AGE_MS = 5 * 60_000;
const WIDEST_MIDPOINT = ONE / 10n;

/**
 * Quotes count while the market is open. After its end only quotes that are certainly newer than the end
 * count.
 */
export function isLiveBook(market: MarketFacts, outcome: OutcomeFacts, nowMs: number): boolean {
  if (market.closed || market.payoutsPpm !== null) return false;
  if (outcome.bestBid === null && outcome.bestAsk === null) return false;
  if (market.endMs === null || market.endMs > nowMs) return true;
  if (outcome.bookMs === null) return false;
  return outcome.bookMs - (outcome.bookSource === "gamma_market" ? LISTING_AGE_MS : 0) >= market.endMs;
}

/** Closed, resolved, or past its end without a book from after the end. */
export function isOver(market: MarketFacts, nowMs: number): boolean {
  if (market.closed || market.payoutsPpm !== null) return true;
  if (market.endMs === null || market.endMs > nowMs) return false;
  return !market.outcomes.some((outcome) => isLiveBook(market, outcome, nowMs));
}

export const isAwaitingResult = (market: MarketFacts, nowMs: number): boolean =>
  market.payoutsPpm === null && isOver(market, nowMs);

/**
 * The price of a share: the payout once the market has resolved, else the midpoint of a live book at most
 * 0.10 wide, else the newest known trade.
 *
 * @param fill the newest recorded fill that is not dust; null if there is none
 * @returns null when no source has a price
 */
export function priceOf(
  market: MarketFacts,
  outcome: OutcomeFacts,
  fill: PricedTrade | null,
  nowMs: number,
): Price | null {
  if (market.payoutsPpm !== null) {
    const ppm = outcome.index === null ? undefined : market.payoutsPpm[outcome.index];
    return ppm === undefined ? null : { value: BigInt(ppm) * 10n ** 12n, basis: "payout" };
  }
  if (isLiveBook(market, outcome, nowMs) && outcome.bestBid !== null && outcome.bestAsk !== null) {
    const [bid, ask] = [parsePrice(outcome.bestBid), parsePrice(outcome.bestAsk)];
    if (ask >= bid && ask - bid <= WIDEST_MIDPOINT) return { value: (bid + ask) / 2n, basis: "midpoint" };
  }
  const trade = newestTrade(outcome, fill);
  return trade === null ? null : { value: parsePrice(trade), basis: "last_trade" };
}

/**
 * The newer of our newest fill and the provider's last trade. A provider's trade without a time counts only
 * without a fill.
 */
function newestTrade({ lastTradePrice, lastTradeMs }: OutcomeFacts, fill: PricedTrade | null): string | null {
  if (fill === null) return lastTradePrice;
  return lastTradePrice !== null && lastTradeMs !== null && lastTradeMs > fill.atMs ? lastTradePrice : fill.price;
}

/**
 * Whether a shown price equals the price cut to four decimals, or, where YES and NO sum to a dollar, the
 * complement of the other side's cut price.
 */
export function isShownAs(shown: unknown, price: bigint, complements: boolean): boolean {
  const step = 10n ** 14n;
  const cut = price / step;
  const allowed = complements && price % step !== 0n ? [cut, cut + 1n] : [cut];
  return allowed.some((steps) => shown === Number(steps) / 10_000);
}
