import type { BenchServices } from "../bench-services.ts";
import type { Bundle } from "../bundles.ts";
import { placeServices } from "../distance/distant-services.ts";
import { startIngestWorker } from "./ingest-worker.ts";
import { measureIngest } from "./measure-ingest.ts";

/**
 * Trades a second through the Worker, from the provider's pages on. Aim: 10,000, and 2,000 with a round trip of 5 ms.
 *
 * @param rttMs round trip to Postgres, to Redis and to the provider
 */
export async function benchIngest(
  product: Bundle,
  services: BenchServices,
  variables: Record<string, string>,
  rttMs: number,
): Promise<void> {
  const distant = await placeServices(variables, rttMs);
  const worker = await startIngestWorker(product, distant.variables);
  try {
    const ingest = await measureIngest(services.databaseUrl, worker.wakeFeed);
    const rate = Math.round(ingest.trades / ingest.seconds);
    console.log(
      `ingest: ${ingest.trades} trades in ${ingest.seconds.toFixed(1)} s, each read in both feeds, ${rttMs} ms away: ${rate} trades/s (aim: 10,000; 2,000 at 5 ms)`,
    );
    console.log(
      `        ${ingest.positions} positions, ${ingest.largeTrades} large trades, ${ingest.events} outbox events applied`,
    );
  } finally {
    await worker.stop();
    await distant.stop();
  }
}
