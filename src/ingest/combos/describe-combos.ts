import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, m, o, p, totals } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { isUnknownCombinationSql } from "../../db/fragments/completeness.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { comboLegs, combos, markets, outcomes } from "../../db/schema.ts";
import { alias, array, columnName, columnNames, integer, run, selectRows, timestamp } from "../../db/sql.ts";
import { decodePositionId, encodePositionId } from "../../domain/combos/position-id.ts";
import { mergeTraderDays } from "../ledger/write-trader-days.ts";

const OUTCOMES = [
  { index: 0, label: "Yes" },
  { index: 1, label: "No" },
] as const;

const combo = alias(combos, "combo");
const leg = alias(comboLegs, "leg");

/**
 * Makes combos known, in the caller's transaction, which must hold the ledger lock: they get their two outcomes, count as
 * hydrated, and the amounts of their positions move from the excluded counters of their traders into profit. `settleCombos` and
 * `settlePositions` must follow. One message, which others can join.
 *
 * @param described of `listDescribable`
 */
export async function describeCombos(
  session: Session,
  described: readonly DescribableCombo[],
  now: Date,
): Promise<void> {
  if (described.length === 0) return;
  const ids = array(
    described.map(({ id }) => id),
    "bigint",
  );
  await Promise.all([
    writeOutcomes(session, described),
    includeInTotals(session, ids),
    includeInDays(session, ids),
    run(session, sql`update ${m} set ${columnName(m.hydratedAt)} = ${timestamp(now)} where ${m.id} = any(${ids})`),
    run(session, sql`update ${combo} set ${columnName(combo.readDueAt)} = null where ${combo.marketId} = any(${ids})`),
  ]);
}

export interface DescribableCombo {
  readonly id: number;
  readonly conditionId: string;
}

/**
 * Those of the combos that are unknown and whose legs all have a known market. A combo that was traded with a token of another
 * condition is not described: its outcomes are not proven.
 */
export async function listDescribable(
  session: Session,
  marketIds: readonly number[],
): Promise<readonly DescribableCombo[]> {
  const rows = await selectRows(
    session,
    sql`select ${m.id}, ${m.conditionId},
       array(select ${o.tokenId} from ${o} where ${o.marketId} = ${m.id}) as token_ids
     from ${m} join ${combo} on ${combo.marketId} = ${m.id}
     where ${m.id} = any(${array(marketIds, "bigint")}) and ${isUnknownCombinationSql(m)}
       and ${combo.legCount} = (select count(*) from ${leg}
         where ${leg.marketId} = ${m.id} and ${leg.legMarketId} is not null)`,
    z.object({ id: integer, condition_id: z.string(), token_ids: z.array(z.string()) }),
  );
  const isOwn = (conditionId: string, tokenId: string) => {
    const position = decodePositionId(tokenId);
    return position !== null && position.conditionId === conditionId && position.outcomeIndex <= 1;
  };
  return rows
    .filter((row) => row.token_ids.every((tokenId) => isOwn(row.condition_id, tokenId)))
    .map((row) => ({ id: row.id, conditionId: row.condition_id }));
}

async function writeOutcomes(session: Session, described: readonly DescribableCombo[]): Promise<void> {
  const ids = described.map(({ id }) => id);
  const { marketId, tokenId, outcomeIndex, label } = outcomes;
  const rows = described.flatMap(({ id, conditionId }) => OUTCOMES.map((outcome) => ({ id, conditionId, outcome })));
  const given = recordset("t", rows, {
    market_id: ["bigint", ({ id }) => id],
    token_id: ["text", ({ conditionId, outcome }) => encodePositionId(conditionId, outcome.index)],
    outcome_index: ["smallint", ({ outcome }) => outcome.index],
    label: ["text", ({ outcome }) => outcome.label],
  });
  await Promise.all([
    // A trade may have claimed the other index. The token alone decides.
    run(
      session,
      sql`update ${o} set ${columnName(o.outcomeIndex)} = null where ${o.marketId} = any(${array(ids, "bigint")})`,
    ),
    run(
      session,
      sql`insert into ${outcomes} (${columnNames(marketId, tokenId, outcomeIndex, label)})
       select market_id, token_id, outcome_index, label from ${given}
       on conflict (${columnName(tokenId)}) do update set ${columnName(outcomeIndex)} = excluded.outcome_index,
         ${columnName(label)} = coalesce(${label}, excluded.label)`,
    ),
  ]);
}

/** The positions are unsettled, so that won and decided markets change only when they settle. */
const includeInTotals = (session: Session, ids: SQL): Promise<number> =>
  run(
    session,
    sql`update ${totals} set ${columnName(totals.realizedMicro)} = ${totals.realizedMicro} + c.realized_micro,
       ${columnName(totals.feesMicro)} = ${totals.feesMicro} + c.fees_micro,
       ${columnName(totals.unmatchedPositions)} = ${totals.unmatchedPositions} + c.unmatched,
       ${columnName(totals.unmatchedUsdMicro)} = ${totals.unmatchedUsdMicro} + c.unmatched_usd_micro,
       ${columnName(totals.combinationMarkets)} = ${totals.combinationMarkets} - c.markets,
       ${columnName(totals.combinationVolumeMicro)} = ${totals.combinationVolumeMicro} - c.volume_micro
     from (
       select ${p.traderId}, sum(${p.realizedMicro}) as realized_micro, sum(${p.feesMicro}) as fees_micro,
         count(*) filter (where ${p.unmatchedSharesMicro} > 0) as unmatched,
         sum(${p.unmatchedUsdMicro}) as unmatched_usd_micro, count(distinct ${p.marketId}) as markets,
         sum(${p.boughtUsdMicro} + ${p.soldUsdMicro}) as volume_micro
       from ${p} where ${p.marketId} = any(${ids}) group by ${p.traderId}
     ) c where ${totals.traderId} = c.trader_id`,
  );

const includeInDays = (session: Session, ids: SQL): Promise<number> =>
  run(
    session,
    mergeTraderDays(
      sql`(select ${e.traderId}, (${e.tradedAt} at time zone 'UTC')::date as day,
         sum(coalesce(${e.realizedMicro}, 0))::bigint as realized_micro,
         sum(coalesce(${e.feeMicro}, 0))::bigint as fees_micro
       from ${e} where ${e.marketId} = any(${ids}) group by 1, 2
       having sum(coalesce(${e.realizedMicro}, 0)) <> 0 or sum(coalesce(${e.feeMicro}, 0)) <> 0)`,
      ["realizedMicro", "feesMicro"],
    ),
  );

/** Rows of combos for the condition ids of a page of trades: a combo starts with its first trade. */
export async function startCombos(session: Session, conditionIds: readonly string[]): Promise<void> {
  if (conditionIds.length === 0) return;
  await run(
    session,
    sql`insert into ${combos} (${columnNames(combos.marketId, combos.statusReason, combos.readDueAt)})
     select ${markets.id}, 'legs_not_indexed', now() from ${markets}
     where ${markets.conditionId} = any(${array(conditionIds, "text")})
     on conflict (${columnName(combos.marketId)}) do nothing`,
  );
}
