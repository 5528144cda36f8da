import { hmacSha256 } from "../../lib/crypto/hmac.ts";
import type { AccessMessage, StreamBatch, StreamRequest } from "../../stream/stream-messages.ts";

/**
 * The name of the shard that all connections of an account join. Keyed with the secret, so that outsiders can
 * neither predict which accounts share a shard nor create accounts that do.
 *
 * @param shards number of shards. One more moves about 1 in `shards` accounts, all of them to the new shard
 */
export async function shardOf(accountId: number, secret: string, shards: number): Promise<string> {
  const digest = await hmacSha256(secret, `stream shard of account ${accountId}`);
  const { buffer, byteOffset } = digest;
  return String(jumpHash(new DataView(buffer, byteOffset).getBigUint64(0), shards));
}

const MULTIPLIER = 2862933555777941757n;

/**
 * A bucket from 0 to `buckets` - 1.
 * Source: Lamping and Veach (2014), "A Fast, Minimal Memory, Consistent Hash Algorithm".
 */
export function jumpHash(seed: bigint, buckets: number): number {
  let key = seed;
  let bucket = -1;
  for (let next = 0; next < buckets;) {
    bucket = next;
    key = BigInt.asUintN(64, key * MULTIPLIER + 1n);
    next = Math.floor((bucket + 1) * (2 ** 31 / (Number(key >> 33n) + 1)));
  }
  return bucket;
}

/** Name of the single EventStream object. */
export const EVENT_STREAM_NAME = "events";

/** Callbacks of a joined connection. */
export interface StreamListener {
  onBatch(batch: StreamBatch): void;
  /** What a check of the shard has found. After a refusal the link ends. */
  onAccess(message: AccessMessage): void;
  /** The link has ended for any reason other than `leave`. It is the last callback. */
  onLost(): void;
}

export interface StreamLink {
  /** Starts delivery to the listener, including messages that have already arrived. */
  open(): void;
  /** Requests the page of frames after a sequence number. */
  requestPage(after: number): void;
  /** Stops delivery until the next `requestPage`. */
  pause(): void;
  /** Shows the shard that this side of the link is alive. */
  ping(): void;
  leave(): void;
}

export type JoinResult =
  | {
      readonly kind: "joined";
      readonly link: StreamLink;
      /** Whether the shard checks the access of the connection and reports it by `onAccess`. */
      readonly isAccessChecked: boolean;
    }
  /** The connection limit of the key, the account or the shard is reached. */
  | { readonly kind: "full"; readonly of: "key" | "account" | "cluster" }
  /** The account has no watchlist with the number in the filter. */
  | { readonly kind: "no_watchlist" };

/** The event stream, as seen by a connection. */
export interface EventStreamPort {
  /**
   * Joins the stream and requests the first page.
   *
   * @throws StreamUnavailable when the stream does not respond
   */
  join(subscription: StreamRequest, listener: StreamListener): Promise<JoinResult>;
}

export class StreamUnavailable extends Error {
  override name = "StreamUnavailable";
}
