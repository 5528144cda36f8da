import type { Session } from "../db/client.ts";
import { isCombination } from "../db/completeness.ts";
import type { Misfit, ProviderResolution } from "../ports/provider.ts";
import { lockLedger } from "./ledger/record-entries.ts";
import { mergeDays } from "./ledger/write-days.ts";
import { clearDeadBooks } from "./results/clear-dead-books.ts";
import { noteEnds } from "./results/note-ends.ts";
import { scheduleAsked } from "./results/schedule-results.ts";
import { matchToAsked } from "./match-to-asked.ts";
import { setAside } from "./set-aside.ts";
import { markSettled } from "./skill/mark-due.ts";
import { positionValue } from "./values/position-value.ts";

/** A market whose payouts, outcomes or day of settlement may have changed, and the day its results were counted on until now. */
export interface Resettled {
  readonly marketId: string;
  /** YYYY-MM-DD; null when it was not resolved. */
  readonly settledOnBefore: string | null;
}

/**
 * Stores the resolutions the provider gave for `asked` conditions and settles the positions of those markets: held shares pay out,
 * whatever the position cost is set against it. A resolution that changes later (a reversal) settles anew; the same one changes nothing. One
 * that is still resolved and leaves its payouts out takes none back: what an answer does not tell is unknown.
 *
 * Results count on the UTC day the provider says the market resolved; when it does not say, on the day these payouts were first read.
 *
 * A row of a condition that was not asked for is the answer to another question: it is set aside. A condition without a row is not checked, and
 * comes again on its schedule.
 *
 * @returns how many markets have got, changed or lost a result
 */
export async function applyResolutions(
  session: Session,
  asked: readonly string[],
  resolutions: readonly ProviderResolution[],
  misfits: readonly Misfit[],
  now: Date,
): Promise<number> {
  await lockLedger(session);
  const { answers, foreign } = matchToAsked(resolutions, asked, (row) => row.conditionId);
  await setAside(session, "resolutions", [...misfits, ...foreign]);
  const changed = await writeResolutions(session, [...answers.values()]);
  await settlePositions(
    session,
    changed.map((row) => ({ marketId: row.id, settledOnBefore: row.settled_on_before })),
  );
  const marketIds = changed.map((row) => row.id);
  await markSettled(session, marketIds);
  await clearDeadBooks(session, marketIds, now);
  if (changed.length > 0) await noteEnds(session);
  await scheduleAsked(session, asked, answers, now);
  return changed.length;
}

interface ChangedMarket {
  readonly id: string;
  readonly settled_on_before: string | null;
}

async function writeResolutions(session: Session, rows: readonly ProviderResolution[]): Promise<readonly ChangedMarket[]> {
  if (rows.length === 0) return [];
  const { rows: changed } = await session.query<ChangedMarket>(
    `with told as (
       select condition_id, t.status, t.resolved_at,
         case when t.payouts is not null then array(select jsonb_array_elements_text(t.payouts)::int)
           when t.status = 'resolved' then m.payouts_ppm end as payouts_ppm
       from unnest($1::text[], $2::text[], $3::jsonb[], $4::timestamptz[]) as t(condition_id, status, payouts, resolved_at)
       join markets m using (condition_id)
     )
     update markets m set
       resolution_status = told.status, payouts_ppm = told.payouts_ppm, resolved_at = told.resolved_at,
       settled_on = case
         when told.payouts_ppm is null then null
         when told.resolved_at is not null then (told.resolved_at at time zone 'UTC')::date
         when told.payouts_ppm = before.payouts_ppm then before.settled_on
         else (now() at time zone 'UTC')::date end
     from told join markets before using (condition_id)
     where m.id = before.id
       and (before.resolution_status, before.payouts_ppm, before.resolved_at)
         is distinct from (told.status, told.payouts_ppm, told.resolved_at)
     returning m.id, before.settled_on::text as settled_on_before`,
    [
      rows.map((row) => row.conditionId),
      rows.map((row) => row.status),
      rows.map((row) => (row.payoutsPpm === null ? null : JSON.stringify(row.payoutsPpm))),
      rows.map((row) => row.resolvedAt?.toISOString() ?? null),
    ],
  );
  return changed;
}

/**
 * Brings `settled_micro` of the markets' positions, and the totals and days of their wallets, in line with the payouts. The same sum as
 * `settledMicro` in src/scoring/position.ts, written as SQL because a popular market has a hundred thousand positions; a test holds the
 * two together. Shares are never negative, so adding half before the division rounds half away from zero. A wallet's counts of markets move
 * as `countMarket` counts them.
 */
export async function settlePositions(session: Session, markets: readonly Resettled[]): Promise<void> {
  if (markets.length === 0) return;
  await session.query(
    `with settled as (
       select p.trader_id, p.outcome_id, p.market_id, p.realized_micro - p.fees_micro as kept, p.settled_micro as before,
         p.unmatched_shares_micro = 0 as is_matched,
         asked.day_before, m.settled_on as day_after, o.valued_price,
         case when m.payouts_ppm[o.outcome_index + 1] is null then null
           else (div(p.shares_micro::numeric * m.payouts_ppm[o.outcome_index + 1] + 500000, 1000000))::bigint - p.cost_micro end as after
       from unnest($1::bigint[], $2::date[]) as asked(market_id, day_before)
       join markets m on m.id = asked.market_id and not ${isCombination("m.condition_id")}
       join positions p on p.market_id = m.id
       join outcomes o on o.id = p.outcome_id
     ), changed as (
       select * from settled where before is distinct from after
     ), written as (
       update positions p set settled_micro = c.after,
         value_micro = ${positionValue({ shares: "p.shares_micro", settled: "c.after", price: "c.valued_price" })}
       from changed c where p.trader_id = c.trader_id and p.outcome_id = c.outcome_id
     ), by_market as (
       select trader_id, sum(coalesce(after, 0) - coalesce(before, 0)) as settled_micro,
         bool_and(before is not null) as was_resolved, bool_and(is_matched) as is_known, sum(kept + coalesce(before, 0)) as result_before,
         bool_and(after is not null) as is_resolved, sum(kept + coalesce(after, 0)) as result_after
       from settled group by trader_id, market_id having bool_or(before is distinct from after)
     ), totalled as (
       update trader_totals t set settled_micro = t.settled_micro + c.settled_micro,
         markets_resolved = t.markets_resolved + c.resolved, markets_won = t.markets_won + c.won,
         markets_decided = t.markets_decided + c.decided
       from (
         select trader_id, sum(settled_micro) as settled_micro, sum(is_resolved::int - was_resolved::int) as resolved,
           sum((is_known and is_resolved and result_after > 0)::int - (is_known and was_resolved and result_before > 0)::int) as won,
           sum((is_known and is_resolved and result_after <> 0)::int - (is_known and was_resolved and result_before <> 0)::int) as decided
         from by_market group by trader_id
       ) c where t.trader_id = c.trader_id
     ), days as (
       select trader_id, day, sum(settled_micro)::bigint as settled_micro
       from (
         select trader_id, day_before as day, -before as settled_micro from settled where before is not null
         union all
         select trader_id, day_after, after from settled where after is not null
       ) moved group by trader_id, day having sum(settled_micro) <> 0
     )
     ${mergeDays("days", ["settled_micro"])}`,
    [markets.map(({ marketId }) => marketId), markets.map(({ settledOnBefore }) => settledOnBefore)],
  );
}
