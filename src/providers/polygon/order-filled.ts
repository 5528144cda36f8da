import type { ChainFill } from "../../platform/chain.ts";
import { MAX_AMOUNT_MICRO } from "../polymarket/payloads/fields.ts";
import { InvalidRecord } from "../polymarket/payloads/parse-provider-records.ts";
import { addressOf, wordsOf } from "./event-fields.ts";
import { EXCHANGES, ORDER_FILLED_GEN_1 } from "./exchanges.ts";
import type { ChainLog } from "./payloads.ts";

/** A fill before the time of its block and the match of its order are known. */
export type UntimedFill = Omit<ChainFill, "tradedAtMs" | "ordersMatched">;

/** The columns of an event, before the amounts are assigned to shares and dollars. */
interface FilledOrder {
  readonly side: "BUY" | "SELL";
  readonly tokenId: bigint;
  readonly makerAmount: bigint;
  readonly takerAmount: bigint;
  readonly fee: bigint;
}

/**
 * Decodes an `OrderFilled` event. The order's maker gives `makerAmount` and gets `takerAmount`: a buyer gives
 * dollars, a seller gives shares.
 *
 * @throws InvalidRecord for any other log, and for amounts that no order can have
 * Source: the provider's exchange contracts (Events.sol of both generations).
 */
export function decodeOrderFilled(log: ChainLog): UntimedFill {
  const [event, orderHash, maker, taker] = log.topics;
  const expected = EXCHANGES.get(log.address)?.orderFilled;
  if (expected === undefined) throw new InvalidRecord("address: expected an exchange");
  if (event !== expected) throw new InvalidRecord("topics: expected OrderFilled");
  if (orderHash === undefined || maker === undefined || taker === undefined)
    throw new InvalidRecord("topics: expected 4");
  const words = wordsOf(log.data);
  const { side, tokenId, makerAmount, takerAmount, fee } =
    event === ORDER_FILLED_GEN_1 ? readGeneration1(words) : readGeneration2(words);
  const trader = addressOf(maker);
  const counterparty = addressOf(taker);
  const isTaker = EXCHANGES.has(counterparty);
  const isBuy = side === "BUY";
  return {
    txHash: log.transactionHash,
    blockNumber: log.blockNumber,
    blockHash: log.blockHash,
    logIndex: log.logIndex,
    exchange: log.address,
    orderHash,
    trader,
    isTaker,
    counterparty: isTaker ? null : counterparty,
    side,
    tokenId: String(tokenId),
    sharesMicro: amount(isBuy ? takerAmount : makerAmount),
    usdMicro: amount(isBuy ? makerAmount : takerAmount),
    feeMicro: isBuy && event === ORDER_FILLED_GEN_1 ? null : amount(fee),
  };
}

/** makerAssetId, takerAssetId, makerAmountFilled, takerAmountFilled, fee. */
function readGeneration1(words: readonly bigint[]): FilledOrder {
  const [makerAsset, takerAsset, makerAmount, takerAmount, fee] = words;
  if (words.length !== 5) throw new InvalidRecord("data: expected 5 words");
  if (makerAsset === undefined || takerAsset === undefined) throw new InvalidRecord("data: expected asset ids");
  if (makerAmount === undefined || takerAmount === undefined || fee === undefined)
    throw new InvalidRecord("data: expected amounts");
  if ((makerAsset === 0n) === (takerAsset === 0n)) throw new InvalidRecord("data: expected shares against dollars");
  return makerAsset === 0n
    ? { side: "BUY", tokenId: takerAsset, makerAmount, takerAmount, fee }
    : { side: "SELL", tokenId: makerAsset, makerAmount, takerAmount, fee };
}

/** side, tokenId, makerAmountFilled, takerAmountFilled, fee, builder, metadata. */
function readGeneration2(words: readonly bigint[]): FilledOrder {
  const [side, tokenId, makerAmount, takerAmount, fee] = words;
  if (words.length !== 7) throw new InvalidRecord("data: expected 7 words");
  if (side !== 0n && side !== 1n) throw new InvalidRecord("data: expected side 0 or 1");
  if (tokenId === undefined || makerAmount === undefined || takerAmount === undefined || fee === undefined)
    throw new InvalidRecord("data: expected amounts");
  return { side: side === 0n ? "BUY" : "SELL", tokenId, makerAmount, takerAmount, fee };
}

function amount(value: bigint): bigint {
  if (value > MAX_AMOUNT_MICRO) throw new InvalidRecord("data: expected a possible amount");
  return value;
}
