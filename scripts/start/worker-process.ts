import { createWriteStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "./arguments.ts";
import { startChild, stopChild } from "./child.ts";

export interface WorkerProcess {
  /** Resolves when the Worker has ended by itself. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface WorkerOptions {
  readonly dataDir: string;
  readonly port: number;
  readonly variables: Record<string, string>;
  /** Called with the pid of the process that runs the Worker: once when it has been started, and again when all its own processes have. */
  readonly onProcess: (pid: number) => void;
}

const READY_MS = 60_000;
const CRON_MS = 60_000;

/**
 * Runs the Worker under wrangler dev, with its log in the data directory and its mail on this console, and fires its cron trigger, which wrangler dev
 * does not.
 */
export async function startWorker(options: WorkerOptions): Promise<WorkerProcess> {
  const { dataDir, port, variables, onProcess } = options;
  const envFile = join(dataDir, "worker.env");
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  writeFileSync(envFile, `${lines.join("\n")}\n`, { mode: 0o600 });
  const logFile = join(dataDir, "worker.log");
  const log = createWriteStream(logFile);
  const child = startChild(
    process.execPath,
    [
      "node_modules/wrangler/bin/wrangler.js",
      "dev",
      ...["--port", String(port), "--ip", "127.0.0.1", "--inspector-port", "0"],
      ...["--env-file", envFile, "--persist-to", join(dataDir, "worker")],
      "--show-interactive-dev-session=false",
    ],
    {
      env: {
        ...process.env,
        WRANGLER_SEND_METRICS: "false",
        CLOUDFLARE_CF_FETCH_ENABLED: "false",
        WRANGLER_HIDE_BANNER: "true",
        WRANGLER_LOG_PATH: join(dataDir, "wrangler-logs"),
        CI: "true",
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  if (child.pid !== undefined) onProcess(child.pid);
  child.stdout?.pipe(log);
  child.stderr?.pipe(log);
  if (child.stdout !== null) createInterface({ input: child.stdout }).on("line", showMail);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await ready(`http://127.0.0.1:${port}/api/v1`, () => child.exitCode !== null, logFile);
  if (child.pid !== undefined) onProcess(child.pid);
  const fireCron = () => void fetch(`http://127.0.0.1:${port}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`).catch(() => undefined);
  fireCron();
  const timer = setInterval(fireCron, CRON_MS);
  return {
    ended,
    async stop() {
      clearInterval(timer);
      await stopChild(child);
    },
  };
}

/** Locally nothing is mailed, so whoever signs in reads their code here. */
function showMail(line: string): void {
  if (line.startsWith("Mail to ")) console.log(line);
}

async function ready(url: string, hasEnded: () => boolean, logFile: string): Promise<void> {
  for (const endsAt = Date.now() + READY_MS; Date.now() < endsAt; await sleep(150)) {
    if (hasEnded()) break;
    if (
      await fetch(url).then(
        (response) => response.ok,
        () => false,
      )
    )
      return;
  }
  throw new StartError(`The Worker did not start; ${logFile} says why.`);
}
