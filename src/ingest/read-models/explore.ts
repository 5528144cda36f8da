import type { Session } from "../../db/client.ts";
import { closeGeneration, isCurrent, openGeneration } from "./generation.ts";

/** Markets shown in one group. */
const GROUP_MARKETS = 12;

/**
 * Rebuilds market exploration: one entry for each event with several markets and for each market alone. Markets without a title are left
 * out. An entry is represented by its market with the largest volume.
 *
 * Scores, our own design, version 1, each signal from 0 to 1 by a logarithmic scale:
 * - volume: traded dollars, full at 10 million; 24 hours of it, full at 1 million
 * - large trades: how many, full at 100
 * - liquidity: resting dollars, full at 1 million
 * - recency: the newest large trade, full now and halved every 24 hours
 * `trending_score` = 24-hour volume + large trades x recency; `discover_score` = volume + large trades + liquidity + recency.
 *
 * @returns whether a new generation was built
 */
export async function buildExplore(session: Session): Promise<boolean> {
  const { rows: inputs } = await session.query<{ input: string }>(
    `select concat_ws(':', (select max(figures_as_of) from markets), (select max(id) from large_trades),
       (select count(*) from markets where payouts_ppm is not null)) as input`,
  );
  const input = inputs[0]?.input ?? "";
  if (await isCurrent(session, "explore", input)) return false;
  const generation = await openGeneration(session, "explore", { input });
  const { rows } = await session.query<{ rows: string; facets: unknown }>(
    `with titled as (
       select m.*, coalesce('e' || m.event_id, 'm' || m.id) as entry_key, m.closed or m.payouts_ppm is not null as over,
         row_number() over (partition by coalesce('e' || m.event_id, 'm' || m.id)
           order by m.volume_usd desc nulls last, m.condition_id) as place
       from markets m where m.title is not null and m.title <> ''
     ), entries as (
       select t.entry_key, min(t.event_id) as event_id,
         array_agg(t.id order by t.place) filter (where t.place <= ${GROUP_MARKETS}) as market_ids,
         bool_or(not t.over) as has_active, bool_or(t.over) as has_closed,
         sum(t.large_trade_count) as large_trades, max(t.large_trade_last_at) as large_trade_last_at,
         sum(t.volume_24h_usd) as volume_24h, sum(t.liquidity_usd) as liquidity,
         string_agg(lower(t.title), ' ' order by t.place) filter (where t.place <= ${GROUP_MARKETS}) as titles
       from titled t group by t.entry_key
     ), signals as (
       select e.*, r.id as representative_id, coalesce(r.category, ev.category) as category, r.volume_usd, r.end_at, r.provider_created_at,
         r.large_trade_count as rep_large_trades, lower(coalesce(ev.title, '')) as event_title,
         least(1, ln(1 + coalesce(r.volume_usd, 0)::float8) / ln(1e7::float8)) as volume_signal,
         least(1, ln(1 + coalesce(e.volume_24h, 0)::float8) / ln(1e6::float8)) as day_signal,
         least(1, ln(1 + e.large_trades::float8) / ln(101::float8)) as large_trade_signal,
         least(1, ln(1 + coalesce(e.liquidity, 0)::float8) / ln(1e6::float8)) as liquidity_signal,
         coalesce(power(0.5::float8, least(60, extract(epoch from now() - e.large_trade_last_at) / 86400)::float8), 0) as recency_signal
       from entries e
       join titled r on r.entry_key = e.entry_key and r.place = 1
       left join provider_events ev on ev.id = e.event_id
     ), written as (
       insert into explore_entries
         (generation, id, event_id, market_ids, representative_id, category, has_active, has_closed, volume_usd, large_trade_count,
          trending_score, discover_score, end_at, created_at, search_text)
       select $1, row_number() over (order by entry_key), case when cardinality(market_ids) > 1 then event_id end, market_ids,
         representative_id, category, has_active, has_closed, volume_usd, rep_large_trades,
         day_signal + large_trade_signal * recency_signal,
         volume_signal + large_trade_signal + liquidity_signal + recency_signal,
         end_at, provider_created_at, event_title || ' ' || titles
       from signals
       returning category
     )
     select (select count(*) from written) as rows,
       jsonb_build_object(
         'categories', coalesce((select jsonb_agg(jsonb_build_object('value', category, 'label', category, 'count', count)
           order by count desc, category) from (
             select category, count(*) as count from written where category is not null group by category) c), '[]'),
         'platforms', jsonb_build_array(jsonb_build_object('value', 'polymarket', 'label', 'Polymarket',
           'count', (select count(*) from written)))) as facets`,
    [generation],
  );
  await session.query(`update list_generations set detail = detail || $2::jsonb where id = $1`, [
    generation,
    JSON.stringify(rows[0]?.facets ?? {}),
  ]);
  await closeGeneration(session, "explore", generation, Number(rows[0]?.rows));
  return true;
}
