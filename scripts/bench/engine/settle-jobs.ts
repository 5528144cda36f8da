import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../../../src/db/client.ts";
import { buildLeaderboard } from "../../../src/ingest/read-models/build-leaderboard.ts";
import { listMarketsToScore } from "../../../src/ingest/skill/markets-to-score.ts";
import { gradeDueTraders, isGradingDue } from "../../../src/ingest/skill/grade-traders.ts";
import { refreshSkillPopulation } from "../../../src/ingest/skill/refresh-skill-population.ts";
import { scoreMarket } from "../../../src/ingest/skill/score-market.ts";

/** Counts the bets of all due markets, like the `score_markets` job and its messages. */
export async function scoreDueMarkets(pool: Pool): Promise<void> {
  for (let messages = await listMarketsToScore(pool); messages.length > 0; messages = await listMarketsToScore(pool)) {
    for (const message of messages) {
      if (message.kind === "score_markets")
        for (const marketId of message.market_ids) await scoreMarket(pool, marketId);
    }
  }
}

/** Grades every due trader, like the `grade_traders` job and its messages. */
export async function gradeAllDue(pool: Pool): Promise<void> {
  while (await isGradingDue(pool)) await gradeDueTraders(pool);
}

/** Runs bets, population, grades and the leaderboard until nothing is due. */
export async function settleEverything(pool: Pool): Promise<void> {
  await scoreDueMarkets(pool);
  await inTransaction(pool, refreshSkillPopulation);
  await gradeAllDue(pool);
  await inTransaction(pool, buildLeaderboard);
}
