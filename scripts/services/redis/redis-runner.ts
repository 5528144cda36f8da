export type RedisReply = string | number | null | RedisReply[];

/** Runs one Redis command. */
export interface RedisRunner {
  run(command: readonly string[]): RedisReply | Promise<RedisReply>;
  close(): void;
}
