import type { BenchArguments } from "../arguments.ts";
import type { BenchServices } from "../bench-services.ts";
import { createEngineDatabase } from "./engine-database.ts";
import { generateMarkets, generatePages, generateResolutions, type GeneratedSize } from "./generated-trades.ts";
import { LedgerWriter } from "./ledger-writer.ts";
import { ingestRecording } from "./ingest-recording.ts";
import { measureGrowth } from "./measure-growth.ts";
import { measureIngestLatency } from "./measure-ingest-latency.ts";
import { measureOneTrade } from "./measure-one-trade.ts";
import { measureRecompute } from "./measure-recompute.ts";

const START_SECONDS = 1_760_000_000;
/** Trades of the load come after those of the trader that is measured alone. */
const LATER_SECONDS = 1_000_000;

/** The cost of the engine's figures, each beside a floor in the same Postgres. */
export async function benchEngine(services: BenchServices, request: BenchArguments): Promise<void> {
  if (request.growth) return measureGrowth(services, request.isSmall);
  const fills = request.isSmall ? 5_000 : 200_000;
  const size: GeneratedSize = {
    seed: 1,
    wallets: request.isSmall ? 150 : 2_000,
    markets: request.isSmall ? 60 : 400,
    startSeconds: START_SECONDS,
  };
  const database = await createEngineDatabase(services.databaseUrl, "engine");
  try {
    const writer = new LedgerWriter(database.pool);
    await writer.writeMarkets(generateMarkets(size.markets));
    for (const page of generatePages(fills, size)) await writer.writeTrades("all", page);
    const endSeconds = START_SECONDS + fills;
    await writer.writeResolutions(generateResolutions(size.markets, endSeconds));
    await measureRecompute(database, `generated, ${size.wallets} wallets`);
    await measureOneTrade(database, writer, { ...size, nowSeconds: endSeconds }, request.isSmall);
    await measureIngestLatency(
      database,
      services,
      { ...size, seed: 2, startSeconds: endSeconds + LATER_SECONDS },
      request.isSmall,
    );
  } finally {
    await database.drop();
  }
  if (request.recordedDir !== null) await recomputeRecording(services, request.recordedDir);
}

async function recomputeRecording(services: BenchServices, dir: string): Promise<void> {
  const database = await createEngineDatabase(services.databaseUrl, "recorded");
  try {
    await ingestRecording(database, dir);
    await measureRecompute(database, `recorded in ${dir}`);
  } finally {
    await database.drop();
  }
}
