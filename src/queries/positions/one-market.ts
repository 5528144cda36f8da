import { sql, type SQL } from "drizzle-orm";
import { m, o, p } from "../../db/aliases.ts";
import { isOpen } from "../../db/fragments/open-positions.ts";
import { isMarket, type MarketRef } from "../markets/is-market.ts";
import { joinTrader, JOIN_KNOWN_HISTORY } from "./candidate-joins.ts";
import {
  CANDIDATE_COLUMNS,
  hasValueInRange,
  isAfterCursor,
  isListedMarket,
  isSide,
  POSITION_ORDER,
  RESULT_COLUMNS,
  type PositionFilters,
  type PositionListCursor,
} from "./filters.ts";
import type { ListQuery } from "./list-query.ts";
import { openPositionsIn, unlistedParts } from "./unlisted.ts";

/**
 * The list of all holders of one market with known positions: each outcome's are read from the index of its
 * holders by value.
 */
export function marketHoldersQuery(filters: PositionFilters, market: MarketRef): ListQuery {
  const outcomes = selectListedOutcomes(market, filters);
  const openPositions = (cursor: PositionListCursor | null) =>
    sql`${p.outcomeId} = ${o.id} and ${isOpen(p)} and ${hasValueInRange(filters, cursor)}`;
  const listed = sql`${JOIN_KNOWN_HISTORY} ${filters.grades === null ? sql`` : joinTrader(filters.grades)}`;
  const { joined, where } = unlistedParts(filters);
  return {
    unlisted: sql`select ${p.costMicro}, true as is_known from ${openPositionsIn(market)} p ${listed} ${joined}
      where ${where}`,
    listedJoins: listed,
    candidates: (rows) => sql`select ${CANDIDATE_COLUMNS} from ${outcomes} cross join lateral (
      select * from ${p} where ${openPositions(null)} offset 0) p limit ${rows}`,
    passing: (cursor, rows) => sql`
      passing as (
        select of_one.* from ${outcomes} cross join lateral (
          select ${RESULT_COLUMNS} from ${p} ${joinTrader(filters.grades)} ${JOIN_KNOWN_HISTORY}
          where ${openPositions(cursor)} and ${isAfterCursor(cursor)} order by ${POSITION_ORDER} limit ${rows}
        ) of_one
      )`,
  };
}

/** The market `m` if it passes, and its outcomes `o` that pass. */
export const selectListedOutcomes = (market: MarketRef, { category, outcomeIndex }: PositionFilters): SQL => sql`
  (select ${m.id}, ${m.conditionId} from ${m} where ${isMarket(market)} and ${isListedMarket(category)} offset 0) m
  cross join lateral (
    select ${o.id}, ${o.marketId}, ${o.outcomeIndex} from ${o} where ${o.marketId} = ${m.id}
      and ${isSide(outcomeIndex)} offset 0
  ) o`;
