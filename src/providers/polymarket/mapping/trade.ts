import { multiplyMicro } from "../../../domain/money.ts";
import type { ProviderTrade } from "../../../ports/provider.ts";
import { UnfitRecord } from "../payloads/fit-records.ts";
import type { TradeRow } from "../payloads/trade.ts";
import { toMarketHint, toWalletHint } from "./hints.ts";
import { outcomeIndexOfPosition } from "./second-protocol-id.ts";

/** A row of the trade feed, which tells no fee. */
export function toTrade(row: TradeRow): ProviderTrade {
  return {
    wallet: toWalletHint(row),
    market: toMarketHint(row, row.condition_id),
    tokenId: row.token_id,
    // Combinations have no market object, so nothing but their token would ever tell the index.
    outcomeIndex: row.outcome_index ?? outcomeIndexOfPosition(row.token_id, row.condition_id),
    outcomeLabel: row.outcome,
    side: row.side,
    sharesMicro: row.size,
    usdMicro: usdOf(row.size, row.price),
    feeMicro: null,
    price: row.price,
    tradedAt: row.timestamp,
    txHash: row.transaction_hash,
  };
}

/** Shares times price, rounded to the micro-dollar. */
export function usdOf(sharesMicro: bigint, price: string): bigint {
  const usd = multiplyMicro(sharesMicro, price);
  if (usd === null) throw new UnfitRecord("price: expected a decimal");
  return usd;
}
