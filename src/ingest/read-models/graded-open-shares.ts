import { sql, type SQL } from "drizzle-orm";
import { l, o, p, s, t } from "../../db/aliases.ts";
import { hasTwoOutcomes } from "../../db/fragments/binary-market.ts";
import { isHistoryKnown } from "../../db/fragments/completeness.ts";
import { isRankedGrade } from "../../db/fragments/grades.ts";
import { isOpen } from "../../db/fragments/open-positions.ts";

/**
 * Common table expression: traders graded S, A or B whose history in ordinary markets is known. The open
 * positions of other traders are unknown.
 */
export const COHORT: SQL = sql`
  cohort as materialized (
    select ${t.id} from ${t} join ${s} on ${s.traderId} = ${t.id}
    where ${isRankedGrade(t.grade)} and ${isHistoryKnown(s)}
  )`;

/**
 * Common table expressions that follow `COHORT`. `holdings` has the open shares of its traders in each market
 * of two outcomes, each trader on its net side. A market without any has no row.
 */
export const GRADED_OPEN_SHARES: SQL = sql`
  net_positions as (
    select ${p.marketId}, ${p.traderId},
      sum(case when ${o.outcomeIndex} = 0 then ${p.sharesMicro} else -${p.sharesMicro} end) as net_micro
    from cohort c join ${p} on ${p.traderId} = c.id join ${o} on ${o.id} = ${p.outcomeId}
    where ${isOpen(p)} and ${o.outcomeIndex} in (0, 1)
    group by ${p.marketId}, ${p.traderId}
  ), holdings as (
    select market_id, sum(greatest(net_micro, 0)) as yes_shares_micro, sum(greatest(-net_micro, 0))
      as no_shares_micro, count(*) as traders
    from net_positions where net_micro <> 0 and ${hasTwoOutcomes(sql`net_positions.market_id`)} group by market_id
  )`;

/**
 * Common table expression `sharp_flows`: the net of the last 24 hours' large trades of traders now graded S,
 * A or B, YES minus NO, in each market of two outcomes that has any.
 */
export const SHARP_FLOWS: SQL = sql`
  sharp_flows as (
    select ${l.marketId}, sum(case when (${l.side} = 'BUY') = (${o.outcomeIndex} = 0) then ${l.sizeUsdMicro}
      else -${l.sizeUsdMicro} end) as net_micro
    from ${l} join ${t} on ${t.id} = ${l.traderId} join ${o} on ${o.id} = ${l.outcomeId}
    where ${l.tradedAt} > now() - interval '24 hours' and ${l.tradedAt} <= now() and ${isRankedGrade(t.grade)}
      and ${o.outcomeIndex} in (0, 1)
      and ${hasTwoOutcomes(l.marketId)}
    group by ${l.marketId}
  )`;
