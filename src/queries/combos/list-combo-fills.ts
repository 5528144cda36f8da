import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, m, t } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { isGradeIn } from "../../db/fragments/grades.ts";
import { comboFills, ledgerEntries } from "../../db/schema.ts";
import { alias, allOf, array, selectRow, timestamp } from "../../db/sql.ts";
import { marksOfSport, type SportFilter } from "../../domain/categories/sport-filters.ts";
import type { Grade } from "../../domain/traders/grades.ts";
import { moneyBound } from "../money-bound.ts";
import { ComboCoverageRow, coverageJson } from "./combo-coverage.ts";
import {
  c,
  COMBO_JSON,
  ComboFillRow,
  FILL_COLUMNS,
  ComboRow,
  f,
  FILL_JOINS,
  FILL_JSON,
  fl,
  IS_COMBO_LOG,
  leg,
  legMarket,
} from "./combo-rows.ts";

export type ComboFillSort = "recent" | "largest" | "payout";

/** Null filters accept all fills. */
export interface ComboFillFilters {
  readonly results: readonly ("pending" | "won" | "lost")[] | null;
  /** Numbers of legs; 5 is five or more. */
  readonly legs: readonly number[] | null;
  /** Whole dollars; 0 accepts all. */
  readonly minStakeUsd: number;
  /** Shares per dollar; 0 accepts all, else only buys pass. */
  readonly minMultiplier: number;
  readonly grades: readonly Grade[] | null;
  readonly sports: readonly SportFilter[] | null;
  /** The oldest time; null is none. */
  readonly since: Date | null;
}

/** The last fill of a page of the order `recent`: by its log on the chain, or by its second and id. */
export type ComboFillCursor =
  | { readonly blockNumber: number; readonly logIndex: number }
  | { readonly seconds: number; readonly id: number };

export interface ComboFillPage {
  readonly sort: ComboFillSort;
  readonly limit: number;
  /** Null in the ranked orders and on the first page. */
  readonly cursor: ComboFillCursor | null;
  /** 0 in the order `recent`. */
  readonly offset: number;
}

const ORDER: Record<ComboFillSort, SQL> = {
  recent: sql`${f.tradedAt} desc, ${f.entryId} desc`,
  largest: sql`${f.usdMicro} desc, ${f.entryId} desc`,
  payout: sql`${f.sharesMicro} desc, ${f.entryId} desc`,
};

const unfilled = alias(ledgerEntries, "unfilled");

/**
 * The first condition is that of the indexes. A row that the column's first release has not filled yet is decided by its
 * entry; no such row is left after that.
 */
const IS_TAKER = sql`${f.isTaker} is not false and (${f.isTaker} or (
  select ${unfilled.role} = 'taker' from ${unfilled} where ${unfilled.id} = ${f.entryId}))`;

const Row = z.object({
  coverage: ComboCoverageRow,
  is_cursor_known: z.boolean(),
  fills: z.array(ComboFillRow),
  /** Those of the fills, each once. */
  combos: z.array(ComboRow),
});

/**
 * Takers' fills of combos at a price of 0.95 or less, at most `limit`, and their combos.
 *
 * @returns no fills and `is_cursor_known` false when the cursor names a log that no fill has
 */
export async function listComboFills(
  db: Database,
  filters: ComboFillFilters,
  page: ComboFillPage,
  now: Date,
): Promise<z.output<typeof Row>> {
  const order = ORDER[page.sort];
  const { cursor } = page;
  const log = cursor !== null && "blockNumber" in cursor ? cursor : null;
  const row = await selectRow(
    db,
    sql`with ${log === null ? sql`` : sql`last_fill as materialized (${selectFillOfLog(log)}),`} page as materialized (
        select ${FILL_COLUMNS} from (
          select ${f.entryId} from ${f}
            ${filters.grades === null ? sql`` : sql`join ${e} on ${e.id} = ${f.entryId} join ${t} on ${t.id} = ${e.traderId}`}
            ${filters.results === null && filters.legs === null ? sql`` : sql`join ${c} on ${c.marketId} = ${f.marketId}`}
          where ${allOf([sql`${f.isListed}`, IS_TAKER, ...buildConditions(filters, page)])}
          order by ${order} limit ${page.limit} offset ${page.offset}
        ) f join ${e} on ${e.id} = f.entry_id
      )
      select ${coverageJson(now)} as coverage,
        ${log === null ? sql`true` : sql`exists (select from last_fill)`} as is_cursor_known, coalesce((
        select json_agg(${FILL_JSON} order by ${order}) from page f ${FILL_JOINS}), '[]') as fills, coalesce((
        select json_agg(${COMBO_JSON}) from (select distinct market_id from page) traded
          join ${m} on ${m.id} = traded.market_id left join ${c} on ${c.marketId} = ${m.id}), '[]') as combos`,
    Row,
  );
  if (row === null) throw new Error("the statement of combo fills returned no row");
  return row;
}

function buildConditions(filters: ComboFillFilters, { sort, cursor }: ComboFillPage): (SQL | null)[] {
  const { results, legs, minStakeUsd, minMultiplier, grades, sports, since } = filters;
  return [
    sort === "payout" || minMultiplier > 0 ? sql`${f.isBuy}` : null,
    since === null ? null : sql`${f.tradedAt} >= ${timestamp(since)}`,
    cursor === null ? null : sql`(${f.tradedAt}, ${f.entryId}) < (${lastFill(cursor)})`,
    minStakeUsd === 0 ? null : sql`${f.usdMicro} >= ${moneyBound(minStakeUsd)}`,
    minMultiplier === 0 ? null : sql`${f.sharesMicro} >= ${f.usdMicro}::numeric * ${minMultiplier}::int`,
    results === null ? null : sql`${c.status} = any(${array(results, "text")})`,
    legs === null ? null : hasLegs(legs),
    grades === null ? null : isGradeIn(t.grade, grades),
    sports === null ? null : hasLegOfSport(sports),
  ];
}

/** Scalar subqueries, so that an index scan can start there; with a joined row it could not. */
const lastFill = (cursor: ComboFillCursor): SQL =>
  "seconds" in cursor
    ? sql`to_timestamp(${cursor.seconds}::float8), ${cursor.id}::bigint`
    : sql`(select traded_at from last_fill), (select entry_id from last_fill)`;

const named = alias(comboFills, "named");

const selectFillOfLog = ({ blockNumber, logIndex }: { readonly blockNumber: number; readonly logIndex: number }): SQL =>
  sql`select ${named.tradedAt}, ${named.entryId} from ${fl} join ${named} on ${named.entryId} = ${fl.entryId}
    where ${IS_COMBO_LOG} and ${fl.blockNumber} = ${blockNumber}::int and ${fl.logIndex} = ${logIndex}::int`;

/** This number in a filter stands for all larger ones too. */
const MANY_LEGS = 5;

/** Conditions of the column alone: the planner knows how many combos they pass. False for unknown legs. */
function hasLegs(legs: readonly number[]): SQL {
  const few = sql`${c.legCount} = any(${array(legs, "int")})`;
  return legs.includes(MANY_LEGS) ? sql`(${few} or ${c.legCount} > ${sql.raw(String(MANY_LEGS))})` : few;
}

/** The provider's tags of the leg's market as slugs, as `categoryOfTags` of src/domain reads them. */
const PROVIDER_TAGS = sql`(select coalesce(array_agg(
    trim(both '-' from regexp_replace(lower(tag), '[^a-z0-9]+', '-', 'g'))), '{}')
  from jsonb_array_elements_text(${leg.providerMarket} -> 'tags') tag)`;

/** A leg is of one of the sports: by our description of its market, else by the provider's tags. */
function hasLegOfSport(sports: readonly SportFilter[]): SQL {
  const marks = sports.map(marksOfSport);
  const categories = marks.flatMap(({ category }) => category ?? []);
  const tags = marks.flatMap((sport) => sport.tags);
  const leagueTags = marks.flatMap((sport) => (sport.category === null ? sport.tags : []));
  return sql`exists (select from ${leg} left join ${legMarket} on ${legMarket.id} = ${leg.legMarketId}
    where ${leg.marketId} = ${f.marketId} and case when ${legMarket.hydratedAt} is not null
      then ${legMarket.category} = any(${array(categories, "text")})
        or ${legMarket.tags} && ${array(leagueTags, "text")}
      else ${PROVIDER_TAGS} && ${array(tags, "text")} end)`;
}
