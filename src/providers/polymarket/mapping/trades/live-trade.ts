import type { LiveTrade } from "../../payloads/trades/live-trade.ts";
import { usdOf } from "./trade.ts";

/**
 * A trade received on the live socket, with enough fields to find the same fill in the trade feed, which is
 * the authoritative record.
 */
export interface RtdsTrade {
  /** Lower case. */
  readonly wallet: string;
  readonly conditionId: string;
  readonly tokenId: string;
  readonly side: "BUY" | "SELL";
  readonly sharesMicro: bigint;
  /** Shares times price, fee excluded. */
  readonly usdMicro: bigint;
  readonly txHash: string;
  /** The time of the match, about a second before its block. */
  readonly at: Date;
}

export function toRtdsTrade(trade: LiveTrade): RtdsTrade {
  return {
    wallet: trade.proxyWallet,
    conditionId: trade.conditionId,
    tokenId: trade.asset,
    side: trade.side,
    sharesMicro: trade.size,
    usdMicro: usdOf(trade.size, trade.price),
    txHash: trade.transactionHash,
    at: trade.timestamp,
  };
}
