import type { Session } from "../../src/db/client.ts";
import { FeedState, findCheckpoint } from "../../src/ingest/feeds/checkpoints.ts";
import type { QuarantinedRecord, TradeFeed } from "../../src/platform/provider.ts";
import type { BlockRange, ChainNode } from "../../src/providers/polygon/chain-node.ts";
import { POLYGON_CHAIN_ID } from "../../src/providers/polygon/exchanges.ts";
import { readFills } from "../../src/providers/polygon/read-fills.ts";
import type { ReadSettings } from "../../src/providers/polygon/read-fill-logs.ts";
import { compareFills, type Difference, type DifferenceKind } from "./compare-fills.ts";
import { listLedgerFills } from "./ledger-fills.ts";

/** The blocks cannot be verified, as one sentence: it says nothing about the ledger. */
export class NotVerifiable extends Error {
  override name = "NotVerifiable";
}

export interface VerifySettings extends ReadSettings {
  readonly range: BlockRange;
  /** How many blocks must follow the last one. */
  readonly confirmations: number;
  readonly onDifference: (difference: Difference) => void;
  readonly onUnreadable: (log: QuarantinedRecord) => void;
  readonly onProgress?: (soFar: Verification) => void;
}

export interface Verification {
  readonly blocks: number;
  readonly chainFills: number;
  readonly ledgerFills: number;
  readonly differences: Readonly<Partial<Record<DifferenceKind, number>>>;
  /** Logs of the exchanges that could not be decoded. */
  readonly unreadable: number;
  /** Epoch seconds of the first and the last block. */
  readonly firstSecond: number;
  readonly lastSecond: number;
}

/** About an hour of blocks, whose fills are in memory at once. */
const WINDOW_BLOCKS = 2_000;

/**
 * Compares the fills of the ledger with those of the chain, window by window.
 *
 * @throws NotVerifiable when the ledger is not expected to have these blocks, or they may still change
 * @throws ProviderUnavailable, ProviderRefused by the node
 */
export async function verifyFeed(node: ChainNode, session: Session, settings: VerifySettings): Promise<Verification> {
  const { range } = settings;
  await checkChain(node, settings);
  const lastSecond = (await node.header(range.to)).timestamp;
  await checkWatermarks(session, lastSecond);
  const firstSecond = (await node.header(range.from)).timestamp;
  let soFar: Verification = {
    blocks: 0,
    chainFills: 0,
    ledgerFills: 0,
    differences: {},
    unreadable: 0,
    firstSecond,
    lastSecond,
  };
  for (let from = range.from; from <= range.to; from += WINDOW_BLOCKS) {
    const window = { from, to: Math.min(range.to, from + WINDOW_BLOCKS - 1) };
    soFar = await verifyWindow(node, session, window, settings, soFar);
    settings.onProgress?.(soFar);
  }
  return soFar;
}

async function checkChain(node: ChainNode, { range, confirmations }: VerifySettings): Promise<void> {
  const chainId = await node.chainId();
  if (chainId !== POLYGON_CHAIN_ID)
    throw new NotVerifiable(`The node is of chain ${chainId}, not of chain ${POLYGON_CHAIN_ID}.`);
  const final = (await node.blockNumber()) - confirmations;
  if (range.to > final)
    throw new NotVerifiable(`Block ${range.to} has fewer than ${confirmations} confirmations. Verify up to ${final}.`);
}

/** The ledger has every fill up to the watermark of both feeds, and the taker role of each. */
async function checkWatermarks(session: Session, lastSecond: number): Promise<void> {
  for (const feed of ["all", "takers"] satisfies TradeFeed[]) {
    const watermarkMs = (await findCheckpoint(session, `trades:${feed}`, FeedState))?.watermarkMs ?? null;
    if (watermarkMs === null) throw new NotVerifiable(`The feed trades:${feed} has not been read to its end yet.`);
    if (watermarkMs < lastSecond * 1000) {
      throw new NotVerifiable(
        `The feed trades:${feed} has been read up to ${isoText(watermarkMs)}. The last block is of ${isoText(lastSecond * 1000)}.`,
      );
    }
  }
}

const isoText = (ms: number) => new Date(ms).toISOString();

async function verifyWindow(
  node: ChainNode,
  session: Session,
  window: BlockRange,
  settings: VerifySettings,
  before: Verification,
): Promise<Verification> {
  // The ledger has the time of a fill, not its block, so whole seconds are read from the chain.
  const seconds = await widenToSeconds(node, window);
  const read = await readFills(node, seconds, settings);
  const isInside = ({ blockNumber }: { readonly blockNumber: number }) =>
    blockNumber >= window.from && blockNumber <= window.to;
  const chain = read.fills.filter(isInside);
  const outside = new Set(read.fills.filter((fill) => !isInside(fill)).map(({ txHash }) => txHash));
  const txHashes = [...new Set(chain.map(({ txHash }) => txHash))];
  const listed = await listLedgerFills(session, txHashes, read.firstSecond, read.lastSecond);
  const ledger = listed.filter(({ txHash }) => !outside.has(txHash));

  const differences: Partial<Record<DifferenceKind, number>> = { ...before.differences };
  for (const difference of compareFills(chain, ledger)) {
    differences[difference.kind] = (differences[difference.kind] ?? 0) + 1;
    settings.onDifference(difference);
  }
  for (const log of read.quarantined) settings.onUnreadable(log);
  return {
    ...before,
    blocks: before.blocks + window.to - window.from + 1,
    chainFills: before.chainFills + chain.length,
    ledgerFills: before.ledgerFills + ledger.length,
    differences,
    unreadable: before.unreadable + read.quarantined.length,
  };
}

/** The window and its neighbours that have the same second as its first or its last block. */
async function widenToSeconds(node: ChainNode, { from, to }: BlockRange): Promise<BlockRange> {
  const secondOf = async (number: number) => (await node.header(number)).timestamp;
  const [first, last] = [await secondOf(from), await secondOf(to)];
  let [start, end] = [from, to];
  while (start > 0 && (await secondOf(start - 1)) === first) start -= 1;
  while ((await secondOf(end + 1)) === last) end += 1;
  return { from: start, to: end };
}
