import { sql, type SQL } from "drizzle-orm";
import {
  behind,
  CANDIDATE,
  IS_WHOLE,
  NAMED,
  ofGrades,
  POSITION_ORDER,
  valued,
  type PositionFilters,
  type PositionPlace,
} from "./filters.ts";
import type { ListForm } from "./list-form.ts";
import { holder, market, outcome, WHOLE } from "./look-ups.ts";

/** So many of everybody's positions, the most valuable first, are looked up one by one. Where few pass the filters, the rest is sieved. */
export const NEAR = 2_000;

/** The list of all wallets whose holdings are known. */
export function everybodysForm(filters: PositionFilters): ListForm {
  const { category, grades, outcomeIndex } = filters;
  const [ofMarket, ofWallet] = [sql`${outcome(outcomeIndex)} ${market(category)}`, sql`${holder(grades)} ${WHOLE}`];
  // First what leaves out most.
  const listed = grades === null ? sql`${ofMarket} ${ofWallet}` : sql`${ofWallet} ${ofMarket}`;
  return {
    listed,
    // What is worth 100 dollars and more.
    unlisted: null,
    // In the index's order, without which the table itself would be read.
    candidates: (rows) => sql`select ${CANDIDATE} from ${everybodys(filters, null)} order by p.value_micro desc limit ${rows}`,
    /**
     * `near` has those that pass of the NEAR most valuable behind the place, and `far` of all others, read only where `near` has fewer than `rows`.
     *
     * `far` may have to read the index to its end, so of most entries it asks no more than whether an id is in a hash table.
     */
    passing: (place, rows) => sql`
      near as materialized (
        select ${NAMED} from (
          select ${CANDIDATE} from ${everybodys(filters, place)} order by p.value_micro desc fetch first ${NEAR} rows with ties
        ) p ${listed} where ${behind(place)} order by ${POSITION_ORDER} limit ${rows}
      ), far as (
        select ${NAMED} from (
          select ${CANDIDATE} from ${everybodys(filters, place)}
            and p.value_micro < (select p.value_micro from ${everybodys(filters, place)} order by p.value_micro desc offset ${NEAR - 1} limit 1)
            and (select count(*) from near) < ${rows} and (exists (${sieve(filters)})) is true
          order by p.value_micro desc offset 0
        ) p ${listed} order by ${POSITION_ORDER} limit ${rows}
      ), passing as (select * from near union all select * from far)`,
  };
}

/** Everybody's positions from the index by value; the literal is that of its predicate: what reaches LEAST_LISTED_USD. */
const everybodys = (filters: PositionFilters, place: PositionPlace | null): SQL =>
  sql`positions p where p.settled_micro is null and p.value_micro >= 99995000 and ${valued(filters, place)}`;

/**
 * Of a candidate `p`: what has to exist for it to pass, by the condition that leaves out most. Beside it, "is true" keeps this from becoming a join,
 * for which the order of the index would be given up, and Postgres makes a set of ids of it; where that would not fit its memory, a look-up.
 */
function sieve({ category, grades }: PositionFilters): SQL {
  if (category !== null) {
    return sql`select from outcomes o join markets m on m.id = o.market_id
      where o.id = p.outcome_id and m.category = ${category} and lower(m.category) = lower(${category})`;
  }
  const graded = grades === null ? sql`` : sql`join traders t on t.id = s.trader_id and ${ofGrades(grades)}`;
  return sql`select from wallet_syncs s ${graded} where s.trader_id = p.trader_id and ${IS_WHOLE}`;
}
