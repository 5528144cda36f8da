import type { Pool } from "@neondatabase/serverless";
import { inTransaction, sessionOf, type Session } from "../../db/client.ts";
import { formatMicro } from "../../domain/money.ts";
import type { BlockHeader, Chain } from "../../platform/chain.ts";
import {
  ProviderRefused,
  ProviderUnavailable,
  type QuarantinedRecord,
  type TradeFeed,
} from "../../platform/provider.ts";
import { ChainState, checkpointOf, FeedState, findCheckpoint, saveCheckpoint } from "../feeds/checkpoints.ts";
import { quarantineRecords } from "../feeds/quarantine-records.ts";
import { compareFills, type Difference } from "./compare-fills.ts";
import type { TokenProvider } from "./describe-tokens.ts";
import { listLedgerFills } from "./ledger-fills.ts";
import { recordPendingFills, storePendingFills } from "./pending-fills.ts";
import { recordFillLogs } from "./record-fill-logs.ts";
import { recordLacking, type RecordableFill, type RecordFillsSettings, type RecordedFills } from "./record-fills.ts";

export interface ChainSource {
  readonly chain: Chain;
  /** How many blocks must follow a block before it is compared. */
  readonly confirmations: number;
}

export type FollowSettings = Omit<RecordFillsSettings, "provider">;

const CHECKPOINT = "chain:fills";
/** A run makes about as many calls. */
const BLOCKS_PER_RUN = 30;
/**
 * The feeds show a fill within seconds of its block. A block that both have not passed after this time is compared
 * without them: they are away, or far behind.
 */
const FEED_LATE_MS = 300_000;
const NODE_LATE_MS = 600_000;

/**
 * Compares the next final blocks of the chain with the ledger and records what the provider's feeds have not shown, and
 * the log of each fill. The first run only stores where it begins, at the newest final block. A run that is repeated changes nothing.
 *
 * @returns whether more final blocks wait
 * @throws ProviderUnavailable when the node does not answer, contradicts itself or what it said before; nothing of the
 *   blocks is then recorded
 */
export async function followChain(
  pool: Pool,
  { chain, confirmations }: ChainSource,
  provider: TokenProvider,
  settings: FollowSettings,
): Promise<boolean> {
  const pendingAdded = await recordPending(pool, provider, settings);
  const state = await findCheckpoint(sessionOf(pool), CHECKPOINT, ChainState);
  const newest = await chain.newestBlock();
  const final = newest - confirmations;
  if (state === null) {
    const { hash } = await chain.header(final);
    await save(pool, { nextBlock: final + 1, lastHash: hash, stored: 0 });
    return false;
  }
  const range = { from: state.nextBlock, to: Math.min(final, state.nextBlock + BLOCKS_PER_RUN - 1) };
  if (range.to < range.from) {
    requireRecent(await chain.header(newest), settings.now());
    return false;
  }
  const { timestamp } = await chain.header(range.to);
  if (!(await isDue(sessionOf(pool), timestamp * 1000, settings.now()))) return false;

  const read = await chain.readFills(range);
  if (read.first.parentHash !== state.lastHash)
    throw new ProviderUnavailable(
      `block ${range.from} of the node does not follow the block ${range.from - 1} that was compared`,
      null,
    );
  const txHashes = [...new Set(read.fills.map(({ txHash }) => txHash))];
  const differences = compareFills(read.fills, await listLedgerFills(sessionOf(pool), txHashes, null));
  // Their tokens are asked for as those of pending fills.
  const recorded = await recordLacking(pool, read.fills, differences, { ...settings, provider: null });
  const stored = state.stored + pendingAdded + recorded.added;
  await save(pool, { nextBlock: range.to + 1, lastHash: read.last.hash, stored }, [
    (session) => recordFillLogs(session, read.fills),
    (session) => storePendingFills(session, unrecordedAs(recorded, "unknown_market")),
    (session) => quarantineRecords(session, CHECKPOINT, [...read.quarantined, ...odd(recorded, differences)]),
  ]);
  return range.to < final;
}

/** The provider may be away; the chain is followed all the same. */
async function recordPending(pool: Pool, provider: TokenProvider, settings: FollowSettings): Promise<number> {
  try {
    return await recordPendingFills(pool, provider, settings);
  } catch (error) {
    if (error instanceof ProviderUnavailable || error instanceof ProviderRefused) return 0;
    throw error;
  }
}

/** A node that stands still would otherwise look as if the chain had no more blocks. */
function requireRecent({ number, timestamp }: BlockHeader, now: number): void {
  if (now - timestamp * 1000 <= NODE_LATE_MS) return;
  const at = new Date(timestamp * 1000).toISOString();
  throw new ProviderUnavailable(`the node is behind: its newest block ${number} is of ${at}`, null);
}

const save = (
  pool: Pool,
  state: ChainState,
  also: readonly ((session: Session) => Promise<void>)[] = [],
): Promise<void> =>
  inTransaction(pool, async (session) => {
    await Promise.all([...also.map((write) => write(session)), saveCheckpoint(session, CHECKPOINT, state)]);
  });

async function isDue(session: Session, blockMs: number, now: number): Promise<boolean> {
  if (now - blockMs > FEED_LATE_MS) return true;
  for (const feed of ["all", "takers"] satisfies TradeFeed[]) {
    const watermarkMs = (await findCheckpoint(session, checkpointOf(feed), FeedState))?.watermarkMs ?? null;
    if (watermarkMs === null || watermarkMs < blockMs) return false;
  }
  return true;
}

const unrecordedAs = ({ unrecorded }: RecordedFills, wanted: RecordedFills["unrecorded"][number]["reason"]) =>
  unrecorded.flatMap(({ fill, reason }) => (reason === wanted ? [fill] : []));

/** What an operator has to look at: fills that cannot be recorded, and entries that contradict the chain. */
function odd(recorded: RecordedFills, differences: readonly Difference[]): QuarantinedRecord[] {
  const priceless = unrecordedAs(recorded, "no_price").map((fill) => ({
    reason: "its price is not from 0 to 1",
    record: presentFill(fill),
  }));
  const contradicted = unrecordedAs(recorded, "differing_transaction").map((fill) => ({
    reason: "the ledger has other fills of its transaction",
    record: presentFill(fill),
  }));
  const contradictions = differences.flatMap((difference): QuarantinedRecord[] => {
    if (difference.kind === "missing_on_chain")
      return [{ reason: "the chain does not have the entry", record: { entry_id: difference.ledger.entryId } }];
    if (difference.kind !== "shares") return [];
    const record = { ...presentFill(difference.chain), entry_id: difference.ledger.entryId };
    return [{ reason: "the entry has other shares than the chain", record }];
  });
  return [...priceless, ...contradicted, ...contradictions];
}

const presentFill = (fill: RecordableFill) => ({
  block_number: fill.blockNumber,
  log_index: fill.logIndex,
  transaction_hash: fill.txHash,
  trader: fill.trader,
  side: fill.side,
  token_id: fill.tokenId,
  shares: formatMicro(fill.sharesMicro),
  usd: formatMicro(fill.usdMicro),
});
