import type { SocketLike } from "../../../src/providers/polymarket/sockets/socket-port.ts";

/** One connection of a fake server: what it was sent, and a way to speak and to fail. */
export class FakeSocket implements SocketLike {
  readonly sent: string[] = [];
  closed = false;
  readonly #listeners: { type: string; listener: (event: { readonly data?: unknown }) => void }[] = [];

  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void {
    this.#listeners.push({ type, listener });
  }

  send(text: string): void {
    if (this.closed) throw new Error("the socket is closed");
    this.sent.push(text);
  }

  close(): void {
    this.closed = true;
  }

  /** The server says something. */
  say(data: unknown): void {
    this.#emit("message", data);
  }

  /** The server goes away. */
  hangUp(): void {
    this.closed = true;
    this.#emit("close");
  }

  #emit(type: string, data?: unknown): void {
    for (const { type: wanted, listener } of this.#listeners) if (wanted === type) listener({ data });
  }
}

/** A server that takes every connection, or refuses the first few. */
export class FakeServer {
  readonly sockets: FakeSocket[] = [];
  refusals = 0;

  connect = async (_url: string): Promise<FakeSocket> => {
    if (this.refusals > 0) {
      this.refusals -= 1;
      throw new Error("refused");
    }
    const socket = new FakeSocket();
    this.sockets.push(socket);
    return socket;
  };

  /** The newest connection. */
  get socket(): FakeSocket {
    const socket = this.sockets.at(-1);
    if (socket === undefined) throw new Error("nobody has connected");
    return socket;
  }
}

/** Lets promises that are settled already run their course. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};
