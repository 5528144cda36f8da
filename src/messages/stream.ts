import { z } from "zod";
import { GRADES } from "../domain/grades.ts";

/** What a Worker that holds a connection asks of the shard of its account. */
export const Subscription = z.object({
  /** The same over all its joinings, so that a later one takes the place of an earlier one. */
  connection: z.string(),
  keyId: z.int(),
  accountId: z.int(),
  /** The shard's own name, which an object does not know. */
  shard: z.string(),
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

/** A subscription before it is known which shard it goes to. */
export type StreamRequest = Omit<Subscription, "shard">;

/** Where the subscription stands in the request that opens the socket, percent-encoded JSON. */
export const SUBSCRIPTION_HEADER = "x-stream-subscription";

/** What the Worker says on the socket: send what comes after `more`, or nothing until it is asked for; or that what was to be answered came. */
export const StreamCommand = z.union([
  z.object({ more: z.int().nonnegative() }),
  z.object({ pause: z.literal(true) }),
  z.object({ heard: z.literal(true) }),
]);

export type StreamCommand = z.output<typeof StreamCommand>;

/**
 * What the head of each message to the Worker says of the frames behind it: they are all of those between `from`, exclusive, and `to` that the
 * connection wants. So whoever has covered up to `from` has now covered up to `to`, and anything else is a gap or a repeat.
 */
export interface BatchHead {
  readonly from: number;
  readonly to: number;
  /** Whether it was asked for; the others come by themselves. */
  readonly isPage: boolean;
  /** Of a page: nothing is left behind it, what comes is sent by itself from here on. */
  readonly isHead: boolean;
}

/** A message's head, and its frames as they go out. */
export interface StreamBatch extends BatchHead {
  readonly text: Uint8Array;
}

/** A message as it came. */
export interface StreamMessage {
  readonly batch: StreamBatch;
  /** Whether the shard waits for `heard`. */
  readonly isAsked: boolean;
}

const encoder = new TextEncoder();

/** Every frame goes through such a head for every listener, so it is read and not parsed: two float64 and a byte of three bits. */
const HEAD_BYTES = 17;
const IS_PAGE = 1;
const IS_HEAD = 2;
const IS_ASKED = 4;

/** The head, then the frames' text. @param isAsked whether it is to be answered with `heard` */
export function packBatch({ from, to, isPage, isHead }: BatchHead, text: string, isAsked = false): Uint8Array {
  const encoded = encoder.encode(text);
  const message = new Uint8Array(HEAD_BYTES + encoded.length);
  const view = new DataView(message.buffer);
  view.setFloat64(0, from);
  view.setFloat64(8, to);
  view.setUint8(16, (isPage ? IS_PAGE : 0) | (isHead ? IS_HEAD : 0) | (isAsked ? IS_ASKED : 0));
  message.set(encoded, HEAD_BYTES);
  return message;
}

/** @throws for what `packBatch` did not write */
export function unpackBatch(message: ArrayBuffer): StreamMessage {
  const view = new DataView(message);
  const from = view.getFloat64(0);
  const to = view.getFloat64(8);
  const flags = view.getUint8(16);
  if (!isPlace(from) || !isPlace(to)) throw new Error("a message of the stream has no head");
  const head: BatchHead = { from, to, isPage: (flags & IS_PAGE) !== 0, isHead: (flags & IS_HEAD) !== 0 };
  return { batch: { ...head, text: new Uint8Array(message, HEAD_BYTES) }, isAsked: (flags & IS_ASKED) !== 0 };
}

const isPlace = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
