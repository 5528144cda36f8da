import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { m, o, p } from "../../db/aliases.ts";
import { isCombinationSql } from "../../db/fragments/completeness.ts";
import { isOpen } from "../../db/fragments/open-positions.ts";
import { allOf, bigintText, integer } from "../../db/sql.ts";
import { isMarket, type MarketRef } from "../markets/is-market.ts";
import type { PositionFilters } from "./filters.ts";
import type { ListQuery } from "./list-query.ts";

/** Unlisted open positions are counted up to this number. */
export const MAX_UNLISTED = 1_000;

/**
 * Open positions that match a list's filters but are not rows of the list: they have no value, or they are
 * not a YES or NO of an ordinary market.
 */
export const Unlisted = z.object({
  /** Null when there are too many to count. */
  count: integer.nullable(),
  /** Their total cost; null also when the whole activity of one of their traders is not known. */
  cost_micro: bigintText.nullable(),
});

export type Unlisted = z.output<typeof Unlisted>;

/** As JSON; null for a list without unlisted positions. Requires the CTEs of `passing`. */
export const countUnlisted = ({ unlisted }: ListQuery): SQL =>
  unlisted === null
    ? sql`null::jsonb`
    : sql`(
        with unlisted_positions as materialized (${unlisted} limit ${MAX_UNLISTED + 1})
        select case when count(*) > ${MAX_UNLISTED} then jsonb_build_object('count', null, 'cost_micro', null)
          else jsonb_build_object('count', count(*), 'cost_micro',
            case when bool_and(is_known) is not false then coalesce(sum(cost_micro), 0)::text end) end
        from unlisted_positions)`;

const COLUMNS = sql`${p.outcomeId}, ${p.valueMicro}, ${p.costMicro}`;

/**
 * The open positions of a trader, those without a value first.
 *
 * For a trader with more open positions than are counted, the rest is not read: the index returns positions
 * without a value first.
 */
export const openPositionsOf = (holder: SQL, market: MarketRef | null): SQL =>
  market === null
    ? sql`(select ${COLUMNS} from ${p} where ${p.traderId} = ${holder} and ${isOpen(p)}
        order by ${p.valueMicro} desc limit ${MAX_UNLISTED + 1})`
    : sql`(select ${COLUMNS} from (${selectOutcomes(market)}) x join ${p} on ${p.outcomeId} = x.id
        where ${p.traderId} = ${holder} and ${isOpen(p)} offset 0)`;

/** The open positions in the market without a value, and all open positions of a combination. */
export const openPositionsIn = (market: MarketRef): SQL => sql`(
  select ${p.traderId}, ${COLUMNS} from (${selectOutcomes(market)}) x cross join lateral (
    select * from ${p} where ${p.outcomeId} = x.id and ${isOpen(p)} and ${p.valueMicro} is null
    union all
    select * from ${p} where x.is_combination and ${p.outcomeId} = x.id and ${isOpen(p)}
      and ${p.valueMicro} is not null
  ) p)`;

const selectOutcomes = (market: MarketRef): SQL => sql`
  select ${o.id}, ${isCombinationSql(m.conditionId)} as is_combination from ${m}
    join ${o} on ${o.marketId} = ${m.id}
  where ${isMarket(market)} offset 0`;

/**
 * Joins the outcome `o` and the market `m` of a position `p`; the condition selects positions that a list
 * cannot show.
 */
export const unlistedParts = ({
  category,
  outcomeIndex,
}: PositionFilters): { readonly joined: SQL; readonly where: SQL } => ({
  joined: sql`cross join lateral (select ${o.marketId}, ${o.outcomeIndex} from ${o}
    where ${o.id} = ${p.outcomeId} offset 0) o
    cross join lateral (select ${m.conditionId}, ${m.category} from ${m} where ${m.id} = ${o.marketId} offset 0) m`,
  where: allOf([
    sql`(${p.valueMicro} is null or coalesce(${o.outcomeIndex} not in (0, 1), true)
      or ${isCombinationSql(m.conditionId)})`,
    category === null ? null : sql`${m.category} = ${category}`,
    outcomeIndex === null ? null : sql`${o.outcomeIndex} = ${outcomeIndex}`,
  ]),
});
