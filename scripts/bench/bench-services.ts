import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { generateApiKey, hashCredential } from "../../src/auth/api-key-format.ts";
import { freePort } from "../services/free-port.ts";
import { applyMigrations } from "../services/postgres/apply-migrations.ts";
import { startNeonEndpoint } from "../services/postgres/neon-endpoint.ts";
import { startPostgres, type EmbeddedPostgres } from "../services/postgres/postgres.ts";
import { startUpstash } from "../services/redis/upstash-endpoint.ts";

export interface BenchServices {
  readonly databaseUrl: string;
  readonly postgres: Pick<EmbeddedPostgres, "stop" | "restart">;
  /**
   * The headers of the callers. Each has its own key and address, and there are enough that none meets a
   * limit.
   */
  readonly callers: readonly Record<string, string>[];
  /** The Worker's variables except the provider's addresses. */
  readonly variables: Record<string, string>;
  stop(): Promise<void>;
}

const SECRET = "a-benchmark-secret-of-at-least-32-bytes";

/** At 100 requests a minute each, more than a minute's load at 2,000 a second. */
const CALLERS = 2_000;

/**
 * The embedded services over their own database, with the durability of a product's.
 *
 * @param keptDir where its data is stored for the next run; null deletes it at the end
 * @param settings further settings of Postgres
 */
export async function startBenchServices(
  keptDir: string | null,
  settings: Readonly<Record<string, string>> = {},
): Promise<BenchServices> {
  const dataDir = keptDir ?? mkdtempSync(join(tmpdir(), "bench-postgres-"));
  const postgres = await startPostgres({ dataDir, port: await freePort(), settings, log: () => undefined });
  const neon = await startNeonEndpoint({ port: 0, databaseUrl: postgres.url });
  const redis = await startUpstash({ port: 0, token: "bench" });
  await applyMigrations(postgres.url);
  const callers = await createCallers(postgres.url);
  return {
    databaseUrl: postgres.url,
    postgres,
    callers,
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
      CURSOR_SECRET: `${SECRET} (cursors)`,
      SESSION_SECRET: `${SECRET} (sessions)`,
    },
    async stop() {
      await redis.stop();
      await neon.stop();
      await postgres.stop();
      if (keptDir === null) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function createCallers(databaseUrl: string): Promise<Record<string, string>[]> {
  const keys = Array.from({ length: CALLERS }, () => generateApiKey("svc", (bytes) => crypto.getRandomValues(bytes)));
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  // The accounts of an earlier run on the same data are useless: their keys are lost.
  await client.query("truncate accounts, api_keys, usage_days cascade");
  await client.query(
    `with added as (
       insert into accounts (email, plan) select 'caller-' || n || '@localhost', 'pro' from generate_series(1, $2) n returning id
     )
     insert into api_keys (account_id, key_hash, prefix, scopes)
     select id, hash, 'svc_sk_live_', array['read', 'usage'] from (select id, row_number() over () as n from added) a
     join unnest($1::text[]) with ordinality as k(hash, n) using (n)`,
    [await Promise.all(keys.map((key) => hashCredential(SECRET, key))), CALLERS],
  );
  await client.end();
  return keys.map((key, n) => ({
    authorization: `Bearer ${key}`,
    "cf-connecting-ip": `10.${n >> 8}.${n & 255}.1`,
  }));
}
