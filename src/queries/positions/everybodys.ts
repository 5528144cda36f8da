import { sql, type SQL } from "drizzle-orm";
import { allOf } from "../rows.ts";
import {
  CANDIDATE,
  IS_WHOLE,
  joinNames,
  listed,
  NAMED,
  ofGrades,
  POSITION_ORDER,
  valued,
  type PositionFilters,
  type PositionPlace,
} from "./filters.ts";

/** So many of everybody's positions, the most valuable first, are looked up one by one. Where few pass the filters, the rest is sieved. */
export const NEAR = 2_000;

/** Everybody's positions from the index by value; the literal is that of its predicate. */
export const everybodys = (filters: PositionFilters, place: PositionPlace | null): SQL =>
  sql`positions p where p.settled_micro is null and p.value_micro >= 100000000 and ${valued(filters, place)}`;

/**
 * Common table expressions of everybody's positions that pass: `near` from the NEAR most valuable behind the place, and `far` from all others, read
 * only where `near` has fewer than `rows`. Together they have the first `rows` of the list, or all there are.
 *
 * `far` may have to read the index to its end, so it asks of each entry no more than whether the ids in it are in two hash tables.
 */
export const everybodysTables = (filters: PositionFilters, place: PositionPlace | null, rows: number): SQL => sql`
  near as materialized (
    select ${NAMED} from (
      select ${CANDIDATE} from ${everybodys(filters, place)} order by p.value_micro desc fetch first ${NEAR} rows with ties
    ) p ${listed(filters, place)} order by ${POSITION_ORDER} limit ${rows}
  ), far as materialized (
    select ${NAMED} from (
      select ${CANDIDATE} from ${everybodys(filters, place)}
        and p.value_micro < (select p.value_micro from ${everybodys(filters, place)} order by p.value_micro desc offset ${NEAR - 1} limit 1)
        and (select count(*) from near) < ${rows} and ${sieve(filters)}
      order by p.value_micro desc offset 0
    ) p ${joinNames(filters.outcomeIndex)} order by ${POSITION_ORDER} limit ${rows}
  )`;

/**
 * The conditions on category and wallet as sets of ids. "is true" keeps them from becoming joins, for which the order of the index would be given
 * up; of an "exists" Postgres itself takes the look-up instead where the set would not fit its memory.
 */
const sieve = ({ category, grades }: PositionFilters): SQL =>
  allOf([
    category === null
      ? null
      : sql`(exists (
          select from outcomes o join markets m on m.id = o.market_id where o.id = p.outcome_id and m.category = ${category})) is true`,
    sql`(exists (
      select from wallet_syncs s ${grades === null ? sql`` : sql`join traders t on t.id = s.trader_id and ${ofGrades(grades)}`}
      where s.trader_id = p.trader_id and ${IS_WHOLE})) is true`,
  ]);
