import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

const MAIN = new URL("../../../scripts/cli/main.ts", import.meta.url).pathname;

export interface CliRun {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Waits until the output so far matches. @throws with the output after 60 s */
  printed(pattern: RegExp): Promise<void>;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/** Starts the command as `npx` does, without a terminal. @param cwd where it writes files that have no path */
export function startCli(
  args: readonly string[],
  env: Record<string, string>,
  input: string | null = "",
  cwd: string | undefined = undefined,
): CliRun {
  const { ACTIVITY_API_KEY: _key, ACTIVITY_BASE_URL: _url, ...own } = process.env;
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", MAIN, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...own, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  if (input !== null) child.stdin.end(input);
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stdout, stderr }));
  async function printed(pattern: RegExp): Promise<void> {
    for (let waits = 0; !pattern.test(stdout) && !pattern.test(stderr); waits++) {
      if (waits > 600) throw new Error(`${pattern} was not printed:\n${stdout}\n${stderr}`);
      await sleep(100);
    }
  }
  return { child, stdout: () => stdout, stderr: () => stderr, printed, ended };
}

export const runCli = (args: readonly string[], env: Record<string, string>, input = "") =>
  startCli(args, env, input).ended;
