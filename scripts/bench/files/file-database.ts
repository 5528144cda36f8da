import type pg from "pg";

const MARKETS = 400;
const TRADERS = 2_000;

/** The range of all generated trades. */
export const RANGE = { from: "2026-01-05T00:00:00.000Z", to: "2026-02-04T00:00:00.000Z" };

/** The trader that has every tenth trade. */
export const BUSY_TRADER = 1;

/** The columns of a dataset, in its order. */
export const DATASET_ROWS = `select l.id, l.trader_id, m.condition_id, l.traded_at, l.side, o.outcome_index, l.price, l.size_usd_micro,
    l.commit_xid, l.entry_id, l.recorded_at
  from large_trades l join markets m on m.id = l.market_id join outcomes o on o.id = l.outcome_id order by l.traded_at, l.id`;

/** Generated large trades with their ledger entries. */
export async function generateLargeTrades(client: pg.Client, rows: number): Promise<void> {
  await client.query("truncate events, large_trades, ledger_entries, outcomes, markets, traders, export_jobs cascade");
  await client.query(
    `insert into traders (id, address) overriding system value
     select n, '0x' || encode(substr(sha256(n::text::bytea), 1, 20), 'hex') from generate_series(1, ${TRADERS}) n`,
  );
  await client.query(
    `insert into markets (id, condition_id, title, slug) overriding system value
     select n, '0x' || encode(sha256(('market' || n)::bytea), 'hex'), 'Will event ' || n || ' happen?', 'event-' || n
     from generate_series(1, ${MARKETS}) n`,
  );
  await client.query(
    `insert into outcomes (id, market_id, outcome_index, label, token_id) overriding system value
     select n * 2 + i, n, i, case i when 0 then 'Yes' else 'No' end,
       ('x' || substr(encode(sha256(('token' || n || '-' || i)::bytea), 'hex'), 1, 15))::bit(60)::bigint::text || '0000000000000000'
     from generate_series(1, ${MARKETS}) n, generate_series(0, 1) i`,
  );
  await client.query(
    `with drawn as (
       select n, case when n % 10 = 0 then ${BUSY_TRADER} else 2 + (random() * ${TRADERS - 3})::int end as trader, 1 + (random() * ${MARKETS - 1})::int as market,
         (random() * 0.98 + 0.01)::numeric(4, 3) as price, (5000 + random() * 95000)::numeric(12, 6) as usd, (random() < 0.5) as buys, (random() < 0.5)::int as i
       from generate_series(1, ${rows}) n
     ), entries as (
       insert into ledger_entries (trader_id, market_id, outcome_id, tx_hash, kind, ordinal, usd_micro, shares_micro, price, traded_at)
       select trader, market, market * 2 + i, sha256(n::text::bytea), case when buys then 'buy' else 'sell' end, 0, (usd * 1000000)::bigint,
         (usd / price * 1000000)::bigint, price, timestamptz '${RANGE.from}' + n * (interval '29 d' / ${rows})
       from drawn returning *
     )
     insert into large_trades (entry_id, trader_id, market_id, outcome_id, side, size_usd_micro, shares_micro, price, traded_at, review_score,
       grade_at_trade_status)
     select id, trader_id, market_id, outcome_id, upper(kind), usd_micro, shares_micro, price, traded_at, 0.5, 'unknown' from entries`,
  );
  await client.query("analyze");
}

export type FileKind = "dataset" | "export";

/** Stores jobs as a submit does. @returns their ids */
export async function submitJobs(client: pg.Client, count: number, file: FileKind, format: string): Promise<number[]> {
  const [kind, trader, request] =
    file === "dataset"
      ? ["whale_dataset", null, { ...RANGE, condition_id: null, min_size_cents: null }]
      : ["trader_export", BUSY_TRADER, {}];
  const { rows } = await client.query(
    `insert into export_jobs (kind, account_id, trader_id, format, request, request_key, created_at, expires_at, max_attempts, due_at)
     select $1, (select min(id) from accounts), $2, $3, $4, '', now(), now() + interval '1 d', 3, now() from generate_series(1, $5) returning id`,
    [kind, trader, format, JSON.stringify(request), count],
  );
  return rows.map(({ id }) => Number(id));
}

/** The result of a job that is ready. @throws Error when it is not */
export async function resultOf(client: pg.Client, jobId: number) {
  const { rows } = await client.query("select state, object_key, result from export_jobs where id = $1", [jobId]);
  const { state, object_key: key, result } = rows[0];
  if (state !== "ready") throw new Error(`the job ${jobId} is ${state}`);
  return {
    key: String(key),
    rows: Number(result.row_count),
    content: result.content_size_bytes,
    stored: result.compressed_size_bytes,
  };
}
