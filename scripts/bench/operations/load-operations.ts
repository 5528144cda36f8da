import type { Pool } from "@neondatabase/serverless";
import pg from "pg";
import { LedgerWriter } from "../engine/ledger-writer.ts";
import { ingestRecording } from "../engine/ingest-recording.ts";
import { PAGE_ROWS } from "../engine/generated-trades.ts";
import { isCombinationNumber } from "../../soak/named-objects.ts";
import { GeneratedHistory } from "./workload/generated-history.ts";
import { providerMarketOf } from "./workload/generated-markets.ts";
import { generatedProvider } from "./workload/generated-provider.ts";
import { writeGeneratedSports } from "./workload/generated-sports.ts";
import { LIST_JOBS, runEveryJob } from "./run-every-job.ts";

export interface LoadSize {
  readonly trades: number;
  /** Null for none. */
  readonly recordedDir: string | null;
}

type Print = (line: string) => void;

/** Trades between two progress lines. */
const PROGRESS_EVERY = 100_000;

/**
 * Fills an empty database: first the recorded activity, then generated trades, through the product's own
 * ingest; then runs every job once, so that all read models exist. A database from an earlier load is only
 * updated to the present.
 */
export async function loadOperations(databaseUrl: string, size: LoadSize, print: Print): Promise<void> {
  const pool = openLoadPool(databaseUrl);
  try {
    if (await isLoaded(pool)) await refreshLoad(pool, print);
    else await loadEmpty(pool, databaseUrl, size, print);
    print(await describe(pool));
  } finally {
    await pool.end();
  }
}

async function loadEmpty(
  pool: Pool,
  databaseUrl: string,
  { trades, recordedDir }: LoadSize,
  print: Print,
): Promise<void> {
  if (recordedDir !== null) {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await ingestRecording({ url: databaseUrl, pool, client, drop: async () => undefined }, recordedDir);
    await client.end();
    print(`recorded in ${recordedDir}: ${await describe(pool)}`);
  }
  const nowMs = Math.floor(Date.now() / 1000) * 1000;
  const history = new GeneratedHistory(trades, nowMs);
  const writer = new LedgerWriter(pool);
  // The provider has no objects of combos.
  const listed = history.markets.filter(({ n }) => !isCombinationNumber(n));
  await writer.writeMarkets(listed.map((market) => providerMarketOf({ ...market, isSettled: false }, null)));
  let loaded = 0;
  for (const page of history.pages(PAGE_ROWS)) {
    await writer.writeTrades("takers", page.takers);
    await writer.writeTrades("all", page.makers);
    const before = loaded;
    loaded += page.takers.length + page.makers.length;
    if (Math.floor(before / PROGRESS_EVERY) < Math.floor(loaded / PROGRESS_EVERY)) print(`${loaded} generated trades`);
  }
  await writer.writeMarkets(listed.map((market) => providerMarketOf(market, history.lastPrice(market))));
  await pool.query("vacuum analyze");
  await requestHolderScans(pool);
  await runEveryJob({ pool, provider: generatedProvider(history, nowMs), print });
  await writeGeneratedSports(pool);
  await pool.query("vacuum analyze");
  await pool.query(`insert into job_heartbeats (job, succeeded_at) values ($1, now())`, [LOADED]);
}

/** Marks a completed load in the table of job heartbeats. */
const LOADED = "bench_loaded";

async function isLoaded(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ entries: boolean; loaded: boolean }>(
    `select exists (select from ledger_entries) as entries, exists (select from job_heartbeats where job = $1) as loaded`,
    [LOADED],
  );
  const [row] = rows;
  if (row?.entries === true && row.loaded !== true)
    throw new Error("The data directory has an unfinished load. Choose another directory with --data.");
  return row?.loaded === true;
}

/**
 * Updates an earlier load: profiles and jobs count as fresh, and lists that depend on the time are rebuilt.
 */
async function refreshLoad(pool: Pool, print: Print): Promise<void> {
  await pool.query(`update trader_profiles set computed_at = now()`);
  await pool.query(`update job_heartbeats set succeeded_at = now()`);
  await runEveryJob({ pool, provider: generatedProvider(new GeneratedHistory(0, 0), 0), print }, LIST_JOBS);
  await pool.query("vacuum analyze trader_profiles");
}

/** Holders are scanned on request; this requests the hundred markets with most positions. */
async function requestHolderScans(pool: Pool): Promise<void> {
  await pool.query(
    `insert into holder_scans (market_id, requested_at)
     select market_id, now() + interval '1 hour' from positions group by market_id order by count(*) desc limit 100
     on conflict do nothing`,
  );
}

async function describe(pool: Pool): Promise<string> {
  const { rows } = await pool.query<Record<string, string>>(
    `select (select count(*) from ledger_entries) as trades, (select count(*) from traders) as traders,
       (select count(*) from markets) as markets,
       (select count(*) from positions) as positions, (select count(*) from large_trades) as large_trades,
       (select count(*) from suspicious_trades) as suspicious_trades, (select count(*) from traders where grade is not null) as graded,
       (select count(*) from trader_profiles) as profiles, pg_size_pretty(pg_database_size(current_database())) as size`,
  );
  return Object.entries(rows[0] ?? {})
    .map(([name, value]) => `${value} ${name.replaceAll("_", " ")}`)
    .join(", ");
}

/** Like ingest's pool, but commits are not waited for: the measurement begins when all is written. */
function openLoadPool(databaseUrl: string): Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, options: "-c synchronous_commit=off" });
  pool.on("error", () => undefined);
  // Ingest uses `connect`, `query` and `release` only; both drivers have them, with the same results.
  return pool as unknown as Pool;
}
