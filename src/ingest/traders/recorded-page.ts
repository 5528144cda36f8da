import type { Session } from "../../db/client.ts";
import { isCombination } from "../../domain/ids.ts";
import type { ProviderActivity, ProviderPage } from "../../platform/provider.ts";
import { recordReferencesOf, toLedgerEntry } from "../feeds/apply-trade-page.ts";
import { findKnownIds } from "../feeds/resolve-ids.ts";
import type { OrdinalCarry } from "../feeds/row-ordinals.ts";
import type { KnownRowIds } from "../feeds/row-id-cache.ts";
import { identityKey } from "../ledger/ledger-entry.ts";
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
   * Whether the page would change nothing. Never of a page that may open a gap (activity in combos, splits, merges,
   * conversions, unparsed rows) or that names what is not stored.
   */
  readonly areAll: boolean;
}

export const NOTHING_RECORDED: RecordedRows = { trades: new Set(), areAll: false };

/**
 * Compares a page with what is recorded: at most two statements.
 *
 * @param known `lookUpIds` of the page
 */
export async function findRecordedRows(
  session: Session,
  { traderId, address }: Pick<TraderSync, "traderId" | "address">,
  page: ProviderPage<ProviderActivity>,
  carry: OrdinalCarry | null,
  known: KnownRowIds,
): Promise<RecordedRows> {
  const { trades, others } = numberActivity(page, carry);
  const named = trades.filter(({ trade }) => known.outcome(trade.tokenId) !== undefined);
  const ids = findKnownIds(
    named.map(({ trade }) => recordReferencesOf(trade)),
    known,
  );
  if (ids === null) return NOTHING_RECORDED;
  const entries = named.map(({ trade, ordinal }) => toLedgerEntry(trade, ordinal, null, ids));
  const unrecorded = new Set((await findUnrecorded(session, entries)).map(identityKey));
  const recorded = new Set(entries.map(identityKey).filter((key) => !unrecorded.has(key)));
  const hasNewName = page.rows.length > 0 && known.traderId(address) === undefined;
  const mayOpenGap =
    page.quarantined.length > 0 ||
    trades.some(({ trade }) => isCombination(trade.market.conditionId)) ||
    others.some(({ row }) => WITH_GAPS.has(row.type) || isCombination(row.market?.conditionId ?? ""));
  const mayBeAll = named.length === trades.length && unrecorded.size === 0 && !hasNewName && !mayOpenGap;
  return { trades: recorded, areAll: mayBeAll && (await areOthersRecorded(session, traderId, others)) };
}
