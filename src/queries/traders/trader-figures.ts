import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { p, s, totals, tp } from "../../db/aliases.ts";
import { excludedActivityJson, isHistoryKnown, isInKnownMarket } from "../../db/fragments/completeness.ts";
import { isOpen } from "../../db/fragments/open-positions.ts";
import { bookedProfit } from "../../db/fragments/profit.ts";
import { ExcludedActivity } from "../../domain/traders/trader-completeness.ts";
import { joinProfile } from "./profiles.ts";
import { bigintText, integer } from "../../db/sql.ts";

/**
 * Figures that need all open positions are null for a trader with more than this: a list must not read them
 * for every row.
 */
const MAX_POSITIONS = 1_000;

const TraderFigures = z.object({
  /**
   * Settled markets with a profit, and with any profit or loss; null without a profile that may be served.
   */
  won: integer.nullable(),
  decided: integer.nullable(),
  /**
   * Total profit so far, including open shares at their value; null while an open position has no price, and
   * above MAX_POSITIONS open positions.
   */
  net_micro: bigintText.nullable(),
  /** Markets in which it ever held shares. */
  markets: integer,
  /** What `net_micro`, `won` and `decided` exclude. */
  left_out: ExcludedActivity,
});

/**
 * The figures that lists show of a trader; null when its history in ordinary markets is unknown, because
 * every figure would be partial.
 */
export const TRADER_FIGURES = { figures: TraderFigures.nullable() };

export type TraderFigures = z.output<typeof TraderFigures>;

/**
 * Selects the figures of each trader in `rows` (with a column trader_id), once per trader: columns
 * `trader_id` and `figures`. Traders whose history in ordinary markets is unknown have no row.
 *
 * The fences ("offset 0") make each join a lookup, whatever Postgres estimates: tables are not read
 * completely for a page, and the join order need not be planned.
 */
export const selectTraderFigures = (rows: SQL, now: Date): SQL => sql`
  select w.trader_id, jsonb_build_object(
    'won', (tp.record ->> 'wins')::int, 'decided', (tp.record ->> 'decided')::int,
    'markets', coalesce(${totals.marketsTraded}, 0),
    'net_micro', (totals.net_micro + held.unrealized_micro)::bigint::text,
    'left_out', ${excludedActivityJson(totals, s)}) as figures
  from (select distinct trader_id from ${rows} named) w
  cross join lateral (
    select ${s.gaps} from ${s} where ${s.traderId} = w.trader_id and ${isHistoryKnown(s)} offset 0
  ) s
  left join lateral (
    select *, ${bookedProfit(totals)} as net_micro from ${totals} where ${totals.traderId} = w.trader_id offset 0
  ) totals on true
  left join lateral (
    -- A profile is long: the needed part is extracted once.
    select ${tp.profile} -> 'record' as record from (select) one ${joinProfile(sql`w.trader_id`, now)} offset 0
  ) tp on true
  cross join lateral (
    select case when count(*) <= ${MAX_POSITIONS} and count(*) = count(value_micro)
      then coalesce(sum(value_micro - cost_micro), 0) end
      as unrealized_micro
    from (
      select ${p.valueMicro}, ${p.costMicro} from ${p}
      where ${p.traderId} = w.trader_id and ${isOpen(p)} and ${isInKnownMarket(p, totals)}
      limit ${MAX_POSITIONS + 1}
    ) few
  ) held`;
