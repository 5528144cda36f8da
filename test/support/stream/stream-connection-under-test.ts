import { ApiError, ERRORS, type Reason } from "../../../src/api/errors.ts";
import type { StreamContext } from "../../../src/api/operation.ts";
import type { AccessMessage, StreamBatch, StreamRequest } from "../../../src/stream/stream-messages.ts";
import { StreamConnection } from "../../../src/operations/events/stream-connection.ts";
import type { EventStreamPort, JoinResult, StreamListener } from "../../../src/platform/objects/event-stream-port.ts";

const encoder = new TextEncoder();

/** A clock that the test advances; it runs due timers on the way. */
export class ManualClock {
  #nowMs = 1_000_000;
  #next = 0;
  readonly #timers = new Map<number, { everyMs: number; dueMs: number; run: () => void }>();
  now = (): number => this.#nowMs;
  every = (everyMs: number, run: () => void): (() => void) => {
    const id = this.#next++;
    this.#timers.set(id, { everyMs, dueMs: this.#nowMs + everyMs, run });
    return () => void this.#timers.delete(id);
  };

  get timers(): number {
    return this.#timers.size;
  }

  /** Resolves after this time on this clock, or when the signal aborts. */
  wait = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const end = () => {
        stop();
        resolve();
      };
      const stop = this.every(ms, end);
      signal?.addEventListener("abort", end);
    });

  async advance(ms: number): Promise<void> {
    await flushPromises();
    const endMs = this.#nowMs + ms;
    for (;;) {
      const [due] = [...this.#timers.values()]
        .filter(({ dueMs }) => dueMs <= endMs)
        .toSorted((a, b) => a.dueMs - b.dueMs);
      if (due === undefined) break;
      this.#nowMs = due.dueMs;
      due.dueMs += due.everyMs;
      due.run();
      await flushPromises();
    }
    this.#nowMs = endMs;
    await flushPromises();
  }
}

/** Waits until all settled promises have run their callbacks. */
export const flushPromises = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** A fake of the stream's port: records requests and sends what the test wants. */
export class FakeEventStream implements EventStreamPort {
  readonly joins: StreamRequest[] = [];
  readonly commands: unknown[] = [];
  open = 0;
  pings = 0;
  /** Whether the shard checks access, as those of this release do. */
  checksAccess = false;
  next: () => Promise<JoinResult> | JoinResult = () => this.#joined();
  #listener: StreamListener | null = null;

  async join(subscription: StreamRequest, listener: StreamListener): Promise<JoinResult> {
    this.joins.push(subscription);
    this.#listener = listener;
    return this.next();
  }

  #joined(): JoinResult {
    this.open++;
    const link = {
      open: () => undefined,
      requestPage: (after: number) => void this.commands.push({ requestPage: after }),
      pause: () => void this.commands.push("pause"),
      ping: () => void this.pings++,
      leave: () => void this.open--,
    };
    return { kind: "joined", link, isAccessChecked: this.checksAccess };
  }

  send(batch: Partial<StreamBatch> & { from: number; to: number }, text = ""): void {
    this.#listener?.onBatch({ isPage: false, isHead: true, ...batch, text: encoder.encode(text) });
  }

  sendAccess(message: AccessMessage): void {
    this.#listener?.onAccess(message);
  }

  loseLink(): void {
    this.open--;
    this.#listener?.onLost();
  }
}

/**
 * One open stream with a fake client, link and clock.
 *
 * @param options.drawn the constant value of `random`, 0 to 1
 */
export async function openStreamConnection(
  options: { cursor?: number; recheck?: () => Promise<void>; drawn?: number; shardChecksAccess?: boolean } = {},
) {
  const clock = new ManualClock();
  const stream = new FakeEventStream();
  stream.checksAccess = options.shardChecksAccess ?? false;
  const subscription = {
    connection: "c",
    keyId: 7,
    accountId: 3,
    cursor: options.cursor ?? null,
    filter: { types: null, conditionId: null, minGrade: null, wallet: null, minSizeMicro: null },
  };
  // A handler's context has more members; a live stream only uses these.
  const context = {
    eventStream: stream,
    wait: clock.wait,
    recheck: options.recheck ?? (async () => undefined),
    access: { hash: "h", requirement: { scope: "read", plan: "pro" } },
    refusal: (reason: Reason) => new ApiError(reason),
    describeFailure: (error: unknown) =>
      error instanceof ApiError
        ? { status: ERRORS[error.reason].status, body: { code: ERRORS[error.reason].code, reason: error.reason } }
        : { status: 500, body: { code: "internal_error" } },
  } as unknown as StreamContext;
  const body = await new StreamConnection(subscription, context, clock, () => options.drawn ?? 0.5).begin();
  return { clock, stream, body };
}
