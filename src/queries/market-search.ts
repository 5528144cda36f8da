import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { isCombination } from "../db/completeness.ts";
import { isOverAt, withStatus, type MarketStatus } from "./market-status.ts";
import { allOf, count, selectRows } from "./rows.ts";

const SearchRow = z.object({
  id: count,
  condition_id: z.string(),
  title: z.string(),
  slug: z.string().nullable(),
  category: z.string().nullable(),
  over: z.boolean(),
  rank: count,
  volume: z.string(),
});

export type SearchRow = z.output<typeof SearchRow>;

/** Where a page ended. Higher ranks come first, then larger volumes, then older markets. */
export interface SearchPlace {
  /** By words: 2 when the title is the words, 1 when it begins with them, else 0. By likeness: percent. */
  readonly rank: number;
  /** -1 where it is unknown. */
  readonly volume: string;
  readonly id: number;
}

export type SearchWay = "words" | "likeness";

export interface SearchFilters {
  readonly words: string;
  readonly status: MarketStatus;
  /** Already folded to our spelling. */
  readonly category: string | null;
  /** The moment that a market's status is of. */
  readonly now: Date;
}

export interface SearchPage {
  readonly place: SearchPlace | null;
  readonly limit: number;
}

const termsOf = (words: string): readonly string[] => words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * Words as a full-text query: all of them, the last as a prefix. Null when nothing searchable is left.
 *
 * Titles are cut into words by Postgres, which keeps some whole that letters and digits alone would break ("U.S.", "12/31", "-5.5"); so
 * the words count both ways.
 */
function toTextQuery(words: string): SQL | null {
  const terms = termsOf(words);
  if (terms.length === 0) return null;
  const apart = terms.map((term, index) => (index === terms.length - 1 ? `${term}:*` : term)).join(" & ");
  const asTitle = sql`(nullif(plainto_tsquery('simple', ${words})::text, '') || ':*')::tsquery`;
  return sql`(to_tsquery('simple', ${apart}) || coalesce(${asTitle}, ''))`;
}

const LISTED = sql`m.title is not null and m.title <> '' and not ${sql.raw(isCombination("m.condition_id"))}`;
const VOLUME = sql`coalesce(m.volume_usd, -1)`;

/** How much of a title its index holds: an entry of an index has to be short. */
const INDEXED_TITLE = 200;

/** So many matches are put in order as they are; of more, pages come off the index of volumes, where every few rows one matches. */
const FEW_MATCHES = 1_000;

/** A page, and which way of searching found it. */
export interface SearchResult {
  readonly by: SearchWay;
  /** One more than asked when there is a next page. */
  readonly rows: SearchRow[];
}

/**
 * Markets whose title or slug has all the words or, when no market has them, whose title has something like each.
 *
 * @param page `by` is the way a walk began with; null on its first page
 */
export async function searchMarkets(
  db: Database,
  filters: SearchFilters,
  page: SearchPage & { readonly by: SearchWay | null },
): Promise<SearchResult> {
  const worded = page.by === "likeness" ? null : wordedParts(filters, page);
  const alike = page.by === "words" ? null : alikeParts(filters, page, worded === null ? null : sql`not exists (select from worded)`);
  const ways = [
    ...(worded === null ? [] : [sql`select 'words' as by, found.* from worded found`]),
    ...(alike === null ? [] : [sql`select 'likeness' as by, found.* from alike found`]),
  ];
  if (ways.length === 0) return { by: page.by ?? "likeness", rows: [] };
  const rows = await selectRows(
    db,
    // Of the two at most one has rows.
    sql`with ${sql.join([...(worded ?? []), ...(alike ?? [])], sql`, `)}
      select * from (${sql.join(ways, sql` union all `)}) found order by rank desc, volume::numeric desc, id`,
    SearchRow.extend({ by: z.enum(["words", "likeness"]) }),
  );
  return { by: page.by ?? rows[0]?.by ?? "likeness", rows };
}

/**
 * The parts of a statement of which `worded` is the page of markets whose title or slug has all the words; null when nothing searchable is left
 * of these.
 *
 * Neither a rare word nor one of most titles makes it read more than a bounded part of the markets: which it is, the first FEW_MATCHES tell, and
 * not an estimate.
 */
function wordedParts(filters: SearchFilters, page: SearchPage): SQL[] | null {
  const query = toTextQuery(filters.words);
  if (query === null) return null;
  const words = sql`lower(${filters.words})`;
  const rank = sql`(case when lower(m.title) = ${words} then 2 when starts_with(lower(m.title), ${words}) then 1 else 0 end)`;
  const found = sql`(select count(*) from few)`;
  const all = sql`select * from rare union all select * from rank_2 union all select * from rank_1 union all select * from rank_0`;
  return [
    sql`few as materialized (
      select m.id, m.condition_id, m.title, m.slug, m.category, m.closed, m.end_at, m.payouts_ppm, m.volume_usd
      from markets m where m.search @@ ${query} limit ${FEW_MATCHES + 1})`,
    sql`rare as materialized (${selectPage(sql`${found} <= ${FEW_MATCHES}`, rank, filters, page, sql`few`)})`,
    ...rankParts(sql`m.search @@ ${query}`, words, sql`${found} > ${FEW_MATCHES}`, filters, page),
    sql`worded as materialized (select * from (${all}) ranked order by rank desc, volume::numeric desc, id limit ${page.limit + 1})`,
  ];
}

/** The pages of each rank, named `rank_2` to `rank_0`: one is read only where `wanted` holds and those above have left room. */
function rankParts(match: SQL, words: SQL, wanted: SQL, filters: SearchFilters, page: SearchPage): SQL[] {
  const start = sql`left(lower(m.title), ${INDEXED_TITLE}::int)`;
  const begins = sql`starts_with(lower(m.title), ${words}) and starts_with(${start}, left(${words}, ${INDEXED_TITLE}::int))`;
  // Of an expression: the title alone Postgres would also look up in the index of trigrams, where a word of many titles is all of them.
  const is = sql`lower(m.title) || '' = ${words}`;
  const part = (rank: number, ranked: SQL, room: SQL) => sql`${sql.raw(`rank_${rank}`)} as materialized (
    select part.* from (select where ${wanted} and ${room}) one
    cross join lateral (${selectRank(rank, sql`${match} and ${ranked}`, filters, page)}) part)`;
  const most = page.limit + 1;
  return [
    part(2, sql`${is} and ${start} = left(${words}, ${INDEXED_TITLE}::int)`, sql`true`),
    part(1, sql`${begins} and not ${is}`, sql`(select count(*) from rank_2) < ${most}`),
    part(0, sql`not starts_with(lower(m.title), ${words})`, sql`(select count(*) from rank_2) + (select count(*) from rank_1) < ${most}`),
  ];
}

/** The rows of one rank that follow the place, most volume first. */
function selectRank(rank: number, match: SQL, filters: SearchFilters, { place, limit }: SearchPage): SQL {
  const after =
    place === null || rank < place.rank
      ? null
      : rank > place.rank
        ? sql`false`
        : sql`${VOLUME} <= ${place.volume}::numeric and (${VOLUME} < ${place.volume}::numeric or m.id > ${place.id}::bigint)`;
  return sql`select ${shown(sql`${rank}::int`, filters.now)} from markets m where ${allOf([match, ...passing(filters), after])}
    order by ${VOLUME} desc, m.id limit ${limit + 1}`;
}

/** Words that are compared by their letters; a title has hardly more. */
const MOST_TERMS = 12;
/** Shorter words share too little with anything. */
const SHORTEST_TERM = 3;
/** A word that shares this part of its trigrams with a title is taken for a misspelt one of it: five letters with two exchanged share a third. */
const LEAST_LIKENESS = 0.33;

/**
 * The parts of a statement of which `alike` is the page of markets whose title has, for each word, something like it, the most alike first. Numbers
 * are not misspelt and have to be there. It has no rows when some market has the words.
 *
 * @param wanted when to look at all; null for always
 * @returns null when no word is left that can be compared
 */
function alikeParts(filters: SearchFilters, page: SearchPage, wanted: SQL | null): SQL[] | null {
  const query = toTextQuery(filters.words);
  const terms = termsOf(filters.words);
  const numbers = terms.filter((term) => /\p{N}/u.test(term));
  const letters = terms.filter((term) => !/\p{N}/u.test(term) && [...term].length >= SHORTEST_TERM).slice(0, MOST_TERMS);
  if (query === null || letters.length === 0) return null;
  const likeness = letters.map((term) => sql`word_similarity(${term}, lower(m.title))`);
  const rank = sql`round(100 * (${sql.join(likeness, sql` + `)}) / ${letters.length}::int)::int`;
  const isAlike = allOf([
    // The threshold of %> is a setting. Asked for by the operand itself, it is in force before the first title is compared.
    ...letters.map((term) => sql`lower(m.title) %> (case when setting.threshold is not null then ${term} end)`),
    ...numbers.map((number) => sql`strpos(lower(m.title), ${number}) > 0`),
    // A later page goes on with what the first began.
    page.place === null ? sql`not exists (select from markets m where m.search @@ ${query} and ${LISTED})` : null,
  ]);
  return [
    sql`setting as materialized (select set_config('pg_trgm.word_similarity_threshold', ${String(LEAST_LIKENESS)}, true) as threshold)`,
    sql`alike as materialized (
      select found.* from setting cross join lateral (${selectPage(isAlike, rank, filters, page)}) found where ${allOf([wanted])})`,
  ];
}

const passing = ({ status, category, now }: SearchFilters): (SQL | null)[] => [
  LISTED,
  withStatus(status, now),
  category === null ? null : sql`lower(m.category) = lower(${category})`,
];

const shown = (rank: SQL, now: Date): SQL =>
  sql`m.id, m.condition_id, m.title, m.slug, m.category, ${isOverAt(now)} as over, ${rank} as rank, ${VOLUME}::text as volume`;

function selectPage(match: SQL, rank: SQL, filters: SearchFilters, { place, limit }: SearchPage, from: SQL = sql`markets`): SQL {
  const where = allOf([
    match,
    ...passing(filters),
    place === null ? null : sql`(${rank}, ${VOLUME}, -m.id) < (${place.rank}::int, ${place.volume}::numeric, ${-place.id}::bigint)`,
  ]);
  return sql`select ${shown(rank, filters.now)} from ${from} m where ${where} order by ${rank} desc, ${VOLUME} desc, -m.id desc limit ${limit + 1}`;
}
