import type { ProviderOutcome } from "../../../ports/provider.ts";
import { complement, isTradeable, plainDecimal } from "../payloads/decimal.ts";
import { UnfitRecord } from "../payloads/fit-records.ts";
import type { Market } from "../payloads/market.ts";
import { lastTradePriceOrNull } from "./last-trade-price.ts";

/** The outcomes of a market by index; empty while it has no tokens. */
export function toOutcomes(market: Market): ProviderOutcome[] {
  const tokenIds = tokensOf(market);
  if (tokenIds.length === 0) return [];
  if (market.outcomes.length !== tokenIds.length) {
    throw new UnfitRecord(`outcomes: ${market.outcomes.length} for ${tokenIds.length} tokens`);
  }
  const prices = pricesOf(market);
  return tokenIds.map((tokenId, outcomeIndex) => ({
    tokenId,
    outcomeIndex,
    label: market.outcomes[outcomeIndex] ?? "",
    price: prices[outcomeIndex] ?? null,
    ...quoteOf(market, outcomeIndex),
  }));
}

/** By the protocol version, never by presence: first-protocol markets that are legs of combinations carry position ids too. */
function tokensOf(market: Market): readonly string[] {
  const tokenIds = market.version === "v2" ? market.positionIds : market.clobTokenIds;
  if (tokenIds.some((tokenId) => !/^\d{1,78}$/.test(tokenId))) throw new UnfitRecord("tokens: expected token ids");
  if (new Set(tokenIds).size !== tokenIds.length) throw new UnfitRecord("tokens: one id twice");
  return tokenIds;
}

function pricesOf(market: Market): readonly (string | null)[] {
  const prices = market.outcomePrices.map((text) => plainDecimal(text));
  if (prices.some((price) => price === null || Number(price) < 0 || Number(price) > 1)) {
    throw new UnfitRecord("outcomePrices: expected prices from 0 to 1");
  }
  // Old markets stand at 0 for every outcome: the price was never filled in.
  return prices.every((price) => price === "0") ? [] : prices;
}

type Quote = Pick<ProviderOutcome, "lastTradePrice" | "bestBid" | "bestAsk">;

const NO_QUOTE: Quote = { lastTradePrice: null, bestBid: null, bestAsk: null };

/**
 * The provider quotes the first outcome; in a market of two the other one is its mirror. A closed market keeps its last bid and ask for ever,
 * which are no book; its last trade stays its last trade.
 */
function quoteOf(market: Market, outcomeIndex: number): Quote {
  const isOpen = !market.closed;
  const first = {
    lastTradePrice: lastTradePriceOrNull(market.lastTradePrice),
    bestBid: isOpen ? priceOrNull(market.bestBid) : null,
    bestAsk: isOpen ? priceOrNull(market.bestAsk) : null,
  };
  if (outcomeIndex === 0) return first;
  if (outcomeIndex > 1 || market.outcomes.length !== 2) return NO_QUOTE;
  return {
    lastTradePrice: mirror(first.lastTradePrice),
    bestBid: mirror(first.bestAsk),
    bestAsk: mirror(first.bestBid),
  };
}

// An empty book is a bid of 0 and an ask of 1 here.
const priceOrNull = (price: string | null) => (price !== null && isTradeable(price) ? price : null);

const mirror = (price: string | null) => (price === null ? null : complement(price));
