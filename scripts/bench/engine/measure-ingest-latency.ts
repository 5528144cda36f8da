import { setTimeout as sleep } from "node:timers/promises";
import { inTransaction, openDatabase, openPool, type Database } from "../../../src/db/client.ts";
import { buildLeaderboard } from "../../../src/ingest/read-models/build-leaderboard.ts";
import { buildLeaderboardJob } from "../../../src/jobs/definitions/lists/build-leaderboard-job.ts";
import { gradeTradersJob } from "../../../src/jobs/definitions/figures/grade-traders-job.ts";
import { scoreMarketsJob } from "../../../src/jobs/definitions/figures/score-markets-job.ts";
import type { Job } from "../../../src/jobs/registry.ts";
import type { ProviderTrade } from "../../../src/platform/provider.ts";
import { findTrader } from "../../../src/queries/traders/traders.ts";
import type { BenchServices } from "../bench-services.ts";
import type { EngineDatabase } from "./engine-database.ts";
import { generatePages, type GeneratedSize } from "./generated-trades.ts";
import { LedgerWriter } from "./ledger-writer.ts";
import { ms, percentile, timed } from "./percentiles.ts";
import { gradeAllDue, scoreDueMarkets } from "./settle-jobs.ts";

const TRADES_A_SECOND = 500;
/** Two seconds fill one page of the provider, the most expensive page size. */
const POLL_MS = 2_000;

/**
 * The time from a page of the provider to a response with its trades: 500 trades a second in the pages of
 * both feeds, through the product's own sessions, each followed by the statement that reads a trader of the
 * page. Aim: p99 under a second. Grades and the leaderboard are jobs that follow; their intervals and run
 * times are printed separately.
 */
export async function measureIngestLatency(
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
      await writer.writeTrades(
        "takers",
        rows.filter((_, n) => n % 2 === 0),
      );
      await writer.writeTrades("all", rows);
      await readNewest(db, rows);
      const took = performance.now() - pageAt;
      for (let row = 0; row < rows.length; row++) latencies.push(took);
    }
    const rate = latencies.length / ((performance.now() - startedAt) / 1000);
    console.log(
      `latency: ${latencies.length} trades at ${rate.toFixed(0)} a second, from the provider's page to the trader's response: p50 ` +
        `${ms(percentile(latencies, 0.5))}, p90 ${ms(percentile(latencies, 0.9))}, p99 ${ms(percentile(latencies, 0.99))}, most ` +
        `${ms(percentile(latencies, 1))} (aim: p99 under 1 s)`,
    );
    const bets = await timed(() => scoreDueMarkets(pool));
    const graded = await timed(() => gradeAllDue(pool));
    const board = await timed(() => inTransaction(pool, buildLeaderboard));
    console.log(
      `        jobs that follow: bets ${ms(bets)} after an interval of at most ${pauseSeconds(scoreMarketsJob)} s, grades ${ms(graded)} after at most ` +
        `${pauseSeconds(gradeTradersJob)} s more, leaderboard ${ms(board)} after at most ${pauseSeconds(buildLeaderboardJob)} s more`,
    );
  } finally {
    await pool.end();
  }
}

const pauseSeconds = ({ every }: Job): number => Number(every) / 1_000;

/** @throws Error when the trader's row does not include the page's newest trade */
async function readNewest(db: Database, rows: readonly ProviderTrade[]): Promise<void> {
  const [newest] = rows;
  if (newest === undefined) return;
  const trader = await findTrader(db, { address: newest.trader.address }, true, new Date());
  if (trader?.last_at == null || Date.parse(trader.last_at) < newest.tradedAt.getTime()) {
    throw new Error(
      `the row of ${newest.trader.address} does not include its trade of ${newest.tradedAt.toISOString()}`,
    );
  }
}
