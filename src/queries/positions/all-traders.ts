import { sql, type SQL } from "drizzle-orm";
import { m, o, p, s, t } from "../../db/aliases.ts";
import { floorLowerBound, toMicro } from "../../scoring/dollar-floor.ts";
import { joinMarket, joinOutcome, joinTrader, JOIN_KNOWN_HISTORY } from "./candidate-joins.ts";
import {
  CANDIDATE_COLUMNS,
  HAS_KNOWN_HISTORY,
  hasGrade,
  hasValueInRange,
  isAfterCursor,
  MIN_LISTED_USD,
  POSITION_ORDER,
  RESULT_COLUMNS,
  type PositionFilters,
  type PositionListCursor,
} from "./filters.ts";
import type { ListQuery } from "./list-query.ts";

/**
 * This many of the most valuable positions are looked up one by one. When few of them pass the filters, the
 * rest is filtered first.
 */
export const FIRST_SCAN_ROWS = 2_000;

/** The value that reaches MIN_LISTED_USD. A literal, because it repeats the predicate of an index. */
const INDEX_FLOOR = sql.raw(String(floorLowerBound(toMicro(MIN_LISTED_USD))));

/** The list of all traders whose positions are known. */
export function allTradersQuery(filters: PositionFilters): ListQuery {
  const { category, grades, outcomeIndex } = filters;
  const [marketJoins, traderJoins] = [
    sql`${joinOutcome(outcomeIndex)} ${joinMarket(category)}`,
    sql`${joinTrader(grades)} ${JOIN_KNOWN_HISTORY}`,
  ];
  // The most selective join first.
  const listed = grades === null ? sql`${marketJoins} ${traderJoins}` : sql`${traderJoins} ${marketJoins}`;
  return {
    listedJoins: listed,
    // Null: this list contains only positions with a value of 100 dollars or more.
    unlisted: null,
    // In index order; otherwise Postgres would read the table.
    candidates: (rows) =>
      sql`select ${CANDIDATE_COLUMNS} from ${allPositions(filters, null)} order by ${p.valueMicro} desc limit ${rows}`,
    passing: (cursor, rows) => selectPassing(filters, listed, cursor, rows),
  };
}

/**
 * `near` contains the matching rows among the FIRST_SCAN_ROWS most valuable positions after the cursor; `far`
 * those among all others, read only when `near` has fewer than `rows`.
 *
 * `far` may read the index to its end, so for most entries it only probes a hash table for an id.
 */
const selectPassing = (
  filters: PositionFilters,
  listed: SQL,
  cursor: PositionListCursor | null,
  rows: number,
): SQL => sql`
  near as materialized (
    select ${RESULT_COLUMNS} from (
      select ${CANDIDATE_COLUMNS} from ${allPositions(filters, cursor)}
        order by ${p.valueMicro} desc fetch first ${FIRST_SCAN_ROWS} rows with ties
    ) p ${listed} where ${isAfterCursor(cursor)} order by ${POSITION_ORDER} limit ${rows}
  ), far as (
    select ${RESULT_COLUMNS} from (
      select ${CANDIDATE_COLUMNS} from ${allPositions(filters, cursor)}
        and ${p.valueMicro} < (select ${p.valueMicro} from ${allPositions(filters, cursor)}
          order by ${p.valueMicro} desc offset ${FIRST_SCAN_ROWS - 1} limit 1)
        and (select count(*) from near) < ${rows} and (exists (${selectEligible(filters)})) is true
      order by ${p.valueMicro} desc offset 0
    ) p ${listed} order by ${POSITION_ORDER} limit ${rows}
  ), passing as (select * from near union all select * from far)`;

/** All positions from the index by value. */
const allPositions = (filters: PositionFilters, cursor: PositionListCursor | null): SQL =>
  sql`${p} where ${p.settledMicro} is null and ${p.valueMicro} >= ${INDEX_FLOOR}
    and ${hasValueInRange(filters, cursor)}`;

/**
 * A select that must return a row for a candidate `p` to pass, by the most selective condition. Around its
 * `exists`, "is true" prevents a join, which would lose the order of the index. Postgres then builds a hash
 * set of the ids; where the set does not fit in memory, it does lookups.
 */
function selectEligible({ category, grades }: PositionFilters): SQL {
  if (category !== null) {
    return sql`select from ${o} join ${m} on ${m.id} = ${o.marketId}
      where ${o.id} = ${p.outcomeId} and ${m.category} = ${category} and lower(${m.category}) = lower(${category})`;
  }
  const graded = grades === null ? sql`` : sql`join ${t} on ${t.id} = ${s.traderId} and ${hasGrade(grades)}`;
  return sql`select from ${s} ${graded} where ${s.traderId} = ${p.traderId} and ${HAS_KNOWN_HISTORY}`;
}
