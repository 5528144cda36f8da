import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../../../src/db/client.ts";
import { buildLeaderboard } from "../../../src/ingest/read-models/leaderboard.ts";
import { listDueMarkets } from "../../../src/ingest/skill/due-markets.ts";
import { gradeDueWallets, isGradingDue } from "../../../src/ingest/skill/grade-wallets.ts";
import { refreshPopulation } from "../../../src/ingest/skill/refresh-population.ts";
import { scoreMarket } from "../../../src/ingest/skill/score-market.ts";

/** Counts the bets of all due markets, as the `skill` job and its messages do. */
export async function scoreDueMarkets(pool: Pool): Promise<void> {
  for (let messages = await listDueMarkets(pool); messages.length > 0; messages = await listDueMarkets(pool)) {
    for (const message of messages) {
      if (message.kind === "score_markets") for (const marketId of message.market_ids) await scoreMarket(pool, marketId);
    }
  }
}

/** Grades every wallet that waits, as the `grades` job and its messages do. */
export async function gradeAllDue(pool: Pool): Promise<void> {
  while (await isGradingDue(pool)) await gradeDueWallets(pool);
}

/** Bets, population, grades and the leaderboard, from whatever is due. */
export async function settleEverything(pool: Pool): Promise<void> {
  await scoreDueMarkets(pool);
  await inTransaction(pool, refreshPopulation);
  await gradeAllDue(pool);
  await inTransaction(pool, buildLeaderboard);
}
