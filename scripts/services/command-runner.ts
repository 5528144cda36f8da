import type { Reply } from "./memory-redis.ts";

/** Runs one Redis command. */
export interface CommandRunner {
  run(command: readonly string[]): Reply | Promise<Reply>;
  close(): void;
}
