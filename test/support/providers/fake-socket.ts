import type { SocketLike } from "../../../src/providers/polymarket/sockets/socket-port.ts";

/** One connection of a fake server: records what was sent to it, and can send messages and close. */
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

  /** The server sends a message. */
  receive(data: unknown): void {
    this.#emit("message", data);
  }

  /** The server closes the connection. */
  closeFromServer(): void {
    this.closed = true;
    this.#emit("close");
  }

  #emit(type: string, data?: unknown): void {
    for (const { type: wanted, listener } of this.#listeners) if (wanted === type) listener({ data });
  }
}

/** A server that accepts every connection, or refuses the first few. */
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
    if (socket === undefined) throw new Error("there is no connection");
    return socket;
  }
}

/** Lets promises that are already settled run their callbacks. */
export const flushMicrotasks = async (): Promise<void> => {
  for (let round = 0; round < 10; round++) await Promise.resolve();
};
