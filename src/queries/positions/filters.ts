import { sql, type SQL } from "drizzle-orm";
import { isMarket, type MarketRef } from "../market-ref.ts";
import { allOf } from "../rows.ts";
import { resolveWalletNames, type WalletName } from "../wallet-names.ts";

export interface PositionFilters {
  /** Null lists everybody's. */
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

/**
 * How many of everybody's positions, the most valuable first, one statement looks at. What passes a filter by grade, category or side is found by
 * looking: where few pass, a page ends with what was found, and the next goes on behind it.
 */
export const WALKED = 5_000;

/** Where a page ended. `wallet` null: behind every position of that value. */
export interface PositionPlace {
  readonly valueMicro: string;
  readonly wallet: string | null;
  readonly conditionId: string;
  readonly outcomeIndex: number;
}

const UNSETTLED = sql`p.settled_micro is null and p.shares_micro > 0`;

/** The conditions on value alone, which every index serves. */
function valued({ minSizeUsd }: PositionFilters, place: PositionPlace | null): SQL {
  return allOf([
    // Money in a query is compared in cents, half a cent away from zero. No value is below every bound.
    sql`p.value_micro >= (round(${String(minSizeUsd)}::numeric, 2) * 1000000)::bigint`,
    place === null
      ? null
      : place.wallet === null
        ? sql`p.value_micro < ${place.valueMicro}::bigint`
        : sql`p.value_micro <= ${place.valueMicro}::bigint`,
  ]);
}

/** Everybody's positions from the index by value; the literal is that of its predicate. */
const everybodys = (filters: PositionFilters, place: PositionPlace | null): SQL =>
  sql`positions p where p.settled_micro is null and p.value_micro >= 100000000 and ${valued(filters, place)}`;

/**
 * Open positions among which the filters look, `trader_id`, `outcome_id` and all, in a form that can be read in the order of value: a named
 * wallet's or a market's holdings, each from an index of its own, or the WALKED most valuable of all.
 */
export function candidates(filters: PositionFilters, place: PositionPlace | null): SQL {
  const { wallets, market } = filters;
  const branch = (whose: SQL) => sql`select p.* from positions p where ${whose} and ${UNSETTLED} and ${valued(filters, place)}`;
  if (wallets !== null) {
    const inMarket = market === null ? null : sql`p.market_id = (select m.id from markets m where ${isMarket(market)})`;
    const wallet = (index: number) => allOf([sql`p.trader_id = (select trader_id from wanted where place = ${index + 1})`, inMarket]);
    return sql.join(
      wallets.map((_, index) => branch(wallet(index))),
      sql` union all `,
    );
  }
  if (market !== null) {
    const outcome = (index: number) =>
      sql`p.outcome_id = (select o.id from markets m join outcomes o on o.market_id = m.id where ${isMarket(market)} and o.outcome_index = ${index})`;
    return sql.join(
      [0, 1].map((index) => branch(outcome(index))),
      sql` union all `,
    );
  }
  return sql`select p.* from ${everybodys(filters, place)} order by p.value_micro desc fetch first ${WALKED} rows with ties`;
}

/** The rows `named` (each name with its wallet) and `wanted` (each wallet once, with the place of its first name), as common table expressions. */
export const nameTables = (wallets: readonly WalletName[] | null): SQL => sql`
  named as (${resolveWalletNames(wallets ?? [])}),
  wanted as (select min(place) as place, trader_id from named where trader_id is not null group by trader_id)`;

/** What has to be joined to a candidate `p`, and what has to hold of it, for it to be listed. */
export function listed({ category, grades, outcomeIndex }: PositionFilters, place: PositionPlace | null): SQL {
  const passing = allOf([
    outcomeIndex === null ? null : sql`o.outcome_index = ${outcomeIndex}`,
    category === null ? null : sql`m.category = ${category}`,
    grades === null
      ? null
      : sql`t.grade in (${sql.join(
          grades.map((grade) => sql`${grade}`),
          sql`, `,
        )})`,
    place === null || place.wallet === null
      ? null
      : sql`(p.value_micro < ${place.valueMicro}::bigint
          or (t.address, m.condition_id, o.outcome_index) > (${place.wallet}, ${place.conditionId}, ${place.outcomeIndex}))`,
  ]);
  return sql`join traders t on t.id = p.trader_id
    join outcomes o on o.id = p.outcome_id and o.outcome_index in (0, 1)
    join markets m on m.id = p.market_id where ${passing}`;
}

/** The list's order; what is worth the same is told apart by names, not by row ids. */
export const POSITION_ORDER = sql`p.value_micro desc, t.address, m.condition_id, o.outcome_index`;

/** Whether everybody's positions are looked through, and only the most valuable of them. */
export const isWalk = ({ wallets, market }: PositionFilters): boolean => wallets === null && market === null;

/** The value at which a walk from a place ends with more behind it; null when it reaches the end. */
export const walkEnd = (filters: PositionFilters, place: PositionPlace | null): SQL => sql`
  (select reached.value_micro::text from (
    select p.value_micro from ${everybodys(filters, place)} order by p.value_micro desc offset ${WALKED - 1} limit 1
  ) reached
  where exists (select from ${everybodys(filters, place)} and p.value_micro < reached.value_micro))`;
