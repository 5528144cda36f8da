import { z } from "zod";
import { drain } from "../../lib/drain.ts";
import type { BlockHeader, BlockRange, BlocksFills } from "../../platform/chain.ts";
import { ProviderUnavailable } from "../../platform/provider.ts";
import { parseProviderRecords } from "../polymarket/payloads/parse-provider-records.ts";
import type { ChainNode } from "./chain-node.ts";
import { EXCHANGES } from "./exchanges.ts";
import { decodeOrderFilled, type UntimedFill } from "./order-filled.ts";
import { assignOrdersMatched, decodeOrdersMatched, type OrdersMatched } from "./orders-matched.ts";
import { ChainLog } from "./payloads.ts";
import { readFillLogs, type ReadSettings } from "./read-fill-logs.ts";

/** A log of a block that was replaced, or of a transaction that is not in a block yet. */
const UnsettledLog = z.union([z.object({ removed: z.literal(true) }), z.object({ blockNumber: z.null() })]);

/**
 * All fills of a range of blocks. The headers of all its blocks are read as well and must be one chain, and
 * each log must belong to the header of its block, so a node that changes its chain meanwhile, or several
 * nodes behind one address, do not lead to fills of different chains.
 *
 * @throws ProviderUnavailable also when the chain changed meanwhile
 */
export async function readFills(node: ChainNode, range: BlockRange, settings: ReadSettings): Promise<BlocksFills> {
  const headers = await readHeaders(node, range, settings.concurrency);
  const logs = await readFillLogs(node, range, settings);
  if (logs.some((log) => UnsettledLog.safeParse(log).success))
    throw new ProviderUnavailable("the node sent a log that is not of its current chain", null);
  const { rows, quarantined } = parseProviderRecords(logs, ChainLog, decodeLog);
  const headerOf = ({ blockNumber, blockHash }: ExchangeEvent): BlockHeader => {
    const header = headers.get(blockNumber);
    if (header === undefined) throw new ProviderUnavailable("the node sent logs of other blocks", null);
    if (header.hash !== blockHash) throw chainChanged(blockNumber);
    return header;
  };
  const places = new Set(rows.map((event) => `${headerOf(event).number} ${event.logIndex}`));
  if (places.size !== rows.length) throw new ProviderUnavailable("the node sent a log twice", null);
  const fills = assignOrdersMatched(
    rows.flatMap((event) => (isMatch(event) ? [] : [event])),
    rows.filter(isMatch),
  );
  const timed = fills.map((fill) => ({ ...fill, tradedAtMs: headerOf(fill).timestamp * 1000 }));
  return {
    fills: timed.toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex),
    quarantined,
    first: required(headers.get(range.from)),
    last: required(headers.get(range.to)),
  };
}

type ExchangeEvent = UntimedFill | OrdersMatched;

const isMatch = (event: ExchangeEvent): event is OrdersMatched => "takerOrderHash" in event;

const decodeLog = (log: ChainLog): ExchangeEvent =>
  log.topics[0] === EXCHANGES.get(log.address)?.ordersMatched ? decodeOrdersMatched(log) : decodeOrderFilled(log);

async function readHeaders(
  node: ChainNode,
  { from, to }: BlockRange,
  concurrency: number,
): Promise<ReadonlyMap<number, BlockHeader>> {
  const headers = new Map<number, BlockHeader>();
  let next = from;
  await drain(
    concurrency,
    () => (next > to ? null : next++),
    async (number) => {
      headers.set(number, await node.header(number));
    },
  );
  for (let number = from + 1; number <= to; number++) {
    if (headers.get(number)?.parentHash !== headers.get(number - 1)?.hash) throw chainChanged(number);
  }
  return headers;
}

function required(header: BlockHeader | undefined): BlockHeader {
  if (header === undefined) throw new RangeError("a range of blocks has at least one");
  return header;
}

const chainChanged = (block: number) =>
  new ProviderUnavailable(`the chain of the node changed at block ${block} while it was read`, null);
