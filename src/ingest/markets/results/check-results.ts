import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { m, o } from "../../../db/aliases.ts";
import { atCommit, inTransaction } from "../../../db/client.ts";
import { array, run } from "../../../db/sql.ts";
import { chunk } from "../../../lib/chunk.ts";
import type { IngestMessage } from "../../../messages/ingest-message.ts";
import type { Provider } from "../../../platform/provider.ts";
import { applyBooks } from "../apply-books.ts";
import { applyResolutions } from "../apply-resolutions.ts";
import { lockOutcomes, shareMarkets } from "../../ledger/row-locks.ts";
import { clearEndedQuotes } from "./clear-ended-quotes.ts";
import { listDueResults, postponeResults, claimMarketsToRehydrate, type DueResult } from "./due-results.ts";
import { recordResultsVersion } from "./record-results-version.ts";
import { readEndedBooks, readResults } from "./read-results.ts";

export interface ResultCheckSettings {
  readonly pool: Pool;
  readonly provider: Provider;
  readonly now: () => number;
  readonly enqueue: (messages: readonly IngestMessage[]) => Promise<void>;
  /** Makes a job due within this time, where it is due later. */
  readonly scheduleWithin: (job: string, withinMs: number) => void;
}

const POSTPONE_MS = 15_000;
const CONDITIONS_PER_MESSAGE = 50;
/**
 * The jobs that show prices and values of ended markets, with the delay until they run, ms. Exploration is
 * rebuilt as a whole.
 */
const DEPENDENT_JOBS: readonly (readonly [string, number])[] = [
  ["value_positions", 0],
  ["build_large_positions", 2_000],
  ["build_explore", 10_000],
];

/**
 * Checks one batch of the markets whose results are due by src/domain/markets/result-schedule.ts. Clears
 * quotes from before a market's end, reads and applies results and the books of ended markets, and hydrates
 * the ended markets again.
 *
 * The calls are made here and not through the queue, where they would wait behind whole trader syncs. A
 * market is marked as checked only when its response is applied, so a crash leaves it due.
 *
 * @returns how many markets were due and read
 */
export async function checkResults({
  pool,
  provider,
  now,
  enqueue,
  scheduleWithin,
}: ResultCheckSettings): Promise<number> {
  const at = new Date(now());
  const markets = await listDueResults(pool, at);
  if (markets.length === 0) return 0;
  const ended = markets.filter(({ tokenIds }) => tokenIds.length > 0);
  const cleared = await clearEndedBooks(pool, ended, at);
  const [results, books] = await Promise.all([
    readResults(
      provider,
      markets.map(({ conditionId }) => conditionId),
    ),
    readEndedBooks(
      provider,
      ended.flatMap(({ tokenIds }) => tokenIds),
    ),
  ]);
  let settled = 0;
  for (const { requestedIds, page } of results.pages) {
    settled += await inTransaction(pool, (session) =>
      applyResolutions(session, requestedIds, page.rows, page.quarantined, new Date(now())),
    );
  }
  if (books !== null) {
    await inTransaction(pool, (session) =>
      applyBooks(session, books.requestedIds, books.page.rows, books.page.quarantined, new Date(now())),
    );
  }
  if (cleared + settled > 0) for (const [job, withinMs] of DEPENDENT_JOBS) scheduleWithin(job, withinMs);
  await rehydrateMarkets(pool, markets, enqueue);
  if (results.failedIds.length > 0) {
    await postponeResults(pool, results.failedIds, new Date(now() + POSTPONE_MS));
    throw results.failure;
  }
  return markets.length;
}

async function clearEndedBooks(pool: Pool, ended: readonly DueResult[], at: Date): Promise<number> {
  if (ended.length === 0) return 0;
  const ids = ended.map(({ id }) => id);
  const marketIds = array(ids, "bigint");
  return inTransaction(pool, async (session) => {
    const [, , cleared] = await Promise.all([
      run(session, shareMarkets(sql`${m.id} = any(${marketIds})`)),
      run(session, lockOutcomes(sql`${o.marketId} = any(${marketIds})`)),
      clearEndedQuotes(session, ids, at),
    ]);
    if (cleared > 0) await atCommit(session, recordResultsVersion);
    return cleared;
  });
}

async function rehydrateMarkets(
  pool: Pool,
  markets: readonly DueResult[],
  enqueue: ResultCheckSettings["enqueue"],
): Promise<void> {
  const conditionIds = await claimMarketsToRehydrate(
    pool,
    markets.filter(({ shouldRehydrate }) => shouldRehydrate),
  );
  const messages = chunk(conditionIds, CONDITIONS_PER_MESSAGE).map((group): IngestMessage => ({
    kind: "hydrate_markets",
    condition_ids: group,
  }));
  if (messages.length > 0) await enqueue(messages);
}
