import { sql, type SQL } from "drizzle-orm";
import { isCombination, isHistoryKnown } from "../../db/completeness.ts";
import type { MarketRef } from "../market-ref.ts";
import { moneyBound } from "../money-bound.ts";
import { allOf } from "../rows.ts";
import type { WalletName } from "../wallet-names.ts";

export interface PositionFilters {
  /** Null lists everybody's whose holdings are known: of a wallet whose whole activity is not, recorded fills say how much it holds only in part. */
  readonly wallets: readonly WalletName[] | null;
  readonly market: MarketRef | null;
  /** Exactly as served. */
  readonly category: string | null;
  /** Grades that pass; null lets ungraded wallets pass. */
  readonly grades: readonly string[] | null;
  readonly outcomeIndex: 0 | 1 | null;
  /** Dollars. Without wallets and market never below LEAST_LISTED_USD. */
  readonly minSizeUsd: number;
}

/** The index of everybody's positions by value begins here. */
export const LEAST_LISTED_USD = 100;

/** Whether the list is of no wallet and no market in particular. */
export const isEverybodys = ({ wallets, market }: PositionFilters): boolean => wallets === null && market === null;

/** The row at which a page ended. */
export interface PositionPlace {
  readonly valueMicro: string;
  readonly wallet: string;
  readonly conditionId: string;
  readonly outcomeIndex: number;
}

/** Of a position `p`: what it is worth is still open. */
export const UNSETTLED = sql`p.settled_micro is null and p.shares_micro > 0`;

/** What a list needs of a position until the page is known. */
export const CANDIDATE = sql`p.trader_id, p.outcome_id, p.value_micro`;

/** The conditions on value alone, which every index serves. */
export const valued = ({ minSizeUsd }: PositionFilters, place: PositionPlace | null): SQL =>
  allOf([
    // No value is below every bound.
    sql`p.value_micro >= ${moneyBound(minSizeUsd)}`,
    place === null ? null : sql`p.value_micro <= ${place.valueMicro}::bigint`,
  ]);

/** Behind the place, of a candidate `p` joined to `t`, `o` and `m`: what is worth the same is told apart by names. */
export const behind = (place: PositionPlace | null): SQL =>
  place === null
    ? sql`true`
    : sql`(p.value_micro < ${place.valueMicro}::bigint
        or (t.address, m.condition_id, o.outcome_index) > (${place.wallet}, ${place.conditionId}, ${place.outcomeIndex}))`;

/** Of a sync `s`: the wallet's holdings in ordinary markets follow from all it ever did. */
export const IS_WHOLE = sql.raw(isHistoryKnown("s"));

/** Of a wallet `t`. Null lets ungraded ones pass. */
export const ofGrades = (grades: readonly string[] | null): SQL =>
  grades === null
    ? sql`true`
    : sql`t.grade in (${sql.join(
        grades.map((grade) => sql`${grade}`),
        sql`, `,
      )})`;

/** Of an outcome `o`. Markets have a YES and a NO; other outcomes are not listed. */
export const ofSide = (outcomeIndex: 0 | 1 | null): SQL =>
  outcomeIndex === null ? sql`o.outcome_index in (0, 1)` : sql`o.outcome_index = ${outcomeIndex}`;

/** Of a market `m`: it is of the category, and no combination, of which nothing says whether it is worth anything. */
export const isListedMarket = (category: string | null): SQL =>
  category === null ? sql`not ${sql.raw(isCombination("m.condition_id"))}` : sql`m.category = ${category}`;

/** What is selected of candidates that are listed, their wallet `t`, outcome `o` and market `m` beside them. */
export const NAMED = sql`${CANDIDATE}, o.market_id, t.address, m.condition_id, o.outcome_index`;

/** The list's order; what is worth the same is told apart by names, not by row ids. */
export const POSITION_ORDER = sql`p.value_micro desc, t.address, m.condition_id, o.outcome_index`;
