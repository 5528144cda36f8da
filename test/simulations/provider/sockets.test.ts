import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import type { ProviderEndpoint } from "../../../scripts/provider/index.ts";
import type { FakeTime } from "../../support/providers/fake-time.ts";
import { aSteppedEndpoint } from "../../support/providers/simulated-endpoint.ts";
import { connectSocket, subscribe, type SocketClient } from "../../support/providers/socket-client.ts";
import { getJson } from "../../unit/scripts/provider/provider-recordings.ts";

let endpoint: ProviderEndpoint;
let time: FakeTime;
beforeAll(async () => {
  // Near the end of a five-minute market, when trades are frequent.
  ({ endpoint, time } = await aSteppedEndpoint(Date.parse("2026-11-18T20:04:00Z")));
});
afterAll(() => endpoint.stop());

/** Advances the world by up to eight seconds, until the client has received this many frames. */
async function receive(client: SocketClient, count: number): Promise<any[]> {
  for (let waitedMs = 0; waitedMs < 8_000 && client.frames().length < count; waitedMs += 250) {
    time.advance(250);
    await client.sync();
  }
  return client.frames();
}

test("the simulated trade socket opens with an empty frame, responds to PING and pushes each trade before the feed lists it", async () => {
  const client = await connectSocket(endpoint.tradesSocketUrl);
  client.send(subscribe("trades"));
  await client.sync();
  const isInFeed = async ({ payload }: any) => {
    const { body } = await getJson(`${endpoint.dataUrl}/v2/trades?limit=500&taker_only=false`);
    return body.data.some(
      (row: any) =>
        row.transaction_hash === payload.transactionHash &&
        row.proxy_wallet === payload.proxyWallet.toLowerCase() &&
        row.token_id === payload.asset &&
        row.size === payload.size,
    );
  };
  const first = await receive(client, 1);
  expect(await Promise.all(first.map(isInFeed))).toEqual(first.map(() => false));
  const frames = await receive(client, 4);
  expect(frames.length).toBeGreaterThan(3);
  expect(client.texts[0]).toBe("");
  expect(client.texts).toContain("PONG");
  const [frame] = frames;
  expect(frame).toMatchObject({ topic: "activity", type: "trades", connection_id: expect.any(String) });
  expect(frame.payload.proxyWallet).not.toBe(frame.payload.proxyWallet.toLowerCase());
  time.advance(15_000);
  expect(await Promise.all(frames.map(isInFeed))).toEqual(frames.map(() => true));
});

test("orders_matched only contains takers' rows, one per transaction", async () => {
  const client = await connectSocket(endpoint.tradesSocketUrl);
  client.send(subscribe("orders_matched"));
  await client.sync();
  const frames = await receive(client, 4);
  expect(frames.length).toBeGreaterThan(3);
  const hashes = frames.map((frame) => frame.payload.transactionHash);
  expect(new Set(hashes).size).toBe(hashes.length);
});

test("one invalid topic fails the subscription", async () => {
  const client = await connectSocket(endpoint.tradesSocketUrl);
  client.send(subscribe("*", "comments"));
  await client.sync();
  expect(client.frames()[0]).toMatchObject({ statusCode: 401 });
});

test("a silent socket fault stays open without frames, a refused one does not open, and a cut one closes", async () => {
  endpoint.setFaults([{ path: "/rtds", kind: "silent" }]);
  const silent = await connectSocket(endpoint.tradesSocketUrl);
  silent.send(subscribe("trades"));
  const control = await connectSocket(endpoint.tradesSocketUrl);
  control.send(subscribe("trades"));
  await control.sync();
  expect(await receive(control, 1)).not.toEqual([]);
  expect([silent.socket.readyState, silent.texts]).toEqual([WebSocket.OPEN, []]);
  endpoint.setFaults([{ path: "/rtds", kind: "status", status: 503 }]);
  await expect(connectSocket(endpoint.tradesSocketUrl)).rejects.toThrow("503");
  endpoint.setFaults([{ path: "/rtds", kind: "cut", delayMs: 50 }]);
  const cut = await connectSocket(endpoint.tradesSocketUrl);
  expect(cut.socket.readyState).toBe(WebSocket.OPEN);
  time.advance(50);
  await vi.waitFor(() => expect(cut.socket.readyState).toBe(WebSocket.CLOSED), { interval: 2 });
});
