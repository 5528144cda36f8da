import { spawn } from "node:child_process";
import type { FileBench } from "./bench-files.ts";
import type { ConsumerMessage, ExtractRequest, ExtractResult } from "./extract-process.ts";

/**
 * V8 collects garbage only when it needs the memory, so without a limit a sample of the heap shows mostly garbage. With
 * this limit, MiB, a job that needed more would end with an error.
 */
const HEAP_LIMIT = "--max-old-space-size=64";

export interface Consumer {
  /** Runs jobs to their ends, then ends the process. */
  run(jobIds: readonly number[]): Promise<ExtractResult>;
  /** Ends the process with its jobs under way. */
  kill(): void;
}

/**
 * Starts a consumer of file jobs in another process.
 *
 * @param policy of all threads of the process. An idle thread yields the core as soon as another thread wakes. A thread
 *   of the lowest priority keeps the core until its time slice ends: a read that wakes ten times then waits ten times.
 * @returns the consumer once it has loaded its modules
 */
export async function startConsumer(
  { services, objects }: FileBench,
  policy: "normal" | "idle" = "normal",
): Promise<Consumer> {
  const node = [process.execPath, "--disable-warning=ExperimentalWarning", HEAP_LIMIT];
  const schedule = [policy === "idle" ? "--idle" : "--other", "0"];
  const child = spawn("chrt", [...schedule, ...node, "scripts/bench/files/extract-process.ts"], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  const next = () =>
    new Promise<ConsumerMessage>((resolve, reject) => {
      // The cast is safe: the child sends only such messages.
      child.once("message", (message) => resolve(message as ConsumerMessage));
      child.once("error", reject);
      child.once("exit", (code, signal) =>
        code === 0 ? undefined : reject(new Error(`a consumer ended with ${signal ?? `exit code ${code}`}`)),
      );
    });
  await next();
  return {
    async run(jobIds) {
      const request: ExtractRequest = {
        databaseUrl: services.databaseUrl,
        neonHttpEndpoint: services.variables["NEON_HTTP_ENDPOINT"] ?? "",
        neonSocketProxy: services.variables["NEON_SOCKET_PROXY"] ?? "",
        ...{ dir: objects, jobIds },
      };
      child.send(request);
      const message = await next();
      if (message === "loaded") throw new Error("a consumer loaded its modules twice");
      return message;
    },
    kill: () => void child.kill("SIGKILL"),
  };
}
