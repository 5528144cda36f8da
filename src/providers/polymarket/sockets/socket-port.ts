/** The part of a WebSocket used here; the web's own class and the Workers runtime's both have it. */
export interface SocketLike {
  send(text: string): void;
  close(): void;
  addEventListener(type: "message", listener: (event: { readonly data?: unknown }) => void): void;
  addEventListener(type: "close" | "error", listener: () => void): void;
}

/** Resolves with an open socket, whose events have not begun to fire. */
export type Connect = (url: string) => Promise<SocketLike>;

/** Time as sockets need it. */
export interface Clock {
  now(): number;
  /** Calls once after `ms`; the result cancels. */
  after(ms: number, call: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};
