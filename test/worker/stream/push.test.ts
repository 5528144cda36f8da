/// <reference types="@cloudflare/vitest-plugin/types" />
import { beforeAll, expect, test, vi } from "vitest";
import { SUBSCRIPTION_HEADER, unpackBatch, type StreamMessage, type Subscription } from "../../../src/messages/stream.ts";
import { theShard } from "../../support/stream/open-stream.ts";
import { openStreamApi } from "../../support/stream/stream-api.ts";

beforeAll(async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  await openStreamApi();
});

/** A Worker's end of a connection, as the shard of a key knows it. */
async function join(keyId: number) {
  const filter = { types: null, conditionId: null, minGrade: null, wallet: null, minSizeMicro: null };
  const subscription: Subscription = { connection: `c${keyId}`, keyId, accountId: 1, cursor: null, filter };
  const headers = { Upgrade: "websocket", [SUBSCRIPTION_HEADER]: encodeURIComponent(JSON.stringify(subscription)) };
  const { webSocket: socket } = await theShard(keyId).fetch("http://shard/", { headers });
  if (socket === null) throw new Error("not joined");
  const came: StreamMessage[] = [];
  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", ({ data }) => void came.push(unpackBatch(data as ArrayBuffer)));
  socket.accept();
  await vi.waitFor(() => expect(came).toHaveLength(1));
  return { socket, came, head: came[0]?.batch.to ?? 0 };
}

/** Tells a listener that there is nothing. @returns how many listeners there were, once the push is answered */
function beat(keyId: number, at: number) {
  const push = { listeners: null as number | null, over: Promise.resolve() };
  push.over = (async () => {
    push.listeners = await theShard(keyId).push({ after: at, to: at, frames: [], isBeat: true });
  })();
  return push;
}

test("a push is answered when a listener says that it came, and not before", async () => {
  const { socket, came, head } = await join(901);
  const push = beat(901, head);
  await vi.waitFor(() => expect(came.map(({ isAsked }) => isAsked)).toEqual([false, false, true]), { interval: 5 });
  expect(push.listeners).toBe(null);
  socket.send(JSON.stringify({ heard: true }));
  await push.over;
  expect(push.listeners).toBe(1);
  socket.close();
});

test("a push is answered without word from a listener that has gone or says nothing", async () => {
  const { socket, head } = await join(902);
  const silent = beat(902, head);
  await silent.over;
  expect(silent.listeners).toBe(1);
  const gone = beat(902, head);
  socket.close();
  await gone.over;
  await vi.waitFor(async () => {
    const next = beat(902, head);
    await next.over;
    expect(next.listeners).toBe(0);
  });
});
