import type { Session } from "../../../db/client.ts";
import { isCombination } from "../../../db/completeness.ts";
import { isOver, priceOf } from "../../../db/market-price.ts";
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
import type { ExploreCount } from "./explore-state.ts";

/** Markets shown in one group. */
const GROUP_MARKETS = 12;

/** A score or signal that has moved by less is the same: half of the last decimal that a score is shown with. */
const STEP = 0.005;
/** A recency below this is shown as nothing, and fades no further. */
const LEAST_RECENCY = 0.00005;
/** A market past its end that is not known to be over is looked at again after a tenth of the time since then, and this at least. */
const AFTER_END = `greatest(interval '1 minute', (now() - end_at) / 10)`;

/** `logSignal` of src/scoring/signals: an amount from 0 to 1 on a logarithmic scale. What is not known adds nothing. */
const logSignal = (amount: string, full: number) =>
  `least(1, ln(1 + greatest(0, coalesce(${amount}, 0)::float8)) / ln(${1 + full}::float8))`;

/** So many halvings leave less than any other signal can show; Postgres refuses to go on to zero. */
const MOST_HALVINGS = 1_000;

/** Shown as `score_components`; what is not known is null there, and adds nothing to the score. */
const COMPONENTS = `jsonb_build_object(
  'volume', case when volume_usd is not null then volume_signal end, 'large_trades', large_trade_signal,
  'liquidity', case when liquidity is not null then liquidity_signal end,
  'recency', case when large_trade_last_at is not null then recency_signal end,
  'sharp_money', case when sharp_usd is not null then sharp_signal end,
  'missing_price_penalty', missing_price_penalty)`;

/** Facts of an entry: it is another one when any of them is. */
const FACTS =
  `event_id market_ids representative_id category has_active has_closed volume_usd large_trade_count end_at expires_at created_at
  search_text`.split(/\s+/);
const COLUMNS = ["id", "added_in", ...FACTS, "trending_score", "discover_score", "score_components"];

const LISTED = `m.title is not null and m.title <> '' and not ${isCombination("m.condition_id")}`;
const MARKET = `m.id, m.condition_id, m.event_id, m.title, m.category, m.volume_usd, m.volume_24h_usd, m.liquidity_usd, m.large_trade_count,
  m.large_trade_last_at, m.end_at, m.provider_created_at, m.closed, m.payouts_ppm, ${exploreKey("m")} as id_of_entry`;

/** Whether a signal of the stored row `o` and the computed row `c` differs by as much as can be seen. */
const signalMoved = (name: string, step: string = String(STEP)) => `(
  (o.score_components -> '${name}' = 'null') <> (c.score_components -> '${name}' = 'null')
  or coalesce(abs((o.score_components ->> '${name}')::float8 - (c.score_components ->> '${name}')::float8) >= ${step}, false))`;

// A little less than the step that the next look was set by, so that rounding never puts off what it was set for.
const RECENCY_STEP = `0.999 * least(${STEP}, (o.score_components ->> 'recency')::float8 / 2)`;

const DIFFERS = `(o.id is null or $3::boolean or (${FACTS.map((name) => `o.${name}`).join(", ")}) is distinct from (${FACTS.map((name) => `c.${name}`).join(", ")})
  or abs(o.trending_score - c.trending_score) >= ${STEP} or abs(o.discover_score - c.discover_score) >= ${STEP}
  or ${["volume", "large_trades", "liquidity", "sharp_money", "missing_price_penalty"].map((name) => signalMoved(name)).join(" or ")}
  or ${signalMoved("recency", RECENCY_STEP)})`;

/**
 * Computes these entries, writes those that differ from what is stored as rows of the generation, and says when each is to be looked at next.
 *
 * An entry is represented by its market with the largest volume. The scores are `trendingScore` and `discoverScore` of
 * src/scoring/signals/explore-score.ts; a test holds both together. Volume and price are the representative's, all else the entry's: the day's
 * volume, large trades and liquidity are summed, and so is the size of each market's net flow of S, A and B wallets, because a YES here does not
 * undo a YES there. A trending score that is not known is stored as 0, which sorts the same. The price's move is a part of neither score, and is
 * left to those who read the list.
 *
 * @param rewrites whether entries are written though they are the same
 * @returns how many rows were added or removed, and what that changes in the counts
 */
export async function writeEntries(
  session: Session,
  generation: number,
  keys: readonly string[],
  rewrites: boolean,
): Promise<{ written: number; changes: ExploreCount[] }> {
  const { rows } = await session.query<{ written: number; changes: ExploreCount[] }>(
    `with listed as materialized (
       select ${MARKET} from markets m where m.event_id = any(select k / 2 from unnest($2::bigint[]) k where k % 2 = 0) and ${LISTED}
       union all
       select ${MARKET} from markets m
       where m.id = any(select k / 2 from unnest($2::bigint[]) k where k % 2 = 1) and m.event_id is null and ${LISTED}
     ), titled as materialized (
       select l.*, ${isOver({ market: "l", now: "now()" })} as over,
         row_number() over (partition by l.id_of_entry order by l.volume_usd desc nulls last, l.condition_id) as place
       from listed l
     ), entries as (
       select t.id_of_entry, min(t.event_id) as event_of, sum(abs(g.sharp_net_micro)) / 1e6 as sharp_usd,
         array_agg(t.id order by t.place) filter (where t.place <= ${GROUP_MARKETS}) as market_ids,
         bool_or(not t.over) as has_active, bool_or(t.over) as has_closed,
         sum(t.large_trade_count) as large_trades, max(t.large_trade_last_at) as large_trade_last_at,
         sum(t.volume_24h_usd) as volume_24h, sum(t.liquidity_usd) as liquidity,
         string_agg(lower(t.title), ' ' order by t.place) filter (where t.place <= ${GROUP_MARKETS}) as titles,
         min(case when end_at > now() then end_at else now() + ${AFTER_END} end)
           filter (where end_at is not null and not t.closed and t.payouts_ppm is null) as next_end_at
       from titled t left join graded_markets g on g.market_id = t.id group by t.id_of_entry
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
         case when yes.id is null or ${priceOf({ market: "r", outcome: "yes", now: "now()" })} is null then ${MISSING_PRICE_PENALTY} else 0 end
           as missing_price_penalty
       from entries e
       join titled r on r.id_of_entry = e.id_of_entry and r.place = 1
       left join outcomes yes on yes.market_id = r.id and yes.outcome_index = 0
       left join provider_events ev on ev.id = e.event_of
     ), computed as materialized (
       select id_of_entry as id, $1::bigint as added_in, case when cardinality(market_ids) > 1 then event_of end as event_id, market_ids,
         representative_id, category, has_active, has_closed, volume_usd, rep_large_trades as large_trade_count, end_at,
         case when end_at > now() then end_at end as expires_at, provider_created_at as created_at, event_title || ' ' || titles as search_text,
         day_signal + large_trade_signal * recency_signal as trending_score,
         greatest(0, volume_signal + large_trade_signal + liquidity_signal + recency_signal + sharp_signal - missing_price_penalty)
           as discover_score,
         ${COMPONENTS} as score_components,
         least(next_end_at, case when end_at > now() then end_at end, case when recency_signal >= ${LEAST_RECENCY}
           then large_trade_last_at + make_interval(secs =>
             -ln(greatest(recency_signal - ${STEP}, recency_signal / 2)) / ln(2::float8) * ${RECENCY_HALF_LIFE_HOURS * 3600}) end) as next_at
       from signals
     ), stored as materialized (
       -- Fenced: while the table grows its statistics are old, and a join would read all of it.
       select o.* from unnest($2::bigint[]) k cross join lateral (
         select * from explore_entries e where e.id = k and e.removed_in is null offset 0) o
     ), changed as materialized (
       select c.* from computed c left join stored o on o.id = c.id where ${DIFFERS}
     ), left_behind as materialized (
       select o.id, o.added_in, o.category, o.has_active, o.has_closed, c.id is null as is_gone
       from stored o left join changed on changed.id = o.id left join computed c on c.id = o.id where changed.id is not null or c.id is null
     ), removed as (
       update explore_entries e set removed_in = $1::bigint from left_behind o
       where e.id = o.id and e.added_in = o.added_in and o.added_in < $1::bigint
     ), dropped as (
       delete from explore_entries e using left_behind o where e.id = o.id and e.added_in = o.added_in and o.added_in = $1::bigint and o.is_gone
     ), written as (
       insert into explore_entries (${COLUMNS.join(", ")}) select ${COLUMNS.join(", ")} from changed
       on conflict (id, added_in) do update set ${COLUMNS.slice(2)
         .map((name) => `${name} = excluded.${name}`)
         .join(", ")}
     ), put_off as (
       insert into explore_due (entry_key, due_at) select id, next_at from computed where next_at is not null
       on conflict (entry_key) do update set due_at = excluded.due_at where explore_due.due_at <> excluded.due_at
     ), settled as (
       delete from explore_due d where d.entry_key = any($2::bigint[])
         and not exists (select from computed c where c.id = d.entry_key and c.next_at is not null)
     ), changes as (
       select category, has_active, has_closed, sum(n)::int as count from (
         select category, has_active, has_closed, 1 as n from changed
         union all select category, has_active, has_closed, -1 from left_behind
       ) both_ways group by category, has_active, has_closed
     )
     select ((select count(*) from changed) + (select count(*) from left_behind where is_gone))::int as written,
       coalesce((select jsonb_agg(to_jsonb(changes)) from changes where count <> 0), '[]') as changes`,
    [generation, keys, rewrites],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("entries are written as one row says");
  return row;
}

/** Rows that are dropped at once, of those that no kept generation shows. */
const ROWS_PRUNED = 20_000;

export async function pruneEntries(session: Session): Promise<void> {
  await session.query(
    `delete from explore_entries e using (
       select id, added_in from explore_entries where removed_in <= (select min(id) from list_generations where list = 'explore')
       order by removed_in limit $1
     ) old where e.id = old.id and e.added_in = old.added_in`,
    [ROWS_PRUNED],
  );
}
