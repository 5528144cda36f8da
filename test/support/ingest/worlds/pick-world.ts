import type { Pool } from "@neondatabase/serverless";
import { MINUTE_MS } from "../../../../src/scoring/utc-calendar.ts";

/** Condition ids of a game that starts in two hours, and of a slot whose game starts in five minutes. */
export const CANDIDATE = `0x${"c".repeat(64)}`;
export const DUE_SLOT = `0x${"d".repeat(64)}`;

/**
 * Two games with a moneyline each that two graded traders back: one may be selected, one is a slot whose release has
 * come. Their books equal those of the busy provider.
 */
export async function pickableGames(pool: Pool, now: number): Promise<void> {
  await pool.query(
    `insert into traders (address, grade) values ('0x${"a1".repeat(20)}', 'S'), ('0x${"a2".repeat(20)}', 'A');`,
  );
  await aGame(pool, CANDIDATE, new Date(now + 120 * MINUTE_MS), now);
  await aGame(pool, DUE_SLOT, new Date(now + 5 * MINUTE_MS), now);
  await pool.query(
    `insert into picks (pick_date, rank, is_free, game_id, market_id, market_kind, outcome_index, outcome_label, matchup, category, kickoff, release_at,
       selected_at, backed_price, backing)
     select (g.scheduled_at at time zone 'America/New_York')::date, 1, true, g.id, m.id, 'moneyline', 0, 'Home', g.title, g.sport, g.scheduled_at,
       g.scheduled_at - interval '1 hour', g.scheduled_at - interval '2 hours', 0.4,
       '{"top_grade": "S", "backed_micro": "1", "opposed_micro": "0", "holders": []}'
     from games g join markets m on m.game_id = g.provider_game_id where m.condition_id = $1`,
    [DUE_SLOT],
  );
}

async function aGame(pool: Pool, conditionId: string, kickoff: Date, now: number): Promise<void> {
  const start = new Date(Math.floor(kickoff.getTime() / 1000) * 1000).toISOString();
  const name = conditionId.slice(2, 6);
  await pool.query(
    `with event as (
       insert into provider_events (slug, title) values ('game-${name}', 'Home vs. Away') returning id
     ), game as (
       insert into games (provider_game_id, event_id, event_slug, title, sport, scheduled_at, competitors, observed_at)
       select '${name}', id, 'game-${name}', 'Home vs. Away', 'Soccer', $2::timestamptz, '[]', now() from event
     ), market as (
       insert into markets (condition_id, game_id, market_type, hydrated_at, category, event_id)
       select $1, '${name}', 'moneyline', now(), 'Soccer', id from event returning id
     ), outcome as (
       insert into outcomes (market_id, token_id, outcome_index, label, best_bid, best_ask, book_source, book_as_of)
       select id, '${name}' || n, n, case n when 0 then 'Home' else 'Away' end, 0.41, 0.43, 'clob_book', $3::timestamptz
       from market, generate_series(0, 1) n
     ), scan as (
       insert into holder_scans (market_id, requested_at, fetched_at, wallet_count) select id, $3::timestamptz, $3::timestamptz, 2 from market
     )
     insert into market_holders (market_id, trader_id, outcome_index, shares_micro)
     select market.id, t.id, 0, 20000000000 from market, traders t where t.address in ('0x${"a1".repeat(20)}', '0x${"a2".repeat(20)}')`,
    [conditionId, start, new Date(now).toISOString()],
  );
}

/** The book of the published pick was read before its kickoff. */
export async function booksBeforeKickoff(pool: Pool, now: number): Promise<void> {
  await pool.query(
    `update outcomes set book_as_of = $2 from markets m where m.id = outcomes.market_id and m.condition_id = $1`,
    [DUE_SLOT, new Date(now - MINUTE_MS).toISOString()],
  );
}

export async function pickedMarketResolves(pool: Pool): Promise<void> {
  await pool.query(`update markets set payouts_ppm = '{1000000,0}', closed = true where condition_id = $1`, [DUE_SLOT]);
}
