/** A socket that counts: it is open, or about to be. */
export interface Counted {
  readonly connection: string;
  readonly keyId: number;
  readonly accountId: number;
}

export const CONNECTIONS_PER_KEY = 5;

/** Over all keys of an account: far fewer than a shard has, whatever number of keys it makes. */
export const CONNECTIONS_PER_ACCOUNT = 25;

/** Of one shard, and with the number of shards the ceiling of all connections. */
export const CONNECTIONS_PER_SHARD = 1_000;

export type Joining = "admitted" | "key_full" | "account_full" | "shard_full";

/** Whether a connection may join those of its shard, where all of its account are. One that joins again does not count against itself. */
export function decideJoining({ connection, keyId, accountId }: Counted, present: Iterable<Counted>): Joining {
  let all = 0;
  let ofKey = 0;
  let ofAccount = 0;
  for (const other of present) {
    if (other.connection === connection) continue;
    all++;
    if (other.keyId === keyId) ofKey++;
    if (other.accountId === accountId) ofAccount++;
  }
  if (ofKey >= CONNECTIONS_PER_KEY) return "key_full";
  if (ofAccount >= CONNECTIONS_PER_ACCOUNT) return "account_full";
  return all >= CONNECTIONS_PER_SHARD ? "shard_full" : "admitted";
}
