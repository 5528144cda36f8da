import type { BenchServices } from "../bench-services.ts";
import type { Bundle } from "../bundles.ts";
import { startIngestWorker } from "./ingest-worker.ts";
import { measureIngest } from "./measure-ingest.ts";

/** Trades a second through the Worker, from the provider's pages on. Aim: 10,000. */
export async function benchIngest(
  product: Bundle,
  services: BenchServices,
  variables: Record<string, string>,
): Promise<void> {
  const worker = await startIngestWorker(product, variables);
  try {
    const ingest = await measureIngest(services.databaseUrl, worker.wakeFeed);
    const rate = Math.round(ingest.trades / ingest.seconds);
    console.log(
      `ingest: ${ingest.trades} trades in ${ingest.seconds.toFixed(1)} s, each read in both feeds: ${rate} trades/s (aim: 10,000)`,
    );
    console.log(
      `        ${ingest.positions} positions, ${ingest.largeTrades} large trades, ${ingest.events} outbox events applied`,
    );
  } finally {
    await worker.stop();
  }
}
