import type { Session } from "../../db/client.ts";
import { isOver, priceOf } from "../../db/market-price.ts";
import {
  FULL_DAY_VOLUME_USD,
  FULL_LARGE_TRADES,
  FULL_LIQUIDITY_USD,
  FULL_SHARP_FLOW_USD,
  FULL_VOLUME_USD,
  MISSING_PRICE_PENALTY,
  RECENCY_HALF_LIFE_HOURS,
} from "../../scoring/signals/parameters.ts";
import { closeGeneration, isCurrent, openGeneration } from "./generation.ts";
import { GRADED_HOLDINGS, SHARP_GRADES } from "./graded-holdings.ts";

/** Another one when entries get something new: a list that was built without it is then built anew at once, whatever else has changed. */
const CONTENT = "expires_at_and_counts";

/** Markets shown in one group. */
const GROUP_MARKETS = 12;

/** `logSignal` of src/scoring/signals: an amount from 0 to 1 on a logarithmic scale. What is not known adds nothing. */
const logSignal = (amount: string, full: number) =>
  `least(1, ln(1 + greatest(0, coalesce(${amount}, 0)::float8)) / ln(${1 + full}::float8))`;

/** So many halvings leave less than any other signal can show; Postgres refuses to go on to zero. */
const MOST_HALVINGS = 1_000;

/** Of the first outcome `yes` of a market `m`. */
const PRICE = priceOf({ market: "m", outcome: "yes", now: "now()" });

/** Whether the last 24 hours are recorded, and not only because nobody has read them: without that, nothing is no figure. */
const IS_DAY_KNOWN = `since <= now() - interval '24 hours' and read_at > now() - interval '24 hours'`;

/** Shown as `score_components`; what is not known is null there, and adds nothing to the score. */
const COMPONENTS = `jsonb_build_object(
  'volume', case when volume_usd is not null then volume_signal end, 'large_trades', large_trade_signal,
  'liquidity', case when liquidity is not null then liquidity_signal end,
  'recency', case when large_trade_last_at is not null then recency_signal end,
  'sharp_money', case when sharp_usd is not null or (select ${IS_DAY_KNOWN} from covered) then sharp_signal end,
  'missing_price_penalty', missing_price_penalty,
  'holdings', case when exists (select from cohort) then coalesce(graded, '{}') end)`;

/**
 * Rebuilds market exploration: one entry for each event with several markets and for each market alone. Markets without a title are left
 * out. An entry is represented by its market with the largest volume.
 *
 * The scores are `trendingScore` and `discoverScore` of src/scoring/signals/explore-score.ts; a test holds both together. Volume and price
 * are the representative's, all else the entry's: the day's volume, large trades and liquidity are summed, and so is the size of each market's net
 * flow of S, A and B wallets, because a YES here does not undo a YES there. A trending score that is not known is stored as 0, which sorts the same.
 * The price's move is a part of neither score, and is left to those who read the list: here it would be a look into the ledger for every entry.
 *
 * @returns whether a new generation was built
 */
export async function buildExplore(session: Session): Promise<boolean> {
  const { rows: inputs } = await session.query<{ input: string }>(
    `select concat_ws(':', '${CONTENT}', (select max(figures_as_of) from markets), (select max(id) from large_trades),
       (select count(*) from markets where payouts_ppm is not null), (select max(id) from trader_grades)) as input`,
  );
  const input = inputs[0]?.input ?? "";
  if (await isCurrent(session, "explore", input)) return false;
  const generation = await openGeneration(session, "explore", { input });
  const { rows } = await session.query<{ rows: string; detail: unknown }>(
    `with covered as materialized (
       select (select min(traded_at) from large_trades) as since,
         (select updated_at from ingest_checkpoints where feed = 'trades:takers') as read_at
     ), ${GRADED_HOLDINGS}, titled as (
       select m.id, m.event_id, m.title, m.category, m.volume_usd, m.volume_24h_usd, m.liquidity_usd, m.large_trade_count, m.large_trade_last_at,
         m.end_at, m.provider_created_at, coalesce(m.event_id, -m.id) as entry_key, ${isOver({ market: "m", now: "now()" })} as over,
         row_number() over (partition by coalesce(m.event_id, -m.id) order by m.volume_usd desc nulls last, m.condition_id) as place
       from markets m where m.title is not null and m.title <> ''
     ), sharp as (
       select l.market_id, abs(sum(case when (l.side = 'BUY') = (o.outcome_index = 0) then l.size_usd_micro else -l.size_usd_micro end)) / 1e6 as net_usd
       from large_trades l join traders w on w.id = l.trader_id join outcomes o on o.id = l.outcome_id
       where l.traded_at > now() - interval '24 hours' and l.traded_at <= now() and w.grade in (${SHARP_GRADES}) and o.outcome_index in (0, 1)
         and not exists (select from outcomes x where x.market_id = l.market_id and x.outcome_index > 1)
       group by l.market_id
     ), entries as (
       select t.entry_key, min(t.event_id) as event_id, sum(sharp.net_usd) as sharp_usd,
         array_agg(t.id order by t.place) filter (where t.place <= ${GROUP_MARKETS}) as market_ids,
         bool_or(not t.over) as has_active, bool_or(t.over) as has_closed,
         sum(t.large_trade_count) as large_trades, max(t.large_trade_last_at) as large_trade_last_at,
         sum(t.volume_24h_usd) as volume_24h, sum(t.liquidity_usd) as liquidity,
         string_agg(lower(t.title), ' ' order by t.place) filter (where t.place <= ${GROUP_MARKETS}) as titles,
         jsonb_object_agg(h.market_id, jsonb_build_object('yes_usd', h.yes_usd, 'no_usd', h.no_usd, 'wallets', h.wallets,
           'yes_price', h.yes_price)) filter (where h.market_id is not null and t.place <= ${GROUP_MARKETS}) as graded
       from titled t left join sharp on sharp.market_id = t.id left join holdings h on h.market_id = t.id group by t.entry_key
     ), signals as (
       select e.*, r.id as representative_id, coalesce(r.category, ev.category) as category, r.volume_usd, r.end_at, r.provider_created_at,
         r.large_trade_count as rep_large_trades, lower(coalesce(ev.title, '')) as event_title,
         ${logSignal("r.volume_usd", FULL_VOLUME_USD)} as volume_signal,
         ${logSignal("e.volume_24h", FULL_DAY_VOLUME_USD)} as day_signal,
         ${logSignal("e.large_trades", FULL_LARGE_TRADES)} as large_trade_signal,
         ${logSignal("e.liquidity", FULL_LIQUIDITY_USD)} as liquidity_signal,
         ${logSignal("e.sharp_usd", FULL_SHARP_FLOW_USD)} as sharp_signal,
         case when e.large_trade_last_at is null then 0 else power(0.5::float8, least(${MOST_HALVINGS}, greatest(0,
           extract(epoch from now() - e.large_trade_last_at) / 3600 / ${RECENCY_HALF_LIFE_HOURS}))::float8) end as recency_signal,
         case when (${PRICE}) is null then ${MISSING_PRICE_PENALTY} else 0 end as missing_price_penalty
       from entries e
       join titled r on r.entry_key = e.entry_key and r.place = 1
       join markets m on m.id = r.id
       left join outcomes yes on yes.market_id = r.id and yes.outcome_index = 0
       left join provider_events ev on ev.id = e.event_id
     ), written as (
       insert into explore_entries
         (generation, id, event_id, market_ids, representative_id, category, has_active, has_closed, volume_usd, large_trade_count,
          trending_score, discover_score, score_components, end_at, expires_at, created_at, search_text)
       select $1, row_number() over (order by entry_key < 0, abs(entry_key)), case when cardinality(market_ids) > 1 then event_id end, market_ids,
         representative_id, category, has_active, has_closed, volume_usd, rep_large_trades,
         day_signal + large_trade_signal * recency_signal,
         greatest(0, volume_signal + large_trade_signal + liquidity_signal + recency_signal + sharp_signal - missing_price_penalty),
         ${COMPONENTS}, end_at, case when end_at > now() then end_at end, provider_created_at, event_title || ' ' || titles
       from signals
       returning category, has_active, has_closed
     )
     select (select count(*) from written) as rows,
       jsonb_build_object(
         'categories', coalesce((select jsonb_agg(jsonb_build_object('value', category, 'label', category, 'count', count)
           order by count desc, category) from (
             select category, count(*) as count from written where category is not null group by category) c), '[]'),
         'platforms', jsonb_build_array(jsonb_build_object('value', 'polymarket', 'label', 'Polymarket',
           'count', (select count(*) from written))),
         'counts', coalesce((select jsonb_agg(to_jsonb(c)) from (
           select category, has_active, has_closed, count(*) as count from written group by category, has_active, has_closed) c), '[]')) as detail`,
    [generation],
  );
  await session.query(`update list_generations set detail = detail || $2::jsonb where id = $1`, [
    generation,
    JSON.stringify(rows[0]?.detail ?? {}),
  ]);
  await closeGeneration(session, "explore", generation, Number(rows[0]?.rows));
  return true;
}
