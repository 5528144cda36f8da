import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../../db/client.ts";
import type { JobName } from "../../domain/jobs.ts";
import type { IngestMessage } from "../../messages/ingest.ts";
import type { Provider } from "../../ports/provider.ts";
import { applyBooks } from "../apply-books.ts";
import { applyResolutions } from "../apply-resolutions.ts";
import { lockLedger } from "../ledger/record-entries.ts";
import { clearDeadBooks } from "./clear-dead-books.ts";
import { listDueResults, putOffResults, takeToDescribe, type DueMarket } from "./due-results.ts";
import { noteEnds } from "./note-ends.ts";
import { readEndedBooks, readResults } from "./read-results.ts";

export interface ResultSettings {
  readonly pool: Pool;
  readonly provider: Provider;
  readonly now: () => number;
  readonly enqueue: (messages: readonly IngestMessage[]) => Promise<void>;
  /** Makes a job due within so long. */
  readonly hasten: (job: JobName, withinMs: number) => void;
}

const PUT_OFF_MS = 15_000;
const CONDITIONS_A_MESSAGE = 50;
/** What shows prices and values of markets that have ended, and how soon it is to follow. Exploration is rebuilt as a whole. */
const FOLLOWERS: readonly (readonly [JobName, number])[] = [
  ["values", 0],
  ["large_positions", 2_000],
  ["explore", 10_000],
];

/**
 * One turn over the markets whose results are due by src/domain/result-schedule.ts: quotes from before an end are cleared, results and the books
 * of ended markets are read and applied, and the ended markets are described again.
 *
 * The calls are made here and not through the queue, where they would wait behind whole wallets. Nothing is marked before its answer is applied,
 * so a kill anywhere leaves it due.
 *
 * @returns whether any were due: more may be
 */
export async function checkResults({ pool, provider, now, enqueue, hasten }: ResultSettings): Promise<boolean> {
  const at = new Date(now());
  const markets = await listDueResults(pool, at);
  if (markets.length === 0) return false;
  const ended = markets.filter(({ tokenIds }) => tokenIds.length > 0);
  const cleared = await endBooks(pool, ended, at);
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
  for (const { asked, page } of results.answered) {
    settled += await inTransaction(pool, (session) => applyResolutions(session, asked, page.rows, page.misfits, new Date(now())));
  }
  if (books !== null) {
    await inTransaction(pool, (session) => applyBooks(session, books.asked, books.page.rows, books.page.misfits, new Date(now())));
  }
  if (cleared + settled > 0) for (const [job, withinMs] of FOLLOWERS) hasten(job, withinMs);
  await describeAgain(pool, markets, enqueue);
  if (results.unanswered.length > 0) {
    await putOffResults(pool, results.unanswered, new Date(now() + PUT_OFF_MS));
    throw results.failure;
  }
  return true;
}

async function endBooks(pool: Pool, ended: readonly DueMarket[], at: Date): Promise<number> {
  if (ended.length === 0) return 0;
  return inTransaction(pool, async (session) => {
    await lockLedger(session);
    const cleared = await clearDeadBooks(
      session,
      ended.map(({ id }) => id),
      at,
    );
    if (cleared > 0) await noteEnds(session);
    return cleared;
  });
}

async function describeAgain(pool: Pool, markets: readonly DueMarket[], enqueue: ResultSettings["enqueue"]): Promise<void> {
  const conditionIds = await takeToDescribe(
    pool,
    markets.filter(({ mayBeRedescribed }) => mayBeRedescribed),
  );
  const messages: IngestMessage[] = [];
  for (let start = 0; start < conditionIds.length; start += CONDITIONS_A_MESSAGE) {
    messages.push({ kind: "hydrate_markets", condition_ids: conditionIds.slice(start, start + CONDITIONS_A_MESSAGE) });
  }
  if (messages.length > 0) await enqueue(messages);
}
