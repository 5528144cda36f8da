import { StartError } from "../start/arguments.ts";

/** A command that runs until a signal, the end of its parent process, or its own end. */
export interface Foreground {
  /** Registers what stops something that was started. The last one registered runs first. */
  onEnd(cleanup: () => Promise<void>): void;
  isEnding(): boolean;
  end(code: number): Promise<never>;
}

/** Runs a command of the console. An error is printed, and ends the process with code 1. */
export async function runForeground(run: (foreground: Foreground) => Promise<void>): Promise<void> {
  const cleanups: (() => Promise<void>)[] = [];
  let stopping: Promise<void> | null = null;
  const stopAll = async () => {
    for (const cleanup of cleanups.reverse()) await cleanup().catch(() => undefined);
  };
  const end = async (code: number): Promise<never> => {
    stopping ??= stopAll();
    await stopping;
    process.exit(code);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end(0));
  process.on("disconnect", () => void end(0));
  try {
    await run({ onEnd: (cleanup) => void cleanups.push(cleanup), isEnding: () => stopping !== null, end });
  } catch (error) {
    // What fails while everything stops is a consequence of the stop.
    if (stopping === null) console.error(describeError(error));
    await end(1);
  }
}

function describeError(error: unknown): unknown {
  if (error instanceof StartError) return error.message;
  return error instanceof Error ? `The start failed: ${error.message}` : error;
}
