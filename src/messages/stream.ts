import { z } from "zod";
import { GRADES } from "../domain/grades.ts";

/** What a Worker that holds a connection asks of the shard of its key. */
export const Subscription = z.object({
  /** The same over all its joinings, so that a later one takes the place of an earlier one. */
  connection: z.string(),
  keyId: z.int(),
  accountId: z.int(),
  /** All up to here has been covered; null for who only wants what comes. */
  cursor: z.int().nonnegative().nullable(),
  filter: z.object({
    types: z.array(z.string()).nullable(),
    conditionId: z.string().nullable(),
    minGrade: z.enum(GRADES).nullable(),
    wallet: z.string().nullable(),
    minSizeMicro: z.string().nullable(),
  }),
});

export type Subscription = z.output<typeof Subscription>;

/** Where the subscription stands in the request that opens the socket, percent-encoded JSON. */
export const SUBSCRIPTION_HEADER = "x-stream-subscription";

/** What the Worker says on the socket: send what comes after `more`, or nothing until it is asked for. */
export const StreamCommand = z.union([z.object({ more: z.int().nonnegative() }), z.object({ pause: z.literal(true) })]);

export type StreamCommand = z.output<typeof StreamCommand>;

/**
 * What the head of each message to the Worker says of the frames behind it: they are all of those between `from`, exclusive, and `to` that the
 * connection wants. So whoever has covered up to `from` has now covered up to `to`, and anything else is a gap or a repeat.
 */
const BatchHead = z.object({
  from: z.int().nonnegative(),
  to: z.int().nonnegative(),
  /** Whether it was asked for; the others come by themselves. */
  isPage: z.boolean(),
  /** Of a page: nothing is left behind it, what comes is sent by itself from here on. */
  isHead: z.boolean(),
});

export type BatchHead = z.output<typeof BatchHead>;

/** A message's head, and its frames as they go out. */
export interface StreamBatch extends BatchHead {
  readonly text: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const LINE_FEED = 10;

/** The head as a line of JSON, then the frames' text. */
export const packBatch = (head: BatchHead, text: string): Uint8Array => encoder.encode(`${JSON.stringify(head)}\n${text}`);

/** @throws for what `packBatch` did not write */
export function unpackBatch(message: Uint8Array): StreamBatch {
  const end = message.indexOf(LINE_FEED);
  const head = BatchHead.parse(JSON.parse(decoder.decode(message.subarray(0, end))));
  return { ...head, text: message.subarray(end + 1) };
}
