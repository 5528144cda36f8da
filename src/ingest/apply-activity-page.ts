import { z } from "zod";
import type { Session } from "../db/client.ts";
import { isCombination } from "../domain/ids.ts";
import { COMBINATION_GAP } from "../domain/wallet-completeness.ts";
import type { OtherActivity, Page, ProviderActivity } from "../ports/provider.ts";
import { identify, nameOf, toEntry } from "./apply-trade-page.ts";
import { CONVERSION_GAP, hasPendingConversions } from "./conversions/pending-conversions.ts";
import { numberRows, type Carry, type Numbered } from "./identity.ts";
import { type KnownIds, type Learned } from "./known-ids.ts";
import { toBytea } from "./ledger/entry.ts";
import { lockLedger, recordEntries } from "./ledger/record-entries.ts";
import { mergeDays } from "./ledger/write-days.ts";
import { resolveIds, resolveTraders } from "./resolve-ids.ts";
import { setAside } from "./set-aside.ts";
import { splitAndMergeLegs } from "./split-merge-legs.ts";

/** Activity that moves shares in a way positions do not follow; a wallet that has any is not complete. */
const UNFOLLOWED = new Set(["MIGRATION"]);
/** The gap of a wallet with a row that could not be read: whatever it moved is missing. */
const UNREAD_GAP = "unreadable";
/** Rows of these types move no shares with us and make no profit: one that cannot be read leaves every figure whole. */
const Harmless = z.object({ type: z.enum(["REDEEM", "REWARD", "YIELD", "REFERRAL_REWARD", "DEPOSIT", "WITHDRAWAL", "TIP"]) });

/**
 * Applies one page of a wallet's activity in the caller's transaction: its trades and the legs of its splits and merges become ledger
 * entries, everything that is no trade is kept as reported. Conversions are booked by `settleConversions`, once their rows are whole: those
 * that are not yet open a gap.
 *
 * @returns the gaps this page opens in the wallet's history (activity that positions could not follow, or that could not be read), without repeats
 */
export async function applyActivityPage(
  session: Session,
  address: string,
  page: Page<ProviderActivity>,
  carry: Carry | null,
  known: KnownIds,
): Promise<{ learned: Learned; carry: Carry | null; gaps: string[]; added: number; traderId: number }> {
  await lockLedger(session);
  const numbered = numberRows(page.rows.map(identifyActivity), carry);
  const trades = numbered.rows.flatMap(({ row, ordinal }) => (row.kind === "trade" ? [{ trade: row.trade, ordinal }] : []));
  const others = numbered.rows.flatMap(({ row, ordinal }) => (row.kind === "other" ? [{ row: row.activity, ordinal }] : []));

  const ids = await resolveIds(
    session,
    trades.map(({ trade }) => nameOf(trade)),
    known,
  );
  const wallet = others[0]?.row.wallet ?? trades[0]?.trade.wallet ?? { address, username: null, profileImage: null };
  const traderId = known.traderId(address) ?? (await resolveTraders(session, [{ ...wallet, address }])).get(address);
  if (traderId === undefined) throw new Error(`no row for wallet ${address}`);

  const legs = await splitAndMergeLegs(session, traderId, others);
  const { added } = await recordEntries(session, [
    ...trades.map(({ trade, ordinal }) => toEntry(trade, ordinal, null, ids)),
    ...legs.entries,
  ]);
  await recordOthers(session, traderId, others);
  await setAside(session, "activity", page.misfits);
  const unfollowed = others.filter(({ row }) => UNFOLLOWED.has(row.type)).map(({ row }) => row.type.toLowerCase());
  const converting = others.filter(({ row }) => row.type === "CONVERSION").map(({ row }) => row.txHash);
  const isPending = converting.length > 0 && (await hasPendingConversions(session, traderId, converting));
  const isUnread = page.misfits.some(({ record }) => !Harmless.safeParse(record).success);
  const combines = trades.some(({ trade }) => isCombination(trade.market.conditionId));
  const gaps = new Set([
    ...unfollowed,
    ...legs.gaps,
    ...(isPending ? [CONVERSION_GAP] : []),
    ...(combines ? [COMBINATION_GAP] : []),
    ...(isUnread ? [UNREAD_GAP] : []),
  ]);
  return { learned: ids.learned, carry: numbered.carry, gaps: [...gaps], added, traderId };
}

/** The conditions of splits and merges: their markets must be known before the page can be applied in full. */
export function conditionsToHydrate(page: Page<ProviderActivity>): string[] {
  const conditions = page.rows.flatMap((row) =>
    row.kind === "other" && (row.activity.type === "SPLIT" || row.activity.type === "MERGE") && row.activity.market !== null
      ? [row.activity.market.conditionId]
      : [],
  );
  return [...new Set(conditions)];
}

function identifyActivity(row: ProviderActivity) {
  if (row.kind === "trade") return { ...row, ...identify(row.trade) };
  const { type, market, tokenId, sharesMicro, txHash } = row.activity;
  return { ...row, txHash, identity: `${type} ${market?.conditionId ?? ""} ${tokenId ?? ""} ${sharesMicro}` };
}

/** Keeps what is no trade as reported, once. Rebates and rewards, which belong to no position, count in totals and days. */
async function recordOthers(session: Session, traderId: number, others: readonly Numbered<OtherActivity>[]): Promise<void> {
  if (others.length === 0) return;
  await session.query(
    `with added as (
       insert into wallet_activity (tx_hash, trader_id, type, condition_id, token_id, shares_micro, ordinal, usd_micro, happened_at)
       select tx_hash, $1::bigint, type, condition_id, token_id, shares_micro, ordinal, usd_micro, to_timestamp(happened_ms / 1000)
       from unnest($2::bytea[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::smallint[], $8::bigint[], $9::float8[])
         as t(tx_hash, type, condition_id, token_id, shares_micro, ordinal, usd_micro, happened_ms)
       on conflict do nothing
       returning type, usd_micro, happened_at
     ), received as (
       select happened_at,
         case when type in ('MAKER_REBATE', 'TAKER_REBATE') then usd_micro else 0 end as rebates_micro,
         case when type in ('REWARD', 'YIELD', 'REFERRAL_REWARD') then usd_micro else 0 end as rewards_micro
       from added where type in ('MAKER_REBATE', 'TAKER_REBATE', 'REWARD', 'YIELD', 'REFERRAL_REWARD')
     ), totalled as (
       insert into trader_totals
         (trader_id, realized_micro, settled_micro, volume_micro, fees_micro, rebates_micro, rewards_micro, entry_count, first_at, last_at)
       select $1::bigint, 0, 0, 0, 0, sum(rebates_micro), sum(rewards_micro), 0, min(happened_at), max(happened_at)
       from received having count(*) > 0
       on conflict (trader_id) do update set
         rebates_micro = trader_totals.rebates_micro + excluded.rebates_micro,
         rewards_micro = trader_totals.rewards_micro + excluded.rewards_micro,
         first_at = least(trader_totals.first_at, excluded.first_at),
         last_at = greatest(trader_totals.last_at, excluded.last_at)
     ), days as (
       select $1::bigint as trader_id, (happened_at at time zone 'UTC')::date as day,
         sum(rebates_micro)::bigint as rebates_micro, sum(rewards_micro)::bigint as rewards_micro
       from received group by 2 having sum(rebates_micro) <> 0 or sum(rewards_micro) <> 0
     )
     ${mergeDays("days", ["rebates_micro", "rewards_micro"])}`,
    [
      traderId,
      others.map(({ row }) => toBytea(row.txHash)),
      others.map(({ row }) => row.type),
      others.map(({ row }) => row.market?.conditionId ?? ""),
      others.map(({ row }) => row.tokenId ?? ""),
      others.map(({ row }) => String(row.sharesMicro)),
      others.map(({ ordinal }) => ordinal),
      others.map(({ row }) => String(row.usdMicro)),
      others.map(({ row }) => row.happenedAt.getTime()),
    ],
  );
}
