import { setTimeout as sleep } from "node:timers/promises";
import { REST_MS } from "../../../durable-objects/provider-feed/schedule.ts";
import { inTransaction, openDatabase, openPool, type Database } from "../../../src/db/client.ts";
import { buildLeaderboard } from "../../../src/ingest/read-models/leaderboard.ts";
import type { ProviderTrade } from "../../../src/ports/provider.ts";
import { findTrader } from "../../../src/queries/traders.ts";
import type { BenchServices } from "../bench-services.ts";
import type { EngineDatabase } from "./engine-database.ts";
import { generatePages, type GeneratedSize } from "./generated-trades.ts";
import { LedgerWriter } from "./ledger-writer.ts";
import { ms, percentile, timed } from "./percentiles.ts";
import { gradeAllDue, scoreDueMarkets } from "./settle-jobs.ts";

const TRADES_A_SECOND = 500;
/** Two seconds make a full page of the provider: it costs most at once. */
const POLL_MS = 2_000;

/**
 * From a page of the provider to the answer that shows its trades: 500 trades a second, in the pages of both feeds, through the product's own
 * sessions, and after each the statement that answers for a wallet of the page. Aim: p99 under a second. Grades and the leaderboard are jobs that
 * follow: their rest and their run are told apart.
 */
export async function measureLatency(
  database: EngineDatabase,
  { variables }: BenchServices,
  size: GeneratedSize,
  isSmall: boolean,
): Promise<void> {
  const seconds = isSmall ? 6 : 60;
  const connection = {
    databaseUrl: database.url,
    neonHttpEndpoint: variables["NEON_HTTP_ENDPOINT"] ?? null,
    neonSocketProxy: variables["NEON_SOCKET_PROXY"] ?? null,
  };
  const pool = openPool(connection);
  const db = openDatabase(connection);
  try {
    const writer = new LedgerWriter(pool);
    const latencies: number[] = [];
    const startedAt = performance.now();
    let polls = 0;
    for (const rows of generatePages(seconds * TRADES_A_SECOND, size)) {
      polls += 1;
      await sleep(Math.max(0, startedAt + polls * POLL_MS - performance.now()));
      const pageAt = performance.now();
      await writer.trades(
        "takers",
        rows.filter((_, n) => n % 2 === 0),
      );
      await writer.trades("all", rows);
      await readNewest(db, rows);
      const took = performance.now() - pageAt;
      for (let row = 0; row < rows.length; row++) latencies.push(took);
    }
    const rate = latencies.length / ((performance.now() - startedAt) / 1000);
    console.log(
      `latency: ${latencies.length} trades at ${rate.toFixed(0)} a second, from the provider's page to the wallet's answer: p50 ` +
        `${ms(percentile(latencies, 0.5))}, p90 ${ms(percentile(latencies, 0.9))}, p99 ${ms(percentile(latencies, 0.99))}, most ` +
        `${ms(percentile(latencies, 1))} (aim: p99 under 1 s)`,
    );
    const bets = await timed(() => scoreDueMarkets(pool));
    const grades = await timed(() => gradeAllDue(pool));
    const board = await timed(() => inTransaction(pool, buildLeaderboard));
    console.log(
      `        what they moved: bets ${ms(bets)} after at most ${REST_MS.skill / 1000} s of rest, grades ${ms(grades)} after at most ` +
        `${REST_MS.grades / 1000} s more, leaderboard ${ms(board)} after at most ${REST_MS.leaderboard / 1000} s more`,
    );
  } finally {
    await pool.end();
  }
}

/** @throws Error when the answer for the page's newest trade does not show it */
async function readNewest(db: Database, rows: readonly ProviderTrade[]): Promise<void> {
  const [newest] = rows;
  if (newest === undefined) return;
  const trader = await findTrader(db, { address: newest.wallet.address }, true, new Date());
  if (trader?.last_at == null || Date.parse(trader.last_at) < newest.tradedAt.getTime()) {
    throw new Error(`the answer for ${newest.wallet.address} does not show its trade of ${newest.tradedAt.toISOString()}`);
  }
}
