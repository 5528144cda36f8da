import { Lifetime } from "./lifetime.ts";
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
  /** The current connection or rest; null while stopped. */
  #life: Lifetime | null = null;
  #failures = 0;

  constructor(settings: KeptSocketSettings) {
    this.#settings = settings;
  }

  /** Begins to keep the socket open. Does nothing when it already is kept. */
  start(): void {
    if (this.#life === null) this.#open();
  }

  stop(): void {
    if (this.#life === null) return;
    this.#life.end();
    this.#life = null;
    this.#settings.onState({ kind: "stopped" });
  }

  #open(): void {
    const { url, connect, clock, onState } = this.#settings;
    const life = new Lifetime();
    this.#life = life;
    let connected = false;
    onState({ kind: "connecting" });
    life.atEnd(clock.after(CONNECT_MS, () => connected || this.#fail(life, "not connected in time")));
    connect(url).then(
      (socket) => {
        connected = true;
        // Closes at once what was given up while it was connecting.
        life.atEnd(() => closeQuietly(socket));
        if (!life.over) this.#serve(socket, life);
      },
      (error: unknown) => this.#fail(life, `not connected: ${String(error)}`),
    );
  }

  #serve(socket: SocketLike, life: Lifetime): void {
    const { clock, silenceMs, onOpen, onText, onState } = this.#settings;
    const fail = (reason: string) => this.#fail(life, reason);
    const watch = () => clock.after(silenceMs, () => fail(`silent for ${silenceMs} ms`));
    let endWatch = watch();
    life.atEnd(() => endWatch());
    const link: Link = {
      send: (text) => sendOr(socket, text, fail),
      drop: fail,
      every: (ms, call) => life.atEnd(repeat(clock, ms, call)),
    };
    socket.addEventListener("message", ({ data }) => {
      if (life.over || !onText(typeof data === "string" ? data : "", link) || life.over) return;
      this.#failures = 0;
      endWatch();
      endWatch = watch();
    });
    socket.addEventListener("close", () => fail("closed by the provider"));
    socket.addEventListener("error", () => fail("the connection failed"));
    onState({ kind: "live" });
    onOpen(link);
  }

  /** Ends this life, unless it is over, and rests before the next. */
  #fail(life: Lifetime, reason: string): void {
    if (life.over) return;
    life.end();
    const { clock, random, onState } = this.#settings;
    const longestMs = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** this.#failures);
    const retryInMs = Math.round(longestMs * (0.5 + random() / 2));
    this.#failures += 1;
    this.#life = new Lifetime();
    this.#life.atEnd(clock.after(retryInMs, () => this.#open()));
    onState({ kind: "down", reason, retryInMs });
  }
}

/** @returns what ends the repetition */
function repeat(clock: Clock, ms: number, call: () => void): () => void {
  let cancel = clock.after(ms, turn);
  function turn() {
    // Armed first, so that a call which ends the connection ends this too.
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

/** Some runtimes throw when a socket is closed twice. */
function closeQuietly(socket: SocketLike): void {
  try {
    socket.close();
  } catch {
    // Closed already, which is what was wanted.
  }
}
