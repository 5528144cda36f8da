import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleProduct } from "../bench/bundles.ts";
import { WebhookDatabase } from "../bench/webhooks/webhook-database.ts";
import { startWebhookWorker, type WebhookWorker } from "../bench/webhooks/webhook-worker.ts";
import { freePort } from "../services/free-port.ts";
import { applyMigrations } from "../services/postgres/apply-migrations.ts";
import { startNeonEndpoint } from "../services/postgres/neon-endpoint.ts";
import { startPostgres, type EmbeddedPostgres } from "../services/postgres/postgres.ts";

/** The parts that deliver webhooks; each can be killed on its own. */
export interface WebhookProduct {
  readonly postgres: EmbeddedPostgres;
  readonly worker: WebhookWorker;
  readonly database: WebhookDatabase;
  stop(): Promise<void>;
}

const SECRET = "a-fault-run's-secret-of-at-least-32-bytes";
/** For services that deliveries do not use. */
const NOWHERE = "http://127.0.0.1:1";

export async function startWebhookProduct(): Promise<WebhookProduct> {
  const dataDir = mkdtempSync(join(tmpdir(), "faults-postgres-"));
  const postgres = await startPostgres({ dataDir, port: await freePort(), log: () => undefined });
  const neon = await startNeonEndpoint({ port: 0, databaseUrl: postgres.url });
  await applyMigrations(postgres.url);
  const database = new WebhookDatabase(postgres.url, SECRET);
  const worker = await startWebhookWorker(bundleProduct(), variablesOf(postgres.url, neon));
  return {
    ...{ postgres, worker, database },
    async stop() {
      await worker.stop();
      await database.close();
      await neon.stop();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const variablesOf = (databaseUrl: string, neon: { httpUrl: string; socketProxy: string }): Record<string, string> => ({
  ...{ SERVICE_NAME: "faults", KEY_PREFIX: "svc", API_BASE_URL: "http://127.0.0.1", WEB_BASE_URL: "http://localhost" },
  ...{ PROVIDER_GAMMA_URL: NOWHERE, PROVIDER_DATA_URL: NOWHERE, PROVIDER_CLOB_URL: NOWHERE },
  ...{ PROVIDER_TRADES_SOCKET_URL: "ws://127.0.0.1:1", PROVIDER_SPORTS_SOCKET_URL: "ws://127.0.0.1:1" },
  ...{ BACKFILL_DAYS: "0", FEED_POLL_SECONDS: "3600", LARGE_TRADE_MIN_USD: "5000" },
  ...{ DATABASE_URL: databaseUrl, NEON_HTTP_ENDPOINT: neon.httpUrl, NEON_SOCKET_PROXY: neon.socketProxy },
  ...{ UPSTASH_REDIS_REST_URL: NOWHERE, UPSTASH_REDIS_REST_TOKEN: "none" },
  ...{
    CREDENTIAL_SECRET: SECRET,
    CURSOR_SECRET: `${SECRET} (cursors)`,
    SESSION_SECRET: `${SECRET} (sessions)`,
    ALLOW_LOOPBACK_RECEIVERS: "true",
  },
});
