import type { StreamBatch, Subscription } from "../messages/stream.ts";

/** Over how many objects the connections are spread. */
const SHARDS = 16;

/** The object that all connections of a key join. */
export const shardOf = (keyId: number): string => String(keyId % SHARDS);

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
  /** Its key has all the connections it may have, or all places are taken. */
  | { readonly kind: "full"; readonly of: "key" | "cluster" };

/** Where connections join the stream of events. */
export interface EventStreamPort {
  /** Joins and gets the first page. @throws StreamUnavailable when the stream does not answer */
  join(subscription: Subscription, listener: StreamListener): Promise<Joined>;
}

export class StreamUnavailable extends Error {
  override name = "StreamUnavailable";
}
