import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, entry, ev, graded, l, m, no, o, yes } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { COVERED_FROM, FIRST_COVERED_DAY } from "../../db/coverage.ts";
import { isPriced, newestFillFirst } from "../../db/fragments/priced-fills.ts";
import { outcomeDays, providerEvents } from "../../db/schema.ts";
import { GenerationRow, selectGeneration } from "../list-generations.ts";
import { isOverAt, priceAt, type MarketStatus } from "./market-status.ts";
import { alias, allOf, bigintText, integer, isoText, selectRows, timestamp } from "../../db/sql.ts";
import type { PageRequest } from "../page-request.ts";

const text = z.string().nullable();
const figure = z.number().nullable();

const ExploreOutcome = z.object({
  index: z.number().int(),
  token_id: z.string(),
  label: text,
  /** The current price, by the price rule of src/db/fragments/market-price.ts. */
  price: text,
  /**
   * The price of the last fill 24 hours ago or earlier. Null when that fill is from before complete
   * recording, and for a market that is over.
   */
  price_24h_ago: text,
  /**
   * Start of a UTC day in Unix seconds, and the closing price of the day: the last days with a trade, oldest
   * first. Null without any.
   */
  points: z.array(z.tuple([z.number().int(), z.string()])).nullable(),
});

export type ExploreOutcome = z.output<typeof ExploreOutcome>;

const ExploreMarketRow = z.object({
  id: integer,
  condition_id: z.string(),
  title: z.string(),
  slug: text,
  image: text,
  icon: text,
  category: text,
  over: z.boolean(),
  volume_usd: text,
  liquidity_usd: text,
  large_trade_count: integer,
  large_trade_traders: integer,
  large_trade_usd_micro: bigintText,
  large_trade_last_at: text,
  end_at: text,
  created_at: text,
  event_slug: text,
  hydrated: z.boolean(),
  outcomes: z.array(ExploreOutcome),
  /**
   * `GradedHoldings` of src/scoring/signals, at current prices; null when no graded trader is known to hold
   * any.
   */
  graded: z.object({ yes_usd: figure, no_usd: figure, traders: integer, yes_price: figure }).nullable(),
});

export type ExploreMarketRow = z.output<typeof ExploreMarketRow>;

/**
 * The `score_components` column of `explore_entries`, as written by `writeEntries` of
 * src/ingest/read-models/explore.
 */
const ScoreComponents = z.object({
  /**
   * `ExploreSignals` of src/scoring/signals: 0 to 1, null when their input is unknown. Sharp money is also
   * null when there is none.
   */
  volume: figure,
  large_trades: figure,
  liquidity: figure,
  recency: figure,
  sharp_money: figure,
  missing_price_penalty: z.number(),
});

export type ScoreComponents = z.output<typeof ScoreComponents>;

const ExploreRow = z.object({
  id: integer,
  event_slug: text,
  event_title: text,
  event_image: text,
  category: text,
  representative_id: integer,
  large_trade_count: integer,
  volume_usd: text,
  discover_score: z.string(),
  score_components: ScoreComponents.nullable(),
  /**
   * Whether every large trade of the last day is recorded, and whether the positions of any graded trader are
   * known.
   */
  day_known: z.boolean(),
  cohort_known: z.boolean(),
  sort_key: text,
  markets: z.array(ExploreMarketRow),
});

export type ExploreRow = z.output<typeof ExploreRow>;

export type ExploreSort = "trending" | "hot" | "expiring" | "large_trades" | "whales" | "volume" | "newest";

const me = alias(providerEvents, "me");

/** The key of each sort, and how it is compared; rows without a key come last. */
const SORTS: Record<ExploreSort, { key: SQL; cast: SQL; ascending: boolean }> = {
  trending: { key: sql`${entry.trendingScore}`, cast: sql`float8`, ascending: false },
  hot: { key: sql`${entry.discoverScore}`, cast: sql`float8`, ascending: false },
  expiring: { key: sql`${entry.expiresAt}`, cast: sql`timestamptz`, ascending: true },
  large_trades: { key: sql`${entry.largeTradeCount}`, cast: sql`int`, ascending: false },
  whales: { key: sql`${entry.largeTradeCount}`, cast: sql`int`, ascending: false },
  volume: { key: sql`${entry.volumeUsd}`, cast: sql`numeric`, ascending: false },
  newest: { key: sql`${entry.createdAt}`, cast: sql`timestamptz`, ascending: false },
};

export interface ExploreFilters {
  readonly status: MarketStatus;
  /** Already normalised to our spelling. */
  readonly category: string | null;
  readonly words: string | null;
  readonly sort: ExploreSort;
}

export interface ExploreCursor {
  readonly generation: number;
  readonly key: string | null;
  readonly id: number;
}

export interface ExplorePage {
  readonly generation: GenerationRow;
  /** One more than the limit when there is a next page. */
  readonly rows: ExploreRow[];
  /** Number of entries that pass the filters; null on later pages, which do not count again. */
  readonly total: number | null;
}

/**
 * SQL condition: `entry` is part of generation `g`. Scalar subqueries, so that an index can return the
 * generation's entries in order; with a joined table it could not.
 */
const IN_GENERATION = sql`${entry.addedIn} <= (select id from g)
  and (${entry.removedIn} is null or ${entry.removedIn} > (select id from g))`;

/**
 * A page of explore entries from the newest generation, or from the one in the cursor.
 *
 * @returns null when that generation does not exist (any more)
 */
export async function exploreMarkets(
  db: Database,
  filters: ExploreFilters,
  page: PageRequest<ExploreCursor>,
  now: Date,
): Promise<ExplorePage | null> {
  const cursor = page.cursor;
  const conditions = buildConditions(filters, now);
  const { key, cast, ascending } = SORTS[filters.sort];
  const order = sql`${key} ${ascending ? sql`asc` : sql`desc`} nulls last, ${entry.id}`;
  const total =
    cursor !== null
      ? sql`null`
      : conditions.length === 0
        ? sql`g.row_count`
        : sql`coalesce(${storedTotal(filters, now)}, (select count(*) from ${entry}
          where ${allOf([IN_GENERATION, ...conditions])}))`;
  const rows = await selectRows(
    db,
    sql`with g as materialized (${selectGeneration("explore", cursor?.generation ?? null)}), covered as materialized (
        select ${COVERED_FROM} as since, ${FIRST_COVERED_DAY} as first_day
      ), page as (
        select entry.*, (${key})::text as sort_key, row_number() over (order by ${order}) as n
        from ${entry}
        where ${allOf([IN_GENERATION, ...conditions, isAfterCursor(cursor, key, cast, ascending)])}
        order by ${order} limit ${page.limit + 1}
      ), entries as (
        select p.n, json_build_object('id', p.id, 'event_slug', ${ev.slug}, 'event_title', ${ev.title},
          'event_image', ${ev.image},
          'category', p.category, 'representative_id', p.representative_id, 'large_trade_count', p.large_trade_count,
          'volume_usd', p.volume_usd::text, 'discover_score', p.discover_score::numeric::text,
            'score_components', p.score_components,
          'day_known', coalesce((select detail -> 'day_known' from g) = 'true', false),
          'cohort_known', coalesce((select detail -> 'cohort_known' from g) = 'true', false), 'sort_key', p.sort_key,
            'markets', (
            select json_agg(${exploreMarketJson(now)} order by w.ordinal)
            from unnest(p.market_ids) with ordinality as w(market_id, ordinal)
            join ${m} on ${m.id} = w.market_id left join ${me} on ${me.id} = ${m.eventId}
          )) as entry
        from page p left join ${ev} on ${ev.id} = p.event_id
      )
      select case when entries.n is null or entries.n = 1 then to_jsonb(g) end as generation, entries.entry,
        ${total} as total
      from g left join entries on true order by entries.n`,
    z.object({ generation: GenerationRow.nullable(), total: integer.nullable(), entry: ExploreRow.nullable() }),
  );
  const { generation = null, total: counted = null } = rows[0] ?? {};
  return generation === null ? null : { generation, total: counted, rows: rows.flatMap((row) => row.entry ?? []) };
}

/**
 * The count from the build of the generation, corrected for markets that have ended since. Null with search
 * words, and in generations without stored counts.
 */
function storedTotal({ status, category, words }: ExploreFilters, now: Date): SQL {
  if (words !== null) return sql`null`;
  const wanted = [
    ...(status === "all" ? [] : [status === "active" ? sql`c.has_active` : sql`c.has_closed`]),
    ...(category === null ? [] : [sql`lower(c.category) = lower(${category})`]),
  ];
  return sql`(select case when g.detail ? 'counts' then coalesce(sum(c.count), 0)
      ${statusCorrection(status, category, now)} end
    from jsonb_to_recordset(g.detail -> 'counts') as c(category text, has_active boolean, has_closed boolean,
      count int) where ${allOf(wanted)})`;
}

function buildConditions({ status, category, words }: ExploreFilters, now: Date): SQL[] {
  const terms = words?.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [
    ...(status === "all" ? [] : [status === "active" ? hasActive(now) : hasClosed(now)]),
    ...(category === null ? [] : [sql`lower(${entry.category}) = lower(${category})`]),
    ...terms.map((term) => sql`strpos(${entry.searchText}, ${term}) > 0`),
  ];
}

/**
 * SQL condition: the end time of the representative of `entry` has passed since the generation was built.
 * Only then are its markets checked for being over.
 */
const hasEnded = (now: Date): SQL => sql`${entry.expiresAt} <= ${timestamp(now)}`;

/**
 * SQL condition: some market `m` of `entry` meets the condition. Looks at all markets of the event, since a
 * group shows only some of them.
 */
const someMarket = (condition: SQL): SQL => sql`exists (
  select from ${m} where (${m.id} = any(${entry.marketIds}) or ${m.eventId} = ${entry.eventId}) and ${m.title} <> ''
    and ${condition})`;

const hasActive = (now: Date): SQL =>
  sql`(${entry.hasActive} and not (${hasEnded(now)} and not ${someMarket(sql`not ${isOverAt(now)}`)}))`;

const hasClosed = (now: Date): SQL => sql`(${entry.hasClosed} or (${hasEnded(now)} and ${someMarket(isOverAt(now))}))`;

/** The correction of a count by status: entries whose status has changed since the generation was built. */
function statusCorrection(status: MarketStatus, category: string | null, now: Date): SQL {
  if (status === "all") return sql``;
  const changed =
    status === "active"
      ? sql`${entry.hasActive} and not ${hasActive(now)}`
      : sql`not ${entry.hasClosed} and ${hasClosed(now)}`;
  const hasCategory = category === null ? null : sql`lower(${entry.category}) = lower(${category})`;
  return sql`${status === "active" ? sql`-` : sql`+`} (
    select count(*) from ${entry} where ${allOf([IN_GENERATION, hasEnded(now), hasCategory, changed])})`;
}

function isAfterCursor(cursor: ExploreCursor | null, key: SQL, cast: SQL, ascending: boolean): SQL | null {
  if (cursor === null) return null;
  if (cursor.key === null) return sql`(${key} is null and ${entry.id} > ${cursor.id})`;
  const compare = ascending ? sql`>` : sql`<`;
  return sql`(${key} ${compare} ${cursor.key}::${cast}
    or (${key} = ${cursor.key}::${cast} and ${entry.id} > ${cursor.id}) or ${key} is null)`;
}

function exploreMarketJson(now: Date): SQL {
  return sql`json_build_object('id', ${m.id}, 'condition_id', ${m.conditionId}, 'title', ${m.title},
    'slug', ${m.slug}, 'image', ${m.image}, 'icon', ${m.icon}, 'category', ${m.category}, 'over', ${isOverAt(now)},
    'volume_usd', ${m.volumeUsd}::text, 'liquidity_usd', ${m.liquidityUsd}::text,
    'large_trade_count', ${m.largeTradeCount}, 'large_trade_usd_micro', ${m.largeTradeUsdMicro}::text,
    'large_trade_traders', case when ${m.largeTradeCount} = 0 then 0
      else (select count(distinct ${l.traderId}) from ${l} where ${l.marketId} = ${m.id}) end,
    'large_trade_last_at', ${isoText(m.largeTradeLastAt)}, 'end_at', ${isoText(m.endAt)},
    'created_at', ${isoText(m.providerCreatedAt)}, 'event_slug', ${me.slug}, 'hydrated', ${m.hydratedAt} is not null,
    'outcomes', coalesce((
      select json_agg(json_build_object('index', ${o.outcomeIndex}, 'token_id', ${o.tokenId}, 'label', ${o.label},
        'price', (${priceAt(now)})::text, 'price_24h_ago', (${priceADayAgo(now)}), 'points', (${DAILY_POINTS}))
        order by ${o.outcomeIndex})
      from ${o} where ${o.marketId} = ${m.id} and ${o.outcomeIndex} is not null), '[]'),
    'graded', (${gradedHoldings(now)}))`;
}

/**
 * The positions of graded traders in a market `m`, at current prices. A missing price of NO is 1 minus the
 * price of YES.
 */
function gradedHoldings(now: Date): SQL {
  return sql`
    select json_build_object('traders', ${graded.wallets}, 'yes_price', held.yes_price,
      'yes_usd', ${graded.yesSharesMicro} / 1e6 * held.yes_price,
      'no_usd', ${graded.noSharesMicro} / 1e6 * held.no_price)
    from ${graded} cross join lateral (
      select priced.yes_price, coalesce(priced.no_price, 1 - priced.yes_price) as no_price
      from (select ${priceAt(now, yes)} as yes_price, ${priceAt(now, no)} as no_price from ${yes}, ${no}
        where ${yes.marketId} = ${m.id} and ${yes.outcomeIndex} = 0
          and ${no.marketId} = ${m.id} and ${no.outcomeIndex} = 1) priced
    ) held
    where ${graded.marketId} = ${m.id} and ${graded.wallets} > 0`;
}

/**
 * For an outcome `o` of a market `m`. The rules for which fills set a price, and for their order within one
 * second, are those of the daily candles.
 */
const priceADayAgo = (now: Date): SQL => sql`
  select ${e.price}::text from ${e}
  where ${e.marketId} = ${m.id} and ${e.outcomeId} = ${o.id} and not ${isOverAt(now)} and ${isPriced(e)}
    and ${e.tradedAt} >= (select since from covered)
      and ${e.tradedAt} <= ${timestamp(now)} - interval '24 hours'
  order by ${newestFillFirst(e)} limit 1`;

/** Days in a price line. */
const POINTS = 7;

const DAILY_POINTS = sql`
  select json_agg(json_build_array((d.day - date '1970-01-01') * 86400::bigint, d.close::text) order by d.day)
  from (
    select ${outcomeDays.day}, ${outcomeDays.close} from ${outcomeDays}
    where ${outcomeDays.outcomeId} = ${o.id} and ${outcomeDays.day} >= (select first_day from covered)
    order by ${outcomeDays.day} desc limit ${POINTS}
  ) d`;
