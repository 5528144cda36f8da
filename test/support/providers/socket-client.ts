import { once } from "node:events";
import { onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";

export interface SocketClient {
  readonly socket: WebSocket;
  /** The received texts, oldest first. */
  readonly texts: readonly string[];
  /** The received JSON objects, oldest first. */
  frames(): any[];
  send(message: unknown): void;
  /** Resolves when the trade socket has handled everything sent so far, and all that it had sent has arrived. */
  sync(): Promise<void>;
}

/** A connected socket, closed when the test ends. */
export async function connectSocket(url: string): Promise<SocketClient> {
  const socket = new WebSocket(url);
  const texts: string[] = [];
  socket.on("message", (data) => texts.push(data.toString()));
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  const countPongs = () => texts.filter((text) => text === "PONG").length;
  return {
    socket,
    texts,
    frames: () => texts.filter((text) => text.startsWith("{")).map((text) => JSON.parse(text)),
    send: (message) => socket.send(JSON.stringify(message)),
    async sync() {
      const pongs = countPongs();
      socket.send("PING");
      await vi.waitUntil(() => countPongs() > pongs, { timeout: 5_000, interval: 2 });
    },
  };
}

export const subscribe = (type: string, topic = "activity") => ({
  action: "subscribe",
  subscriptions: [{ topic, type }],
});
