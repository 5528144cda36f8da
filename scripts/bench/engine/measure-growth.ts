import { recompute } from "../../recompute/recompute.ts";
import type { BenchServices } from "../bench-services.ts";
import { createEngineDatabase, type EngineDatabase } from "./engine-database.ts";
import { generateMarkets, generatePages, generateResolutions } from "./generated-trades.ts";
import { LedgerWriter } from "./ledger-writer.ts";
import { timed } from "./percentiles.ts";

const STEPS = [10_000, 100_000, 1_000_000, 2_000_000];
const SMALL_STEPS = [2_000, 5_000, 10_000];
/** No step begins later. */
const MOST_MS = 3_600_000;
const MARKETS = 2_000;
const START_SECONDS = 1_760_000_000;

/** What a trade costs at each size: to ingest the last tenth of it, and to recompute all of it. The wallets grow with the trades. */
export async function measureGrowth(services: BenchServices, isSmall: boolean): Promise<void> {
  const database = await createEngineDatabase(services.databaseUrl, "growth");
  try {
    const steps = isSmall ? SMALL_STEPS : STEPS;
    const most = steps.at(-1) ?? 0;
    const writer = new LedgerWriter(database.pool);
    await writer.markets(generateMarkets(MARKETS));
    await writer.resolutions(generateResolutions(MARKETS, START_SECONDS));
    const pages = generatePages(most, { seed: 1, wallets: Math.max(200, most / 100), markets: MARKETS, startSeconds: START_SECONDS });
    const startedAt = performance.now();
    let stored = 0;
    for (const step of steps) {
      if (performance.now() - startedAt > MOST_MS) {
        console.log(`growth: no time left for ${step} fills`);
        return;
      }
      let [lastRows, lastMs] = [0, 0];
      while (stored < step) {
        const page = pages.next();
        if (page.done) break;
        const took = await timed(() => writer.trades("all", page.value));
        stored += page.value.length;
        if (stored <= step * 0.9) continue;
        lastRows += page.value.length;
        lastMs += took;
      }
      await report(database, step, lastMs / (lastRows / 1000));
    }
  } finally {
    await database.drop();
  }
}

async function report({ client }: EngineDatabase, step: number, ingestMs: number): Promise<void> {
  await client.query("vacuum analyze");
  let differences = 0;
  const recomputeMs = await timed(async () => {
    ({ differences } = await recompute(client, { verify: true, onDifference: (one) => console.error(one) }));
  });
  if (differences > 0) throw new Error(`${differences} stored figures differ from a fold from nothing`);
  const { rows } = await client.query<{ name: string; rows: string; mb: string }>(
    `select relname as name, n_live_tup as rows, (pg_total_relation_size(relid) / 1e6)::numeric(12, 1)::text as mb
     from pg_stat_user_tables where pg_total_relation_size(relid) > 1e6 order by pg_total_relation_size(relid) desc limit 8`,
  );
  console.log(
    `growth: ${step} fills: a thousand trades cost ${ingestMs.toFixed(0)} ms to ingest (one feed) and ${(recomputeMs / (step / 1000)).toFixed(1)} ms ` +
      `to recompute`,
  );
  console.log(`        ${rows.map(({ name, rows: count, mb }) => `${name} ${count} rows ${mb} MB`).join(", ")}`);
}
