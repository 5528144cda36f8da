import { drain } from "../../lib/drain.ts";
import type { BlockRange } from "../../platform/chain.ts";
import { ProviderUnavailable } from "../../platform/provider.ts";
import type { ChainNode } from "./chain-node.ts";
import { RangeTooLarge } from "./node-error.ts";

export interface ReadSettings {
  /** How many blocks one call asks for, until the node refuses as many. */
  readonly blocksPerCall: number;
  /** How many calls are in progress at once. */
  readonly concurrency: number;
}

/** Some nodes cut an answer at a round number of logs and do not say so. */
const ROUND_LIMIT = 1_000;

/**
 * The logs of fills in all blocks of the range, in no particular order. A range that the node refuses is
 * halved, and so are the ranges after it.
 *
 * @throws ProviderUnavailable also when the node refuses a single block
 */
export async function readFillLogs(
  node: Pick<ChainNode, "fillLogs">,
  range: BlockRange,
  { blocksPerCall, concurrency }: ReadSettings,
): Promise<unknown[]> {
  let size = blocksPerCall;
  let next = range.from;
  const found: (readonly unknown[])[] = [];
  const take = (): BlockRange | null => {
    if (next > range.to) return null;
    const part = { from: next, to: Math.min(range.to, next + size - 1) };
    next = part.to + 1;
    return part;
  };
  const read = async (part: BlockRange): Promise<void> => {
    const length = part.to - part.from + 1;
    const logs = await node.fillLogs(part).catch((error: unknown) => {
      if (!(error instanceof RangeTooLarge)) throw error;
      if (length === 1)
        throw new ProviderUnavailable(`the node does not list the logs of block ${part.from}: ${error.message}`, null);
      size = Math.min(size, Math.floor(length / 2));
      return null;
    });
    if (logs !== null && (length === 1 || logs.length === 0 || logs.length % ROUND_LIMIT !== 0)) {
      found.push(logs);
      return;
    }
    const middle = part.from + Math.floor(length / 2) - 1;
    await read({ from: part.from, to: middle });
    await read({ from: middle + 1, to: part.to });
  };
  await drain(concurrency, take, read);
  return found.flat();
}
