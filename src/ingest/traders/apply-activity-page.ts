import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { atCommit, type Session } from "../../db/client.ts";
import { traderActivity, traderTotals } from "../../db/schema.ts";
import { array, columnName, columnNames, run } from "../../db/sql.ts";
import { isCombination } from "../../domain/ids.ts";
import { judgeCombos, NO_COMBOS, type ComboActivity, type CombosJudgement } from "../combos/judge-combos.ts";
import { COMBINATION_GAP } from "../../domain/traders/trader-completeness.ts";
import type { OtherActivity, ProviderPage, ProviderActivity, TraderHint } from "../../platform/provider.ts";
import { identifyTrade, recordReferencesOf, toLedgerEntry } from "../feeds/apply-trade-page.ts";
import { CONVERSION_GAP, hasPendingConversions } from "./conversions/pending-conversions.ts";
import { numberRows, type OrdinalCarry, type NumberedRow } from "../feeds/row-ordinals.ts";
import type { KnownRowIds, NewRowIds } from "../feeds/row-id-cache.ts";
import { toBytea } from "../ledger/ledger-entry.ts";
import { foldLedgerEntries, lockLedger } from "../ledger/record-ledger-entries.ts";
import { mergeTraderDays } from "../ledger/write-trader-days.ts";
import {
  findKnownIds,
  resolveIds,
  resolveTraders,
  type RecordReferences,
  type ResolvedIds,
} from "../feeds/resolve-ids.ts";
import { quarantineRecords } from "../feeds/quarantine-records.ts";
import { isSplitOrMerge, listMovedOutcomes, splitAndMergeLegs, type OutcomesByCondition } from "./split-merge-legs.ts";

/**
 * Activity that moves shares in a way that positions do not follow. A trader with any of it has an incomplete
 * history.
 */
const UNSUPPORTED_TYPES = new Set(["MIGRATION"]);
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
  readonly added: number;
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
 */
export async function applyActivityPage(
  session: Session,
  address: string,
  page: ProviderPage<ProviderActivity>,
  carry: OrdinalCarry | null,
  known: KnownRowIds,
): Promise<AppliedPage> {
  const numbered = numberRows(page.rows.map(identifyActivity), carry);
  const trades = numbered.rows.flatMap(({ row, ordinal }) =>
    row.kind === "trade" ? [{ trade: row.trade, ordinal }] : [],
  );
  const others = numbered.rows.flatMap(({ row, ordinal }) =>
    row.kind === "other" ? [{ row: row.activity, ordinal }] : [],
  );
  // Splits and merges of combos are booked from the combo activity alone, so that none counts twice.
  const moves = others.filter(({ row }) => !isCombination(row.market?.conditionId ?? ""));
  const references = activityReferences(page);
  const locked = lockLedger(session);
  // Without an `await` if the process knows all, so that the lock and the reads are one message.
  const found = findPageIds(address, references, moves, known);
  const { ids, traderId, outcomesOf } =
    found ??
    (await Promise.all([resolvePageIds(session, activityTrader(address, page), references, moves, known), locked]))[0];
  const legs = splitAndMergeLegs(traderId, moves, outcomesOf);
  const entries = [...trades.map(({ trade, ordinal }) => toLedgerEntry(trade, ordinal, null, ids)), ...legs.entries];
  const [{ page: recorded, write }] = await Promise.all([foldLedgerEntries(session, entries), locked]);
  const writeAll = (to: Session) =>
    Promise.all([write(to), recordOthers(to, traderId, others), quarantineRecords(to, "activity", page.quarantined)]);

  const conversionTxHashes = others.filter(({ row }) => row.type === "CONVERSION").map(({ row }) => row.txHash);
  const inCombos = [
    ...trades.map(({ trade }) => ({ conditionId: trade.market.conditionId, at: trade.tradedAt, moved: null })),
    ...others.map(({ row }) => ({ conditionId: row.market?.conditionId ?? "", at: row.happenedAt, moved: row })),
  ].filter(({ conditionId }) => isCombination(conditionId));
  const { hasPending, combos } = await writeAndJudge(session, traderId, writeAll, { conversionTxHashes, inCombos });

  const unsupportedGaps = others
    .filter(({ row }) => UNSUPPORTED_TYPES.has(row.type))
    .map(({ row }) => row.type.toLowerCase());
  const isUnparsed = page.quarantined.some(({ record }) => !RowWithoutEffect.safeParse(record).success);
  const gaps = new Set([
    ...unsupportedGaps,
    ...legs.gaps,
    ...(hasPending ? [CONVERSION_GAP] : []),
    ...(combos.isOpen ? [COMBINATION_GAP] : []),
    ...(isUnparsed ? [UNPARSED_GAP] : []),
  ]);
  const { added, newestAddedMs } = recorded;
  return {
    ...{ learned: ids.newIds, carry: numbered.carry, gaps: [...gaps], added, newestAddedMs, traderId },
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
  {
    conversionTxHashes,
    inCombos,
  }: { readonly conversionTxHashes: readonly string[]; readonly inCombos: readonly ComboActivity[] },
): Promise<{ readonly hasPending: boolean; readonly combos: CombosJudgement }> {
  if (conversionTxHashes.length === 0 && inCombos.length === 0) {
    await atCommit(session, write);
    return { hasPending: false, combos: NO_COMBOS };
  }
  const [, hasPending, combos] = await Promise.all([
    write(session),
    conversionTxHashes.length > 0 && hasPendingConversions(session, traderId, conversionTxHashes),
    inCombos.length > 0 ? judgeCombos(session, traderId, inCombos) : NO_COMBOS,
  ]);
  return { hasPending, combos };
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

function identifyActivity(row: ProviderActivity) {
  if (row.kind === "trade") return { ...row, ...identifyTrade(row.trade) };
  const { type, market, tokenId, sharesMicro, txHash } = row.activity;
  return { ...row, txHash, identity: `${type} ${market?.conditionId ?? ""} ${tokenId ?? ""} ${sharesMicro}` };
}

/**
 * Stores each row that is not a trade, as reported, once. Rebates and rewards belong to no position and count
 * in totals and days.
 */
async function recordOthers(
  session: Session,
  traderId: number,
  others: readonly NumberedRow<OtherActivity>[],
): Promise<void> {
  if (others.length === 0) return;
  const { rebatesMicro, rewardsMicro, firstAt } = traderTotals;
  await run(
    session,
    sql`with added as (
       ${insertActivity(traderId, others)}
       returning ${traderActivity.type}, ${traderActivity.usdMicro}, ${traderActivity.happenedAt}
     ), received as (
       select happened_at,
         case when type in ('MAKER_REBATE', 'TAKER_REBATE') then usd_micro else 0 end as rebates_micro,
         case when type in ('REWARD', 'YIELD', 'REFERRAL_REWARD') then usd_micro else 0 end as rewards_micro
       from added where type in ('MAKER_REBATE', 'TAKER_REBATE', 'REWARD', 'YIELD', 'REFERRAL_REWARD')
     ), totalled as (
       insert into ${traderTotals} (${RECEIVED_TOTALS})
       select ${traderId}::bigint, 0, 0, 0, 0, sum(rebates_micro), sum(rewards_micro), 0, min(happened_at)
       from received having count(*) > 0
       on conflict (${columnName(traderTotals.traderId)}) do update set
         ${columnName(rebatesMicro)} = ${rebatesMicro} + excluded.rebates_micro,
         ${columnName(rewardsMicro)} = ${rewardsMicro} + excluded.rewards_micro,
         ${columnName(firstAt)} = least(${firstAt}, excluded.first_at)
     ), days as (
       select ${traderId}::bigint as trader_id, (happened_at at time zone 'UTC')::date as day,
         sum(rebates_micro)::bigint as rebates_micro, sum(rewards_micro)::bigint as rewards_micro
       from received group by 2 having sum(rebates_micro) <> 0 or sum(rewards_micro) <> 0
     )
     ${mergeTraderDays(sql`days`, ["rebatesMicro", "rewardsMicro"])}`,
  );
}

/** The columns of a trader's totals in the order of the values that received rebates and rewards give. */
const RECEIVED_TOTALS: SQL = columnNames(
  traderTotals.traderId,
  traderTotals.realizedMicro,
  traderTotals.settledMicro,
  traderTotals.volumeMicro,
  traderTotals.feesMicro,
  traderTotals.rebatesMicro,
  traderTotals.rewardsMicro,
  traderTotals.entryCount,
  traderTotals.firstAt,
);

/** An insert of the rows that are not stored yet, without its `returning`. */
function insertActivity(traderId: number, others: readonly NumberedRow<OtherActivity>[]): SQL {
  const { txHash, type, conditionId, tokenId, sharesMicro, ordinal, usdMicro, happenedAt } = traderActivity;
  const hashes = others.map(({ row }) => toBytea(row.txHash));
  const types = others.map(({ row }) => row.type);
  const conditionIds = others.map(({ row }) => row.market?.conditionId ?? "");
  const tokenIds = others.map(({ row }) => row.tokenId ?? "");
  const shares = others.map(({ row }) => String(row.sharesMicro));
  const ordinals = others.map((other) => other.ordinal);
  const amounts = others.map(({ row }) => String(row.usdMicro));
  const times = others.map(({ row }) => row.happenedAt.getTime());
  return sql`insert into ${traderActivity} (${columnNames(txHash, traderActivity.traderId, type, conditionId, tokenId)},
       ${columnNames(sharesMicro, ordinal, usdMicro, happenedAt)})
     select tx_hash, ${traderId}::bigint, type, condition_id, token_id, shares_micro, ordinal, usd_micro,
       to_timestamp(happened_ms / 1000)
     from unnest(${array(hashes, "bytea")}, ${array(types, "text")}, ${array(conditionIds, "text")},
         ${array(tokenIds, "text")}, ${array(shares, "bigint")}, ${array(ordinals, "smallint")},
         ${array(amounts, "bigint")}, ${array(times, "float8")})
       as t(tx_hash, type, condition_id, token_id, shares_micro, ordinal, usd_micro, happened_ms)
     on conflict do nothing`;
}
