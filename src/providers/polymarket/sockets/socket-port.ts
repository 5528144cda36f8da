/** The part of a WebSocket used here. The standard class and the Workers runtime's class both have it. */
export interface SocketLike {
  send(text: string): void;
  close(): void;
  addEventListener(type: "message", listener: (event: { readonly data?: unknown }) => void): void;
  addEventListener(type: "close" | "error", listener: () => void): void;
}

/** Resolves with an open socket whose events have not started to fire. */
export type Connect = (url: string) => Promise<SocketLike>;
