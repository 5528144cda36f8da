import { multiplyMicro } from "../../../../domain/money.ts";
import type { ProviderTrade } from "../../../../platform/provider.ts";
import { InvalidRecord } from "../../payloads/parse-provider-records.ts";
import type { TradeRow } from "../../payloads/trades/trade.ts";
import { toMarketHint, toTraderHint } from "./hints.ts";
import { outcomeIndexOfPosition } from "./second-protocol-id.ts";

/** Maps a row of the trade feed, which has no fee. */
export function toTrade(row: TradeRow): ProviderTrade {
  return {
    trader: toTraderHint(row),
    market: toMarketHint(row, row.condition_id),
    tokenId: row.token_id,
    // Combinations have no market object, so only their token id gives the index.
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
  if (usd === null) throw new InvalidRecord("price: expected a decimal");
  return usd;
}
