import { createWriteStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startCronTrigger } from "../services/cron-trigger.ts";
import { formatVariables } from "../services/dev-vars.ts";
import { startChild, stopChild } from "./child.ts";
import { readyOrStopped } from "./ready-or-stopped.ts";

export interface WorkerProcess {
  /** Resolves when the Worker ends by itself. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface WorkerOptions {
  readonly dataDir: string;
  readonly port: number;
  readonly variables: Readonly<Record<string, string>>;
  /**
   * Called with the pid of the Worker's process: once after its start, and again when its child processes
   * exist.
   */
  readonly onProcess: (pid: number) => void;
}

const READY_MS = 60_000;

/**
 * Runs the Worker under wrangler dev, with its log in the data directory and its mail on this console. It
 * also fires the cron trigger.
 */
export async function startWorker(options: WorkerOptions): Promise<WorkerProcess> {
  const { dataDir, port, variables, onProcess } = options;
  const envFile = join(dataDir, "worker.env");
  writeFileSync(envFile, formatVariables(variables), { mode: 0o600 });
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
  await readyOrStopped(child, { url: `http://127.0.0.1:${port}/api/v1`, logFile, withinMs: READY_MS });
  if (child.pid !== undefined) onProcess(child.pid);
  const stopCron = startCronTrigger(port);
  return {
    ended,
    async stop() {
      stopCron();
      await stopChild(child);
    },
  };
}

/** No mail is sent locally; sign-in codes are shown here. */
function showMail(line: string): void {
  if (line.startsWith("Mail to ")) console.log(line);
}
