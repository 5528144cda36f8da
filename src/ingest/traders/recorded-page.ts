import type { Session } from "../../db/client.ts";
import type { ProviderActivity, ProviderPage } from "../../platform/provider.ts";
import { recordReferencesOf, toLedgerEntry } from "../feeds/apply-trade-page.ts";
import { findKnownIds } from "../feeds/resolve-ids.ts";
import type { OrdinalCarry } from "../feeds/row-ordinals.ts";
import type { KnownRowIds } from "../feeds/row-id-cache.ts";
import { identityKey, type LedgerEntry } from "../ledger/ledger-entry.ts";
import { findUnrecorded } from "../ledger/record-ledger-entries.ts";
import { isUnsupported } from "./apply-activity-page.ts";
import { judgeMoves, listStoredMoves } from "./judge-moves.ts";
import { numberActivity, withoutCombos, type NumberedPage } from "./number-activity.ts";
import { areOthersRecorded } from "./other-activity.ts";
import type { TraderSync } from "./read-sync-state.ts";
import { listMovedOutcomes, splitAndMergeLegs } from "./split-merge-legs.ts";

/** What of a page the trade feeds, or an earlier read, have recorded. Rows are never removed, so it stays true without a lock. */
export interface RecordedRows {
  /** Identity keys of entries: the page's transaction, for which others wait, leaves them out. */
  readonly entries: ReadonlySet<string>;
  /**
   * Whether the page would change nothing, but for trades that are left to the feeds and the next read of combos. Never of a page
   * that opens a gap.
   */
  readonly areAll: boolean;
  /** Of a page whose rows are all recorded: the trader's combos must be read again. */
  readonly combosDue: boolean;
  /** Time of the oldest trade that is left to the feeds, ms; null for none. */
  readonly leftFromMs: number | null;
}

export const NOTHING_RECORDED: RecordedRows = {
  ...{ entries: new Set(), areAll: false, combosDue: false, leftFromMs: null },
};

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
 * Compares a page with what is recorded: one statement, one more with splits or merges, and a message with other rows. While the
 * feeds run, trades that they have not shown yet are left to them: they record many in one transaction, with the role of the
 * taker. The next read finds those that they lack.
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
  const moves = withoutCombos(others);
  const legs = splitAndMergeLegs(sync.traderId, moves, await listMovedOutcomes(session, moves));
  const traded = named.map(({ trade, ordinal }) => toLedgerEntry(trade, ordinal, null, ids));
  const entries = [...traded, ...legs.entries];
  const news = await findUnrecorded(session, entries);
  const isLeg = ({ kind }: LedgerEntry) => kind === "split" || kind === "merge";
  const leftFromMs = findLeft(sync.feedMs, at, [
    ...news.filter((entry) => !isLeg(entry)),
    ...unnamed.map(({ trade }) => ({ feeMicro: trade.feeMicro, tradedAtMs: trade.tradedAt.getTime() })),
  ]);
  const hasNewName = page.rows.length > 0 && known.traderId(sync.address) === undefined;
  const opensGap = page.quarantined.length > 0 || legs.gaps.length > 0 || others.some(isUnsupported);
  const mayBeAll = leftFromMs !== undefined && !news.some(isLeg) && !hasNewName && !opensGap;
  const newKeys = new Set(news.map(identityKey));
  return {
    entries: new Set(entries.map(identityKey).filter((key) => !newKeys.has(key))),
    ...(mayBeAll ? await judgeOthers(session, sync.traderId, { trades, others }) : { areAll: false, combosDue: false }),
    leftFromMs: leftFromMs ?? null,
  };
}

/** Whether rows that are not trades are stored, and nothing of the page is open. */
async function judgeOthers(
  session: Session,
  traderId: number,
  rows: Pick<NumberedPage, "trades" | "others">,
): Promise<Pick<RecordedRows, "areAll" | "combosDue">> {
  // A conversion is booked once all rows of its transaction are stored, so these come first.
  if (!(await areOthersRecorded(session, traderId, rows.others))) return { areAll: false, combosDue: false };
  const { hasPending, combos } = await judgeMoves(session, traderId, listStoredMoves(rows));
  return { areAll: !hasPending && !combos.isOpen, combosDue: combos.isDue };
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
