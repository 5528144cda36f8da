import type { Clock, Connect, SocketLike } from "./socket-port.ts";

/** `down` carries why and when the next connection is tried; everything sent until the next `live` is lost. */
export type SocketState =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  | { readonly kind: "down"; readonly reason: string; readonly retryInMs: number }
  | { readonly kind: "stopped" };

export interface KeptSocketSettings {
  readonly url: string;
  readonly connect: Connect;
  readonly clock: Clock;
  /** 0 to 1, exclusive. */
  readonly random: () => number;
  /** A socket silent for this long is dead, open or not. */
  readonly silenceMs: number;
  readonly onOpen: (link: Link) => void;
  /** @returns whether this was a sign of life; an answer to our own ping is none when the feed behind it may have stopped */
  readonly onText: (text: string, link: Link) => boolean;
  readonly onState: (state: SocketState) => void;
}

/** What a handler may do with the socket it was called for. */
export interface Link {
  send(text: string): void;
  /** Gives the connection up and opens another after the usual rest. */
  drop(reason: string): void;
  /** Calls every `ms` while this connection lasts. */
  every(ms: number, call: () => void): void;
}

const FIRST_REST_MS = 250;
const LONGEST_REST_MS = 30_000;
const CONNECT_MS = 10_000;

/** A socket that is opened again whenever it fails or falls silent, with growing rests until a connection shows life. */
export class KeptSocket {
  readonly #settings: KeptSocketSettings;
  /** Ends the current connection or rest; null while stopped. */
  #end: (() => void) | null = null;
  #failures = 0;

  constructor(settings: KeptSocketSettings) {
    this.#settings = settings;
  }

  /** Begins to keep the socket open. Does nothing when it already is. */
  start(): void {
    if (this.#end === null) this.#open();
  }

  stop(): void {
    if (this.#end === null) return;
    this.#end();
    this.#end = null;
    this.#settings.onState({ kind: "stopped" });
  }

  #open(): void {
    const { url, connect, clock, onState } = this.#settings;
    const cancels: (() => void)[] = [];
    let socket: SocketLike | null = null;
    let over = false;
    const end = () => {
      over = true;
      for (const cancel of cancels) cancel();
      closeQuietly(socket);
    };
    const fail = (reason: string) => {
      if (over) return;
      end();
      this.#rest(reason);
    };
    this.#end = end;
    onState({ kind: "connecting" });
    cancels.push(clock.after(CONNECT_MS, () => socket === null && fail("not connected in time")));
    connect(url).then(
      (opened) => {
        socket = opened;
        // Given up while it was connecting: nobody listens any more.
        if (over) closeQuietly(opened);
        else this.#serve(opened, cancels, fail);
      },
      (error: unknown) => fail(`not connected: ${String(error)}`),
    );
  }

  #serve(socket: SocketLike, cancels: (() => void)[], fail: (reason: string) => void): void {
    const { clock, silenceMs, onOpen, onText, onState } = this.#settings;
    let over = false;
    let stopWatch = watch();
    function watch() {
      return clock.after(silenceMs, () => fail(`silent for ${silenceMs} ms`));
    }
    cancels.push(() => {
      over = true;
      stopWatch();
    });
    const link: Link = {
      send: (text) => sendOr(socket, text, fail),
      drop: fail,
      every: (ms, call) => cancels.push(repeat(clock, ms, call)),
    };
    socket.addEventListener("message", ({ data }) => {
      if (over || !onText(typeof data === "string" ? data : "", link) || over) return;
      this.#failures = 0;
      stopWatch();
      stopWatch = watch();
    });
    socket.addEventListener("close", () => fail("closed by the provider"));
    socket.addEventListener("error", () => fail("the connection failed"));
    onState({ kind: "live" });
    onOpen(link);
  }

  #rest(reason: string): void {
    const { clock, random, onState } = this.#settings;
    const longest = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** this.#failures);
    const retryInMs = Math.round(longest * (0.5 + random() / 2));
    this.#failures += 1;
    this.#end = clock.after(retryInMs, () => this.#open());
    onState({ kind: "down", reason, retryInMs });
  }
}

function repeat(clock: Clock, ms: number, call: () => void): () => void {
  let cancel = clock.after(ms, turn);
  function turn() {
    cancel = clock.after(ms, turn);
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

/** Closing a socket that is closing already throws in some runtimes. */
function closeQuietly(socket: SocketLike | null): void {
  try {
    socket?.close();
  } catch {
    // Already closed, which is what was wanted.
  }
}
