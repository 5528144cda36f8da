import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { addReaders } from "./more-readers.ts";
import { listProcessTree, type RunningProcess } from "./process-tree.ts";
import { productDatabaseUrl } from "./product-database.ts";

/** The contents of start.json, which a start writes for scripts. */
const StartFacts = z.strictObject({
  base_url: z.url(),
  web_url: z.url(),
  sandbox_url: z.url(),
  api_key: z.string(),
  provider: z.enum(["live", "replay", "simulate"]),
  started_at: z.iso.datetime(),
});

export interface ProductResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; null when it is not JSON. */
  readonly body: any;
  readonly text: string;
}

export interface StartedProduct {
  readonly facts: z.output<typeof StartFacts>;
  /** From the command to the line that begins with `ready`. */
  readonly readyAfterMs: number;
  /** Everything printed up to now. */
  output(): string;
  processes(): RunningProcess[];
  /**
   * Sends a GET request with the next of the reader keys, each from its own address, or with the given
   * headers instead.
   */
  get(path: string, headers?: Record<string, string>): Promise<ProductResponse>;
  /** Stops it as Ctrl-C does. */
  stop(): Promise<ExitResult>;
}

export interface ExitResult {
  readonly exitCode: number | null;
  readonly output: string;
}

const READY_MS = 900_000;
const STOP_MS = 20_000;
const READERS = 40;
const REQUEST_MS = 40_000;
const root = new URL("../../..", import.meta.url).pathname;

/** A directory for a product's data. Its name identifies the test, in case a killed run leaves it behind. */
export const makeDataDir = () => mkdtemp(join(tmpdir(), "e2e-data-"));

export const removeDataDir = (dir: string) => rm(dir, { recursive: true, force: true });

/** Starts the product as a user does and waits until it reports ready. */
export async function startProduct(
  dataDir: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<StartedProduct> {
  const startedAt = Date.now();
  const run = runStart(["--data", dataDir, ...args], env);
  await run.printed(/^ready/m, READY_MS).catch(async (error: unknown) => {
    await run.stop();
    throw error;
  });
  const readyAfterMs = Date.now() - startedAt;
  const facts = StartFacts.parse(JSON.parse(readFileSync(join(dataDir, "start.json"), "utf8")));
  const keys = [
    facts.api_key,
    ...(await addReaders(env["DATABASE_URL"] ?? productDatabaseUrl(dataDir), dataDir, READERS - 1)),
  ];
  let requests = 0;
  const reader = () => {
    const index = requests++ % keys.length;
    return { authorization: `Bearer ${keys[index]}`, "cf-connecting-ip": `10.0.0.${index}` };
  };
  return {
    facts,
    readyAfterMs,
    output: run.output,
    processes: run.processes,
    get: (path, headers = reader()) => read(`${facts.base_url}${path}`, headers),
    stop: run.stop,
  };
}

export interface StartRun {
  readonly ended: Promise<ExitResult>;
  output(): string;
  processes(): RunningProcess[];
  /** Waits until the output matches. @throws with the output when the run ends first or takes longer */
  printed(pattern: RegExp, withinMs: number): Promise<void>;
  stop(): Promise<ExitResult>;
  /** Kills every process of the run at once, as a power cut would. */
  kill(): void;
}

/** Runs the script of `npm start` with these arguments and returns at once. */
export function runStart(args: readonly string[], env: Record<string, string> = {}): StartRun {
  const child = spawn(process.execPath, ["scripts/start.mjs", ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, "close").then(([exitCode]): ExitResult => ({ exitCode, output: text }));
  const output = () => text;
  const processes = () => (child.pid === undefined ? [] : listProcessTree(child.pid));

  async function printed(pattern: RegExp, withinMs: number): Promise<void> {
    for (const endsAt = Date.now() + withinMs; !pattern.test(text); await sleep(50)) {
      if (hasEnded(child)) throw new Error(`The start ended before it printed ${pattern}:\n${text}`);
      if (Date.now() > endsAt)
        throw new Error(`The start did not print ${pattern} within ${withinMs / 1000} s:\n${text}`);
    }
  }

  function kill(): void {
    for (const { pid } of processes()) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended together with its parent.
      }
    }
  }

  async function stop(): Promise<ExitResult> {
    child.kill("SIGTERM");
    await Promise.race([ended, sleep(STOP_MS)]);
    // A test that finds leftover processes must not leave them running itself.
    if (!hasEnded(child)) kill();
    return ended;
  }
  return { ended, output, processes, printed, stop, kill };
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function read(url: string, headers: Record<string, string>): Promise<ProductResponse> {
  const response = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(REQUEST_MS) });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parseJson(text), text };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
