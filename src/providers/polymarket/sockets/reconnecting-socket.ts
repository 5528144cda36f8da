import { DisposableScope } from "./disposable-scope.ts";
import type { Connect, SocketLike } from "./socket-port.ts";
import { backoff } from "../../../lib/timing/backoff.ts";
import type { Clock } from "../../../lib/timing/clock.ts";

/**
 * `down` has the reason and the delay until the next attempt. Everything sent until the next `live` is lost.
 */
export type SocketState =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  | { readonly kind: "down"; readonly reason: string; readonly retryInMs: number }
  | { readonly kind: "stopped" };

export interface ReconnectingSocketSettings {
  readonly url: string;
  readonly connect: Connect;
  readonly clock: Pick<Clock, "after">;
  /** From 0 to 1, 1 excluded. */
  readonly random: () => number;
  /** A socket that is silent for this long is treated as dead, even if it is open. */
  readonly silenceMs: number;
  readonly onOpen: (link: SocketHandle) => void;
  /**
   * @returns whether the message shows that the feed works; a reply to our own ping does not, because the
   *   feed behind it may have stopped
   */
  readonly onText: (text: string, link: SocketHandle) => boolean;
  readonly onState: (state: SocketState) => void;
}

/** The handler's access to the socket it was called for. */
export interface SocketHandle {
  send(text: string): void;
  /** Closes the connection and reconnects after the usual back-off. */
  reconnect(reason: string): void;
  /** Calls `call` every `ms` milliseconds while this connection lasts. */
  every(ms: number, call: () => void): void;
}

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * A socket that reconnects whenever it fails or falls silent. The back-off grows until a connection receives
 * a message that counts.
 */
export class ReconnectingSocket {
  readonly #settings: ReconnectingSocketSettings;
  /** The current connection or back-off; null while stopped. */
  #scope: DisposableScope | null = null;
  #failures = 0;

  constructor(settings: ReconnectingSocketSettings) {
    this.#settings = settings;
  }

  /** Opens the socket and keeps it connected. Does nothing if it is already started. */
  start(): void {
    if (this.#scope === null) this.#open();
  }

  stop(): void {
    if (this.#scope === null) return;
    this.#scope.dispose();
    this.#scope = null;
    this.#settings.onState({ kind: "stopped" });
  }

  #open(): void {
    const { url, connect, clock, onState } = this.#settings;
    const scope = new DisposableScope();
    this.#scope = scope;
    let connected = false;
    onState({ kind: "connecting" });
    scope.onDispose(clock.after(CONNECT_TIMEOUT_MS, () => connected || this.#fail(scope, "not connected in time")));
    connect(url).then(
      (socket) => {
        connected = true;
        // Closes the socket at once if it was dropped while it was connecting.
        scope.onDispose(() => closeQuietly(socket));
        if (!scope.isDisposed) this.#serve(socket, scope);
      },
      (error: unknown) => this.#fail(scope, `not connected: ${String(error)}`),
    );
  }

  #serve(socket: SocketLike, scope: DisposableScope): void {
    const { clock, silenceMs, onOpen, onText, onState } = this.#settings;
    const fail = (reason: string) => this.#fail(scope, reason);
    const watch = () => clock.after(silenceMs, () => fail(`silent for ${silenceMs} ms`));
    let endWatch = watch();
    scope.onDispose(() => endWatch());
    const link: SocketHandle = {
      send: (text) => sendOr(socket, text, fail),
      reconnect: fail,
      every: (ms, call) => scope.onDispose(repeat(clock, ms, call)),
    };
    socket.addEventListener("message", ({ data }) => {
      if (scope.isDisposed || !onText(typeof data === "string" ? data : "", link) || scope.isDisposed) return;
      this.#failures = 0;
      endWatch();
      endWatch = watch();
    });
    socket.addEventListener("close", () => fail("closed by the provider"));
    socket.addEventListener("error", () => fail("the connection failed"));
    onState({ kind: "live" });
    onOpen(link);
  }

  /** Disposes this connection, unless that has happened, and reconnects after a back-off. */
  #fail(scope: DisposableScope, reason: string): void {
    if (scope.isDisposed) return;
    scope.dispose();
    const { clock, random, onState } = this.#settings;
    const maxDelayMs = backoff(this.#failures + 1, FIRST_BACKOFF_MS, MAX_BACKOFF_MS);
    const retryInMs = Math.round(maxDelayMs * (0.5 + random() / 2));
    this.#failures += 1;
    this.#scope = new DisposableScope();
    this.#scope.onDispose(clock.after(retryInMs, () => this.#open()));
    onState({ kind: "down", reason, retryInMs });
  }
}

/** @returns a function that stops the repetition */
function repeat(clock: Pick<Clock, "after">, ms: number, call: () => void): () => void {
  let cancel = clock.after(ms, tick);
  function tick() {
    // Scheduled first, so that a call that ends the connection also cancels the timer.
    cancel = clock.after(ms, tick);
    call();
  }
  return () => cancel();
}

function sendOr(socket: SocketLike, text: string, fail: (reason: string) => void): void {
  try {
    socket.send(text);
  } catch {
    fail("the connection failed");
  }
}

/** Some runtimes throw when a socket is closed twice. */
function closeQuietly(socket: SocketLike): void {
  try {
    socket.close();
  } catch {
    // Already closed, which is the desired state.
  }
}
