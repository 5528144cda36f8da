import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { m, mt } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { isOverAt, withStatus, type MarketStatus } from "./market-status.ts";
import { allOf, integer, selectRows } from "../../db/sql.ts";
import type { PageRequest } from "../page-request.ts";

const SearchRow = z.object({
  id: integer,
  condition_id: z.string(),
  title: z.string(),
  slug: z.string().nullable(),
  category: z.string().nullable(),
  over: z.boolean(),
  rank: integer,
  volume: z.string(),
});

export type SearchRow = z.output<typeof SearchRow>;

/** The last row of a page. Higher ranks come first, then larger volumes, then lower ids. */
export interface SearchCursor {
  /**
   * With `words`: 2 when the title equals the words, 1 when it starts with them, else 0. With `likeness`:
   * percent.
   */
  readonly rank: number;
  /** -1 where it is unknown. */
  readonly volume: string;
  readonly id: number;
}

export type SearchMode = "words" | "likeness";

export interface SearchFilters {
  readonly words: string;
  readonly status: MarketStatus;
  /** Already normalised to our spelling. */
  readonly category: string | null;
  /** The time at which a market's status is evaluated. */
  readonly now: Date;
}

export type SearchPageRequest = PageRequest<SearchCursor>;

const splitWords = (words: string): readonly string[] => words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * Converts words to a full-text query: all must match, the last one as a prefix. Null when no searchable word
 * is left.
 *
 * Postgres keeps some tokens of titles whole that a split at letters and digits would break ("U.S.", "12/31",
 * "-5.5"), so the query accepts both forms.
 */
function toTextQuery(words: string): SQL | null {
  const terms = splitWords(words);
  if (terms.length === 0) return null;
  const apart = terms.map((term, index) => (index === terms.length - 1 ? `${term}:*` : term)).join(" & ");
  const asTitle = sql`(nullif(plainto_tsquery('simple', ${words})::text, '') || ':*')::tsquery`;
  return sql`(to_tsquery('simple', ${apart}) || coalesce(${asTitle}, ''))`;
}

const VOLUME = sql`coalesce(${m.volumeUsd}, -1)`;

/** The markets whose text meets a condition, for `from`. */
const marketsWith = (condition: SQL): SQL => sql`${mt} join ${m} on ${m.id} = ${mt.marketId} and ${condition}`;

/** The indexed prefix length of a title: index entries must be short. */
const INDEXED_TITLE = 200;

/**
 * Up to this many matches are sorted directly. With more matches, pages are read from the volume index, where
 * a match follows every few rows.
 */
const FEW_MATCHES = 1_000;

/** A page, and the search mode that found it. */
export interface SearchResult {
  readonly by: SearchMode;
  /** One more than the limit when there is a next page. */
  readonly rows: SearchRow[];
}

/**
 * Searches markets whose title or slug contains all words or, when there are none, whose title contains a
 * similar word for each.
 *
 * @param page `by` is the mode of the first page; null on the first page
 */
export async function searchMarkets(
  db: Database,
  filters: SearchFilters,
  page: SearchPageRequest & { readonly by: SearchMode | null },
): Promise<SearchResult> {
  const worded = page.by === "likeness" ? null : buildWordSearch(filters, page);
  const alike =
    page.by === "words"
      ? null
      : buildSimilaritySearch(filters, page, worded === null ? null : sql`not exists (select from worded)`);
  const searches = [
    ...(worded === null ? [] : [sql`select 'words' as by, found.* from worded found`]),
    ...(alike === null ? [] : [sql`select 'likeness' as by, found.* from alike found`]),
  ];
  if (searches.length === 0) return { by: page.by ?? "likeness", rows: [] };
  const rows = await selectRows(
    db,
    // At most one of the two has rows.
    sql`with ${sql.join([...(worded ?? []), ...(alike ?? [])], sql`, `)}
      select * from (${sql.join(searches, sql` union all `)}) found order by rank desc, volume::numeric desc, id`,
    SearchRow.extend({ by: z.enum(["words", "likeness"]) }),
  );
  return { by: page.by ?? rows[0]?.by ?? "likeness", rows };
}

/**
 * Builds the CTEs of the word search; `worded` is the page of markets whose title or slug contains all words.
 * Null when no searchable word is left.
 *
 * The statement reads a bounded part of the markets for rare words and for words of most titles. Which case
 * applies is decided by the first FEW_MATCHES matches, not by an estimate.
 */
function buildWordSearch(filters: SearchFilters, page: SearchPageRequest): SQL[] | null {
  const query = toTextQuery(filters.words);
  if (query === null) return null;
  const words = sql`lower(${filters.words})`;
  const rank = sql`(case when lower(${m.title}) = ${words} then 2 when starts_with(lower(${m.title}), ${words}) then 1
    else 0 end)`;
  const found = sql`(select count(*) from few)`;
  const all = sql`select * from rare union all select * from rank_2 union all select * from rank_1 union all select *
    from rank_0`;
  return [
    sql`few as materialized (
      select ${mt.marketId} from ${mt} where ${mt.search} @@ ${query} limit ${FEW_MATCHES + 1})`,
    sql`rare as materialized (
      ${selectPage(sql`few join ${m} on ${m.id} = few.market_id`, rank, filters, page, sql`${found} <= ${FEW_MATCHES}`)})`,
    ...buildRankPages(sql`${mt.search} @@ ${query}`, words, sql`${found} > ${FEW_MATCHES}`, filters, page),
    sql`worded as materialized (select * from (${all}) ranked order by rank desc, volume::numeric desc, id
      limit ${page.limit + 1})`,
  ];
}

/**
 * Builds the pages of each rank, named `rank_2` to `rank_0`. A page is read only where `wanted` holds and the
 * higher ranks have not filled the limit.
 */
function buildRankPages(match: SQL, words: SQL, wanted: SQL, filters: SearchFilters, page: SearchPageRequest): SQL[] {
  const start = sql`left(lower(${mt.title}), ${INDEXED_TITLE}::int)`;
  const startsWith = sql`starts_with(lower(${mt.title}), ${words}) and starts_with(${start}, left(${words},
    ${INDEXED_TITLE}::int))`;
  // An expression, not the plain title: for that Postgres would also use the trigram index, where a common
  // word matches every title.
  const isEqual = sql`lower(${mt.title}) || '' = ${words}`;
  const part = (rank: number, ranked: SQL, room: SQL) => sql`${sql.raw(`rank_${rank}`)} as materialized (
    select part.* from (select where ${wanted} and ${room}) one
    cross join lateral (${selectRank(rank, sql`${match} and ${ranked}`, filters, page)}) part)`;
  const pageRows = page.limit + 1;
  return [
    part(2, sql`${isEqual} and ${start} = left(${words}, ${INDEXED_TITLE}::int)`, sql`true`),
    part(1, sql`${startsWith} and not ${isEqual}`, sql`(select count(*) from rank_2) < ${pageRows}`),
    part(
      0,
      sql`not starts_with(lower(${mt.title}), ${words})`,
      sql`(select count(*) from rank_2) + (select count(*) from rank_1) < ${pageRows}`,
    ),
  ];
}

/** The rows of one rank that follow the cursor, most volume first. */
function selectRank(rank: number, match: SQL, filters: SearchFilters, page: SearchPageRequest): SQL {
  const cursor = page.cursor;
  const after =
    cursor === null || rank < cursor.rank
      ? null
      : rank > cursor.rank
        ? sql`false`
        : sql`${VOLUME} <= ${cursor.volume}::numeric
            and (${VOLUME} < ${cursor.volume}::numeric or ${m.id} > ${cursor.id}::bigint)`;
  return sql`select ${resultColumns(sql`${rank}::int`, filters.now)} from ${marketsWith(match)}
    where ${allOf([...buildConditions(filters), after])} order by ${VOLUME} desc, ${m.id} limit ${page.limit + 1}`;
}

/** The maximum number of words compared by similarity; hardly any title has more. */
const MAX_TERMS = 12;
/** Shorter words have too few trigrams to compare. */
const MIN_TERM_LENGTH = 3;
/**
 * The minimum share of common trigrams between a word and a title: five letters with two swapped share a
 * third.
 */
const MIN_SIMILARITY = 0.33;

/**
 * Builds the CTEs of the similarity search; `alike` is the page of markets whose title contains a similar
 * word for each word, the most similar first. Numbers must match exactly. There are no rows when some market
 * matches the word search.
 *
 * @param wanted condition for running the search; null runs it always
 * @returns null when no comparable word is left
 */
function buildSimilaritySearch(filters: SearchFilters, page: SearchPageRequest, wanted: SQL | null): SQL[] | null {
  const query = toTextQuery(filters.words);
  const terms = splitWords(filters.words);
  const numbers = terms.filter((term) => /\p{N}/u.test(term));
  const letters = terms
    .filter((term) => !/\p{N}/u.test(term) && [...term].length >= MIN_TERM_LENGTH)
    .slice(0, MAX_TERMS);
  if (query === null || letters.length === 0) return null;
  const likeness = letters.map((term) => sql`word_similarity(${term}, lower(${mt.title}))`);
  const rank = sql`round(100 * (${sql.join(likeness, sql` + `)}) / ${letters.length}::int)::int`;
  const isAlike = allOf([
    // The threshold of %> is a setting. Reading it in the operand ensures that it is set before the first
    // title is compared.
    ...letters.map((term) => sql`lower(${mt.title}) %> (case when setting.threshold is not null then ${term} end)`),
    ...numbers.map((number) => sql`strpos(lower(${mt.title}), ${number}) > 0`),
    // A later page continues with the mode of the first page.
    page.cursor === null ? sql`not exists (select from ${mt} where ${mt.search} @@ ${query})` : null,
  ]);
  return [
    sql`setting as materialized (select set_config('pg_trgm.word_similarity_threshold', ${String(MIN_SIMILARITY)},
      true) as threshold)`,
    sql`alike as materialized (
      select found.* from setting cross join lateral (${selectPage(marketsWith(isAlike), rank, filters, page)}) found
        where ${allOf([wanted])})`,
  ];
}

const buildConditions = ({ status, category, now }: SearchFilters): (SQL | null)[] => [
  withStatus(status, now),
  category === null ? null : sql`lower(${m.category}) = lower(${category})`,
];

const resultColumns = (rank: SQL, now: Date): SQL =>
  sql`${m.id}, ${m.conditionId}, ${m.title}, ${m.slug}, ${m.category}, ${isOverAt(now)} as over, ${rank} as rank,
    ${VOLUME}::text as volume`;

function selectPage(
  from: SQL,
  rank: SQL,
  filters: SearchFilters,
  page: SearchPageRequest,
  wanted: SQL | null = null,
): SQL {
  const cursor = page.cursor;
  const where = allOf([
    wanted,
    ...buildConditions(filters),
    cursor === null
      ? null
      : sql`(${rank}, ${VOLUME}, -${m.id}) < (${cursor.rank}::int, ${cursor.volume}::numeric, ${-cursor.id}::bigint)`,
  ]);
  return sql`select ${resultColumns(rank, filters.now)} from ${from} where ${where}
    order by ${rank} desc, ${VOLUME} desc, -${m.id} desc limit ${page.limit + 1}`;
}
