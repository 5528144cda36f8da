import { sql, type SQL } from "drizzle-orm";
import { isMarket, type MarketRef } from "../market-ref.ts";
import {
  behind,
  CANDIDATE,
  NAMED,
  isListedMarket,
  ofSide,
  POSITION_ORDER,
  UNSETTLED,
  valued,
  type PositionFilters,
  type PositionPlace,
} from "./filters.ts";
import type { ListForm } from "./list-form.ts";
import { holder, WHOLE } from "./look-ups.ts";
import { heldIn, unlistable } from "./unlisted.ts";

/** The list of all holders of one market whose holdings are known: each outcome's off the index of its holders by value. */
export function marketForm(filters: PositionFilters, market: MarketRef): ListForm {
  const outcomes = outcomesOf(market, filters);
  const held = (place: PositionPlace | null) => sql`p.outcome_id = o.id and ${UNSETTLED} and ${valued(filters, place)}`;
  const { joined, where } = unlistable(filters);
  return {
    unlisted: sql`select p.cost_micro, true as is_known from ${heldIn(market)} p ${WHOLE} ${filters.grades === null ? sql`` : holder(filters.grades)}
      ${joined} where ${where}`,
    listed: sql`${WHOLE} ${filters.grades === null ? sql`` : holder(filters.grades)}`,
    candidates: (rows) => sql`select ${CANDIDATE} from ${outcomes} cross join lateral (
      select * from positions p where ${held(null)} offset 0) p limit ${rows}`,
    passing: (place, rows) => sql`
      passing as (
        select of_one.* from ${outcomes} cross join lateral (
          select ${NAMED} from positions p ${holder(filters.grades)} ${WHOLE} where ${held(place)} and ${behind(place)}
          order by ${POSITION_ORDER} limit ${rows}
        ) of_one
      )`,
  };
}

/** A market `m` that passes, and its outcomes `o` that do. */
export const outcomesOf = (market: MarketRef, { category, outcomeIndex }: PositionFilters): SQL => sql`
  (select m.id, m.condition_id from markets m where ${isMarket(market)} and ${isListedMarket(category)} offset 0) m
  cross join lateral (
    select o.id, o.market_id, o.outcome_index from outcomes o where o.market_id = m.id and ${ofSide(outcomeIndex)} offset 0
  ) o`;
