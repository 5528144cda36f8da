import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocketServer } from "ws";
import { CoalescingSocket } from "../../../src/db/coalescing-socket.ts";

/** A connection, and the frames that its server has received. */
async function aConnection(): Promise<{ socket: CoalescingSocket; frames: number[][] }> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  await once(server, "listening");
  const frames: number[][] = [];
  server.on("connection", (client) => client.on("message", (data: Buffer) => frames.push([...data])));
  const socket = new CoalescingSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(socket, "open");
  return { socket, frames };
}

const bytes = (...values: number[]) => Uint8Array.from(values);

test("writes of one event loop iteration are sent as one frame, in order", async () => {
  const { socket, frames } = await aConnection();
  for (const part of [bytes(1, 2), bytes(3), bytes(4, 5, 6)]) socket.send(part);
  await vi.waitFor(() => expect(frames).toEqual([[1, 2, 3, 4, 5, 6]]));
  socket.send(bytes(7));
  socket.send(bytes(8));
  await vi.waitFor(() =>
    expect(frames).toEqual([
      [1, 2, 3, 4, 5, 6],
      [7, 8],
    ]),
  );
});

test("writes in separate microtasks are sent as separate frames at once", async () => {
  const { socket, frames } = await aConnection();
  for (let n = 0; n < 100; n++) {
    socket.send(bytes(n));
    await Promise.resolve();
  }
  await vi.waitFor(() => expect(frames).toHaveLength(100));
  expect(frames).toEqual(Array.from({ length: 100 }, (_, n) => [n]));
});

test("a part of a buffer is sent as that part only", async () => {
  const { socket, frames } = await aConnection();
  socket.send(bytes(9, 1, 2, 9).subarray(1, 3));
  socket.send(bytes(3));
  await vi.waitFor(() => expect(frames).toEqual([[1, 2, 3]]));
});

test("a write just before the socket closes is dropped without an error", async () => {
  const { socket, frames } = await aConnection();
  const closed = once(socket, "close");
  socket.send(bytes(1));
  socket.close();
  await closed;
  socket.send(bytes(2));
  await Promise.resolve();
  expect(frames).toEqual([]);
});
