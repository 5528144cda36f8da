import { sql } from "drizzle-orm";
import { m } from "../../db/aliases.ts";
import { atCommit, type Session } from "../../db/client.ts";
import { array, run } from "../../db/sql.ts";
import { isLargeTrade } from "../../domain/trades/large-trade.ts";
import type { ProviderPage, ProviderTrade, TradeFeed } from "../../platform/provider.ts";
import { checkpointOf, saveCheckpoint, type FeedState } from "./checkpoints.ts";
import { numberRows, type IdentifiedRow, type NumberedRow, type OrdinalCarry } from "./row-ordinals.ts";
import type { FillKey, RecentFills } from "./recent-fills.ts";
import type { RowIdCache, NewRowIds } from "./row-id-cache.ts";
import { captureLargeTrades } from "./capture-large-trades.ts";
import type { LedgerEntry } from "../ledger/ledger-entry.ts";
import { lockMarkets } from "../ledger/row-locks.ts";
import {
  foldLedgerEntries,
  lockLedgerForTrades,
  NOTHING_ADDED,
  type RecordedPage,
} from "../ledger/record-ledger-entries.ts";
import { findKnownIds, resolveIds, type ResolvedIds } from "./resolve-ids.ts";
import { quarantineRecords } from "./quarantine-records.ts";
import { rewarmTraders, trackTraders, tradersToWarm } from "../traders/track-traders.ts";

/** Computes the feed state to store with the page. Created before the page is applied. */
export type ComputeFeedState = (
  carry: NonNullable<FeedState["walk"]>["carry"],
  added: number,
  oldestAddedMs: number | null,
) => FeedState;

export interface RecordSettings {
  readonly rowIds: RowIdCache;
  /** Rows that are known to be recorded are not looked up; absent, all are. */
  readonly recentFills?: RecentFills;
  readonly largeTradeMinUsd: number;
}

export interface RecordedTrades {
  /** Row ids to cache once the transaction has committed. */
  readonly learned: NewRowIds;
  /** The fills that are recorded once the transaction has committed. */
  readonly fills: readonly FillKey[];
  /** How many fills were new. */
  readonly added: number;
}

/**
 * Applies one page of a trade feed in the caller's transaction: ledger entries, positions, totals, large
 * trades, outbox events, quarantined records and the feed's checkpoint, all or nothing. Applying a page twice
 * changes nothing. Three round trips: the lock and the row ids; what is recorded, which needs the ids and the lock; the
 * writes with the commit, which are computed from what is recorded. The first two are one if the process knows all ids. A page
 * of recent fills only takes the last one.
 */
export async function applyTradePage(
  session: Session,
  feed: TradeFeed,
  page: ProviderPage<ProviderTrade>,
  carry: OrdinalCarry | null,
  next: ComputeFeedState,
  settings: RecordSettings,
): Promise<RecordedTrades> {
  return recordTrades(session, feed, { rows: page.rows, carry }, settings, (last, recorded) => [
    quarantineRecords(last, checkpointOf(feed), page.quarantined),
    saveCheckpoint(last, checkpointOf(feed), next(recorded.carry, recorded.added, recorded.oldestAddedMs)),
  ]);
}

/**
 * Records trades in the caller's transaction: ledger entries, positions, totals, large trades and outbox events. Trades
 * that are recorded change nothing, except that a missing taker role or fee is filled in. The writes are sent with the commit,
 * so a transaction records trades once.
 *
 * @param feed the trades of `takers` get the taker role
 * @param also further statements to send with the commit
 */
export async function recordTrades(
  session: Session,
  feed: TradeFeed,
  { rows, carry }: { readonly rows: readonly ProviderTrade[]; readonly carry: OrdinalCarry | null },
  settings: RecordSettings,
  also: (
    last: Session,
    recorded: RecordedPage & { readonly carry: OrdinalCarry | null },
  ) => readonly Promise<unknown>[] = () => [],
): Promise<RecordedTrades> {
  const numbered = numberRows(rows.map(identifyTrade), carry);
  const unknown = numbered.rows.filter((row) => !isKnown(row, feed, settings));
  if (unknown.length === 0) {
    await atCommit(session, (last) => Promise.all(also(last, { ...NOTHING_ADDED, carry: numbered.carry })));
    return { learned: { traders: new Map(), outcomes: new Map() }, fills: [], added: 0 };
  }
  const references = unknown.map(({ row }) => recordReferencesOf(row.trade));
  const known = findKnownIds(references, settings.rowIds);
  const locked = lockLedgerForTrades(session);
  const ids = known ?? (await Promise.all([resolveIds(session, references, settings.rowIds), locked]))[0];
  const entries = unknown.map(({ row, ordinal }) =>
    toLedgerEntry(row.trade, ordinal, feed === "takers" ? "taker" : null, ids),
  );
  // If all ids are known, in one message with the lock: each statement sees what was committed before it began.
  const [{ page: recorded, write }] = await Promise.all([foldLedgerEntries(session, entries), locked]);
  const { added } = recorded;
  const traderIds = entries.map(({ traderId }) => traderId);
  const large = entries.filter((entry) => isLargeTrade(entry, settings.largeTradeMinUsd));
  const largeTraderIds = large.map(({ traderId }) => traderId);
  const largeMarketIds = large.map(({ marketId }) => marketId);
  await atCommit(session, (last) =>
    Promise.all([
      // Their counts are written after outcomes.
      large.length > 0 && run(last, lockMarkets(sql`${m.id} = any(${array(largeMarketIds, "bigint")})`)),
      write(last),
      captureLargeTrades(last, entries, settings.largeTradeMinUsd),
      trackTraders(last, largeTraderIds, "hot"),
      trackTraders(last, tradersToWarm(entries), "warm"),
      added > 0 && rewarmTraders(last, traderIds),
      ...also(last, { ...recorded, carry: numbered.carry }),
    ]),
  );
  return { learned: ids.newIds, fills: unknown.map(({ row, ordinal }) => fillKey(row, ordinal)), added };
}

/**
 * Whether this process knows that a page would change nothing: all its rows are recent fills.
 *
 * @returns the carry for the next page of the walk; null when the page has to be applied
 */
export function carryPastKnownPage(
  feed: TradeFeed,
  { rows, quarantined }: ProviderPage<ProviderTrade>,
  carry: OrdinalCarry | null,
  settings: Pick<RecordSettings, "recentFills">,
): { readonly carry: OrdinalCarry | null } | null {
  const numbered = numberRows(rows.map(identifyTrade), carry);
  const areKnown = quarantined.length === 0 && numbered.rows.every((row) => isKnown(row, feed, settings));
  return areKnown ? { carry: numbered.carry } : null;
}

/** A row with a fee is looked up: its fill may be recorded without it. */
const isKnown = (
  { row, ordinal }: NumberedRow<IdentifiedTrade>,
  feed: TradeFeed,
  { recentFills }: Pick<RecordSettings, "recentFills">,
): boolean => row.trade.feeMicro === null && recentFills?.isRecorded(feed, fillKey(row, ordinal)) === true;

const fillKey = ({ txHash, identity }: IdentifiedRow, ordinal: number): FillKey => `${txHash} ${identity} ${ordinal}`;

interface IdentifiedTrade extends IdentifiedRow {
  readonly trade: ProviderTrade;
}

/**
 * The trade with the fields that distinguish it inside its transaction. Time and price are left out, because
 * sockets and feeds report them differently.
 */
export function identifyTrade(trade: ProviderTrade): IdentifiedTrade {
  return {
    trade,
    txHash: trade.txHash,
    identity: `${trade.trader.address} ${trade.tokenId} ${trade.side} ${trade.sharesMicro}`,
  };
}

export function recordReferencesOf(trade: ProviderTrade) {
  return {
    trader: trade.trader,
    market: trade.market,
    tokenId: trade.tokenId,
    outcomeIndex: trade.outcomeIndex,
    outcomeLabel: trade.outcomeLabel,
  };
}

export function toLedgerEntry(
  trade: ProviderTrade,
  ordinal: number,
  role: LedgerEntry["role"],
  ids: ResolvedIds,
): LedgerEntry {
  const { outcomeId, marketId } = ids.outcome(trade.tokenId);
  return {
    txHash: trade.txHash,
    traderId: ids.traderId(trade.trader.address),
    outcomeId,
    marketId,
    kind: trade.side === "BUY" ? "buy" : "sell",
    sharesMicro: trade.sharesMicro,
    ordinal,
    usdMicro: trade.usdMicro,
    feeMicro: trade.feeMicro,
    price: trade.price,
    role,
    tradedAtMs: trade.tradedAt.getTime(),
  };
}
