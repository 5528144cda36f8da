import type { Pool } from "@neondatabase/serverless";

type Row = Readonly<Record<string, unknown>>;
export type StoredState = Readonly<Record<keyof typeof QUERIES, readonly Row[]>>;

/**
 * Everything that ingest has stored, in a fixed order, with the provider's ids instead of ours and without
 * clock times. Two databases that received the same data in different ways have the same state.
 */
export async function readStoredState(pool: Pool): Promise<StoredState> {
  const state: Record<string, readonly Row[]> = {};
  for (const [name, text] of Object.entries(QUERIES)) state[name] = (await pool.query<Row>(text)).rows;
  // The loop has set every name of QUERIES; `Object.entries` loses that type.
  return state as StoredState;
}

/** A time in the format of `Date`, independent of the session's time zone. */
const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const QUERIES = {
  entries: `
    select encode(e.tx_hash, 'hex') as tx, t.address, o.token_id, m.condition_id, e.kind, e.shares_micro, e.ordinal, e.usd_micro, e.fee_micro,
      e.price, e.role, ${iso("e.traded_at")} as traded_at, e.realized_micro
    from ledger_entries e join traders t on t.id = e.trader_id join outcomes o on o.id = e.outcome_id join markets m on m.id = e.market_id
    order by e.tx_hash, t.address, o.token_id, e.kind, e.shares_micro, e.ordinal`,
  positions: `
    select t.address, o.token_id, m.condition_id, p.shares_micro, p.cost_micro, p.realized_micro, p.settled_micro, p.bought_shares_micro,
      p.bought_usd_micro, p.sold_shares_micro, p.sold_usd_micro, p.fees_micro, p.unmatched_shares_micro, p.unmatched_usd_micro,
      p.entry_count,
      ${iso("p.first_at")} as first_at, ${iso("p.last_at")} as last_at
    from positions p join traders t on t.id = p.trader_id join outcomes o on o.id = p.outcome_id join markets m on m.id = p.market_id
    order by t.address, o.token_id`,
  totals: `
    select t.address, s.realized_micro, s.settled_micro, s.volume_micro, s.fees_micro, s.rebates_micro, s.rewards_micro, s.entry_count,
      ${iso("s.first_at")} as first_at, ${iso("s.last_at")} as last_at, s.markets_traded, s.markets_resolved, s.markets_won, s.markets_decided,
      s.unmatched_positions, s.unmatched_usd_micro, s.combination_markets, s.combination_volume_micro
    from trader_totals s join traders t on t.id = s.trader_id order by t.address`,
  days: `
    select t.address, d.day::text as day, d.realized_micro, d.settled_micro, d.fees_micro, d.rebates_micro, d.rewards_micro, d.volume_micro,
      d.entry_count
    from trader_days d join traders t on t.id = d.trader_id order by t.address, d.day`,
  activity: `
    select encode(a.tx_hash, 'hex') as tx, t.address, a.type, a.condition_id, a.token_id, a.shares_micro, a.ordinal, a.usd_micro,
      ${iso("a.happened_at")} as happened_at
    from trader_activity a join traders t on t.id = a.trader_id
    order by a.tx_hash, t.address, a.type, a.condition_id, a.token_id, a.shares_micro, a.ordinal`,
  largeTrades: `
    select encode(e.tx_hash, 'hex') as tx, e.ordinal, t.address, o.token_id, l.side, l.size_usd_micro, l.shares_micro, l.price,
      ${iso("l.traded_at")} as traded_at, l.review_score, l.category
    from large_trades l join ledger_entries e on e.id = l.entry_id join traders t on t.id = l.trader_id join outcomes o on o.id = l.outcome_id
    order by e.tx_hash, t.address, o.token_id, e.ordinal`,
  announced: `
    select e.type, payload - 'event_id' - 'whale_alert_id' - 'trader_id' as payload
    from events e where type <> 'large_trades_inserted' order by payload ->> 'wallet', payload ->> 'traded_at', payload ->> 'size_usd', e.id`,
  // The number of these events depends on the pages; the sum of their counts does not.
  announcedInSum: `select coalesce(sum((payload ->> 'count')::int), 0)::int as count from events where type = 'large_trades_inserted'`,
  markets: `
    select condition_id, title, closed, resolution_status, payouts_ppm, settled_on::text as settled_on, large_trade_count, large_trade_usd_micro,
      ${iso("large_trade_last_at")} as large_trade_last_at, hydrated_at is not null as hydrated
    from markets order by condition_id`,
  outcomes: `select token_id, outcome_index, label from outcomes order by token_id`,
  traders: `
    select t.address, t.username, t.tier, s.resume, ${iso("s.covered_to")} as covered_to, s.complete_at is not null as complete, s.gaps
    from traders t left join trader_syncs s on s.trader_id = t.id order by t.address`,
  quarantined: `select feed, record from quarantined_records order by feed, record::text`,
} as const;
