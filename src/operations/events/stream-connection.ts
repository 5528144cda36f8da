import type { StreamContext } from "../../api/operation.ts";
import { ApiError } from "../../api/errors.ts";
import { presentStreamError } from "../../stream/frame.ts";
import type { AccessMessage, StreamBatch, StreamRequest } from "../../stream/stream-messages.ts";
import { StreamUnavailable, type StreamLink } from "../../platform/objects/event-stream-port.ts";
import { unknownWatchlist } from "../watchlists/wallet-filter.ts";
import { AccessRecheck } from "./access-recheck.ts";
import type { Clock } from "../../lib/timing/clock.ts";
import {
  startStreamSession,
  decideBatch,
  onLinkLost,
  onBufferDrained,
  type LinkCommand,
  type StreamSession,
} from "./stream-session.ts";

export const KEEP_ALIVE_MS = 5_000;
/**
 * An open link that is not paused sends a message at least every 20 seconds. A longer silence means it is
 * dead.
 */
const LINK_TIMEOUT_MS = 60_000;
const PING_EVERY_MS = 30_000;
/**
 * A client that has read nothing for this long is gone, or gets nothing that is still of use. Not every disconnect of a client
 * reaches its Worker.
 */
export const UNREAD_TIMEOUT_MS = 120_000;
/**
 * The first attempt to rejoin after a lost link comes within this time, at random: a deployment takes the links of all
 * connections at once. At 1,000 connections a shard gets 200 joins a second.
 */
const REJOIN_SPREAD_MS = 5_000;
/** Delays before the later attempts, each from 0.75 to 1.25 times as long: half a minute in all. */
const REJOIN_DELAYS_MS = [1_000, 2_000, 4_000, 7_000, 11_000];

/** A request without what changes from one join to the next. */
export type StreamRequestFacts = Omit<StreamRequest, "access" | "sendsPings">;

/** Text for the client. `coveredTo` is the sequence number that it reaches; null for text without frames. */
interface BufferedChunk {
  readonly text: Uint8Array;
  readonly coveredTo: number | null;
}

const encoder = new TextEncoder();

/**
 * The event stream of one client, from joining until either side ends it. The link can break and be rejoined,
 * and frames can be dropped and requested again; the client still receives one sequence. The buffer of a slow
 * client is bounded.
 */
export class StreamConnection {
  readonly #subscription: StreamRequestFacts;
  readonly #context: StreamContext;
  readonly #clock: Pick<Clock, "now" | "every">;
  readonly #random: () => number;
  readonly #recheck: AccessRecheck;
  readonly #buffer: BufferedChunk[] = [];
  #bufferedBytes = 0;
  #session: StreamSession;
  /** The last sequence number that the client's response stream has covered. */
  #deliveredTo: number | null;
  #link: StreamLink | null = null;
  #lastLinkActivityMs: number;
  #lastPingMs: number;
  /** When the client last took a chunk, or had taken all. */
  #lastReadMs: number;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  /** Whether the response stream has pulled and not yet received a chunk. */
  #isPullPending = false;
  #isEnded = false;
  #stopTimer: (() => void) | null = null;

  /** @param random from 0, included, to 1, excluded */
  constructor(
    subscription: StreamRequestFacts,
    context: StreamContext,
    clock: Pick<Clock, "now" | "every">,
    random: () => number,
  ) {
    this.#subscription = subscription;
    this.#context = context;
    this.#clock = clock;
    this.#random = random;
    this.#session = startStreamSession(subscription.cursor);
    this.#deliveredTo = subscription.cursor;
    this.#lastLinkActivityMs = clock.now();
    this.#lastPingMs = clock.now();
    this.#lastReadMs = clock.now();
    this.#recheck = new AccessRecheck(context, clock, random);
  }

  /**
   * Joins the stream and opens the response body.
   *
   * @throws ApiError rate_limited at the connection limit of the key, the account or the whole stream,
   * invalid_query for an unknown watchlist, stream_unavailable when the stream does not respond
   */
  async begin(): Promise<ReadableStream<Uint8Array>> {
    await this.#join();
    this.#enqueue({
      text: encoder.encode(`retry: ${1_000 + Math.floor(this.#random() * 4_000)}\n\n`),
      coveredTo: null,
    });
    this.#stopTimer = this.#clock.every(KEEP_ALIVE_MS, () => void this.#tick());
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => {
          this.#isPullPending = true;
          this.#flush();
        },
        cancel: () => this.#stop(),
      },
      // No chunk is queued ahead of a pull: unread text stays in #buffer, which is counted and can be
      // cleared.
      { highWaterMark: 0 },
    );
  }

  async #join(): Promise<void> {
    const { eventStream, access } = this.#context;
    const listener = {
      onBatch: (batch: StreamBatch) => this.#receive(batch),
      onAccess: (message: AccessMessage) => this.#receiveAccess(message),
      onLost: () => this.#handleLinkLoss(),
    };
    const request = {
      ...this.#subscription,
      cursor: this.#session.coveredSeq,
      access: { ...access, checkedMs: this.#recheck.confirmedMs },
      sendsPings: true,
    };
    const result = await eventStream.join(request, listener).catch((cause: unknown) => {
      throw cause instanceof StreamUnavailable ? new ApiError("stream_unavailable", { cause }) : cause;
    });
    if (result.kind === "full") throw refuse(result.of);
    if (result.kind === "no_watchlist") throw unknownWatchlist();
    if (this.#isEnded) return result.link.leave();
    this.#link = result.link;
    this.#recheck.setShardChecking(result.isAccessChecked);
    this.#lastLinkActivityMs = this.#clock.now();
    result.link.open();
  }

  #receive(batch: StreamBatch): void {
    if (this.#isEnded) return;
    this.#lastLinkActivityMs = this.#clock.now();
    const { session, isAccepted, linkCommand } = decideBatch(
      this.#session,
      batch,
      batch.text.length,
      this.#bufferedBytes,
    );
    this.#session = session;
    if (isAccepted) this.#enqueue({ text: batch.text, coveredTo: batch.to });
    this.#execute(linkCommand);
    // A page without matching frames, or a batch too large for the buffer, leaves no chunk whose delivery
    // would continue.
    if (this.#buffer.length === 0) this.#handleDrained();
  }

  #receiveAccess(message: AccessMessage): void {
    if ("confirmed" in message) this.#recheck.confirm(message.confirmed);
    else this.#end(this.#context.refusal(message.refused), false);
  }

  #handleLinkLoss(): void {
    this.#link = null;
    this.#recheck.setShardChecking(false);
    if (this.#isEnded) return;
    const { session, ask } = onLinkLost(this.#session, this.#buffer.length === 0);
    this.#session = session;
    this.#execute(ask);
  }

  #execute(ask: LinkCommand): void {
    if (ask === "more" && this.#session.coveredSeq !== null) {
      this.#lastLinkActivityMs = this.#clock.now();
      this.#link?.requestPage(this.#session.coveredSeq);
    }
    if (ask === "pause") this.#link?.pause();
    if (ask === "join") void this.#rejoin();
  }

  async #rejoin(): Promise<void> {
    let failure: unknown;
    const delays = REJOIN_DELAYS_MS.map((delayMs) => delayMs * (0.75 + this.#random() / 2));
    for (const delayMs of [REJOIN_SPREAD_MS * this.#random(), ...delays]) {
      await this.#context.wait(delayMs);
      if (this.#isEnded) return;
      try {
        return await this.#join();
      } catch (error) {
        // The list was deleted: no later attempt can succeed.
        if (error instanceof ApiError && error.reason === "invalid_query") return this.#end(error, false);
        failure = error;
      }
    }
    this.#end(failure, true);
  }

  /** Appends a chunk to the buffer. A `coveredTo` without text is merged into the last chunk. */
  #enqueue(next: BufferedChunk): void {
    const last = this.#buffer.at(-1);
    if (next.text.length > 0) this.#buffer.push(next);
    else if (last !== undefined) this.#buffer[this.#buffer.length - 1] = { ...last, coveredTo: next.coveredTo };
    else this.#deliveredTo = next.coveredTo;
    this.#bufferedBytes += next.text.length;
    this.#flush();
  }

  #flush(): void {
    while (this.#isPullPending && !this.#isEnded) {
      const next = this.#buffer.shift();
      if (next === undefined) return;
      this.#bufferedBytes -= next.text.length;
      this.#deliveredTo = next.coveredTo ?? this.#deliveredTo;
      this.#isPullPending = false;
      this.#lastReadMs = this.#clock.now();
      this.#controller?.enqueue(next.text);
      if (this.#buffer.length === 0) this.#handleDrained();
    }
  }

  /** The buffer is empty. */
  #handleDrained(): void {
    const { session, ask } = onBufferDrained(this.#session);
    this.#session = session;
    this.#execute(ask);
  }

  async #tick(): Promise<void> {
    if (this.#isEnded) return;
    const nowMs = this.#clock.now();
    if (this.#buffer.length === 0) this.#lastReadMs = nowMs;
    else if (nowMs - this.#lastReadMs >= UNREAD_TIMEOUT_MS) return this.#end(unread(), true);
    if (this.#link !== null && nowMs - this.#lastPingMs >= PING_EVERY_MS) {
      this.#lastPingMs = nowMs;
      this.#link.ping();
    }
    // A client that reads slowly keeps its link, which counts toward the connection limit of its key.
    if (this.#link !== null && this.#session.phase !== "full" && nowMs - this.#lastLinkActivityMs >= LINK_TIMEOUT_MS) {
      this.#link.leave();
      this.#handleLinkLoss();
    }
    if (this.#buffer.length === 0) this.#enqueue({ text: encoder.encode(":\n\n"), coveredTo: null });
    const ending = await this.#recheck.checkIfDue();
    if (ending !== null) this.#end(ending.error, ending.retry);
  }

  /**
   * Ends the stream with an error frame. Discards the buffer: the client may no longer be allowed to read it.
   */
  #end(error: unknown, retry: boolean): void {
    if (this.#isEnded) return;
    const frame = presentStreamError(this.#deliveredTo, this.#context.describeFailure(error).body, retry);
    this.#stop();
    this.#controller?.enqueue(encoder.encode(frame));
    this.#controller?.close();
  }

  #stop(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#buffer.length = 0;
    this.#stopTimer?.();
    this.#link?.leave();
    this.#link = null;
  }
}

/**
 * Dead connections of a key or account are detected within seconds; total capacity frees up within minutes.
 */
const LIMIT_REACHED = {
  key: { message: "This key has 5 open streams, the maximum for a key. Close one first.", retryAfterSeconds: 10 },
  account: {
    message: "This account has 25 open streams, the maximum for an account. Close one first.",
    retryAfterSeconds: 10,
  },
  cluster: { message: "The stream has reached its maximum number of connections. Retry later.", retryAfterSeconds: 30 },
} as const;

const unread = () =>
  new ApiError("request_timeout", { message: "The stream was not read for two minutes. Reconnect to continue." });

const refuse = (of: keyof typeof LIMIT_REACHED): ApiError => new ApiError("rate_limited", LIMIT_REACHED[of]);
