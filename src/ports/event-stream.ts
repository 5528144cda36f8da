import { hmacSha256 } from "../lib/hmac.ts";
import type { StreamBatch, StreamRequest } from "../messages/stream.ts";

/** Over how many objects the connections are spread. */
const SHARDS = 16;

/**
 * The object that all connections of an account join. With the secret nobody can tell which accounts share one, or make accounts that do.
 */
export async function shardOf(accountId: number, secret: string): Promise<string> {
  const [first = 0] = await hmacSha256(secret, `stream shard of account ${accountId}`);
  return String(first % SHARDS);
}

/** The one sequence. */
export const EVENT_STREAM_NAME = "events";

/** What a joined connection hears. */
export interface StreamListener {
  batch(batch: StreamBatch): void;
  /** The link is gone, whoever ended it but `leave`. Nothing is heard after it. */
  lost(): void;
}

export interface StreamLink {
  /** From here on the listener hears what comes, and what has come already. */
  open(): void;
  /** Asks for what comes after a place; it is answered with a page. */
  more(after: number): void;
  /** Asks for nothing to be sent until `more`. */
  pause(): void;
  leave(): void;
}

export type Joined =
  | { readonly kind: "joined"; readonly link: StreamLink }
  /** Its key or its account has all the connections it may have, or all places are taken. */
  | { readonly kind: "full"; readonly of: "key" | "account" | "cluster" };

/** Where connections join the stream of events. */
export interface EventStreamPort {
  /** Joins and gets the first page. @throws StreamUnavailable when the stream does not answer */
  join(subscription: StreamRequest, listener: StreamListener): Promise<Joined>;
}

export class StreamUnavailable extends Error {
  override name = "StreamUnavailable";
}
