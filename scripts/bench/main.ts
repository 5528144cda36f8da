import { startBenchServices } from "./bench-services.ts";
import { bundleFloor, bundleProduct } from "./bundles.ts";
import { startIngestWorker } from "./ingest-worker.ts";
import { measureIngest, startPageServer } from "./measure-ingest.ts";
import { measureLatency, measureLoad, median } from "./measure-load.ts";
import { startReadWorkers } from "./read-workers.ts";

/*
 * npm run bench: ingest and reads on workerd, each read as a ratio to a bare Hono route on the same workerd in the same run.
 *   npm run bench -- --trades 200000   another size of the ingest part
 */
const flag = process.argv.indexOf("--trades");
const TRADES = flag === -1 ? 100_000 : Number(process.argv[flag + 1]);
const ROUNDS = 3;
const SECONDS = 5;
const CONNECTIONS = 16;

const services = await startBenchServices();
const provider = await startPageServer(TRADES);
const variables = {
  ...services.variables,
  PROVIDER_GAMMA_URL: provider.url,
  PROVIDER_DATA_URL: provider.url,
  PROVIDER_CLOB_URL: provider.url,
  PROVIDER_TRADES_SOCKET_URL: provider.url.replace("http", "ws"),
  PROVIDER_SPORTS_SOCKET_URL: provider.url.replace("http", "ws"),
};
const product = bundleProduct();
try {
  await benchIngest();
  await benchReads();
} finally {
  provider.stop();
  await services.stop();
}

async function benchIngest(): Promise<void> {
  const worker = await startIngestWorker(product, variables);
  try {
    const ingest = await measureIngest(services.databaseUrl, worker.wakeFeed);
    const rate = Math.round(ingest.trades / ingest.seconds);
    console.log(
      `ingest: ${ingest.trades} trades in ${ingest.seconds.toFixed(1)} s, each read in both feeds: ${rate} trades/s (aim: 5,000)`,
    );
    console.log(`        ${ingest.positions} positions, ${ingest.largeTrades} large trades, ${ingest.events} outbox events applied`);
  } finally {
    await worker.stop();
  }
}

async function benchReads(): Promise<void> {
  const workers = await startReadWorkers(product, await bundleFloor(), variables);
  try {
    const headers = { authorization: `Bearer ${services.apiKey}` };
    const read = { url: `${workers.product}/api/v1/large-trades`, headers };
    await compare("warm authenticated GET /api/v1/large-trades", read, { url: `${workers.floor}/bare`, headers: {} });
  } finally {
    await workers.stop();
  }
}

interface Target {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** Measures both in turn, so that a machine that slows down slows both. */
async function compare(name: string, target: Target, floor: Target): Promise<void> {
  await measureLatency(target.url, target.headers, 200);
  await measureLatency(floor.url, floor.headers, 200);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const ours = await measureLoad({ ...target, connections: CONNECTIONS, seconds: SECONDS });
    const bare = await measureLoad({ ...floor, connections: CONNECTIONS, seconds: SECONDS });
    if (ours.failed + bare.failed > 0) throw new Error(`${ours.failed} + ${bare.failed} requests failed`);
    ratios.push(ours.requestsPerSecond / bare.requestsPerSecond);
    console.log(
      `${name}, round ${round + 1}: ${Math.round(ours.requestsPerSecond)}/s, floor ${Math.round(bare.requestsPerSecond)}/s, p99 ${ours.p99Ms} ms`,
    );
  }
  const ours = await measureLatency(target.url, target.headers, 500);
  const bare = await measureLatency(floor.url, floor.headers, 500);
  console.log(`${name}: ${median(ratios).toFixed(2)} of the floor's requests/s (aim: 0.25)`);
  console.log(
    `  at concurrency 1: p50 ${ours.p50Ms.toFixed(2)} ms, floor ${bare.p50Ms.toFixed(2)} ms, added ${(ours.p50Ms - bare.p50Ms).toFixed(2)} ms (aim: within 5 ms); ` +
      `p99 ${ours.p99Ms.toFixed(2)} ms, floor ${bare.p99Ms.toFixed(2)} ms`,
  );
}
