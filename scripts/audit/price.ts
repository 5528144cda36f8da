import { ONE, parsePrice } from "./decimal.ts";

/** What the database holds of a market, as far as prices and states rest on it. */
export interface MarketFacts {
  readonly id: number;
  readonly conditionId: string;
  readonly eventId: number | null;
  readonly title: string | null;
  readonly category: string | null;
  readonly closed: boolean;
  readonly endMs: number | null;
  readonly createdMs: number | null;
  readonly payoutsPpm: readonly number[] | null;
  readonly resolvedAt: string | null;
  readonly settledOn: string | null;
  readonly volumeUsd: string | null;
  readonly outcomes: readonly OutcomeFacts[];
}

export interface OutcomeFacts {
  readonly id: number;
  /** Null while it is not known which outcome the token is. */
  readonly index: number | null;
  readonly tokenId: string;
  readonly label: string | null;
  readonly bestBid: string | null;
  readonly bestAsk: string | null;
  readonly bookSource: string | null;
  readonly bookMs: number | null;
  /** As the product keeps it. */
  readonly lastTradePrice: string | null;
  readonly lastTradeMs: number | null;
}

/** A trade that makes a price. */
export interface PricedTrade {
  readonly price: string;
  readonly atMs: number;
}

export interface Price {
  /** Dollars a share, in 1e-18. */
  readonly value: bigint;
  readonly basis: "payout" | "midpoint" | "last_trade";
}

/** The provider's cache may make quotes of a listing this much older than the moment they were read. */
const LISTING_AGE_MS = 5 * 60_000;
const WIDEST_MIDPOINT = ONE / 10n;

/** Quotes tell a price while the market is open; past its end only those that were certainly made after it. */
export function isLiveBook(market: MarketFacts, outcome: OutcomeFacts, nowMs: number): boolean {
  if (market.closed || market.payoutsPpm !== null) return false;
  if (outcome.bestBid === null && outcome.bestAsk === null) return false;
  if (market.endMs === null || market.endMs > nowMs) return true;
  if (outcome.bookMs === null) return false;
  return outcome.bookMs - (outcome.bookSource === "gamma_market" ? LISTING_AGE_MS : 0) >= market.endMs;
}

/** Closed, resolved, or past its end without a book from after it. */
export function isOver(market: MarketFacts, nowMs: number): boolean {
  if (market.closed || market.payoutsPpm !== null) return true;
  if (market.endMs === null || market.endMs > nowMs) return false;
  return !market.outcomes.some((outcome) => isLiveBook(market, outcome, nowMs));
}

export const isAwaitingResult = (market: MarketFacts, nowMs: number): boolean => market.payoutsPpm === null && isOver(market, nowMs);

/**
 * What a share costs: its payout once the market has resolved, else the midpoint of a live book at most 0.10 wide, else the newest trade known.
 *
 * @param fill the newest recorded fill that is not dust; null without one
 * @returns null when nothing tells
 */
export function priceOf(market: MarketFacts, outcome: OutcomeFacts, fill: PricedTrade | null, nowMs: number): Price | null {
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

/** Of our newest fill and the trade that the provider told the newer one. A told trade without a time counts where we recorded none. */
function newestTrade({ lastTradePrice, lastTradeMs }: OutcomeFacts, fill: PricedTrade | null): string | null {
  if (fill === null) return lastTradePrice;
  return lastTradePrice !== null && lastTradeMs !== null && lastTradeMs > fill.atMs ? lastTradePrice : fill.price;
}

export interface PricedPair {
  readonly yes: Price | null;
  readonly no: Price | null;
  /** Whether both are known and come to exactly a dollar. */
  readonly isComplete: boolean;
}

/**
 * Whether a shown price is the price with four decimals: cut, or, where YES and NO come to a dollar, the complement of the other's cut price.
 */
export function isShownAs(shown: unknown, price: bigint, complements: boolean): boolean {
  const step = 10n ** 14n;
  const cut = price / step;
  const allowed = complements && price % step !== 0n ? [cut, cut + 1n] : [cut];
  return allowed.some((steps) => shown === Number(steps) / 10_000);
}
