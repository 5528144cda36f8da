import { progressLine, type ProgressLine } from "../../recompute/progress-line.ts";
import { recompute } from "../../recompute/recompute.ts";
import type { BenchServices } from "../bench-services.ts";
import { createEngineDatabase, type EngineDatabase } from "./engine-database.ts";
import { generateMarkets, generatePages, generateResolutions } from "./generated-trades.ts";
import { LedgerWriter } from "./ledger-writer.ts";
import { timed } from "./percentiles.ts";

const STEPS = [10_000, 100_000, 1_000_000, 2_000_000];
const SMALL_STEPS = [2_000, 5_000, 10_000];
/** The time limit for applying pages: after it the last step is what is stored by then. */
const MOST_MS = 600_000;
const MARKETS = 2_000;
const START_SECONDS = 1_760_000_000;

/**
 * The cost of a trade at each size: ingest of the last tenth, and a recompute of all. Traders grow with the
 * trades.
 */
export async function measureGrowth(services: BenchServices, isSmall: boolean): Promise<void> {
  const database = await createEngineDatabase(services.databaseUrl, "growth");
  const progress = progressLine();
  try {
    const steps = isSmall ? SMALL_STEPS : STEPS;
    const most = steps.at(-1) ?? 0;
    const writer = new LedgerWriter(database.pool);
    await writer.writeMarkets(generateMarkets(MARKETS));
    await writer.writeResolutions(generateResolutions(MARKETS, START_SECONDS));
    const pages = generatePages(most, {
      seed: 1,
      wallets: Math.max(200, most / 100),
      markets: MARKETS,
      startSeconds: START_SECONDS,
    });
    const startedAt = performance.now();
    const passedMs = () => performance.now() - startedAt;
    const pageMs: number[] = [];
    let stored = 0;
    for (const step of steps) {
      while (stored < step && passedMs() < MOST_MS) {
        const page = pages.next();
        if (page.done) break;
        pageMs.push(await timed(() => writer.writeTrades("all", page.value)));
        stored += page.value.length;
        progress.show(`growth: ${stored} of ${most} fills stored in ${(passedMs() / 1000).toFixed(0)} s`);
      }
      await report(database, stored, mean(pageMs.slice(-Math.ceil(pageMs.length / 10))), progress);
      if (stored < step) {
        progress.print(`growth: the time limit was reached before ${step} fills`);
        return;
      }
    }
  } finally {
    progress.end();
    await database.drop();
  }
}

/** @param pageMs the time of one page of a thousand trades */
async function report(
  { client }: EngineDatabase,
  fills: number,
  pageMs: number,
  progress: ProgressLine,
): Promise<void> {
  await client.query("vacuum analyze");
  let differences = 0;
  const recomputeMs = await timed(async () => {
    ({ differences } = await recompute(client, {
      verify: true,
      onDifference: (one) => progress.print(JSON.stringify(one)),
      onProgress: ({ entries }) => progress.show(`growth: ${entries} of ${fills} fills recomputed`),
    }));
  });
  if (differences > 0) throw new Error(`${differences} stored figures differ from a full recompute`);
  const { rows } = await client.query<{ name: string; rows: string; mb: string }>(
    `select relname as name, n_live_tup as rows, (pg_total_relation_size(relid) / 1e6)::numeric(12, 1)::text as mb
     from pg_stat_user_tables where pg_total_relation_size(relid) > 1e6 order by pg_total_relation_size(relid) desc limit 8`,
  );
  progress.print(
    `growth: ${fills} fills: a thousand trades cost ${pageMs.toFixed(0)} ms to ingest (one feed) and ` +
      `${(recomputeMs / (fills / 1000)).toFixed(1)} ms to recompute`,
  );
  progress.print(`        ${rows.map(({ name, rows: count, mb }) => `${name} ${count} rows ${mb} MB`).join(", ")}`);
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
