import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findDataUser } from "../services/data-holder.ts";
import { freePort, isPortTaken } from "../services/free-port.ts";
import { applyMigrations } from "../services/migrate.ts";
import { startNeonEndpoint } from "../services/neon-endpoint.ts";
import { startPostgres, type EmbeddedPostgres } from "../services/postgres.ts";
import { startUpstash } from "../services/upstash-endpoint.ts";
import { parseStartArguments, StartError, type StartArguments } from "./arguments.ts";
import { forgetQueuedWork } from "./forget-queued-work.ts";
import { endLeftBehind, forgetProcesses, noteProcesses } from "./left-behind.ts";
import { ensureLocalAccount } from "./local-account.ts";
import { loadSecrets } from "./local-secrets.ts";
import { chooseProvider, type ChosenProvider } from "./provider.ts";
import { showBackfill } from "./show-backfill.ts";
import { showJobs } from "./show-jobs.ts";
import { startWorker } from "./worker-process.ts";

const KEY_PREFIX = "svc";
/** How long a Postgres that has ended by itself is tried to be started again. */
const RESTART_MS = 30_000;
/** How far back a first start reads each kind of source; 0 is all of it. */
const BACKFILL_DAYS: Record<string, string> = { live: "2", replay: "0", simulate: "0" };

const cleanups: (() => Promise<void>)[] = [];
let stopping: Promise<void> | null = null;

/** Stops what was started, last first, once. */
function stopAll(): Promise<void> {
  stopping ??= (async () => {
    for (const cleanup of cleanups.reverse()) await cleanup().catch(() => undefined);
  })();
  return stopping;
}

async function end(code: number): Promise<never> {
  await stopAll();
  process.exit(code);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end(0));
process.on("disconnect", () => void end(0));

try {
  await start(parseStartArguments(process.argv.slice(2)));
} catch (error) {
  if (stopping === null)
    console.error(error instanceof StartError ? error.message : error instanceof Error ? `It did not start: ${error.message}` : error);
  await end(1);
}

async function start({ source, port, dataDir, fresh }: StartArguments): Promise<void> {
  const startedAt = new Date();
  await refuseWhatIsInUse(port, dataDir);
  if (fresh) rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  rmSync(join(dataDir, "start.json"), { force: true });
  noteProcesses(dataDir, []);
  cleanups.push(async () => forgetProcesses(dataDir));

  const provider = await chooseProvider(source);
  cleanups.push(() => provider.stop());
  refuseOtherSource(dataDir, provider);
  console.log(`Provider: ${provider.description}`);

  const secrets = loadSecrets(dataDir, KEY_PREFIX);
  const databaseUrl = await openDatabase(dataDir);
  const neon = await startNeonEndpoint({ port: 0, databaseUrl });
  cleanups.push(() => neon.stop());
  const redis = await openRedis(secrets.redisToken);
  await applyMigrations(databaseUrl);
  await ensureLocalAccount(databaseUrl, secrets.credentialSecret, secrets.apiKey);
  await forgetQueuedWork(databaseUrl);

  const baseUrl = `http://127.0.0.1:${port}`;
  const webUrl = `http://localhost:${port}`;
  const worker = await startWorker({
    dataDir,
    port,
    onProcess: (pid) => noteProcesses(dataDir, [pid]),
    variables: {
      KEY_PREFIX,
      API_BASE_URL: baseUrl,
      WEB_BASE_URL: webUrl,
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
      ALLOW_LOOPBACK_RECEIVERS: "true",
    },
  });
  cleanups.push(() => worker.stop());
  let workerEnded = false;
  void worker.ended.then(() => {
    workerEnded = true;
    if (stopping !== null) return;
    console.error(`The Worker has ended; ${join(dataDir, "worker.log")} says why.`);
    void end(1);
  });

  const stopped = () => workerEnded || stopping !== null;
  void showJobs(databaseUrl, startedAt, stopped).catch((error: Error) => console.error(`Jobs are no longer shown: ${error.message}`));
  await showBackfill(databaseUrl, provider.expectedTrades, stopped);
  if (stopped()) return;
  const facts = {
    base_url: baseUrl,
    web_url: webUrl,
    api_key: secrets.apiKey,
    provider: provider.kind,
    started_at: startedAt.toISOString(),
  };
  writeFileSync(join(dataDir, "start.json"), `${JSON.stringify(facts, null, 1)}\n`, { mode: 0o600 });
  console.log(`
API      ${baseUrl}/api/v1
OpenAPI  ${webUrl}/api/v1/openapi.json
API key  ${secrets.apiKey}

curl ${baseUrl}/api/v1/health
curl -H "Authorization: Bearer ${secrets.apiKey}" "${baseUrl}/api/v1/large-trades?limit=5"
curl -H "Authorization: Bearer ${secrets.apiKey}" "${baseUrl}/api/v1/leaderboard?limit=5"

ready on ${baseUrl} after ${Math.round((Date.now() - startedAt.getTime()) / 1000)} s; Ctrl-C stops it`);
}

/** The embedded Postgres, or the one that DATABASE_URL names. */
async function openDatabase(dataDir: string): Promise<string> {
  const given = process.env["DATABASE_URL"];
  if (given !== undefined) return given;
  const postgres = await startPostgres({ dataDir: join(dataDir, "postgres"), port: await freePort(), log: (line) => console.error(line) });
  cleanups.push(() => postgres.stop());
  void keepRunning(postgres);
  return postgres.url;
}

/** Starts Postgres again whenever it ends by itself, so that reads and ingest recover. */
async function keepRunning(postgres: EmbeddedPostgres): Promise<void> {
  for (;;) {
    // Never resolves for a server that is stopped.
    await postgres.ended;
    console.error("Postgres has ended by itself; it is started again.");
    await restartPatiently(postgres).catch((error: Error) => {
      console.error(error.message);
      return end(1);
    });
  }
}

/** A session that outlived its server keeps the data to itself until its statement has ended: a start is refused as long. */
async function restartPatiently(postgres: EmbeddedPostgres): Promise<void> {
  for (const endsAt = Date.now() + RESTART_MS; ;) {
    try {
      return await postgres.restart();
    } catch (error) {
      if (Date.now() > endsAt) throw error;
      await sleep(500);
    }
  }
}

/** The embedded Redis, in memory or over the one that REDIS_URL names, or the Upstash that UPSTASH_REDIS_REST_URL names. */
async function openRedis(ownToken: string): Promise<{ url: string; token: string }> {
  const url = process.env["UPSTASH_REDIS_REST_URL"];
  if (url !== undefined) return { url, token: process.env["UPSTASH_REDIS_REST_TOKEN"] ?? "" };
  const redisUrl = process.env["REDIS_URL"];
  const redis = await startUpstash({ port: 0, token: ownToken, ...(redisUrl === undefined ? {} : { redisUrl }) });
  cleanups.push(() => redis.stop());
  return redis;
}

/** Before anything is removed: a product that runs keeps its data and its start.json. What a killed one has left behind is ended. */
async function refuseWhatIsInUse(port: number, dataDir: string): Promise<void> {
  const user = (await endLeftBehind(dataDir, console.log)) ?? findDataUser(join(dataDir, "postgres"));
  if (user !== null)
    throw new StartError(`${dataDir} is in use by process ${user}; stop it first, or give this start its own with --data.`);
  if (await isPortTaken(port)) throw new StartError(`Port ${port} is taken; choose another with --port.`);
}

/** Activity of one source must not be mixed with that of another. */
function refuseOtherSource(dataDir: string, { identity }: ChosenProvider): void {
  const file = join(dataDir, "source.txt");
  const earlier = existsSync(file) ? readFileSync(file, "utf8") : null;
  if (earlier !== null && earlier !== identity) {
    throw new StartError(`${dataDir} holds data of "${earlier}"; add --fresh to forget it, or --data DIR to keep both.`);
  }
  writeFileSync(file, identity);
}
