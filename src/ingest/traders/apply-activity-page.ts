import { z } from "zod";
import { atCommit, type Session } from "../../db/client.ts";
import { isCombination } from "../../domain/ids.ts";
import { NO_COMBOS } from "../combos/judge-combos.ts";
import { COMBINATION_GAP } from "../../domain/traders/trader-completeness.ts";
import type { OtherActivity, ProviderPage, ProviderActivity, TraderHint } from "../../platform/provider.ts";
import { recordReferencesOf, toLedgerEntry } from "../feeds/apply-trade-page.ts";
import { CONVERSION_GAP } from "./conversions/pending-conversions.ts";
import type { OrdinalCarry, NumberedRow } from "../feeds/row-ordinals.ts";
import type { KnownRowIds, NewRowIds } from "../feeds/row-id-cache.ts";
import { foldLedgerEntries, lockLedger } from "../ledger/record-ledger-entries.ts";
import {
  findKnownIds,
  resolveIds,
  resolveTraders,
  type RecordReferences,
  type ResolvedIds,
} from "../feeds/resolve-ids.ts";
import { quarantineRecords } from "../feeds/quarantine-records.ts";
import { judgeMoves, listStoredMoves, type MovesJudgement, type StoredMoves } from "./judge-moves.ts";
import { numberActivity, withoutCombos } from "./number-activity.ts";
import { recordOthers } from "./other-activity.ts";
import { identityKey } from "../ledger/ledger-entry.ts";
import { isSplitOrMerge, listMovedOutcomes, splitAndMergeLegs, type OutcomesByCondition } from "./split-merge-legs.ts";

/**
 * Activity that moves shares in a way that positions do not follow. A trader with any of it has an incomplete
 * history.
 */
const UNSUPPORTED_TYPES = new Set(["MIGRATION"]);
export const isUnsupported = ({ row }: NumberedRow<OtherActivity>): boolean => UNSUPPORTED_TYPES.has(row.type);
/** The gap of a trader with a row that could not be parsed: its effect on positions is unknown. */
const UNPARSED_GAP = "unreadable";
/**
 * Rows of these types change neither our positions nor profit. If one cannot be parsed, every figure stays
 * correct.
 */
const RowWithoutEffect = z.object({
  type: z.enum(["REDEEM", "REWARD", "YIELD", "REFERRAL_REWARD", "DEPOSIT", "WITHDRAWAL", "TIP"]),
});

interface AppliedPage {
  readonly learned: NewRowIds;
  readonly carry: OrdinalCarry | null;
  /**
   * The gaps that this page opens in the trader's history (activity that positions could not follow, or that
   * could not be parsed), without duplicates.
   */
  readonly gaps: string[];
  /** Time of the newest entry that was added, ms; null when there is none. */
  readonly newestAddedMs: number | null;
  readonly traderId: number;
  /** Whether the trader's combos must be read again: the page has activity in combos after their last read. */
  readonly combosDue: boolean;
}

/**
 * Applies one page of a trader's activity in the caller's transaction. Its trades and the legs of its splits
 * and merges become ledger entries; every other row is stored as reported. `bookPendingConversions` books
 * conversions once all rows of their transaction are stored; until then they open a gap.
 *
 * The first message takes the ledger lock. With ids that the process knows (`lookUpIds`) it also has the reads, and the writes
 * go with the commit, so others wait for one round trip. New ids, splits and merges take another one, and so do
 * conversions and combos, whose gaps follow from what is written.
 *
 * @param recorded identity keys of entries that would change nothing
 */
export async function applyActivityPage(
  session: Session,
  address: string,
  page: ProviderPage<ProviderActivity>,
  carry: OrdinalCarry | null,
  known: KnownRowIds,
  recorded: ReadonlySet<string> = new Set(),
): Promise<AppliedPage> {
  const { trades, others, carry: nextCarry } = numberActivity(page, carry);
  const moves = withoutCombos(others);
  const references = activityReferences(page);
  const locked = lockLedger(session);
  // Without an `await` if the process knows all, so that the lock and the reads are one message.
  const found = findPageIds(address, references, moves, known);
  const { ids, traderId, outcomesOf } =
    found ??
    (await Promise.all([resolvePageIds(session, activityTrader(address, page), references, moves, known), locked]))[0];
  const legs = splitAndMergeLegs(traderId, moves, outcomesOf);
  const traded = trades.map(({ trade, ordinal }) => toLedgerEntry(trade, ordinal, null, ids));
  const entries = [...traded, ...legs.entries].filter((entry) => !recorded.has(identityKey(entry)));
  const [{ page: added, write }] = await Promise.all([foldLedgerEntries(session, entries), locked]);
  const writeAll = (to: Session) =>
    Promise.all([write(to), recordOthers(to, traderId, others), quarantineRecords(to, "activity", page.quarantined)]);

  const { hasPending, combos } = await writeAndJudge(session, traderId, writeAll, listStoredMoves({ trades, others }));

  const unsupportedGaps = others.filter(isUnsupported).map(({ row }) => row.type.toLowerCase());
  const isUnparsed = page.quarantined.some(({ record }) => !RowWithoutEffect.safeParse(record).success);
  const gaps = new Set([
    ...unsupportedGaps,
    ...legs.gaps,
    ...(hasPending ? [CONVERSION_GAP] : []),
    ...(combos.isOpen ? [COMBINATION_GAP] : []),
    ...(isUnparsed ? [UNPARSED_GAP] : []),
  ]);
  return {
    ...{ learned: ids.newIds, carry: nextCarry, gaps: [...gaps], newestAddedMs: added.newestAddedMs, traderId },
    combosDue: combos.isDue,
  };
}

/** What a page's trades refer to: traders and outcomes whose row ids it needs. */
export const activityReferences = ({ rows }: ProviderPage<ProviderActivity>): RecordReferences[] =>
  rows.flatMap((row) => (row.kind === "trade" ? [recordReferencesOf(row.trade)] : []));

/** The page's trader as its rows name it. */
export function activityTrader(address: string, { rows }: ProviderPage<ProviderActivity>): TraderHint {
  const other = rows.find((row) => row.kind === "other")?.activity.trader;
  const hint = other ?? rows.find((row) => row.kind === "trade")?.trade.trader;
  return { ...(hint ?? { username: null, profileImage: null }), address };
}

interface PageIds {
  readonly ids: ResolvedIds;
  readonly traderId: number;
  readonly outcomesOf: OutcomesByCondition;
}

/** Null when a statement is needed. */
function findPageIds(
  address: string,
  references: readonly RecordReferences[],
  moves: readonly NumberedRow<OtherActivity>[],
  known: KnownRowIds,
): PageIds | null {
  const [ids, traderId] = [findKnownIds(references, known), known.traderId(address)];
  if (ids === null || traderId === undefined || moves.some(isSplitOrMerge)) return null;
  return { ids, traderId, outcomesOf: new Map() };
}

async function resolvePageIds(
  session: Session,
  trader: TraderHint,
  references: readonly RecordReferences[],
  moves: readonly NumberedRow<OtherActivity>[],
  known: KnownRowIds,
): Promise<PageIds> {
  const [ids, traderId, outcomesOf] = await Promise.all([
    resolveIds(session, references, known),
    known.traderId(trader.address) ??
      resolveTraders(session, [trader]).then((resolved) => resolved.get(trader.address)),
    listMovedOutcomes(session, moves),
  ]);
  if (traderId === undefined) throw new Error(`no trader row for address ${trader.address}`);
  return { ids, traderId, outcomesOf };
}

/**
 * Writes the page. What it leaves open depends on what is written only in conversions and combos; without them the writes are
 * sent with the commit.
 */
async function writeAndJudge(
  session: Session,
  traderId: number,
  write: (to: Session) => Promise<unknown>,
  moves: StoredMoves,
): Promise<MovesJudgement> {
  if (moves.conversionTxHashes.length === 0 && moves.inCombos.length === 0) {
    await atCommit(session, write);
    return { hasPending: false, combos: NO_COMBOS };
  }
  const [, judgement] = await Promise.all([write(session), judgeMoves(session, traderId, moves)]);
  return judgement;
}

/**
 * The conditions of splits and merges. Their markets must be hydrated before the page can be applied in full.
 */
export function conditionsToHydrate(page: ProviderPage<ProviderActivity>): string[] {
  const conditions = page.rows.flatMap((row) =>
    row.kind === "other" &&
    (row.activity.type === "SPLIT" || row.activity.type === "MERGE") &&
    row.activity.market !== null &&
    !isCombination(row.activity.market.conditionId)
      ? [row.activity.market.conditionId]
      : [],
  );
  return [...new Set(conditions)];
}
