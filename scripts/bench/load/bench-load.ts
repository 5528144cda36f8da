import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ProviderTrade } from "../../../src/platform/provider.ts";
import { loadArchive } from "../../load/load-archive.ts";
import { TRADE_COLUMNS, tradeLine } from "../../load/files/trade-lines.ts";
import type { BenchServices } from "../bench-services.ts";
import { createEngineDatabase } from "../engine/engine-database.ts";
import { generatePages } from "../engine/generated-trades.ts";

const START_SECONDS = 1_760_000_000;

/** Loads a generated CSV file into an empty database and prints its rate, with the parts of the time. */
export async function benchLoad(services: BenchServices, fills: number): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "bench-load-"));
  const database = await createEngineDatabase(services.databaseUrl, "load");
  try {
    const size = {
      seed: 1,
      wallets: Math.ceil(fills / 25),
      markets: Math.ceil(fills / 250),
      startSeconds: START_SECONDS,
    };
    await pipeline(Readable.from(linesOf(generatePages(fills, size))), createWriteStream(join(directory, "fills.csv")));
    const startedAt = performance.now();
    const cpuBefore = process.cpuUsage();
    let stagedAt = startedAt;
    const result = await loadArchive(database.client, {
      directory,
      largeTradeMinUsd: 5_000,
      takers: false,
      fillsPerTransaction: 100_000,
      now: () => (START_SECONDS + fills) * 1_000,
      onFile: () => (stagedAt = performance.now()),
    });
    const [total, staging] = [performance.now() - startedAt, stagedAt - startedAt].map((ms) => ms / 1_000);
    const { user, system } = process.cpuUsage(cpuBefore);
    console.log(
      `load: ${result.added} fills in ${total?.toFixed(1)} s, ${Math.round(fills / (total ?? 1))} fills/s ` +
        `(read and staged ${staging?.toFixed(1)} s; CPU of this process ${((user + system) / 1e6).toFixed(1)} s)`,
    );
  } finally {
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Every third trade is a taker's. */
function* linesOf(pages: Iterable<readonly ProviderTrade[]>): Generator<string> {
  yield `${TRADE_COLUMNS}\n`;
  for (const page of pages) yield `${page.map((trade, index) => tradeLine(trade, index % 3 === 0)).join("\n")}\n`;
}
