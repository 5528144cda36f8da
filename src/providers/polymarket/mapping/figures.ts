import { formatMicro, multiplyMicro, parseMicro } from "../../../domain/money.ts";
import type { ProviderBoardRow, ProviderBook, ProviderResolution } from "../../../ports/provider.ts";
import type { Book } from "../payloads/clob.ts";
import type { LeaderboardRow, ResolutionRow } from "../payloads/data-api.ts";

export function toResolution(row: ResolutionRow): ProviderResolution {
  const resolved = row.status === "resolved" && row.payouts !== null && row.payouts !== undefined;
  return {
    conditionId: row.condition_id,
    status: row.status,
    payoutsPpm: resolved ? (row.payouts ?? null) : null,
    resolvedAt: resolved ? (row.resolved_at ?? updatedAt(row.last_update_timestamp ?? null)) : null,
  };
}

/** Epoch seconds as text, or ISO. */
function updatedAt(text: string | null): Date | null {
  if (text === null) return null;
  const date = /^\d{9,11}$/.test(text) ? new Date(Number(text) * 1000) : new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
}

export function toBoardRow(row: LeaderboardRow): ProviderBoardRow {
  return {
    wallet: { address: row.user_id, username: row.user_name, profileImage: row.profile_image },
    rank: row.rank,
    pnlUsd: row.pnl,
    volumeShares: row.volume,
  };
}

export function toBook(book: Book): ProviderBook {
  const bid = book.bids.at(-1) ?? null;
  const ask = book.asks.at(-1) ?? null;
  return {
    tokenId: book.asset_id,
    bestBid: bid?.price ?? null,
    bestAsk: ask?.price ?? null,
    bidDepthUsd: bid === null ? null : depth(bid),
    askDepthUsd: ask === null ? null : depth(ask),
    lastTradePrice: book.last_trade_price,
    asOf: book.timestamp,
  };
}

function depth(level: { price: string; size: string }): string | null {
  const shares = parseMicro(level.size);
  const usd = shares === null ? null : multiplyMicro(shares, level.price);
  return usd === null ? null : formatMicro(usd);
}
