import { sql } from "drizzle-orm";
import { o, p, s, t } from "../../db/aliases.ts";
import { isOpen } from "../../db/fragments/open-positions.ts";
import { resolveTraderNames, type TraderName } from "../traders/trader-names.ts";
import { joinMarket, joinOutcome } from "./candidate-joins.ts";
import {
  CANDIDATE_COLUMNS,
  HAS_KNOWN_HISTORY,
  hasGrade,
  hasValueInRange,
  isAfterCursor,
  POSITION_ORDER,
  RESULT_COLUMNS,
  type PositionFilters,
  type PositionListCursor,
} from "./filters.ts";
import type { ListQuery } from "./list-query.ts";
import { selectListedOutcomes } from "./one-market.ts";
import { openPositionsOf, unlistedParts } from "./unlisted.ts";

/** For a list of named traders (CTE `named`): the index, from 0, of the first name without a trader. */
export const FIRST_UNKNOWN_TRADER = sql`(select min(ordinal) - 1 from named where trader_id is null)`;
/** Every requested name has a trader. */
export const ARE_ALL_TRADERS_KNOWN = sql`not exists (select from named where trader_id is null)`;

/** The list of named traders, whether their positions are known or not. */
export function namedTradersQuery(filters: PositionFilters, names: readonly TraderName[]): ListQuery {
  const { category, grades, outcomeIndex } = filters;
  // All positions of a trader are read from the index by value; its positions in one market are at most two
  // rows, read by their key.
  const [found, listed, belongsToTrader] =
    filters.market === null
      ? [sql``, sql`${joinOutcome(outcomeIndex)} ${joinMarket(category)}`, sql`${p.traderId} = t.trader_id`]
      : [
          sql`${selectListedOutcomes(filters.market, filters)} cross join`,
          sql``,
          sql`${p.traderId} = t.trader_id and ${p.outcomeId} = ${o.id}`,
        ];
  const openPositions = (cursor: PositionListCursor | null) =>
    sql`${belongsToTrader} and ${isOpen(p)} and ${hasValueInRange(filters, cursor)}`;
  const { joined, where } = unlistedParts(filters);
  return {
    listedJoins: listed,
    unlisted: sql`select ${p.costMicro}, exists (select from ${s} where ${s.traderId} = t.trader_id
      and ${HAS_KNOWN_HISTORY}) as is_known
      from wanted t cross join lateral ${openPositionsOf(sql`t.trader_id`, filters.market)} p ${joined} where ${where}`,
    candidates: (rows) => sql`select p.* from wanted t cross join lateral (
      select ${CANDIDATE_COLUMNS} from ${found} ${p} where ${openPositions(null)} offset 0) p limit ${rows}`,
    passing: (cursor, rows) => sql`
      named as materialized (${resolveTraderNames(names)}),
      wanted as materialized (
        select t.* from (select distinct trader_id from named where trader_id is not null) w
        cross join lateral (select ${t.id} as trader_id, ${t.address} from ${t} where ${t.id} = w.trader_id
          and ${hasGrade(grades)} offset 0) t
      ), passing as (
        select of_one.* from wanted t cross join lateral (
          select ${RESULT_COLUMNS} from ${found} ${p} ${listed}
            where ${openPositions(cursor)} and ${isAfterCursor(cursor)} order by ${POSITION_ORDER} limit ${rows}
        ) of_one
      )`,
  };
}
