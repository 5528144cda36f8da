export type Reply = string | number | null | Reply[];

/** Runs one Redis command. */
export interface CommandRunner {
  run(command: readonly string[]): Reply | Promise<Reply>;
  close(): void;
}
