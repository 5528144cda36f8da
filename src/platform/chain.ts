import type { ExchangeFamily } from "../domain/trades/exchange-families.ts";
import type { QuarantinedRecord } from "./provider.ts";

/**
 * The provider's exchanges on their chain as ingest uses them. `src/providers/polygon` implements it over JSON-RPC.
 *
 * Every call throws ProviderUnavailable when the node does not answer or contradicts itself, and ProviderRefused when
 * it will never answer. No message contains the node's address.
 */
export interface Chain {
  /** The number of the newest block. @throws ProviderRefused for a node of another chain */
  newestBlock(): Promise<number>;
  header(number: number): Promise<BlockHeader>;
  /** All fills of a range of blocks. Their headers are one chain, and each fill belongs to one of them. */
  readFills(range: BlockRange): Promise<BlocksFills>;
}

export interface BlockRange {
  readonly from: number;
  /** Included. */
  readonly to: number;
}

export interface BlockHeader {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Epoch seconds. */
  readonly timestamp: number;
}

export interface BlocksFills {
  /** By block and log index. */
  readonly fills: readonly ChainFill[];
  /** Logs that could not be decoded. */
  readonly quarantined: readonly QuarantinedRecord[];
  /** The headers of the first and the last block. */
  readonly first: BlockHeader;
  readonly last: BlockHeader;
}

/** One `OrderFilled` event: one fill of one trader, as a row of the provider's trade feed. */
export interface ChainFill {
  readonly txHash: string;
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly logIndex: number;
  readonly exchange: string;
  readonly orderHash: string;
  /** The event's maker: the trader whose order was filled, also in the row of a taker order. Lower case. */
  readonly trader: string;
  /** Whether the filled order is the taker order, for which the event names the exchange as counterparty. */
  readonly isTaker: boolean;
  /** The other trader of a maker's fill; null in the row of the taker order. */
  readonly counterparty: string | null;
  readonly side: "BUY" | "SELL";
  readonly tokenId: string;
  readonly sharesMicro: bigint;
  /** Without the fee. */
  readonly usdMicro: bigint;
  /** Null for purchases on the exchanges of 2022, which took the fee in shares. */
  readonly feeMicro: bigint | null;
  /** The time of the block, which is the time that the provider's trade feed has. */
  readonly tradedAtMs: number;
  /** The event of the taker order that the fill is of; null while unknown. */
  readonly ordersMatched: OrdersMatchedLog | null;
}

/** The `OrdersMatched` event of a taker order. It is in the block of its fills. */
export interface OrdersMatchedLog {
  readonly logIndex: number;
  readonly exchange: ExchangeFamily;
}
