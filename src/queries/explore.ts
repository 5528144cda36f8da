import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { COVERED_FROM, FIRST_COVERED_DAY } from "../db/coverage.ts";
import { CANDLE_MIN_SHARES_MICRO } from "../scoring/signals/parameters.ts";
import { GenerationRow, selectGeneration } from "./generations.ts";
import { isOverAt, priceAt, type MarketStatus } from "./market-status.ts";
import { allOf, big, count, iso, selectRows } from "./rows.ts";

const text = z.string().nullable();
const figure = z.number().nullable();

const ExploreOutcome = z.object({
  index: z.number().int(),
  token_id: z.string(),
  label: text,
  /** What a share costs now, by the one rule of prices. */
  price: text,
  /** Of its last fill 24 hours ago. Null when that fill was before every trade was recorded, and for a market that is over. */
  price_24h_ago: text,
  /** Start of a UTC day in Unix seconds, and its closing price: the last days with a trade, oldest first. Null without one. */
  points: z.array(z.tuple([z.number().int(), z.string()])).nullable(),
});

export type ExploreOutcome = z.output<typeof ExploreOutcome>;

const ExploreMarketRow = z.object({
  id: count,
  condition_id: z.string(),
  title: z.string(),
  slug: text,
  image: text,
  icon: text,
  category: text,
  over: z.boolean(),
  volume_usd: text,
  liquidity_usd: text,
  large_trade_count: count,
  large_trade_wallets: count,
  large_trade_usd_micro: big,
  large_trade_last_at: text,
  end_at: text,
  created_at: text,
  event_slug: text,
  hydrated: z.boolean(),
  outcomes: z.array(ExploreOutcome),
  /** `GradedHoldings` of src/scoring/signals, at the prices of now; null where no graded wallet is known to hold any. */
  graded: z.object({ yes_usd: figure, no_usd: figure, wallets: count, yes_price: figure }).nullable(),
});

export type ExploreMarketRow = z.output<typeof ExploreMarketRow>;

/** The `score_components` column of `explore_entries`, as `writeEntries` of src/ingest/read-models/explore writes it. */
const ScoreComponents = z.object({
  /** `ExploreSignals` of src/scoring/signals: 0 to 1, null when what they rest on is not known; sharp money also where there is none. */
  volume: figure,
  large_trades: figure,
  liquidity: figure,
  recency: figure,
  sharp_money: figure,
  missing_price_penalty: z.number(),
});

export type ScoreComponents = z.output<typeof ScoreComponents>;

const ExploreRow = z.object({
  id: count,
  event_slug: text,
  event_title: text,
  event_image: text,
  category: text,
  representative_id: count,
  large_trade_count: count,
  volume_usd: text,
  discover_score: z.string(),
  score_components: ScoreComponents.nullable(),
  /** Whether every large trade of the last day is recorded, and whether any graded wallet's holdings are known. */
  day_known: z.boolean(),
  cohort_known: z.boolean(),
  sort_key: text,
  markets: z.array(ExploreMarketRow),
});

export type ExploreRow = z.output<typeof ExploreRow>;

export type ExploreSort = "trending" | "hot" | "expiring" | "large_trades" | "whales" | "volume" | "newest";

/** What each sort orders by, and how a key compares; a missing key comes last. */
const SORTS: Record<ExploreSort, { key: SQL; cast: SQL; ascending: boolean }> = {
  trending: { key: sql`e.trending_score`, cast: sql`float8`, ascending: false },
  hot: { key: sql`e.discover_score`, cast: sql`float8`, ascending: false },
  expiring: { key: sql`e.expires_at`, cast: sql`timestamptz`, ascending: true },
  large_trades: { key: sql`e.large_trade_count`, cast: sql`int`, ascending: false },
  whales: { key: sql`e.large_trade_count`, cast: sql`int`, ascending: false },
  volume: { key: sql`e.volume_usd`, cast: sql`numeric`, ascending: false },
  newest: { key: sql`e.created_at`, cast: sql`timestamptz`, ascending: false },
};

export interface ExploreFilters {
  readonly status: MarketStatus;
  /** Already folded to our spelling. */
  readonly category: string | null;
  readonly words: string | null;
  readonly sort: ExploreSort;
}

export interface ExplorePlace {
  readonly generation: number;
  readonly key: string | null;
  readonly id: number;
}

export interface ExplorePage {
  readonly generation: GenerationRow;
  /** One more than asked when there is a next page. */
  readonly rows: ExploreRow[];
  /** Entries that pass the filters; null on later pages, which do not count again. */
  readonly total: number | null;
}

/** Of an entry `e`, in the generation `g`. Scalars, so that an index can give the generation's entries in order; of a joined table it could not. */
const IN_GENERATION = sql`e.added_in <= (select id from g) and (e.removed_in is null or e.removed_in > (select id from g))`;

/** A page of exploration from its newest generation, or the one the place names. @returns null when there is none (any more) */
export async function exploreMarkets(
  db: Database,
  filters: ExploreFilters,
  page: { place: ExplorePlace | null; limit: number },
  now: Date,
): Promise<ExplorePage | null> {
  const { place } = page;
  const conditions = conditionsOf(filters, now);
  const { key, cast, ascending } = SORTS[filters.sort];
  const order = sql`${key} ${ascending ? sql`asc` : sql`desc`} nulls last, e.id`;
  const total =
    place !== null
      ? sql`null`
      : conditions.length === 0
        ? sql`g.row_count`
        : sql`coalesce(${countedTotal(filters, now)}, (select count(*) from explore_entries e where ${allOf([IN_GENERATION, ...conditions])}))`;
  const rows = await selectRows(
    db,
    sql`with g as materialized (${selectGeneration("explore", place?.generation ?? null)}), covered as materialized (
        select ${COVERED_FROM} as since, ${FIRST_COVERED_DAY} as first_day
      ), page as (
        select e.*, (${key})::text as sort_key, row_number() over (order by ${order}) as place
        from explore_entries e
        where ${allOf([IN_GENERATION, ...conditions, afterPlace(place, key, cast, ascending)])}
        order by ${order} limit ${page.limit + 1}
      ), entries as (
        select p.place, json_build_object('id', p.id, 'event_slug', ev.slug, 'event_title', ev.title, 'event_image', ev.image,
          'category', p.category, 'representative_id', p.representative_id, 'large_trade_count', p.large_trade_count,
          'volume_usd', p.volume_usd::text, 'discover_score', p.discover_score::numeric::text, 'score_components', p.score_components,
          'day_known', coalesce((select detail -> 'day_known' from g) = 'true', false),
          'cohort_known', coalesce((select detail -> 'cohort_known' from g) = 'true', false), 'sort_key', p.sort_key, 'markets', (
            select json_agg(${exploreMarketJson(now)} order by w.place)
            from unnest(p.market_ids) with ordinality as w(market_id, place)
            join markets m on m.id = w.market_id left join provider_events me on me.id = m.event_id
          )) as entry
        from page p left join provider_events ev on ev.id = p.event_id
      )
      select case when entries.place is null or entries.place = 1 then to_jsonb(g) end as generation, entries.entry, ${total} as total
      from g left join entries on true order by entries.place`,
    z.object({ generation: GenerationRow.nullable(), total: count.nullable(), entry: ExploreRow.nullable() }),
  );
  const { generation = null, total: counted = null } = rows[0] ?? {};
  return generation === null ? null : { generation, total: counted, rows: rows.flatMap((row) => row.entry ?? []) };
}

/** As it was counted when the generation was built, and what has ended since. Null for words, and in generations older than the counts. */
function countedTotal({ status, category, words }: ExploreFilters, now: Date): SQL {
  if (words !== null) return sql`null`;
  const wanted = [
    ...(status === "all" ? [] : [status === "active" ? sql`c.has_active` : sql`c.has_closed`]),
    ...(category === null ? [] : [sql`lower(c.category) = lower(${category})`]),
  ];
  return sql`(select case when g.detail ? 'counts' then coalesce(sum(c.count), 0) ${endedSince(status, category, now)} end
    from jsonb_to_recordset(g.detail -> 'counts') as c(category text, has_active boolean, has_closed boolean, count int) where ${allOf(wanted)})`;
}

function conditionsOf({ status, category, words }: ExploreFilters, now: Date): SQL[] {
  const terms = words?.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [
    ...(status === "all" ? [] : [status === "active" ? hasActive(now) : hasClosed(now)]),
    ...(category === null ? [] : [sql`lower(e.category) = lower(${category})`]),
    ...terms.map((term) => sql`strpos(e.search_text, ${term}) > 0`),
  ];
}

/** Of an entry `e`: the end of its representative has come since the generation was built. Which of its markets are over is then looked up. */
const hasEnded = (now: Date): SQL => sql`e.expires_at <= ${now.toISOString()}::timestamptz`;

/** Whether a market `m` of an entry `e` meets the condition; a group shows only some of its event's markets. */
const someMarket = (condition: SQL): SQL => sql`exists (
  select from markets m where (m.id = any(e.market_ids) or m.event_id = e.event_id) and m.title <> '' and ${condition})`;

const hasActive = (now: Date): SQL => sql`(e.has_active and not (${hasEnded(now)} and not ${someMarket(sql`not ${isOverAt(now)}`)}))`;

const hasClosed = (now: Date): SQL => sql`(e.has_closed or (${hasEnded(now)} and ${someMarket(isOverAt(now))}))`;

/** What is added to a count of entries with the status as the generation has it. */
function endedSince(status: MarketStatus, category: string | null, now: Date): SQL {
  if (status === "all") return sql``;
  const changed = status === "active" ? sql`e.has_active and not ${hasActive(now)}` : sql`not e.has_closed and ${hasClosed(now)}`;
  const ofCategory = category === null ? null : sql`lower(e.category) = lower(${category})`;
  return sql`${status === "active" ? sql`-` : sql`+`} (
    select count(*) from explore_entries e where ${allOf([IN_GENERATION, hasEnded(now), ofCategory, changed])})`;
}

function afterPlace(place: ExplorePlace | null, key: SQL, cast: SQL, ascending: boolean): SQL | null {
  if (place === null) return null;
  if (place.key === null) return sql`(${key} is null and e.id > ${place.id})`;
  const compare = ascending ? sql`>` : sql`<`;
  return sql`(${key} ${compare} ${place.key}::${cast} or (${key} = ${place.key}::${cast} and e.id > ${place.id}) or ${key} is null)`;
}

function exploreMarketJson(now: Date): SQL {
  return sql`json_build_object('id', m.id, 'condition_id', m.condition_id, 'title', m.title, 'slug', m.slug, 'image', m.image,
    'icon', m.icon, 'category', m.category, 'over', ${isOverAt(now)}, 'volume_usd', m.volume_usd::text, 'liquidity_usd', m.liquidity_usd::text,
    'large_trade_count', m.large_trade_count, 'large_trade_usd_micro', m.large_trade_usd_micro::text,
    'large_trade_wallets', case when m.large_trade_count = 0 then 0
      else (select count(distinct l.trader_id) from large_trades l where l.market_id = m.id) end,
    'large_trade_last_at', ${iso(sql`m.large_trade_last_at`)}, 'end_at', ${iso(sql`m.end_at`)},
    'created_at', ${iso(sql`m.provider_created_at`)}, 'event_slug', me.slug, 'hydrated', m.hydrated_at is not null,
    'outcomes', coalesce((
      select json_agg(json_build_object('index', o.outcome_index, 'token_id', o.token_id, 'label', o.label,
        'price', (${priceAt(now)})::text, 'price_24h_ago', (${priceADayAgo(now)}), 'points', (${DAILY_POINTS}))
        order by o.outcome_index)
      from outcomes o where o.market_id = m.id and o.outcome_index is not null), '[]'),
    'graded', (${gradedHoldings(now)}))`;
}

/** What graded wallets hold of a market `m`, at current prices. A missing price of NO is what YES leaves of a dollar. */
function gradedHoldings(now: Date): SQL {
  return sql`
    select json_build_object('wallets', g.wallets, 'yes_price', held.yes_price, 'yes_usd', g.yes_shares_micro / 1e6 * held.yes_price,
      'no_usd', g.no_shares_micro / 1e6 * held.no_price)
    from graded_markets g cross join lateral (
      select priced.yes_price, coalesce(priced.no_price, 1 - priced.yes_price) as no_price
      from (select ${priceAt(now, "y")} as yes_price, ${priceAt(now, "n")} as no_price from outcomes y, outcomes n
        where y.market_id = m.id and y.outcome_index = 0 and n.market_id = m.id and n.outcome_index = 1) priced
    ) held
    where g.market_id = m.id and g.wallets > 0`;
}

/** Of an outcome `o` of a market `m`. What makes a price, and which of one second is the last, is as in daily candles. */
const priceADayAgo = (now: Date): SQL => sql`
  select f.price::text from ledger_entries f
  where f.market_id = m.id and f.outcome_id = o.id and not ${isOverAt(now)} and f.kind in ('buy', 'sell')
    and f.shares_micro >= ${CANDLE_MIN_SHARES_MICRO.toString()}::bigint
    and f.traded_at >= (select since from covered) and f.traded_at <= ${now.toISOString()}::timestamptz - interval '24 hours'
  order by f.traded_at desc, f.tx_hash desc, f.price desc limit 1`;

/** Days of a small price line. */
const POINTS = 7;

const DAILY_POINTS = sql`
  select json_agg(json_build_array((d.day - date '1970-01-01') * 86400::bigint, d.close::text) order by d.day)
  from (
    select day, close from outcome_days where outcome_id = o.id and day >= (select first_day from covered) order by day desc limit ${POINTS}
  ) d`;
