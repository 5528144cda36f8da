import { spawn } from "node:child_process";
import { join } from "node:path";

export interface CommandResult {
  readonly ok: boolean;
  readonly output: string;
}

const running = new Set<number>();

/** Vitest, wrangler and knip spend a third of their start on compiling themselves. */
const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(process.cwd(), "node_modules/.cache/compile") };

/** Runs a command in its own process group. The output is collected, and also printed when `show` is set. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: { show?: boolean; env?: Record<string, string> } = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...COMPILE_CACHE, ...process.env, ...options.env },
    });
    const { pid } = child;
    if (pid !== undefined) running.add(pid);
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        if (options.show === true) process.stdout.write(chunk);
      });
    }
    const finish = (ok: boolean) => {
      if (pid !== undefined) running.delete(pid);
      resolve({ ok, output: Buffer.concat(chunks).toString() });
    };
    child.once("error", () => finish(false));
    child.once("close", (code) => finish(code === 0));
  });
}

/** Ends all commands that are still running. */
export function endCommands(): void {
  for (const pid of running) {
    try {
      process.kill(-pid, "SIGTERM");
    } catch {
      // It has ended already.
    }
  }
}
