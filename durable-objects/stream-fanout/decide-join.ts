/** A connection that counts against the limits: open, or about to be. */
export interface CountedConnection {
  readonly connection: string;
  readonly keyId: number;
  readonly accountId: number;
}

export const CONNECTIONS_PER_KEY = 5;

/** Limit over all keys of an account, far below that of a shard, so that one account cannot fill a shard. */
export const CONNECTIONS_PER_ACCOUNT = 25;

export type JoinDecision = "admitted" | "key_full" | "account_full" | "shard_full";

/**
 * Whether a connection may join its shard, which has all connections of its account. A connection that joins
 * again does not count against itself.
 *
 * @param connectionsPerShard limit per shard. Multiplied by the number of shards, it is the limit of all connections
 */
export function decideJoin(
  { connection, keyId, accountId }: CountedConnection,
  counted: Iterable<CountedConnection>,
  connectionsPerShard: number,
): JoinDecision {
  let shardCount = 0;
  let keyCount = 0;
  let accountCount = 0;
  for (const other of counted) {
    if (other.connection === connection) continue;
    shardCount++;
    if (other.keyId === keyId) keyCount++;
    if (other.accountId === accountId) accountCount++;
  }
  if (keyCount >= CONNECTIONS_PER_KEY) return "key_full";
  if (accountCount >= CONNECTIONS_PER_ACCOUNT) return "account_full";
  return shardCount >= connectionsPerShard ? "shard_full" : "admitted";
}
