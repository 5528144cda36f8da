import { openDatabase } from "../../../src/db/client.ts";
import { HEARTBEATS } from "../../../src/jobs/heartbeats.ts";
import { listAges, type Age } from "../../../src/measure-minute.ts";
import { readHealth } from "../../../src/queries/health.ts";
import { generateSigningKey } from "../../start/local-secrets.ts";
import { listTree } from "../../services/running-processes.ts";
import type { BenchServices } from "../bench-services.ts";
import { bundleProduct } from "../bundles.ts";
import { placeServices } from "../distance/distant-services.ts";
import { startIngestWorker } from "../ingest/ingest-worker.ts";
import { readFigures } from "../stream/process-figures.ts";
import { withDyingConsumers } from "./live-faults.ts";
import type { LiveSize } from "./live-size.ts";

const CRON_MS = 60_000;

export interface StartedProduct {
  /** The ages that health judges. What has not succeeded yet is as old as the product. */
  readAges(): Promise<readonly Age[]>;
  /** Of the process in which all objects of the Worker run; null where there is no /proc. */
  readMemoryBytes(): number | null;
  stop(): Promise<void>;
}

/** Starts the product against a provider, both a round trip away from Postgres and Redis and from each other. */
export async function startProduct(
  services: BenchServices,
  providerUrl: string,
  { rttMs, faults }: Pick<LiveSize, "rttMs" | "faults">,
): Promise<StartedProduct> {
  const { variables } = services;
  const ofSocket = (path: string) => `${providerUrl.replace("http", "ws")}/${path}`;
  const startedAt = Date.now();
  const ofProduct = {
    ...variables,
    PROVIDER_GAMMA_URL: `${providerUrl}/gamma`,
    PROVIDER_DATA_URL: `${providerUrl}/data`,
    PROVIDER_CLOB_URL: `${providerUrl}/clob`,
    PROVIDER_TRADES_SOCKET_URL: ofSocket("rtds"),
    PROVIDER_SPORTS_SOCKET_URL: ofSocket("sports"),
    // As wrangler.toml has them for the provider itself.
    FEED_POLL_SECONDS: "10",
    BACKFILL_DAYS: "2",
    // Without it the jobs that sign are paused, and would count as late.
    ARCHIVE_SIGNING_KEY: generateSigningKey(),
  };
  const distant = await placeServices(ofProduct, rttMs);
  // Its log has a line for each job and message.
  const bundle = faults.includes("consumers") ? withDyingConsumers(bundleProduct()) : bundleProduct();
  const worker = await startIngestWorker(bundle, distant.variables, false);
  await worker.wakeFeed();
  const cron = setInterval(() => void worker.wakeFeed().catch(() => undefined), CRON_MS);
  const db = openDatabase({
    databaseUrl: services.databaseUrl,
    neonHttpEndpoint: variables["NEON_HTTP_ENDPOINT"] ?? null,
    neonSocketProxy: variables["NEON_SOCKET_PROXY"] ?? null,
  });
  const workerd = listTree(process.pid).find(({ command }) => command.includes("workerd"));
  return {
    async readAges() {
      const now = Date.now();
      const ages = listAges(HEARTBEATS, await readHealth(db), now);
      const missing = HEARTBEATS.filter(({ name }) => !ages.some((age) => age.of === name));
      const never = missing.map(({ name, intervalSeconds }) => ({ name, intervalSeconds, succeededAtMs: startedAt }));
      const outbox = { epoch: null, pendingSinceMs: null };
      const heartbeats = never.map(({ name, succeededAtMs }) => ({ job: name, succeededAtMs }));
      return [...ages, ...listAges(never, { ...outbox, heartbeats }, now)];
    },
    readMemoryBytes: () =>
      workerd === undefined || process.platform !== "linux" ? null : readFigures(workerd.pid).residentBytes,
    async stop() {
      clearInterval(cron);
      await worker.stop();
      await distant.stop();
    },
  };
}
