import { drain } from "../../lib/drain.ts";
import { ProviderUnavailable, type QuarantinedRecord } from "../../platform/provider.ts";
import { parseProviderRecords } from "../polymarket/payloads/parse-provider-records.ts";
import type { BlockRange, ChainNode } from "./chain-node.ts";
import { decodeOrderFilled, type ChainFill } from "./order-filled.ts";
import { ChainLog, type BlockHeader } from "./payloads.ts";
import { readFillLogs, type ReadSettings } from "./read-fill-logs.ts";

/** A fill with the time of its block, which is the time that the provider's trade feed has. */
export interface TimedFill extends ChainFill {
  readonly tradedAtMs: number;
}

export interface BlocksFills {
  /** By block and log index. */
  readonly fills: readonly TimedFill[];
  /** Logs that could not be decoded. */
  readonly quarantined: readonly QuarantinedRecord[];
  /** Epoch seconds of the first and the last block. */
  readonly firstSecond: number;
  readonly lastSecond: number;
}

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
  const { rows, quarantined } = parseProviderRecords(logs, ChainLog, decodeOrderFilled);
  const places = new Set<string>();
  const fills = rows.map((fill) => {
    const header = headers.get(fill.blockNumber);
    if (header === undefined) throw new ProviderUnavailable("the node sent logs of other blocks", null);
    if (header.hash !== fill.blockHash) throw chainChanged(fill.blockNumber);
    places.add(`${fill.blockNumber} ${fill.logIndex}`);
    return { ...fill, tradedAtMs: header.timestamp * 1000 };
  });
  if (places.size !== fills.length) throw new ProviderUnavailable("the node sent a log twice", null);
  return {
    fills: fills.toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex),
    quarantined,
    firstSecond: headers.get(range.from)?.timestamp ?? 0,
    lastSecond: headers.get(range.to)?.timestamp ?? 0,
  };
}

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
      const header = await node.header(number);
      if (header.number !== number) throw new ProviderUnavailable("the node sent the header of another block", null);
      headers.set(number, header);
    },
  );
  for (let number = from + 1; number <= to; number++) {
    if (headers.get(number)?.parentHash !== headers.get(number - 1)?.hash) throw chainChanged(number);
  }
  return headers;
}

const chainChanged = (block: number) =>
  new ProviderUnavailable(`the chain of the node changed at block ${block} while it was read`, null);
