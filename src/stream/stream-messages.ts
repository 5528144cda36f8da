import { z } from "zod";
import { SCOPES } from "../domain/accounts/accounts.ts";
import { ACCESS_REFUSALS, REQUIRED_PLANS } from "../domain/accounts/decide-access.ts";
import { TOKEN_RESOURCES } from "../domain/accounts/oauth.ts";
import { GRADES } from "../domain/traders/grades.ts";

/** What the shard checks about a connection. */
const SubscriptionAccess = z.object({
  /** The hash under which the credential is stored. */
  hash: z.string(),
  requirement: z.object({
    scope: z.enum(SCOPES).nullable(),
    plan: z.enum(REQUIRED_PLANS).nullable(),
    resource: z.enum(TOKEN_RESOURCES).optional(),
  }),
  /** When the last check that confirmed the access began, Unix milliseconds. */
  checkedMs: z.int(),
});

export type SubscriptionAccess = z.output<typeof SubscriptionAccess>;

/** The subscription that a Worker sends to the shard of an account for one client connection. */
export const Subscription = z.object({
  /**
   * Connection id, the same when the connection joins again, so that a later join replaces an earlier one.
   */
  connection: z.string(),
  keyId: z.int(),
  accountId: z.int(),
  /** The shard's name, because a Durable Object does not know its own name. */
  shard: z.string(),
  /** Whether another shard has named this one as the account's, which then admits it in any case. */
  isRedirected: z.boolean().optional(),
  /** Sequence number up to which the connection has every frame; null to receive new frames only. */
  cursor: z.int().nonnegative().nullable(),
  filter: z
    .object({
      types: z.array(z.string()).nullable(),
      conditionId: z.string().nullable(),
      minGrade: z.enum(GRADES).nullable(),
      wallet: z.string().nullable().optional(),
      wallets: z.array(z.string()).optional(),
      watchlist: z.int().optional(),
      minSizeMicro: z.string().nullable(),
    })
    // A filter of a later release must not pass as none.
    .refine(({ wallet, wallets, watchlist }) => (wallet ?? wallets ?? watchlist) !== undefined || wallet === null),
  /**
   * Absent in the previous release, whose Workers check access themselves. A requirement of a later release counts as
   * absent: its Worker then checks.
   */
  access: SubscriptionAccess.optional().catch(undefined),
  /** Whether the link sends `PING` from time to time. Absent in the previous release, whose links do not. */
  sendsPings: z.boolean().optional(),
});

export type Subscription = z.output<typeof Subscription>;

/** A subscription without its shard. */
export type StreamRequest = Omit<Subscription, "shard" | "isRedirected">;

/**
 * The Worker's sign of life on an idle link. The runtime answers it for the shard with `PONG` and keeps the time, without
 * running the shard.
 */
export const PING = "ping";
export const PONG = "pong";

/** Header that carries the subscription in the request that opens the socket, as percent-encoded JSON. */
export const SUBSCRIPTION_HEADER = "x-stream-subscription";

/** Header of the shard's 101 response: the shard checks the access of the connection, so the Worker does not. */
export const ACCESS_CHECKED_HEADER = "x-stream-access-checked";

/**
 * A text message of the shard about the access of the connection. `confirmed`: when the check began, Unix milliseconds.
 * `refused`: the shard closes the socket after it.
 */
const AccessMessage = z.union([z.object({ confirmed: z.int() }), z.object({ refused: z.enum(ACCESS_REFUSALS) })]);

export type AccessMessage = z.output<typeof AccessMessage>;

/** @returns null for any text that is not a message of this release */
export function parseAccessMessage(text: string): AccessMessage | null {
  try {
    return AccessMessage.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/**
 * A command of the Worker on the socket. `more`: send the page after this sequence number. `pause`: send
 * nothing until the next `more`. `ack`: a message that wants an ack has arrived; the previous release sends `heard`.
 */
export const StreamCommand = z.union([
  z.object({ more: z.int().nonnegative() }),
  z.object({ pause: z.literal(true) }),
  z.object({ ack: z.literal(true) }),
  z.object({ heard: z.literal(true) }),
]);

export type StreamCommand = z.output<typeof StreamCommand>;

/**
 * Header of a message to the Worker. The message contains every frame after `from` (exclusive) up to `to`
 * (inclusive) that matches the subscription. A connection that is complete up to `from` is then complete up
 * to `to`; any other `from` is a gap or a repetition.
 */
export interface BatchHeader {
  readonly from: number;
  readonly to: number;
  /** Whether the Worker requested the message; other messages are pushed. */
  readonly isPage: boolean;
  /** For a page: no more frames follow, and new frames are pushed from here on. */
  readonly isHead: boolean;
}

/** A message's header and its frames as sent to the client. */
export interface StreamBatch extends BatchHeader {
  readonly text: Uint8Array;
}

/** A received message. */
export interface StreamMessage {
  readonly batch: StreamBatch;
  /** Whether the shard waits for an ack. */
  readonly wantsAck: boolean;
}

const encoder = new TextEncoder();

/**
 * Binary header, because it is read for every frame and listener: two float64 and one byte with three flags.
 */
const HEAD_BYTES = 17;
const IS_PAGE = 1;
const IS_HEAD = 2;
const WANTS_ACK = 4;

/**
 * Encodes a header, followed by the frames' text.
 *
 * @param wantsAck whether the Worker has to ack the message
 */
export function packBatch({ from, to, isPage, isHead }: BatchHeader, text: string, wantsAck = false): Uint8Array {
  const encoded = encoder.encode(text);
  const message = new Uint8Array(HEAD_BYTES + encoded.length);
  const view = new DataView(message.buffer);
  view.setFloat64(0, from);
  view.setFloat64(8, to);
  view.setUint8(16, (isPage ? IS_PAGE : 0) | (isHead ? IS_HEAD : 0) | (wantsAck ? WANTS_ACK : 0));
  message.set(encoded, HEAD_BYTES);
  return message;
}

/** @throws for a message that `packBatch` did not write */
export function unpackBatch(message: ArrayBuffer): StreamMessage {
  const view = new DataView(message);
  const from = view.getFloat64(0);
  const to = view.getFloat64(8);
  const flags = view.getUint8(16);
  if (!isSequence(from) || !isSequence(to)) throw new Error("a stream message has no valid header");
  const head: BatchHeader = { from, to, isPage: (flags & IS_PAGE) !== 0, isHead: (flags & IS_HEAD) !== 0 };
  return { batch: { ...head, text: new Uint8Array(message, HEAD_BYTES) }, wantsAck: (flags & WANTS_ACK) !== 0 };
}

const isSequence = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
