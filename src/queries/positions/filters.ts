import { sql, type SQL } from "drizzle-orm";
import { isMarket, type MarketRef } from "../market-ref.ts";
import { allOf } from "../rows.ts";
import { resolveWalletNames, type WalletName } from "../wallet-names.ts";

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

const UNSETTLED = sql`p.settled_micro is null and p.shares_micro > 0`;

/** What a list needs of a position until the page is known. */
export const CANDIDATE = sql`p.trader_id, p.outcome_id, p.value_micro`;

/** The conditions on value alone, which every index serves. */
export const valued = ({ minSizeUsd }: PositionFilters, place: PositionPlace | null): SQL =>
  allOf([
    // Money in a query is compared in cents, half a cent away from zero. No value is below every bound.
    sql`p.value_micro >= (round(${String(minSizeUsd)}::numeric, 2) * 1000000)::bigint`,
    place === null ? null : sql`p.value_micro <= ${place.valueMicro}::bigint`,
  ]);

/** Open positions of named wallets or of a market, among which the filters look: a select of CANDIDATE, each holder's or outcome's off an index. */
export function heldBy(filters: PositionFilters, place: PositionPlace | null): SQL {
  const { wallets, market } = filters;
  const branch = (whose: SQL) => sql`select ${CANDIDATE} from positions p where ${whose} and ${UNSETTLED} and ${valued(filters, place)}`;
  if (wallets !== null) {
    const inMarket = market === null ? null : sql`p.market_id = (select m.id from markets m where ${isMarket(market)})`;
    const wallet = (index: number) => allOf([sql`p.trader_id = (select trader_id from wanted where place = ${index + 1})`, inMarket]);
    return sql.join(
      wallets.map((_, index) => branch(wallet(index))),
      sql` union all `,
    );
  }
  if (market === null) throw new Error("neither a wallet nor a market was named");
  const outcome = (index: number) =>
    sql`p.outcome_id = (select o.id from markets m join outcomes o on o.market_id = m.id where ${isMarket(market)} and o.outcome_index = ${index})`;
  return sql.join(
    [0, 1].map((index) => branch(outcome(index))),
    sql` union all `,
  );
}

/** The rows `named` (each name with its wallet) and `wanted` (each wallet once, with the place of its first name), as common table expressions. */
export const nameTables = (wallets: readonly WalletName[] | null): SQL => sql`
  named as (${resolveWalletNames(wallets ?? [])}),
  wanted as (select min(place) as place, trader_id from named where trader_id is not null group by trader_id)`;

/** Of a sync `s`: the wallet's holdings follow from all it ever did. */
export const IS_WHOLE = sql`s.complete_at is not null and s.gaps = '{}'`;

export const ofGrades = (grades: readonly string[]): SQL =>
  sql`t.grade in (${sql.join(
    grades.map((grade) => sql`${grade}`),
    sql`, `,
  )})`;

/** What has to be joined to a candidate `p`, and what has to hold of it, for it to be listed. */
export function listed({ wallets, category, grades, outcomeIndex }: PositionFilters, place: PositionPlace | null): SQL {
  const passing = allOf([
    category === null ? null : sql`m.category = ${category}`,
    grades === null ? null : ofGrades(grades),
    place === null
      ? null
      : sql`(p.value_micro < ${place.valueMicro}::bigint
          or (t.address, m.condition_id, o.outcome_index) > (${place.wallet}, ${place.conditionId}, ${place.outcomeIndex}))`,
  ]);
  return sql`${wallets === null ? sql`join wallet_syncs s on s.trader_id = p.trader_id and ${IS_WHOLE}` : sql``}
    ${joinNames(outcomeIndex)} where ${passing}`;
}

/** The wallet, outcome and market of a candidate `p`. Markets have a YES and a NO; other outcomes are not listed. */
export const joinNames = (outcomeIndex: 0 | 1 | null): SQL => sql`
  join traders t on t.id = p.trader_id
  join outcomes o on o.id = p.outcome_id and ${outcomeIndex === null ? sql`o.outcome_index in (0, 1)` : sql`o.outcome_index = ${outcomeIndex}`}
  join markets m on m.id = o.market_id`;

/** What is selected of candidates that are listed: `trader_id`, `outcome_id`, `value_micro`, and what the list's order is told apart by. */
export const NAMED = sql`${CANDIDATE}, o.market_id, t.address, m.condition_id, o.outcome_index`;

/** The list's order; what is worth the same is told apart by names, not by row ids. */
export const POSITION_ORDER = sql`p.value_micro desc, t.address, m.condition_id, o.outcome_index`;
