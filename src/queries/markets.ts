import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { GenerationRow, selectGeneration } from "./generations.ts";
import { allOf, big, count, iso, selectRows } from "./rows.ts";

export type MarketStatus = "active" | "closed" | "all";

/** A market is over once trading has closed or it has resolved. */
const IS_OVER = sql`(m.closed or m.payouts_ppm is not null)`;

function withStatus(status: MarketStatus): SQL | null {
  return status === "all" ? null : status === "closed" ? IS_OVER : sql`not ${IS_OVER}`;
}

// ---------------------------------------------------------------- search

const SearchRow = z.object({
  id: count,
  condition_id: z.string(),
  title: z.string(),
  slug: z.string().nullable(),
  category: z.string().nullable(),
  over: z.boolean(),
  leads: z.boolean(),
  volume: z.string(),
});

export type SearchRow = z.output<typeof SearchRow>;

/** Where a page ended: titles that begin with the words come first, then by volume. */
export interface SearchPlace {
  readonly leads: boolean;
  readonly volume: string;
  readonly id: number;
}

/**
 * Words as a full-text query: all of them, the last as a prefix. Null when nothing searchable is left.
 *
 * Titles are cut into words by Postgres, which keeps some whole that letters and digits alone would break ("U.S.", "12/31", "-5.5"); so
 * the words count both ways.
 */
function toTextQuery(words: string): SQL | null {
  const terms = words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (terms.length === 0) return null;
  const apart = terms.map((term, index) => (index === terms.length - 1 ? `${term}:*` : term)).join(" & ");
  const asTitle = sql`(nullif(plainto_tsquery('simple', ${words})::text, '') || ':*')::tsquery`;
  return sql`(to_tsquery('simple', ${apart}) || coalesce(${asTitle}, ''))`;
}

/** Markets whose title or slug has all the words; one more than asked when there is a next page. */
export async function searchMarkets(
  db: Database,
  filters: { words: string; status: MarketStatus; category: string | null },
  page: { place: SearchPlace | null; limit: number },
): Promise<SearchRow[]> {
  const query = toTextQuery(filters.words);
  if (query === null) return [];
  const leads = sql`starts_with(lower(m.title), lower(${filters.words}))`;
  const volume = sql`coalesce(m.volume_usd, -1)`;
  const place = page.place;
  const where = allOf([
    sql`m.search @@ ${query}`,
    sql`m.title is not null and m.title <> ''`,
    withStatus(filters.status),
    filters.category === null ? null : sql`lower(m.category) = lower(${filters.category})`,
    place === null ? null : sql`(${leads}::int, ${volume}, -m.id) < (${place.leads ? 1 : 0}, ${place.volume}::numeric, ${-place.id})`,
  ]);
  return selectRows(
    db,
    sql`select m.id, m.condition_id, m.title, m.slug, m.category, ${IS_OVER} as over, ${leads} as leads, ${volume}::text as volume
      from markets m where ${where} order by ${leads}::int desc, ${volume} desc, -m.id desc limit ${page.limit + 1}`,
    SearchRow,
  );
}

// ---------------------------------------------------------------- explore

const price = z.string().nullable();

const ExploreMarketRow = z.object({
  id: count,
  condition_id: z.string(),
  title: z.string(),
  slug: z.string().nullable(),
  image: z.string().nullable(),
  icon: z.string().nullable(),
  category: z.string().nullable(),
  over: z.boolean(),
  volume_usd: z.string().nullable(),
  liquidity_usd: z.string().nullable(),
  large_trade_count: count,
  large_trade_wallets: count,
  large_trade_usd_micro: big,
  large_trade_last_at: z.string().nullable(),
  end_at: z.string().nullable(),
  created_at: z.string().nullable(),
  event_slug: z.string().nullable(),
  hydrated: z.boolean(),
  outcomes: z.array(
    z.object({ index: z.number().int(), token_id: z.string(), label: z.string().nullable(), price, last_trade_price: price }),
  ),
});

export type ExploreMarketRow = z.output<typeof ExploreMarketRow>;

const ExploreRow = z.object({
  id: count,
  event_slug: z.string().nullable(),
  event_title: z.string().nullable(),
  event_image: z.string().nullable(),
  category: z.string().nullable(),
  representative_id: count,
  large_trade_count: count,
  volume_usd: z.string().nullable(),
  discover_score: z.string(),
  sort_key: z.string().nullable(),
  markets: z.array(ExploreMarketRow),
});

export type ExploreRow = z.output<typeof ExploreRow>;

export type ExploreSort = "trending" | "hot" | "expiring" | "large_trades" | "whales" | "volume" | "newest";

/** What each sort orders by, and how a key compares; a missing key comes last. */
const SORTS: Record<ExploreSort, { key: SQL; cast: SQL; ascending: boolean }> = {
  trending: { key: sql`e.trending_score`, cast: sql`float8`, ascending: false },
  hot: { key: sql`e.discover_score`, cast: sql`float8`, ascending: false },
  // Judged at the build, not now: an entry that ends during a walk would come a second time, among those without a key.
  expiring: { key: sql`case when e.end_at > g.built_at::timestamptz then e.end_at end`, cast: sql`timestamptz`, ascending: true },
  large_trades: { key: sql`e.large_trade_count`, cast: sql`int`, ascending: false },
  whales: { key: sql`e.large_trade_count`, cast: sql`int`, ascending: false },
  volume: { key: sql`e.volume_usd`, cast: sql`numeric`, ascending: false },
  newest: { key: sql`e.created_at`, cast: sql`timestamptz`, ascending: false },
};

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

/** A page of exploration from its newest generation, or the one the place names. @returns null when there is none (any more) */
export async function exploreMarkets(
  db: Database,
  filters: { status: MarketStatus; category: string | null; words: string | null; sort: ExploreSort },
  page: { place: ExplorePlace | null; limit: number },
): Promise<ExplorePage | null> {
  const { place } = page;
  const terms = filters.words?.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const where = allOf([
    filters.status === "all" ? null : filters.status === "active" ? sql`e.has_active` : sql`e.has_closed`,
    filters.category === null ? null : sql`lower(e.category) = lower(${filters.category})`,
    ...terms.map((term) => sql`strpos(e.search_text, ${term}) > 0`),
  ]);
  const { key, cast, ascending } = SORTS[filters.sort];
  const direction = ascending ? sql`asc` : sql`desc`;
  const Row = z.object({ generation: GenerationRow, total: count.nullable(), entry: ExploreRow.nullable() });
  const rows = await selectRows(
    db,
    sql`with g as (${selectGeneration("explore", place?.generation ?? null)}), page as (
        select e.*, (${key})::text as sort_key, row_number() over (order by ${key} ${direction} nulls last, e.id) as place
        from g join explore_entries e on e.generation = g.id
        where ${where} and ${afterPlace(place, key, cast, ascending)}
        order by ${key} ${direction} nulls last, e.id limit ${page.limit + 1}
      ), entries as (
        select p.place, jsonb_build_object('id', p.id, 'event_slug', ev.slug, 'event_title', ev.title, 'event_image', ev.image,
          'category', p.category, 'representative_id', p.representative_id, 'large_trade_count', p.large_trade_count,
          'volume_usd', p.volume_usd::text, 'discover_score', p.discover_score::numeric::text, 'sort_key', p.sort_key, 'markets', (
            select jsonb_agg(${exploreMarketJson()} order by w.place)
            from unnest(p.market_ids) with ordinality as w(market_id, place)
            join markets m on m.id = w.market_id left join provider_events me on me.id = m.event_id
          )) as entry
        from page p left join provider_events ev on ev.id = p.event_id
      )
      select to_jsonb(g) as generation, entries.entry,
        ${place === null ? sql`(select count(*) from explore_entries e where e.generation = g.id and ${where})` : sql`null`} as total
      from g left join entries on true order by entries.place`,
    Row,
  );
  const first = rows[0];
  return first === undefined ? null : { generation: first.generation, total: first.total, rows: rows.flatMap((row) => row.entry ?? []) };
}

function afterPlace(place: ExplorePlace | null, key: SQL, cast: SQL, ascending: boolean): SQL {
  if (place === null) return sql`true`;
  if (place.key === null) return sql`(${key} is null and e.id > ${place.id})`;
  const compare = ascending ? sql`>` : sql`<`;
  return sql`(${key} ${compare} ${place.key}::${cast} or (${key} = ${place.key}::${cast} and e.id > ${place.id}) or ${key} is null)`;
}

function exploreMarketJson(): SQL {
  return sql`jsonb_build_object('id', m.id, 'condition_id', m.condition_id, 'title', m.title, 'slug', m.slug, 'image', m.image,
    'icon', m.icon, 'category', m.category, 'over', ${IS_OVER}, 'volume_usd', m.volume_usd::text, 'liquidity_usd', m.liquidity_usd::text,
    'large_trade_count', m.large_trade_count, 'large_trade_usd_micro', m.large_trade_usd_micro::text,
    'large_trade_wallets', case when m.large_trade_count = 0 then 0
      else (select count(distinct l.trader_id) from large_trades l where l.market_id = m.id) end,
    'large_trade_last_at', ${iso(sql`m.large_trade_last_at`)}, 'end_at', ${iso(sql`m.end_at`)},
    'created_at', ${iso(sql`m.provider_created_at`)}, 'event_slug', me.slug, 'hydrated', m.hydrated_at is not null,
    'outcomes', coalesce((
      select jsonb_agg(jsonb_build_object('index', o.outcome_index, 'token_id', o.token_id, 'label', o.label, 'price', o.price::text,
        'last_trade_price', o.last_trade_price::text) order by o.outcome_index)
      from outcomes o where o.market_id = m.id and o.outcome_index is not null), '[]'))`;
}

// ---------------------------------------------------------------- snapshot

const SnapshotRow = z.object({
  id: count,
  condition_id: z.string(),
  title: z.string().nullable(),
  slug: z.string().nullable(),
  event_slug: z.string().nullable(),
  category: z.string().nullable(),
  over: z.boolean(),
  description: z.string().nullable(),
  image: z.string().nullable(),
  series_slug: z.string().nullable(),
  market_type: z.string().nullable(),
  created_at: z.string().nullable(),
  end_at: z.string().nullable(),
  resolved_at: z.string().nullable(),
  payouts_ppm: z.array(z.number().int()).nullable(),
  volume_usd: z.string().nullable(),
  volume_24h_usd: z.string().nullable(),
  liquidity_usd: z.string().nullable(),
  figures_as_of: z.string().nullable(),
  outcomes: z.array(
    z.object({
      index: z.number().int(),
      token_id: z.string(),
      label: z.string().nullable(),
      last_trade_price: price,
      best_bid: price,
      best_ask: price,
      bid_depth_usd: price,
      ask_depth_usd: price,
      book_source: z.enum(["clob_book", "gamma_market"]).nullable(),
      book_as_of: z.string().nullable(),
    }),
  ),
});

export type SnapshotRow = z.output<typeof SnapshotRow>;

/** One market with its outcomes and their tops of book, or null. */
export async function findMarketSnapshot(db: Database, ref: { id: number } | { conditionId: string }): Promise<SnapshotRow | null> {
  const which = "id" in ref ? sql`m.id = ${ref.id}` : sql`m.condition_id = ${ref.conditionId}`;
  const rows = await selectRows(
    db,
    sql`select m.id, m.condition_id, m.title, m.slug, e.slug as event_slug, m.category, ${IS_OVER} as over, m.description, m.image,
        m.series_slug, m.market_type, ${iso(sql`m.provider_created_at`)} as created_at, ${iso(sql`m.end_at`)} as end_at,
        ${iso(sql`m.resolved_at`)} as resolved_at, m.payouts_ppm, m.volume_usd::text as volume_usd,
        m.volume_24h_usd::text as volume_24h_usd, m.liquidity_usd::text as liquidity_usd, ${iso(sql`m.figures_as_of`)} as figures_as_of,
        coalesce((
          select jsonb_agg(jsonb_build_object('index', o.outcome_index, 'token_id', o.token_id, 'label', o.label,
            'last_trade_price', o.last_trade_price::text, 'best_bid', o.best_bid::text, 'best_ask', o.best_ask::text,
            'bid_depth_usd', o.bid_depth_usd::text, 'ask_depth_usd', o.ask_depth_usd::text, 'book_source', o.book_source,
            'book_as_of', ${iso(sql`o.book_as_of`)}) order by o.outcome_index)
          from outcomes o where o.market_id = m.id and o.outcome_index is not null), '[]') as outcomes
      from markets m left join provider_events e on e.id = m.event_id where ${which}`,
    SnapshotRow,
  );
  return rows[0] ?? null;
}
