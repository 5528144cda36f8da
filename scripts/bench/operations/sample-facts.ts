import type pg from "pg";

/** Ids in the measured database. Each kind has the busiest, ordinary and rare ones. */
export interface SampleFacts {
  /** Addresses. The first trader has most fills. */
  readonly traders: readonly string[];
  readonly traderIds: readonly string[];
  /** Condition ids. */
  readonly markets: readonly string[];
  /** Markets with a holder scan. */
  readonly scannedMarkets: readonly string[];
  /** A trader and a market it traded in, most fills first. */
  readonly pairs: readonly { readonly address: string; readonly traderId: string; readonly conditionId: string }[];
  readonly largeTrades: readonly string[];
  readonly suspiciousTrades: readonly string[];
  /** Event slugs. */
  readonly games: readonly string[];
  /** Condition ids of combos, most fills first. */
  readonly combos: readonly string[];
  /** `YYYY-MM-DD`, newest first: days with large trades. */
  readonly days: readonly string[];
  /** Published picks, newest first, and their product days. */
  readonly picks: readonly string[];
  readonly pickDays: readonly string[];
}

const WALLETS = `
  (select t.id, t.address from trader_totals tt join traders t on t.id = tt.trader_id order by tt.entry_count desc limit 10)
  union all
  (select t.id, t.address from traders t where t.grade is not null order by t.id desc limit 15)
  union all
  (select t.id, t.address from trader_totals tt join traders t on t.id = tt.trader_id order by tt.entry_count, t.id limit 5)`;

const MARKETS = `
  with counted as (select market_id, count(*) as positions from positions group by market_id)
  select condition_id from (
    (select m.condition_id from counted c join markets m on m.id = c.market_id where not m.closed order by c.positions desc limit 12)
    union all
    (select m.condition_id from counted c join markets m on m.id = c.market_id
     where m.payouts_ppm is not null order by c.positions desc limit 12)
    union all
    (select m.condition_id from counted c join markets m on m.id = c.market_id order by c.positions, m.id limit 6)
  ) named`;

const PAIRS = `
  select t.address, t.id, m.condition_id from (
    select e.trader_id, e.market_id, count(*) as fills
    from ledger_entries e join traders f on f.id = e.trader_id and f.tier <> 'cold'
    group by e.trader_id, e.market_id order by fills desc limit 30
  ) busiest join traders t on t.id = busiest.trader_id join markets m on m.id = busiest.market_id order by fills desc`;

export async function readSampleFacts(client: pg.Client): Promise<SampleFacts> {
  const column = async (statement: string): Promise<string[]> =>
    (await client.query<string[]>({ text: statement, rowMode: "array" })).rows.map(([value]) => String(value));
  const { rows: wallets } = await client.query<{ id: string; address: string }>(WALLETS);
  const { rows: pairs } = await client.query<{ id: string; address: string; condition_id: string }>(PAIRS);
  return {
    traders: wallets.map(({ address }) => address),
    traderIds: wallets.map(({ id }) => id),
    markets: await column(MARKETS),
    scannedMarkets: await column(
      `select m.condition_id from holder_scans s join markets m on m.id = s.market_id
       where s.fetched_at is not null order by s.wallet_count desc limit 30`,
    ),
    pairs: pairs.map(({ id, address, condition_id }) => ({ address, traderId: id, conditionId: condition_id })),
    largeTrades: await column(`select id from large_trades order by traded_at desc limit 40`),
    suspiciousTrades: await column(`select id from suspicious_trades order by score desc, id desc limit 30`),
    games: await column(`select event_slug from games where event_slug is not null order by scheduled_at limit 30`),
    combos: await column(
      `select m.condition_id from (select market_id, count(*) as fills from combo_fills group by market_id
         order by fills desc limit 30) busiest join markets m on m.id = busiest.market_id order by fills desc`,
    ),
    picks: await column(`select id from picks where published_at is not null order by kickoff desc limit 30`),
    pickDays: await column(
      `select distinct pick_date::text from picks where published_at is not null order by 1 desc limit 30`,
    ),
    days: await column(
      `select distinct to_char(traded_at at time zone 'UTC', 'YYYY-MM-DD')
       from large_trades where traded_at > now() - interval '30 days' order by 1 desc`,
    ),
  };
}
