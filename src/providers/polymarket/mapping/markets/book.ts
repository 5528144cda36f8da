import { formatMicro, multiplyMicro } from "../../../../domain/money.ts";
import type { ProviderBook } from "../../../../platform/provider.ts";
import type { Book, Level } from "../../payloads/markets/book.ts";
import { lastTradePriceOrNull } from "./last-trade-price.ts";

export function toBook(book: Book): ProviderBook {
  const bid = bestOf(book.bids, (price, best) => price > best);
  const ask = bestOf(book.asks, (price, best) => price < best);
  return {
    tokenId: book.asset_id,
    bestBid: bid?.price ?? null,
    bestAsk: ask?.price ?? null,
    bidDepthUsd: depthOf(bid),
    askDepthUsd: depthOf(ask),
    lastTradePrice: lastTradePriceOrNull(book.last_trade_price),
    asOf: book.timestamp,
  };
}

// The provider sorts the best level last. Comparing the prices does not depend on that.
function bestOf(levels: readonly Level[], better: (price: number, best: number) => boolean): Level | null {
  let best: Level | null = null;
  for (const level of levels) {
    if (level.size > 0n && (best === null || better(Number(level.price), Number(best.price)))) best = level;
  }
  return best;
}

function depthOf(level: Level | null): string | null {
  const usd = level === null ? null : multiplyMicro(level.size, level.price);
  return usd === null ? null : formatMicro(usd);
}
