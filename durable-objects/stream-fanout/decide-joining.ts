/** A socket that counts: it is open, or about to be. */
export interface Counted {
  readonly connection: string;
  readonly keyId: number;
}

export const CONNECTIONS_PER_KEY = 5;

/** Of one shard, and with the number of shards the ceiling of all connections. */
export const CONNECTIONS_PER_SHARD = 1_000;

export type Joining = "admitted" | "key_full" | "shard_full";

/** Whether a connection may join those of its shard, where all of its key are. One that joins again does not count against itself. */
export function decideJoining({ connection, keyId }: Counted, present: Iterable<Counted>): Joining {
  let all = 0;
  let ofKey = 0;
  for (const other of present) {
    if (other.connection === connection) continue;
    all++;
    if (other.keyId === keyId) ofKey++;
  }
  if (ofKey >= CONNECTIONS_PER_KEY) return "key_full";
  return all >= CONNECTIONS_PER_SHARD ? "shard_full" : "admitted";
}
