import type { ExchangeFamily } from "../../domain/trades/exchange-families.ts";
import type { ChainFill } from "../../platform/chain.ts";
import { InvalidRecord } from "../polymarket/payloads/parse-provider-records.ts";
import { addressOf, wordsOf } from "./event-fields.ts";
import { EXCHANGES, ORDERS_MATCHED_GEN_2 } from "./exchanges.ts";
import type { UntimedFill } from "./order-filled.ts";
import type { ChainLog } from "./payloads.ts";

/** One `OrdersMatched` event: a taker order that was settled against its makers. */
export interface OrdersMatched {
  readonly txHash: string;
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly logIndex: number;
  readonly exchange: string;
  readonly family: ExchangeFamily;
  readonly takerOrderHash: string;
  readonly taker: string;
}

/**
 * Decodes an `OrdersMatched` event. Its side, token and amounts are those of the taker order's `OrderFilled`, so they are
 * not read.
 *
 * @throws InvalidRecord for any other log
 * Source: the provider's exchange contracts (Events.sol of both generations).
 */
export function decodeOrdersMatched(log: ChainLog): OrdersMatched {
  const [event, takerOrderHash, taker, ...rest] = log.topics;
  const exchange = EXCHANGES.get(log.address);
  if (exchange === undefined) throw new InvalidRecord("address: expected an exchange");
  if (event !== exchange.ordersMatched) throw new InvalidRecord("topics: expected OrdersMatched");
  if (takerOrderHash === undefined || taker === undefined || rest.length > 0)
    throw new InvalidRecord("topics: expected 3");
  const [side, ...words] = wordsOf(log.data);
  if (side === undefined || words.length !== 3) throw new InvalidRecord("data: expected 4 words");
  if (event === ORDERS_MATCHED_GEN_2 && side > 1n) throw new InvalidRecord("data: expected side 0 or 1");
  return {
    txHash: log.transactionHash,
    blockNumber: log.blockNumber,
    blockHash: log.blockHash,
    logIndex: log.logIndex,
    exchange: log.address,
    family: exchange.family,
    takerOrderHash,
    taker: addressOf(taker),
  };
}

/**
 * The fills with the event of their taker order. An exchange emits the fills of the makers, then that of the taker
 * order, then `OrdersMatched`. Where a log of this sequence is missing, the event is unknown: null.
 */
export function assignOrdersMatched(
  fills: readonly UntimedFill[],
  matches: readonly OrdersMatched[],
): (UntimedFill & Pick<ChainFill, "ordersMatched">)[] {
  const found = new Map<UntimedFill, OrdersMatched>();
  const sequences = Map.groupBy([...fills, ...matches], ({ txHash, exchange }) => `${txHash} ${exchange}`);
  for (const events of sequences.values()) {
    let makers: UntimedFill[] = [];
    let order: readonly UntimedFill[] = [];
    for (const event of events.toSorted((a, b) => a.logIndex - b.logIndex)) {
      if ("takerOrderHash" in event) {
        const own = order.at(-1);
        const isOwn = own?.orderHash === event.takerOrderHash && own.trader === event.taker;
        if (isOwn) for (const fill of order) found.set(fill, event);
        [makers, order] = [[], []];
      } else if (event.isTaker) {
        order = [...makers.filter(({ counterparty }) => counterparty === event.trader), event];
        makers = [];
      } else makers.push(event);
    }
  }
  return fills.map((fill) => {
    const event = found.get(fill);
    return {
      ...fill,
      ordersMatched: event === undefined ? null : { logIndex: event.logIndex, exchange: event.family },
    };
  });
}
