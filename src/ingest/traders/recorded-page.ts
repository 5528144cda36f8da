import type { Session } from "../../db/client.ts";
import { isCombination } from "../../domain/ids.ts";
import type { ProviderActivity, ProviderPage } from "../../platform/provider.ts";
import { recordReferencesOf, toLedgerEntry } from "../feeds/apply-trade-page.ts";
import { findKnownIds } from "../feeds/resolve-ids.ts";
import type { OrdinalCarry } from "../feeds/row-ordinals.ts";
import type { KnownRowIds } from "../feeds/row-id-cache.ts";
import { identityKey, type LedgerEntry } from "../ledger/ledger-entry.ts";
import { findUnrecorded } from "../ledger/record-ledger-entries.ts";
import { numberActivity } from "./apply-activity-page.ts";
import { areOthersRecorded } from "./other-activity.ts";
import type { TraderSync } from "./read-sync-state.ts";

/** Activity whose gaps follow from what is stored of its market, conversion or combo, which the ledger lock protects. */
const WITH_GAPS = new Set(["SPLIT", "MERGE", "CONVERSION", "MIGRATION"]);

/** What of a page the trade feeds, or an earlier read, have recorded. Rows are never removed, so it stays true without a lock. */
export interface RecordedRows {
  /** Identity keys of trades: the page's transaction, for which others wait, leaves them out. */
  readonly trades: ReadonlySet<string>;
  /**
   * Whether the page would change nothing, but for trades that are left to the feeds. Never of a page that may open a gap
   * (activity in combos, splits, merges, conversions, unparsed rows).
   */
  readonly areAll: boolean;
  /** Time of the oldest trade that is left to the feeds, ms; null for none. */
  readonly leftFromMs: number | null;
}

export const NOTHING_RECORDED: RecordedRows = { trades: new Set(), areAll: false, leftFromMs: null };

/** The feeds show rows up to 11 s late. A trade this far below their watermark, or further, is not expected from them. */
const FEED_LATEST_MS = 20_000;
/** Feeds whose watermark is older than this do not run, or are behind. */
const FEED_ALIVE_MS = 60_000;

/** A page, and when it was read. */
interface ComparedPage {
  readonly page: ProviderPage<ProviderActivity>;
  readonly carry: OrdinalCarry | null;
  readonly at: Date;
}

/**
 * Compares a page with what is recorded: at most two statements. While the feeds run, trades that they have not shown yet are
 * left to them: they record many in one transaction, with the role of the taker. The next read finds those that they lack.
 *
 * @param known `lookUpIds` of the page
 */
export async function findRecordedRows(
  session: Session,
  sync: Pick<TraderSync, "traderId" | "address" | "feedMs">,
  { page, carry, at }: ComparedPage,
  known: KnownRowIds,
): Promise<RecordedRows> {
  const { trades, others } = numberActivity(page, carry);
  const isNamed = ({ trade }: (typeof trades)[number]) => known.outcome(trade.tokenId) !== undefined;
  const [named, unnamed] = [trades.filter(isNamed), trades.filter((row) => !isNamed(row))];
  const ids = findKnownIds(
    named.map(({ trade }) => recordReferencesOf(trade)),
    known,
  );
  if (ids === null) return NOTHING_RECORDED;
  const entries = named.map(({ trade, ordinal }) => toLedgerEntry(trade, ordinal, null, ids));
  const unrecorded = await findUnrecorded(session, entries);
  const leftFromMs = findLeft(sync.feedMs, at, [
    ...unrecorded,
    ...unnamed.map(({ trade }) => ({ feeMicro: trade.feeMicro, tradedAtMs: trade.tradedAt.getTime() })),
  ]);
  const hasNewName = page.rows.length > 0 && known.traderId(sync.address) === undefined;
  const mayOpenGap =
    page.quarantined.length > 0 ||
    trades.some(({ trade }) => isCombination(trade.market.conditionId)) ||
    others.some(({ row }) => WITH_GAPS.has(row.type) || isCombination(row.market?.conditionId ?? ""));
  const mayBeAll = leftFromMs !== undefined && !hasNewName && !mayOpenGap;
  const unrecordedKeys = new Set(unrecorded.map(identityKey));
  return {
    trades: new Set(entries.map(identityKey).filter((key) => !unrecordedKeys.has(key))),
    areAll: mayBeAll && (await areOthersRecorded(session, sync.traderId, others)),
    leftFromMs: leftFromMs ?? null,
  };
}

/**
 * Whether trades that are not recorded can be left to the feeds. Those with a fee cannot: the feeds have none.
 *
 * @returns the time of the oldest, ms; null for no trades; undefined when they have to be recorded now
 */
function findLeft(
  feedMs: number | null,
  at: Date,
  trades: readonly Pick<LedgerEntry, "feeMicro" | "tradedAtMs">[],
): number | null | undefined {
  if (trades.length === 0) return null;
  const oldestMs = trades.reduce((oldest, { tradedAtMs }) => Math.min(oldest, tradedAtMs), Infinity);
  const isFeedAlive = feedMs !== null && feedMs > at.getTime() - FEED_ALIVE_MS;
  const areLeft =
    isFeedAlive && oldestMs > feedMs - FEED_LATEST_MS && trades.every(({ feeMicro }) => feeMicro === null);
  return areLeft ? oldestMs : undefined;
}
