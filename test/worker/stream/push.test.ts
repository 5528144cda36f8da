/// <reference types="@cloudflare/vitest-plugin/types" />
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, test, vi } from "vitest";
import { Attachment } from "../../../durable-objects/stream-fanout/listener.ts";
import {
  PING,
  PONG,
  SUBSCRIPTION_HEADER,
  unpackBatch,
  type StreamMessage,
  type Subscription,
} from "../../../src/stream/stream-messages.ts";
import {
  publishStreamEvents,
  listOpen,
  runStreamAlarm,
  shardOfAccount,
  theShard,
  theStream,
} from "../../support/stream/open-stream.ts";
import { aKnownKey, countedEvents, openStreamApi, type StreamApi } from "../../support/stream/stream-api.ts";

let api: StreamApi;

beforeAll(async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  api = await openStreamApi();
});

/** The first account whose connections join a shard. */
async function anAccountOf(shard: string): Promise<number> {
  for (let id = 1; ; id++) if ((await shardOfAccount(id)) === shard) return id;
}

/** Opens a Worker's end of a connection to a shard. */
async function join(shard: string, facts: Partial<Subscription> = {}) {
  const filter = { types: null, conditionId: null, minGrade: null, wallet: null, minSizeMicro: null };
  const accountId = await anAccountOf(shard);
  const subscription: Subscription = { connection: "c", keyId: 1, accountId, shard, cursor: null, filter, ...facts };
  const headers = { Upgrade: "websocket", [SUBSCRIPTION_HEADER]: encodeURIComponent(JSON.stringify(subscription)) };
  const response = await theShard(shard).fetch("http://shard/", { headers });
  const { webSocket: socket } = response;
  if (socket === null) throw new Error(`not joined: ${response.status} ${await response.text()}`);
  const received: StreamMessage[] = [];
  const texts: string[] = [];
  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string") texts.push(data);
    else received.push(unpackBatch(data));
  });
  socket.accept();
  await vi.waitFor(() => expect(received).toHaveLength(1));
  return { socket, received, texts, head: received[0]?.batch.to ?? 0 };
}

/** Names of the connections that a shard has open. */
const connectionsOf = (shard: string): Promise<string[]> =>
  runInDurableObject(theShard(shard), (_instance, state) =>
    state
      .getWebSockets()
      .filter(({ readyState }) => readyState === WebSocket.OPEN)
      .map((socket) => Attachment.parse(socket.deserializeAttachment()).subscription.connection)
      .toSorted(),
  );

/** Pushes a heartbeat. @returns the number of listeners once the push has completed */
function pushHeartbeat(shard: string, at: number) {
  const push = { listeners: null as number | null, over: Promise.resolve() };
  push.over = (async () => {
    push.listeners = await theShard(shard).push({ after: at, to: at, frames: [], isHeartbeat: true });
  })();
  return push;
}

test("a join is measured with its status, refused ones too", async () => {
  const statuses: string[] = [];
  await runInDurableObject(theShard("2"), (instance) => {
    const METRICS = { writeDataPoint: ({ blobs }: { blobs: string[] }) => void statuses.push(...blobs.slice(1)) };
    // The binding that only deployments have.
    Object.assign(instance, { env: { ...env, METRICS } });
  });
  const { socket } = await join("2");
  await expect(join("2", { accountId: await anAccountOf("1") })).rejects.toThrow("not joined: 421");
  expect(statuses).toEqual(["101", "421"]);
  socket.close();
});

test("heartbeats end connections whose Workers have sent no ping for 90 seconds, and no others", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const silent = await join("3", { connection: "silent", sendsPings: true });
  const alive = await join("3", { connection: "alive", sendsPings: true });
  const previous = await join("3", { connection: "of the previous release" });
  const onClose = vi.fn();
  silent.socket.addEventListener("close", ({ code }) => onClose(code));
  const pass = async (seconds: number) => {
    vi.setSystemTime(Date.now() + seconds * 1_000);
    await pushHeartbeat("3", previous.head).over;
  };
  await pass(0);
  await pass(60);
  alive.socket.send(PING);
  await vi.waitFor(() => expect(alive.texts).toEqual([PONG]));
  await pass(29);
  expect(await connectionsOf("3")).toEqual(["alive", "of the previous release", "silent"]);
  await pass(1);
  expect(await connectionsOf("3")).toEqual(["alive", "of the previous release"]);
  // A Worker that lives joins again.
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledExactlyOnceWith(4_000));
  for (const { socket } of [alive, previous]) socket.close();
  vi.useRealTimers();
});

test.each([
  ["1", "ack"],
  ["15", "heard"],
])("on shard %s a push completes when a listener answers %s, and not before", async (shard, ack) => {
  const { socket, received, head } = await join(shard);
  const push = pushHeartbeat(shard, head);
  await vi.waitFor(() => expect(received.map(({ wantsAck }) => wantsAck)).toEqual([false, false, true]), {
    interval: 5,
  });
  expect(push.listeners).toBe(null);
  socket.send(JSON.stringify({ [ack]: true }));
  await push.over;
  expect(push.listeners).toBe(1);
  socket.close();
});

test("a push completes without an acknowledgement from a closed or silent listener", async () => {
  const { socket, head } = await join("2");
  const silent = pushHeartbeat("2", head);
  await silent.over;
  expect(silent.listeners).toBe(1);
  const closed = pushHeartbeat("2", head);
  socket.close();
  await closed.over;
  await vi.waitFor(async () => {
    const next = pushHeartbeat("2", head);
    await next.over;
    expect(next.listeners).toBe(0);
  });
});

test("a shard names the shard of an account that is not its own, and admits it only after such a reference", async () => {
  const accountId = await anAccountOf("6");
  await expect(join("5", { accountId })).rejects.toThrow("421 6");
  const { socket, head } = await join("5", { accountId, isRedirected: true });
  const codes: number[] = [];
  socket.addEventListener("close", ({ code }) => void codes.push(code));
  await pushHeartbeat("5", head).over;
  await vi.waitFor(() => expect(codes).toEqual([4000]));
  expect(await listOpen("5")).toEqual([]);
});

test("a connection that joins again replaces only its own former one", async () => {
  const [first, other] = [await join("3"), await join("3", { connection: "other", keyId: 2 })];
  const codes: number[] = [];
  first.socket.addEventListener("close", ({ code }) => void codes.push(code));
  other.socket.addEventListener("close", ({ code }) => void codes.push(code));
  const again = await join("3");
  await vi.waitFor(() => expect(codes).toEqual([4000]));
  expect(await listOpen("3")).toHaveLength(2);
  for (const { socket } of [again, other]) socket.close();
});

test(
  "a subscriber whose filter matches nothing gets a response before the whole window is read, and can continue",
  { timeout: 240_000 },
  async () => {
    const { socket, head } = await join("4");
    socket.close();
    await publishStreamEvents(api.database, countedEvents(1, 8_600));
    const lastSeq = () =>
      runInDurableObject(theStream(), (_instance, { storage }) =>
        Number(storage.sql.exec("select last_seq from stream").one()["last_seq"]),
      );
    while ((await lastSeq()) < head + 8_600) await runStreamAlarm(api.database);
    const filter = {
      types: ["wallet_grade_changed"],
      conditionId: null,
      minGrade: null,
      wallet: null,
      minSizeMicro: null,
    };
    const resumed = await join("4", { cursor: head, filter });
    expect(resumed.received[0]?.batch).toMatchObject({ from: head, to: head + 8_000, isPage: true, isHead: false });
    resumed.socket.send(JSON.stringify({ more: head + 8_000 }));
    await vi.waitFor(() => expect(resumed.received).toHaveLength(2));
    expect(resumed.received[1]?.batch).toMatchObject({
      from: head + 8_000,
      to: head + 8_600,
      isPage: true,
      isHead: true,
    });
    resumed.socket.close();
    const { key } = await aKnownKey(api.database);
    const stream = await api.openStream(
      key,
      "?event=wallet_grade_changed,WhaleTradesInserted&condition_id=0x" + "a".repeat(64),
      head,
    );
    const event = { type: "large_trades_inserted", payload: { count: 1, condition_id: `0x${"a".repeat(64)}` } };
    await publishStreamEvents(api.database, [event]);
    await runStreamAlarm(api.database);
    await stream.until(({ seqs }) => seqs.length === 1);
    expect(stream.seqs).toEqual([head + 8_601]);
    await stream.stop();
  },
);
