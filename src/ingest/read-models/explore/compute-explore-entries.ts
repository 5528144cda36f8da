import { sql, type SQL } from "drizzle-orm";
import { ev, graded, m, yes } from "../../../db/aliases.ts";
import { isCombinationSql } from "../../../db/fragments/completeness.ts";
import { isMarketOver, NOW, outcomePrice } from "../../../db/fragments/market-price.ts";
import { markets } from "../../../db/schema.ts";
import { alias, array } from "../../../db/sql.ts";
import {
  FULL_DAY_VOLUME_USD,
  FULL_LARGE_TRADES,
  FULL_LIQUIDITY_USD,
  FULL_SHARP_FLOW_USD,
  FULL_VOLUME_USD,
  MISSING_PRICE_PENALTY,
  RECENCY_HALF_LIFE_HOURS,
} from "../../../scoring/signals/parameters.ts";
import { exploreKey } from "./explore-key.ts";

const literal = (value: number): SQL => sql.raw(String(value));

/** Maximum number of markets shown in one group. */
const GROUP_MARKETS = literal(12);

/** Minimum visible change of a score or signal: half of the last decimal that a score is shown with. */
export const VISIBLE_STEP: SQL = literal(0.005);
/** A recency below this is shown as 0 and is not recomputed. */
const MIN_RECENCY = literal(0.00005);
/**
 * Upper bound of the exponent: after this many halvings the signal is invisible, and Postgres reports an
 * underflow on the way to zero.
 */
const MAX_HALVINGS = literal(1_000);
const HALF_LIFE_HOURS = literal(RECENCY_HALF_LIFE_HOURS);
const HALF_LIFE_SECONDS = literal(RECENCY_HALF_LIFE_HOURS * 3600);

// Rows of the common table expressions below, which keep the column names of `markets`.
const l = alias(markets, "l");
const r = alias(markets, "r");

/**
 * Common table expressions that end with `computed`: the entries with these keys as they are now, and
 * `next_at`, the time of their next check.
 *
 * The market with the largest volume represents an entry. The scores equal `trendingScore` and
 * `discoverScore` of src/scoring/signals/explore-score.ts; a test checks that both agree. Volume and price
 * are those of the representative. Day volume, large trades and liquidity are summed over the entry. So is
 * the absolute net flow of S, A and B traders per market, because a YES in one market does not offset a YES
 * in another. An unknown trending score is stored as 0, which sorts the same. The price change is part of
 * neither score; the read of the list adds it.
 *
 * @param generation the value of `added_in`
 */
export const computeExploreEntries = (generation: number, keys: readonly string[]): SQL => sql`
  listed as materialized (${selectListedMarkets(keys)}), titled as materialized (
    select l.*, ${isMarketOver({ market: l, now: NOW })} as over,
      row_number() over (partition by l.id_of_entry order by l.volume_usd desc nulls last, l.condition_id)
        as market_rank
    from listed l
  ), entries as (${SELECT_ENTRIES}), signals as (${SELECT_SIGNALS}), computed as materialized (
    select id_of_entry as id, ${generation}::bigint as added_in,
      case when cardinality(market_ids) > 1 then event_of end as event_id, market_ids,
      representative_id, category, has_active, has_closed, volume_usd, rep_large_trades as large_trade_count, end_at,
      case when end_at > now() then end_at end as expires_at, provider_created_at as created_at,
        event_title || ' ' || titles as search_text,
      day_signal + large_trade_signal * recency_signal as trending_score,
      greatest(0, volume_signal + large_trade_signal + liquidity_signal + recency_signal + sharp_signal
          - missing_price_penalty)
        as discover_score,
      ${COMPONENTS} as score_components,
      least(next_end_at, case when end_at > now() then end_at end, case when recency_signal >= ${MIN_RECENCY}
        then large_trade_last_at + make_interval(secs =>
          -ln(greatest(recency_signal - ${VISIBLE_STEP},
            recency_signal / 2)) / ln(2::float8) * ${HALF_LIFE_SECONDS}) end) as next_at
    from signals
  )`;

const IS_LISTED = sql`${m.title} is not null and ${m.title} <> '' and not ${isCombinationSql(m.conditionId)}`;
const MARKET_COLUMNS = sql`${m.id}, ${m.conditionId}, ${m.eventId}, ${m.title}, ${m.category}, ${m.volumeUsd},
  ${m.volume24hUsd}, ${m.liquidityUsd}, ${m.largeTradeCount}, ${m.largeTradeLastAt}, ${m.endAt},
  ${m.providerCreatedAt}, ${m.closed}, ${m.payoutsPpm}, ${m.figuresAsOf}, ${exploreKey(m)} as id_of_entry`;

const selectListedMarkets = (keys: readonly string[]): SQL => sql`
  select ${MARKET_COLUMNS} from ${m}
    where ${m.eventId} = any(select k / 2 from unnest(${array(keys, "bigint")}) k where k % 2 = 0) and ${IS_LISTED}
  union all
  select ${MARKET_COLUMNS} from ${m}
  where ${m.id} = any(select k / 2 from unnest(${array(keys, "bigint")}) k where k % 2 = 1) and ${m.eventId} is null
    and ${IS_LISTED}`;

/**
 * The next check of a market that is past its end but not known to be over: after a tenth of the time since
 * its end, and at least one minute.
 */
const AFTER_END = sql`greatest(interval '1 minute', (now() - end_at) / 10)`;

const SELECT_ENTRIES = sql`
  select t.id_of_entry, min(t.event_id) as event_of, sum(abs(${graded.sharpNetMicro})) / 1e6 as sharp_usd,
    array_agg(t.id order by t.market_rank) filter (where t.market_rank <= ${GROUP_MARKETS}) as market_ids,
    bool_or(not t.over) as has_active, bool_or(t.over) as has_closed,
    sum(t.large_trade_count) as large_trades, max(t.large_trade_last_at) as large_trade_last_at,
    sum(t.volume_24h_usd) as volume_24h, sum(t.liquidity_usd) as liquidity,
    string_agg(lower(t.title), ' ' order by t.market_rank) filter (where t.market_rank <= ${GROUP_MARKETS})
      as titles,
    min(case when end_at > now() then end_at else now() + ${AFTER_END} end)
      filter (where end_at is not null and not t.closed and t.payouts_ppm is null) as next_end_at
  from titled t left join ${graded} on ${graded.marketId} = t.id group by t.id_of_entry`;

/**
 * `logSignal` of src/scoring/signals: an amount on a logarithmic scale from 0 to 1. An unknown amount adds
 * nothing.
 */
const logSignal = (amount: SQL, full: number): SQL =>
  sql`least(1, ln(1 + greatest(0, coalesce(${amount}, 0)::float8)) / ln(${literal(1 + full)}::float8))`;

const SELECT_SIGNALS = sql`
  select e.*, r.id as representative_id, coalesce(r.category, ${ev.category}) as category, r.volume_usd, r.end_at,
    r.provider_created_at,
    r.large_trade_count as rep_large_trades, lower(coalesce(${ev.title}, '')) as event_title,
    ${logSignal(sql`r.volume_usd`, FULL_VOLUME_USD)} as volume_signal,
    ${logSignal(sql`e.volume_24h`, FULL_DAY_VOLUME_USD)} as day_signal,
    ${logSignal(sql`e.large_trades`, FULL_LARGE_TRADES)} as large_trade_signal,
    ${logSignal(sql`e.liquidity`, FULL_LIQUIDITY_USD)} as liquidity_signal,
    ${logSignal(sql`e.sharp_usd`, FULL_SHARP_FLOW_USD)} as sharp_signal,
    case when e.large_trade_last_at is null then 0 else power(0.5::float8, least(${MAX_HALVINGS}, greatest(0,
      extract(epoch from now() - e.large_trade_last_at) / 3600 / ${HALF_LIFE_HOURS}))::float8)
      end as recency_signal,
    case when ${yes.id} is null or ${outcomePrice({ market: r, outcome: yes, now: NOW })} is null
      then ${literal(MISSING_PRICE_PENALTY)} else 0 end
      as missing_price_penalty
  from entries e
  join titled r on r.id_of_entry = e.id_of_entry and r.market_rank = 1
  left join ${yes} on ${yes.marketId} = r.id and ${yes.outcomeIndex} = 0
  left join ${ev} on ${ev.id} = e.event_of`;

/** The public `score_components`. An unknown component is null and adds nothing to the score. */
const COMPONENTS = sql`jsonb_build_object(
  'volume', case when volume_usd is not null then volume_signal end, 'large_trades', large_trade_signal,
  'liquidity', case when liquidity is not null then liquidity_signal end,
  'recency', case when large_trade_last_at is not null then recency_signal end,
  'sharp_money', case when sharp_usd is not null then sharp_signal end,
  'missing_price_penalty', missing_price_penalty)`;
