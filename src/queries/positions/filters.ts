import { inArray, sql, type SQL } from "drizzle-orm";
import { m, o, p, s, t } from "../../db/aliases.ts";
import { isCombinationSql, isHistoryKnown } from "../../db/fragments/completeness.ts";
import { allOf } from "../../db/sql.ts";
import type { MarketRef } from "../markets/is-market.ts";
import { moneyBound } from "../money-bound.ts";
import type { TraderName } from "../traders/trader-names.ts";

// The conditions and columns of position lists, over the aliases p, s, t, o and m. A candidate `p` is a row
// of `positions`, or of a subselect with its CANDIDATE_COLUMNS.

export interface PositionFilters {
  /**
   * Null lists the positions of all traders with known positions: when a trader's whole activity is not
   * known, recorded fills show only part of its shares.
   */
  readonly traders: readonly TraderName[] | null;
  readonly market: MarketRef | null;
  /** Exactly as served. */
  readonly category: string | null;
  /** Grades that pass; null also accepts ungraded traders. */
  readonly grades: readonly string[] | null;
  readonly outcomeIndex: 0 | 1 | null;
  /** Dollars. Never below MIN_LISTED_USD when neither traders nor a market are given. */
  readonly minSizeUsd: number;
}

/** The index of all positions by value starts at this value. */
export const MIN_LISTED_USD = 100;

/** The last row of a page. */
export interface PositionListCursor {
  readonly valueMicro: string;
  readonly wallet: string;
  readonly conditionId: string;
  readonly outcomeIndex: number;
}

/** The columns of a position that a list needs before the page is selected. */
export const CANDIDATE_COLUMNS = sql`${p.traderId}, ${p.outcomeId}, ${p.valueMicro}`;

/** The conditions on the value alone, which every index supports. */
export const hasValueInRange = ({ minSizeUsd }: PositionFilters, cursor: PositionListCursor | null): SQL =>
  allOf([
    // A null value never passes.
    sql`${p.valueMicro} >= ${moneyBound(minSizeUsd)}`,
    cursor === null ? null : sql`${p.valueMicro} <= ${cursor.valueMicro}::bigint`,
  ]);

/** The candidate is after the cursor. Equal values are ordered by address, condition id and outcome. */
export const isAfterCursor = (cursor: PositionListCursor | null): SQL =>
  cursor === null
    ? sql`true`
    : sql`(${p.valueMicro} < ${cursor.valueMicro}::bigint
        or (${t.address}, ${m.conditionId}, ${o.outcomeIndex}) > (${cursor.wallet}, ${cursor.conditionId},
          ${cursor.outcomeIndex}))`;

/** The trader's positions in ordinary markets follow from its whole activity. */
export const HAS_KNOWN_HISTORY = isHistoryKnown(s);

/** Null also accepts ungraded traders. */
export const hasGrade = (grades: readonly string[] | null): SQL =>
  grades === null ? sql`true` : inArray(t.grade, grades);

/** The outcome is a YES or a NO; other outcomes are not listed. */
export const isSide = (outcomeIndex: 0 | 1 | null): SQL =>
  outcomeIndex === null ? sql`${o.outcomeIndex} in (0, 1)` : sql`${o.outcomeIndex} = ${outcomeIndex}`;

/** The market has the category, and it is not a combination, which lists of positions leave out. */
export const isListedMarket = (category: string | null): SQL =>
  category === null ? sql`not ${isCombinationSql(m.conditionId)}` : sql`${m.category} = ${category}`;

/** Columns of the result set. */
export const RESULT_COLUMNS = sql`${CANDIDATE_COLUMNS}, ${o.marketId}, ${t.address}, ${m.conditionId},
  ${o.outcomeIndex}`;

/** The list's order. Equal values are ordered by public names, not by row ids. */
export const POSITION_ORDER = sql`${p.valueMicro} desc, ${t.address}, ${m.conditionId}, ${o.outcomeIndex}`;
