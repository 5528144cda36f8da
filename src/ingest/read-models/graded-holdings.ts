import { isHistoryKnown } from "../../db/completeness.ts";
import { gradesFrom } from "../../domain/grades.ts";

/** Whose money counts as smart or sharp, as a list of SQL literals. */
const SHARP_GRADES = gradesFrom("B")
  .map((grade) => `'${grade}'`)
  .join(", ");

/** Common table expression: wallets graded S, A or B whose history in ordinary markets is known. Of others it is not known what they hold. */
export const COHORT = `
  cohort as materialized (
    select t.id from traders t join wallet_syncs s on s.trader_id = t.id
    where t.grade in (${SHARP_GRADES}) and ${isHistoryKnown("s")}
  )`;

const HAS_TWO_OUTCOMES = (marketId: string) =>
  `not exists (select from outcomes x where x.market_id = ${marketId} and x.outcome_index > 1)`;

/**
 * Common table expressions after `COHORT`: in `holdings`, the shares that its wallets hold in each market of two outcomes, each wallet on its net
 * side. A market that none of them holds has no row.
 */
export const GRADED_HOLDINGS = `
  held as (
    select p.market_id, p.trader_id, sum(case when o.outcome_index = 0 then p.shares_micro else -p.shares_micro end) as net_micro
    from cohort c join positions p on p.trader_id = c.id join outcomes o on o.id = p.outcome_id
    where p.settled_micro is null and p.shares_micro > 0 and o.outcome_index in (0, 1)
    group by p.market_id, p.trader_id
  ), holdings as (
    select market_id, sum(greatest(net_micro, 0)) as yes_shares_micro, sum(greatest(-net_micro, 0)) as no_shares_micro, count(*) as wallets
    from held where net_micro <> 0 and ${HAS_TWO_OUTCOMES("held.market_id")} group by market_id
  )`;

/**
 * Common table expression: in `sharp_flows`, the net of the last 24 hours' large trades of wallets graded S, A or B now, YES less NO, in each
 * market of two outcomes that has any.
 */
export const SHARP_FLOWS = `
  sharp_flows as (
    select l.market_id, sum(case when (l.side = 'BUY') = (o.outcome_index = 0) then l.size_usd_micro else -l.size_usd_micro end) as net_micro
    from large_trades l join traders w on w.id = l.trader_id join outcomes o on o.id = l.outcome_id
    where l.traded_at > now() - interval '24 hours' and l.traded_at <= now() and w.grade in (${SHARP_GRADES}) and o.outcome_index in (0, 1)
      and ${HAS_TWO_OUTCOMES("l.market_id")}
    group by l.market_id
  )`;
