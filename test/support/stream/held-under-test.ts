import { ApiError, ERRORS } from "../../../src/api/errors.ts";
import type { StreamContext } from "../../../src/api/operation.ts";
import type { StreamBatch, StreamRequest } from "../../../src/messages/stream.ts";
import { HeldStream } from "../../../src/operations/events/held-stream.ts";
import type { EventStreamPort, Joined, StreamListener } from "../../../src/ports/event-stream.ts";

const encoder = new TextEncoder();

/** A clock that moves when it is told to, and runs what is due on its way. */
export class HandClock {
  #nowMs = 1_000_000;
  #next = 0;
  readonly #timers = new Map<number, { everyMs: number; dueMs: number; run: () => void }>();

  /** @param drawn what chance gives, 0 to 1 */
  constructor(drawn: number) {
    this.random = () => drawn;
  }

  readonly random: () => number;
  now = (): number => this.#nowMs;
  every = (everyMs: number, run: () => void): (() => void) => {
    const id = this.#next++;
    this.#timers.set(id, { everyMs, dueMs: this.#nowMs + everyMs, run });
    return () => void this.#timers.delete(id);
  };

  get timers(): number {
    return this.#timers.size;
  }

  /** Resolves after so long by this clock. */
  wait = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const stop = this.every(ms, () => {
        stop();
        resolve();
      });
    });

  async pass(ms: number): Promise<void> {
    await settled();
    const endMs = this.#nowMs + ms;
    for (;;) {
      const [due] = [...this.#timers.values()].filter(({ dueMs }) => dueMs <= endMs).toSorted((a, b) => a.dueMs - b.dueMs);
      if (due === undefined) break;
      this.#nowMs = due.dueMs;
      due.dueMs += due.everyMs;
      due.run();
      await settled();
    }
    this.#nowMs = endMs;
    await settled();
  }
}

/** Everything that was only waiting for promises has happened. */
export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** The stream's port, played by the test: it sees what is asked and sends what it likes. */
export class PlayedStream implements EventStreamPort {
  readonly joins: StreamRequest[] = [];
  readonly asked: unknown[] = [];
  open = 0;
  next: () => Promise<Joined> | Joined = () => this.#joined();
  #listener: StreamListener | null = null;

  async join(subscription: StreamRequest, listener: StreamListener): Promise<Joined> {
    this.joins.push(subscription);
    this.#listener = listener;
    return this.next();
  }

  #joined(): Joined {
    this.open++;
    const link = {
      open: () => undefined,
      more: (after: number) => void this.asked.push({ more: after }),
      pause: () => void this.asked.push("pause"),
      leave: () => void this.open--,
    };
    return { kind: "joined", link };
  }

  send(batch: Partial<StreamBatch> & { from: number; to: number }, text = ""): void {
    this.#listener?.batch({ isPage: false, isHead: true, ...batch, text: encoder.encode(text) });
  }

  lose(): void {
    this.open--;
    this.#listener?.lost();
  }
}

/** One held stream whose caller, link and clock the test plays. */
export async function holdStream(options: { cursor?: number; recheck?: () => Promise<void>; drawn?: number } = {}) {
  const clock = new HandClock(options.drawn ?? 0.5);
  const stream = new PlayedStream();
  const subscription: StreamRequest = {
    connection: "c",
    keyId: 7,
    accountId: 3,
    cursor: options.cursor ?? null,
    filter: { types: null, conditionId: null, minGrade: null, wallet: null, minSizeMicro: null },
  };
  // A handler's context has more; a held stream uses this much.
  const context = {
    eventStream: stream,
    wait: clock.wait,
    recheck: options.recheck ?? (async () => undefined),
    describeFailure: (error: unknown) =>
      error instanceof ApiError
        ? { status: ERRORS[error.reason].status, body: { code: ERRORS[error.reason].code, reason: error.reason } }
        : { status: 500, body: { code: "internal_error" } },
  } as unknown as StreamContext;
  const body = await new HeldStream(subscription, context, clock).begin();
  return { clock, stream, body };
}
