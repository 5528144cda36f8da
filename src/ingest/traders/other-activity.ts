import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Session } from "../../db/client.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { traderActivity, traderTotals } from "../../db/schema.ts";
import { alias, columnName, columnNames, qualified, run, selectRow } from "../../db/sql.ts";
import type { OtherActivity } from "../../platform/provider.ts";
import type { NumberedRow } from "../feeds/row-ordinals.ts";
import { toBytea } from "../ledger/ledger-entry.ts";
import { mergeTraderDays } from "../ledger/write-trader-days.ts";

type NumberedActivity = NumberedRow<OtherActivity>;

/**
 * Stores each row that is not a trade, as reported, once. Rebates and rewards belong to no position and count
 * in totals and days.
 */
export async function recordOthers(
  session: Session,
  traderId: number,
  others: readonly NumberedActivity[],
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

const stored = alias(traderActivity, "stored");
/** The same columns of the rows that the provider reported. */
const reported = alias(traderActivity, "t");

const identityOf = ({ txHash, traderId, type, conditionId, tokenId, sharesMicro, ordinal }: typeof stored): SQL =>
  qualified([txHash, traderId, type, conditionId, tokenId, sharesMicro, ordinal]);

/** Whether all rows are stored. One message, and none without rows. */
export async function areOthersRecorded(
  session: Session,
  traderId: number,
  others: readonly NumberedActivity[],
): Promise<boolean> {
  if (others.length === 0) return true;
  const news = await selectRow(
    session,
    sql`select from ${reportedRows(traderId, others)}
     where not exists (select from ${stored} where (${identityOf(stored)}) = (${identityOf(reported)})) limit 1`,
    z.object({}),
  );
  return news === null;
}

/** An insert of the rows that are not stored yet, without its `returning`. */
function insertActivity(traderId: number, others: readonly NumberedActivity[]): SQL {
  const { txHash, type, conditionId, tokenId, sharesMicro, ordinal, usdMicro, happenedAt } = traderActivity;
  const identity = columnNames(txHash, traderActivity.traderId, type, conditionId, tokenId, sharesMicro, ordinal);
  const columns = sql`${identity}, ${columnNames(usdMicro, happenedAt)}`;
  return sql`insert into ${traderActivity} (${columns}) select ${columns} from ${reportedRows(traderId, others)}
     on conflict do nothing`;
}

const reportedRows = (traderId: number, others: readonly NumberedActivity[]): SQL =>
  recordset("t", others, {
    tx_hash: ["bytea", ({ row }) => toBytea(row.txHash)],
    trader_id: ["bigint", () => traderId],
    type: ["text", ({ row }) => row.type],
    condition_id: ["text", ({ row }) => row.market?.conditionId ?? ""],
    token_id: ["text", ({ row }) => row.tokenId ?? ""],
    shares_micro: ["bigint", ({ row }) => String(row.sharesMicro)],
    ordinal: ["smallint", ({ ordinal }) => ordinal],
    usd_micro: ["bigint", ({ row }) => String(row.usdMicro)],
    happened_at: ["timestamptz", ({ row }) => row.happenedAt.toISOString()],
  });
