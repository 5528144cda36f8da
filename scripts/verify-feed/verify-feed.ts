import type { Pool } from "@neondatabase/serverless";
import { inTransaction, sessionOf, type Session } from "../../src/db/client.ts";
import { compareFills, type Difference, type DifferenceKind } from "../../src/ingest/chain/compare-fills.ts";
import { listLedgerFills } from "../../src/ingest/chain/ledger-fills.ts";
import { recordFillLogs } from "../../src/ingest/chain/record-fill-logs.ts";
import {
  recordLacking,
  type RecordFillsSettings,
  type UnrecordedFill,
  type UnrecordedReason,
} from "../../src/ingest/chain/record-fills.ts";
import { checkpointOf, FeedState, findCheckpoint } from "../../src/ingest/feeds/checkpoints.ts";
import type { BlockRange, Chain } from "../../src/platform/chain.ts";
import type { QuarantinedRecord, TradeFeed } from "../../src/platform/provider.ts";

/** The blocks cannot be verified, as one sentence: it says nothing about the ledger. */
export class NotVerifiable extends Error {
  override name = "NotVerifiable";
}

export interface VerifySettings {
  readonly range: BlockRange;
  /** How many blocks must follow the last one. */
  readonly confirmations: number;
  /** How missing fills are recorded, and the log of each fill; null records nothing. */
  readonly record: RecordFillsSettings | null;
  readonly onDifference: (difference: Difference) => void;
  readonly onUnreadable: (log: QuarantinedRecord) => void;
  readonly onUnrecorded: (unrecorded: UnrecordedFill) => void;
  readonly onProgress?: (soFar: Verification) => void;
}

export interface Verification {
  readonly blocks: number;
  readonly chainFills: number;
  readonly ledgerFills: number;
  /** How many of them have a log index. */
  readonly knownLogs: number;
  /** How many fills were missing and have been recorded. */
  readonly recorded: number;
  /** How many were missing and have not. */
  readonly unrecorded: Readonly<Partial<Record<UnrecordedReason, number>>>;
  /** What differs, after that. */
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
 * Compares the fills of the ledger with those of the chain, window by window, and records the missing ones and all log
 * indexes if asked.
 *
 * @throws NotVerifiable when the ledger is not expected to have these blocks, or they may still change
 * @throws ProviderUnavailable, ProviderRefused by the node
 */
export async function verifyFeed(chain: Chain, pool: Pool, settings: VerifySettings): Promise<Verification> {
  const { range } = settings;
  await checkConfirmations(chain, settings);
  const lastSecond = (await chain.header(range.to)).timestamp;
  // What is recorded here changes nothing when the feeds show it later, so they may be behind or away.
  if (settings.record === null) await checkWatermarks(sessionOf(pool), lastSecond);
  const firstSecond = (await chain.header(range.from)).timestamp;
  let soFar: Verification = {
    blocks: 0,
    chainFills: 0,
    ledgerFills: 0,
    knownLogs: 0,
    recorded: 0,
    unrecorded: {},
    differences: {},
    unreadable: 0,
    firstSecond,
    lastSecond,
  };
  for (let from = range.from; from <= range.to; from += WINDOW_BLOCKS) {
    const window = { from, to: Math.min(range.to, from + WINDOW_BLOCKS - 1) };
    soFar = await verifyWindow(chain, pool, window, settings, soFar);
    settings.onProgress?.(soFar);
  }
  return soFar;
}

async function checkConfirmations(chain: Chain, { range, confirmations }: VerifySettings): Promise<void> {
  const final = (await chain.newestBlock()) - confirmations;
  if (range.to > final)
    throw new NotVerifiable(`Block ${range.to} has fewer than ${confirmations} confirmations. Verify up to ${final}.`);
}

/** The ledger has every fill up to the watermark of both feeds, and the taker role of each. */
async function checkWatermarks(session: Session, lastSecond: number): Promise<void> {
  for (const feed of ["all", "takers"] satisfies TradeFeed[]) {
    const watermarkMs = (await findCheckpoint(session, checkpointOf(feed), FeedState))?.watermarkMs ?? null;
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
  chain: Chain,
  pool: Pool,
  window: BlockRange,
  settings: VerifySettings,
  before: Verification,
): Promise<Verification> {
  // The ledger has the time of a fill, not its block, so whole seconds are read from the chain.
  const read = await chain.readFills(await widenToSeconds(chain, window));
  const isInside = ({ blockNumber }: { readonly blockNumber: number }) =>
    blockNumber >= window.from && blockNumber <= window.to;
  const fills = read.fills.filter(isInside);
  const outside = new Set(read.fills.filter((fill) => !isInside(fill)).map(({ txHash }) => txHash));
  const txHashes = [...new Set(fills.map(({ txHash }) => txHash))];
  const seconds = { first: read.first.timestamp, last: read.last.timestamp };
  const compare = async () => {
    const listed = await listLedgerFills(sessionOf(pool), txHashes, seconds);
    const ledger = listed.filter(({ txHash }) => !outside.has(txHash));
    const knownLogs = ledger.filter(({ log }) => log !== null).length;
    return { ledgerFills: ledger.length, knownLogs, found: compareFills(fills, ledger) };
  };
  let compared = await compare();
  let recorded = 0;
  const unrecorded: Partial<Record<UnrecordedReason, number>> = { ...before.unrecorded };
  if (settings.record !== null) {
    const result = await recordLacking(pool, fills, compared.found, settings.record);
    recorded = result.added;
    for (const left of result.unrecorded) {
      unrecorded[left.reason] = (unrecorded[left.reason] ?? 0) + 1;
      settings.onUnrecorded(left);
    }
    await inTransaction(pool, (session) => recordFillLogs(session, fills));
    compared = await compare();
  }

  const differences: Partial<Record<DifferenceKind, number>> = { ...before.differences };
  for (const difference of compared.found) {
    differences[difference.kind] = (differences[difference.kind] ?? 0) + 1;
    settings.onDifference(difference);
  }
  for (const log of read.quarantined) settings.onUnreadable(log);
  return {
    ...before,
    blocks: before.blocks + window.to - window.from + 1,
    chainFills: before.chainFills + fills.length,
    ledgerFills: before.ledgerFills + compared.ledgerFills,
    knownLogs: before.knownLogs + compared.knownLogs,
    recorded: before.recorded + recorded,
    unrecorded,
    differences,
    unreadable: before.unreadable + read.quarantined.length,
  };
}

/** The window and its neighbours that have the same second as its first or its last block. */
async function widenToSeconds(chain: Chain, { from, to }: BlockRange): Promise<BlockRange> {
  const secondOf = async (number: number) => (await chain.header(number)).timestamp;
  const [first, last] = [await secondOf(from), await secondOf(to)];
  let [start, end] = [from, to];
  while (start > 0 && (await secondOf(start - 1)) === first) start -= 1;
  while ((await secondOf(end + 1)) === last) end += 1;
  return { from: start, to: end };
}
