import type { Session } from "../db/client.ts";
import type { Misfit, ProviderResolution } from "../ports/provider.ts";
import { lockLedger } from "./ledger.ts";
import { setAside } from "./set-aside.ts";

/**
 * Stores the resolutions the provider gave for `asked` conditions and settles the positions of those markets: held shares pay out,
 * whatever the position cost is set against it. A resolution that changes later (a reversal) settles anew; the same one changes nothing.
 */
export async function applyResolutions(
  session: Session,
  asked: readonly string[],
  resolutions: readonly ProviderResolution[],
  misfits: readonly Misfit[],
): Promise<void> {
  await lockLedger(session);
  await setAside(session, "resolutions", misfits);
  await session.query(`update markets set resolution_checked_at = now() where condition_id = any($1::text[])`, [asked]);
  const rows = [...new Map(resolutions.map((row) => [row.conditionId, row])).values()];
  if (rows.length === 0) return;
  const { rows: changed } = await session.query<{ id: string }>(
    `update markets m set
       resolution_status = t.status,
       payouts_ppm = case when t.payouts is null then null else array(select jsonb_array_elements_text(t.payouts)::int) end,
       resolved_at = t.resolved_at
     from unnest($1::text[], $2::text[], $3::jsonb[], $4::timestamptz[]) as t(condition_id, status, payouts, resolved_at)
     where m.condition_id = t.condition_id
       and (m.resolution_status, m.payouts_ppm, m.resolved_at) is distinct from (
         t.status, case when t.payouts is null then null else array(select jsonb_array_elements_text(t.payouts)::int) end, t.resolved_at)
     returning m.id`,
    [
      rows.map((row) => row.conditionId),
      rows.map((row) => row.status),
      rows.map((row) => (row.payoutsPpm === null ? null : JSON.stringify(row.payoutsPpm))),
      rows.map((row) => row.resolvedAt?.toISOString() ?? null),
    ],
  );
  await settlePositions(
    session,
    changed.map((row) => row.id),
  );
}

/**
 * Brings `settled_micro` of the markets' positions, and the totals of their wallets, in line with the payouts. The same sum as
 * `settledMicro` in src/scoring/position.ts, written as SQL because a popular market has a hundred thousand positions; a test holds the
 * two together. Shares are never negative, so adding half before the division rounds half away from zero.
 */
export async function settlePositions(session: Session, marketIds: readonly string[]): Promise<void> {
  if (marketIds.length === 0) return;
  await session.query(
    `with settled as (
       select p.trader_id, p.outcome_id, p.settled_micro as before,
         case when m.payouts_ppm[o.outcome_index + 1] is null then null
           else (div(p.shares_micro::numeric * m.payouts_ppm[o.outcome_index + 1] + 500000, 1000000))::bigint - p.cost_micro end as after
       from positions p
       join outcomes o on o.id = p.outcome_id
       join markets m on m.id = p.market_id
       where p.market_id = any($1::bigint[])
     ), changed as (
       select * from settled where before is distinct from after
     ), written as (
       update positions p set settled_micro = c.after
       from changed c where p.trader_id = c.trader_id and p.outcome_id = c.outcome_id
     )
     update trader_totals t set settled_micro = t.settled_micro + c.difference
     from (
       select trader_id, sum(coalesce(after, 0) - coalesce(before, 0)) as difference from changed group by trader_id
     ) c where t.trader_id = c.trader_id`,
    [marketIds],
  );
}
