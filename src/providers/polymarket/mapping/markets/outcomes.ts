import type { ProviderOutcome } from "../../../../platform/provider.ts";
import { complement, isTradeable, plainDecimal } from "../../payloads/decimal.ts";
import { InvalidRecord } from "../../payloads/parse-provider-records.ts";
import type { Market } from "../../payloads/markets/market.ts";
import { lastTradePriceOrNull } from "./last-trade-price.ts";

/** The outcomes of a market by index; empty while it has no tokens. */
export function toOutcomes(market: Market): ProviderOutcome[] {
  const tokenIds = tokensOf(market);
  if (tokenIds.length === 0) return [];
  if (market.outcomes.length !== tokenIds.length) {
    throw new InvalidRecord(`outcomes: ${market.outcomes.length} for ${tokenIds.length} tokens`);
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

/**
 * The token ids by protocol version, not by which field is present: first-protocol markets that are legs of
 * combinations have position ids too.
 */
function tokensOf(market: Market): readonly string[] {
  const tokenIds = market.version === "v2" ? market.positionIds : market.clobTokenIds;
  if (tokenIds.some((tokenId) => !/^\d{1,78}$/.test(tokenId))) throw new InvalidRecord("tokens: expected token ids");
  if (new Set(tokenIds).size !== tokenIds.length) throw new InvalidRecord("tokens: one id twice");
  return tokenIds;
}

function pricesOf(market: Market): readonly (string | null)[] {
  const prices = market.outcomePrices.map((text) => plainDecimal(text));
  if (prices.some((price) => price === null || Number(price) < 0 || Number(price) > 1)) {
    throw new InvalidRecord("outcomePrices: expected prices from 0 to 1");
  }
  // Old markets show 0 for every outcome, because the price was never filled in.
  return prices.every((price) => price === "0") ? [] : prices;
}

type Quote = Pick<ProviderOutcome, "lastTradePrice" | "bestBid" | "bestAsk">;

const NO_QUOTE: Quote = { lastTradePrice: null, bestBid: null, bestAsk: null };

/**
 * The provider quotes the first outcome; in a market of two outcomes the other one is its mirror. A closed
 * market keeps its last bid and ask for ever; they are not a book. Its last trade stays valid.
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

// Here an empty book appears as a bid of 0 and an ask of 1.
const priceOrNull = (price: string | null) => (price !== null && isTradeable(price) ? price : null);

const mirror = (price: string | null) => (price === null ? null : complement(price));
