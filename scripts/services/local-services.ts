import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError, type StartArguments } from "../start/arguments.ts";
import { chooseProvider, type ChosenProvider } from "../start/choose-provider.ts";
import { startRecordingRelay } from "../start/recording-relay.ts";
import { endLeftoverProcesses, recordProcesses, removeProcessRecord } from "../start/leftover-processes.ts";
import { ensureLocalAccount } from "../start/local-account.ts";
import { loadSecrets, type LocalSecrets } from "../start/local-secrets.ts";
import { requeueLostWork } from "../start/requeue-lost-work.ts";
import { applyMigrations } from "./postgres/apply-migrations.ts";
import { findDataOwner } from "./data-owner.ts";
import type { Foreground } from "./foreground.ts";
import { startNeonEndpoint, type NeonEndpoint } from "./postgres/neon-endpoint.ts";
import { startSupervisedPostgres } from "./postgres/supervised-postgres.ts";
import { startUpstash } from "./redis/upstash-endpoint.ts";

export interface LocalServices {
  readonly provider: ChosenProvider;
  readonly databaseUrl: string;
  /** The key of the local account. */
  readonly apiKey: string;
  /** Where the Worker is to answer: the API's origin, the website's, and the sandbox. */
  readonly baseUrl: string;
  readonly webUrl: string;
  readonly sandboxUrl: string;
  /** The variables and secrets with which a Worker on the given port uses these services. */
  readonly variables: Readonly<Record<string, string>>;
}

const KEY_PREFIX = "svc";
/** How many days a first start reads from each kind of source; 0 is everything. */
const BACKFILL_DAYS: Record<string, string> = { live: "2", replay: "0", simulate: "0" };

/**
 * Starts everything that the Worker needs beside itself: the provider, Postgres with all migrations, the Neon
 * and the Upstash endpoint. It also creates the local account.
 *
 * @throws StartError when the data are of another source
 */
export async function startLocalServices(
  { source, port, dataDir, fresh, recordIn }: StartArguments,
  foreground: Foreground,
): Promise<LocalServices> {
  if (fresh) rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  recordProcesses(dataDir, []);
  foreground.onEnd(async () => removeProcessRecord(dataDir));

  const provider = await chooseProvider(source);
  foreground.onEnd(() => provider.stop());
  refuseOtherSource(dataDir, provider);
  console.log(`Provider: ${provider.description}`);
  const recorder = recordIn === null ? null : await startRecordingRelay(provider, recordIn);
  foreground.onEnd(async () => recorder?.stop());

  const secrets = loadSecrets(dataDir, KEY_PREFIX);
  const databaseUrl =
    process.env["DATABASE_URL"] ?? (await startSupervisedPostgres(join(dataDir, "postgres"), foreground));
  const neon = await startNeonEndpoint({ port: 0, databaseUrl });
  foreground.onEnd(() => neon.stop());
  const redis = await openRedis(secrets.redisToken, foreground);
  await applyMigrations(databaseUrl);
  await ensureLocalAccount(databaseUrl, secrets.credentialSecret, secrets.apiKey);
  await requeueLostWork(databaseUrl);

  const baseUrl = `http://127.0.0.1:${port}`;
  // A path, because a third loopback name would need DNS or another listener.
  const origins = { baseUrl, webUrl: `http://localhost:${port}`, sandboxUrl: `${baseUrl}/sandbox` };
  const variables = {
    ...listVariables({ ...origins, provider, secrets, databaseUrl, neon, redis }),
    ...recorder?.variables,
  };
  return { ...origins, provider, databaseUrl, apiKey: secrets.apiKey, variables };
}

function listVariables({
  baseUrl,
  webUrl,
  sandboxUrl,
  provider,
  secrets,
  databaseUrl,
  neon,
  redis,
}: {
  baseUrl: string;
  webUrl: string;
  sandboxUrl: string;
  provider: ChosenProvider;
  secrets: LocalSecrets;
  databaseUrl: string;
  neon: NeonEndpoint;
  redis: { url: string; token: string };
}): Record<string, string> {
  return {
    KEY_PREFIX,
    API_BASE_URL: baseUrl,
    WEB_BASE_URL: webUrl,
    SANDBOX_BASE_URL: sandboxUrl,
    PROVIDER_GAMMA_URL: provider.gammaUrl,
    PROVIDER_DATA_URL: provider.dataUrl,
    PROVIDER_CLOB_URL: provider.clobUrl,
    PROVIDER_TRADES_SOCKET_URL: provider.tradesSocketUrl,
    PROVIDER_SPORTS_SOCKET_URL: provider.sportsSocketUrl,
    BACKFILL_DAYS: BACKFILL_DAYS[provider.kind] ?? "2",
    FEED_POLL_SECONDS: provider.kind === "live" ? "10" : "2",
    DATABASE_URL: databaseUrl,
    NEON_HTTP_ENDPOINT: neon.httpUrl,
    NEON_SOCKET_PROXY: neon.socketProxy,
    UPSTASH_REDIS_REST_URL: redis.url,
    UPSTASH_REDIS_REST_TOKEN: redis.token,
    CREDENTIAL_SECRET: secrets.credentialSecret,
    CURSOR_SECRET: secrets.cursorSecret,
    SESSION_SECRET: secrets.sessionSecret,
    ARCHIVE_SIGNING_KEY: secrets.archiveSigningKey,
    ALLOW_LOOPBACK_RECEIVERS: "true",
  };
}

/** The embedded Redis, in memory or in front of REDIS_URL, or the Upstash of UPSTASH_REDIS_REST_URL. */
async function openRedis(ownToken: string, foreground: Foreground): Promise<{ url: string; token: string }> {
  const url = process.env["UPSTASH_REDIS_REST_URL"];
  if (url !== undefined) return { url, token: process.env["UPSTASH_REDIS_REST_TOKEN"] ?? "" };
  const redisUrl = process.env["REDIS_URL"];
  const redis = await startUpstash({ port: 0, token: ownToken, ...(redisUrl === undefined ? {} : { redisUrl }) });
  foreground.onEnd(() => redis.stop());
  return redis;
}

/**
 * Checks before anything is removed that nothing runs on these data, and ends the processes left by a killed
 * start.
 *
 * @throws StartError
 */
export async function refuseDataInUse(dataDir: string): Promise<void> {
  const user = (await endLeftoverProcesses(dataDir, console.log)) ?? findDataOwner(join(dataDir, "postgres"));
  if (user === null) return;
  throw new StartError(
    `${dataDir} is in use by process ${user}; stop it first, or give this start its own with --data.`,
  );
}

/** Refuses to mix the data of two sources. */
function refuseOtherSource(dataDir: string, { identity }: ChosenProvider): void {
  const file = join(dataDir, "source.txt");
  const earlier = existsSync(file) ? readFileSync(file, "utf8") : null;
  if (earlier !== null && earlier !== identity) {
    throw new StartError(
      `${dataDir} holds data of "${earlier}"; add --fresh to forget it, or --data DIR to keep both.`,
    );
  }
  writeFileSync(file, identity);
}
