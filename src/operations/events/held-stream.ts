import type { StreamContext } from "../../api/operation.ts";
import { ApiError } from "../../api/errors.ts";
import { presentStreamError } from "../../domain/stream/frame.ts";
import type { StreamBatch, StreamRequest } from "../../messages/stream.ts";
import { StreamUnavailable, type StreamLink } from "../../ports/event-stream.ts";
import { Confirmation } from "./confirmation.ts";
import type { StreamClock } from "./stream-clock.ts";
import { beginSession, takeBatch, whenLost, whenRead, type Ask, type Session } from "./stream-session.ts";

const KEEP_ALIVE_MS = 5_000;
/** A link says something every 20 seconds, but for one that was asked for nothing. */
const SILENCE_MS = 60_000;
/** How long after a link was lost it is tried to join again: half a minute in all. */
const REJOIN_AFTER_MS = [0, 250, 1_000, 2_000, 4_000, 8_000, 14_000];

/** Text for the client, and up to which place it covers the stream. */
interface Waiting {
  readonly text: Uint8Array;
  readonly to: number | null;
}

const encoder = new TextEncoder();

/**
 * One client's stream, from its joining until either side ends it. The link may break and be joined again, frames may be dropped and asked for
 * again: the client sees one sequence. What waits for a client is bounded, however slowly it reads.
 */
export class HeldStream {
  readonly #subscription: StreamRequest;
  readonly #context: StreamContext;
  readonly #clock: StreamClock;
  readonly #confirmation: Confirmation;
  readonly #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #session: Session;
  /** The last place that was handed to the client. */
  #handedTo: number | null;
  #link: StreamLink | null = null;
  #heardMs: number;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  /** Whether the client's side waits for a chunk. */
  #isWanted = false;
  #isOver = false;
  #stopTicking: (() => void) | null = null;

  constructor(subscription: StreamRequest, context: StreamContext, clock: StreamClock) {
    this.#subscription = subscription;
    this.#context = context;
    this.#clock = clock;
    this.#session = beginSession(subscription.cursor);
    this.#handedTo = subscription.cursor;
    this.#heardMs = clock.now();
    this.#confirmation = new Confirmation(context, clock);
  }

  /** Joins the stream and begins the answer. @throws ApiError when the key or its account has no place left, or the stream does not answer */
  async begin(): Promise<ReadableStream<Uint8Array>> {
    await this.#join();
    this.#hand({ text: encoder.encode(`retry: ${1_000 + Math.floor(this.#clock.random() * 4_000)}\n\n`), to: null });
    this.#stopTicking = this.#clock.every(KEEP_ALIVE_MS, () => void this.#tick());
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => {
          this.#isWanted = true;
          this.#flush();
        },
        cancel: () => this.#stop(),
      },
      // Nothing is made ahead of the client: what it has not read stays where it can be counted and taken back.
      { highWaterMark: 0 },
    );
  }

  async #join(): Promise<void> {
    const { eventStream } = this.#context;
    const listener = { batch: (batch: StreamBatch) => this.#take(batch), lost: () => this.#lose() };
    const joined = await eventStream.join({ ...this.#subscription, cursor: this.#session.covered }, listener).catch((cause: unknown) => {
      throw cause instanceof StreamUnavailable ? new ApiError("stream_unavailable", { cause }) : cause;
    });
    if (joined.kind === "full") throw refuse(joined.of);
    if (this.#isOver) return joined.link.leave();
    this.#link = joined.link;
    this.#heardMs = this.#clock.now();
    joined.link.open();
  }

  #take(batch: StreamBatch): void {
    if (this.#isOver) return;
    this.#heardMs = this.#clock.now();
    const { session, isTaken, ask } = takeBatch(this.#session, batch, batch.text.length, this.#waitingBytes);
    this.#session = session;
    if (isTaken) this.#hand({ text: batch.text, to: batch.to });
    this.#do(ask);
    // After a page without frames for the client, or frames too long to wait for it, there may be nothing whose reading would go on.
    if (this.#waiting.length === 0) this.#goOn();
  }

  #lose(): void {
    this.#link = null;
    if (this.#isOver) return;
    const { session, ask } = whenLost(this.#session, this.#waiting.length === 0);
    this.#session = session;
    this.#do(ask);
  }

  #do(ask: Ask): void {
    if (ask === "more" && this.#session.covered !== null) {
      this.#heardMs = this.#clock.now();
      this.#link?.more(this.#session.covered);
    }
    if (ask === "pause") this.#link?.pause();
    if (ask === "join") void this.#joinAgain();
  }

  async #joinAgain(): Promise<void> {
    let failure: unknown;
    for (const afterMs of REJOIN_AFTER_MS) {
      if (afterMs > 0) await this.#context.wait(afterMs);
      if (this.#isOver) return;
      try {
        return await this.#join();
      } catch (error) {
        failure = error;
      }
    }
    this.#end(failure, true);
  }

  /** Puts text behind what waits. A place without text is told with what goes before it. */
  #hand(next: Waiting): void {
    const last = this.#waiting.at(-1);
    if (next.text.length > 0) this.#waiting.push(next);
    else if (last !== undefined) this.#waiting[this.#waiting.length - 1] = { ...last, to: next.to };
    else this.#handedTo = next.to;
    this.#waitingBytes += next.text.length;
    this.#flush();
  }

  #flush(): void {
    while (this.#isWanted && !this.#isOver) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#waitingBytes -= next.text.length;
      this.#handedTo = next.to ?? this.#handedTo;
      this.#isWanted = false;
      this.#controller?.enqueue(next.text);
      if (this.#waiting.length === 0) this.#goOn();
    }
  }

  /** Nothing waits for the client any more. */
  #goOn(): void {
    const { session, ask } = whenRead(this.#session);
    this.#session = session;
    this.#do(ask);
  }

  async #tick(): Promise<void> {
    if (this.#isOver) return;
    // A client that does not read keeps its link, and with it its place among its key's connections.
    if (this.#link !== null && this.#session.phase !== "full" && this.#clock.now() - this.#heardMs >= SILENCE_MS) {
      this.#link.leave();
      this.#lose();
    }
    if (this.#waiting.length === 0) this.#hand({ text: encoder.encode(":\n\n"), to: null });
    const ending = await this.#confirmation.ask();
    if (ending !== null) this.#end(ending.error, ending.retry);
  }

  /** Ends the stream with a frame that says why. What still waits is not sent: a reconnect may no longer be allowed it. */
  #end(error: unknown, retry: boolean): void {
    if (this.#isOver) return;
    const frame = presentStreamError(this.#handedTo, this.#context.describeFailure(error).body, retry);
    this.#stop();
    this.#controller?.enqueue(encoder.encode(frame));
    this.#controller?.close();
  }

  #stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#waiting.length = 0;
    this.#stopTicking?.();
    this.#link?.leave();
    this.#link = null;
  }
}

/** Connections that ended without a word are found within seconds; a place among all is a matter of minutes. */
const FULL = {
  key: { message: "This key has 5 open streams, as many as a key may have.", retryAfterSeconds: 10 },
  account: { message: "This account has 25 open streams, as many as an account may have.", retryAfterSeconds: 10 },
  cluster: { message: "All places on the stream are taken.", retryAfterSeconds: 30 },
} as const;

const refuse = (of: keyof typeof FULL): ApiError => new ApiError("rate_limited", FULL[of]);
