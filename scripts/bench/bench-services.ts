import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateApiKey } from "../../src/auth/keys.ts";
import { freePort } from "../services/free-port.ts";
import { applyMigrations } from "../services/migrate.ts";
import { startNeonEndpoint } from "../services/neon-endpoint.ts";
import { startPostgres } from "../services/postgres.ts";
import { startUpstash } from "../services/upstash-endpoint.ts";
import { ensureLocalAccount } from "../start/local-account.ts";

export interface BenchServices {
  readonly databaseUrl: string;
  readonly apiKey: string;
  /** The Worker's variables but the provider's addresses. */
  readonly variables: Record<string, string>;
  stop(): Promise<void>;
}

const SECRET = "a-benchmark-secret-of-at-least-32-bytes";

/** The embedded services over a database of their own, durable as a product's. */
export async function startBenchServices(): Promise<BenchServices> {
  const dataDir = mkdtempSync(join(tmpdir(), "bench-postgres-"));
  const postgres = await startPostgres({ dataDir, port: await freePort(), log: () => undefined });
  const neon = await startNeonEndpoint({ port: 0, databaseUrl: postgres.url });
  const redis = await startUpstash({ port: 0, token: "bench" });
  await applyMigrations(postgres.url);
  const apiKey = generateApiKey("svc", (bytes) => crypto.getRandomValues(bytes));
  await ensureLocalAccount(postgres.url, SECRET, apiKey);
  return {
    databaseUrl: postgres.url,
    apiKey,
    variables: {
      SERVICE_NAME: "bench",
      KEY_PREFIX: "svc",
      API_BASE_URL: "http://127.0.0.1",
      WEB_BASE_URL: "http://localhost",
      BACKFILL_DAYS: "0",
      FEED_POLL_SECONDS: "3600",
      LARGE_TRADE_MIN_USD: "5000",
      DATABASE_URL: postgres.url,
      NEON_HTTP_ENDPOINT: neon.httpUrl,
      NEON_SOCKET_PROXY: neon.socketProxy,
      UPSTASH_REDIS_REST_URL: redis.url,
      UPSTASH_REDIS_REST_TOKEN: redis.token,
      CREDENTIAL_SECRET: SECRET,
      CURSOR_SECRET: SECRET,
    },
    async stop() {
      await redis.stop();
      await neon.stop();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
