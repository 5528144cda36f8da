import type { Session } from "../../db/client.ts";
import { isCombination } from "../../domain/ids.ts";
import type { ProviderActivity, ProviderPage } from "../../platform/provider.ts";
import { toLedgerEntry } from "../feeds/apply-trade-page.ts";
import { findKnownIds } from "../feeds/resolve-ids.ts";
import type { OrdinalCarry } from "../feeds/row-ordinals.ts";
import type { KnownRowIds } from "../feeds/row-id-cache.ts";
import { areRecorded } from "../ledger/record-ledger-entries.ts";
import { activityReferences, numberActivity } from "./apply-activity-page.ts";
import { areOthersRecorded } from "./other-activity.ts";
import type { TraderSync } from "./read-sync-state.ts";

/** Activity whose gaps follow from what is stored of its market, conversion or combo, which the ledger lock protects. */
const WITH_GAPS = new Set(["SPLIT", "MERGE", "CONVERSION", "MIGRATION"]);

/**
 * Prepares to ask whether a page would change nothing: the trade feeds, or an earlier read, have recorded all its rows. Rows are
 * never removed, so the answer stays true without a lock.
 *
 * @param known `lookUpIds` of the page
 * @returns at most two statements; null for pages that may open a gap (activity in combos, splits, merges,
 *   conversions, unparsed rows) or that name what is not stored
 */
export function compareWithRecorded(
  { traderId, address }: TraderSync,
  page: ProviderPage<ProviderActivity>,
  carry: OrdinalCarry | null,
  known: KnownRowIds,
): ((session: Session) => Promise<boolean>) | null {
  const { trades, others } = numberActivity(page, carry);
  const ids = findKnownIds(activityReferences(page), known);
  const hasNewName = page.rows.length > 0 && known.traderId(address) === undefined;
  const mayOpenGap =
    page.quarantined.length > 0 ||
    trades.some(({ trade }) => isCombination(trade.market.conditionId)) ||
    others.some(({ row }) => WITH_GAPS.has(row.type) || isCombination(row.market?.conditionId ?? ""));
  if (ids === null || hasNewName || mayOpenGap) return null;
  const entries = trades.map(({ trade, ordinal }) => toLedgerEntry(trade, ordinal, null, ids));
  return async (session) => {
    const areAll = await Promise.all([areRecorded(session, entries), areOthersRecorded(session, traderId, others)]);
    return areAll.every(Boolean);
  };
}
