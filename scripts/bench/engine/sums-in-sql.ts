import type pg from "pg";

/** A trader's sums in micro-units, as text. */
export interface TraderSums {
  readonly trader_id: string;
  readonly realized: string;
  readonly settled: string;
  readonly volume: string;
  readonly fees: string;
}

/**
 * One step of the weighted-average fold: shares, cost, realized. Both divisions are of non-negative integers,
 * so `div(2a + b, 2b)` is exactly a / b rounded to the nearest integer, halves up.
 */
const STEP = `
  create or replace function pg_temp.fold_step(s numeric[], kind text, shares bigint, usd bigint) returns numeric[]
  language plpgsql immutable as $$
  declare matched numeric; cost_out numeric;
  begin
    if kind in ('buy', 'split', 'convert_in') then return array[s[1] + shares, s[2] + usd, s[3]]; end if;
    matched := least(shares, s[1]);
    if matched = 0 then return s; end if;
    cost_out := div(2 * s[2] * matched + s[1], 2 * s[1]);
    return array[s[1] - matched, s[2] - cost_out, s[3] + div(2 * usd * matched + shares, 2 * shares) - cost_out];
  end $$`;
const AGGREGATE = `
  create aggregate pg_temp.fold_average_cost(text, bigint, bigint)
    (sfunc = pg_temp.fold_step, stype = numeric[], initcond = '{0,0,0}')`;

/** The order of the ledger: within a second additions first, then by transaction, shares and ordinal. */
const ORDER = `e.traded_at, array_position(array['split', 'buy', 'convert_in', 'merge', 'convert_out', 'sell'], e.kind),
  e.tx_hash, e.shares_micro, e.ordinal`;

const SUMS = `
  with folded as (
    select e.trader_id, e.outcome_id, pg_temp.fold_average_cost(e.kind, e.shares_micro, e.usd_micro order by ${ORDER}) as state,
      sum(e.usd_micro) filter (where e.kind in ('buy', 'sell')) as volume, sum(e.fee_micro) as fees
    from ledger_entries e group by e.trader_id, e.outcome_id
  )
  select f.trader_id, sum(f.state[3])::text as realized, coalesce(sum(f.volume), 0)::text as volume, coalesce(sum(f.fees), 0)::text as fees,
    coalesce(sum(div(2 * f.state[1] * m.payouts_ppm[o.outcome_index + 1] + 1000000, 2000000) - f.state[2]), 0)::text as settled
  from folded f join outcomes o on o.id = f.outcome_id join markets m on m.id = o.market_id
  group by f.trader_id order by f.trader_id`;

/** Creates the function and aggregate of the statement, in this session only. */
export async function prepareSums(client: pg.Client): Promise<void> {
  await client.query(STEP);
  await client.query(AGGREGATE);
}

/** Realized, settled, volume and fees of every trader, from its recorded entries, in one statement. */
export async function selectSums(client: pg.Client): Promise<readonly TraderSums[]> {
  return (await client.query<TraderSums>(SUMS)).rows;
}
