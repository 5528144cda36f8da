import { createHmac } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SUBSCRIPTION_HEADER, packBatch, type StreamRequest } from "../../../src/messages/stream.ts";
import { shardOf, StreamUnavailable } from "../../../src/ports/event-stream.ts";
import { ObjectEventStream } from "../../../src/ports/object-event-stream.ts";

const SUBSCRIPTION: StreamRequest = {
  connection: "é",
  keyId: 35,
  accountId: 3,
  cursor: 7,
  filter: { types: null, conditionId: null, minGrade: null, wallet: null, minSizeMicro: null },
};
const SECRET = "a secret of the test";
const LISTENER = { batch: () => undefined, lost: () => undefined };

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A Worker's end of a socket that the test plays. */
class PlayedSocket extends EventTarget {
  readonly did: unknown[] = [];
  binaryType = "blob";
  accept = () => void this.did.push("accept");
  close = (code: number) => void this.did.push(["close", code]);
  send = (text: string) => void this.did.push(JSON.parse(text));
  hear(message: Uint8Array): void {
    this.dispatchEvent(Object.assign(new Event("message"), { data: message.slice().buffer }));
  }
}

/** The port over shards that answer so. */
function openPort(answer: (request: { shard: string; headers: Record<string, string> }) => Promise<object>) {
  const shards = {
    idFromName: (name: string) => name,
    get: (shard: string) => ({ fetch: (_url: string, { headers }: { headers: Record<string, string> }) => answer({ shard, headers }) }),
  };
  // The runtime's own namespace has more, and answers with its own Response.
  return new ObjectEventStream(shards as unknown as ConstructorParameters<typeof ObjectEventStream>[0], SECRET);
}

test("all connections of an account ask the same shard, whatever their key, with their subscription in a header", async () => {
  const asked: unknown[] = [];
  const port = openPort(async ({ shard, headers }) => {
    asked.push([shard, JSON.parse(decodeURIComponent(headers[SUBSCRIPTION_HEADER] ?? ""))]);
    return { status: 429, text: async () => "key_full", webSocket: null };
  });
  await port.join(SUBSCRIPTION, LISTENER);
  await port.join({ ...SUBSCRIPTION, keyId: 19 }, LISTENER);
  // The first byte of the HMAC-SHA-256, modulo 16, by Node's own.
  const shard = String(createHmac("sha256", SECRET).update("stream shard of account 3").digest().readUInt8(0) % 16);
  expect(asked).toEqual([
    [shard, { ...SUBSCRIPTION, shard }],
    [shard, { ...SUBSCRIPTION, keyId: 19, shard }],
  ]);
});

test("accounts are spread evenly over sixteen shards, in another way for every secret", async () => {
  const shardsFor = (secret: string) => Promise.all(Array.from({ length: 3_200 }, (_, id) => shardOf(id, secret)));
  const [shards, others] = [await shardsFor(SECRET), await shardsFor("another secret")];
  const counts = Object.values(Object.groupBy(shards, (shard) => shard)).map((of) => of?.length ?? 0);
  expect(counts).toHaveLength(16);
  // 200 each, and a deviation of 13.7: five of them.
  expect(Math.min(...counts)).toBeGreaterThan(130);
  expect(Math.max(...counts)).toBeLessThan(270);
  // Of those with ids that follow each other by sixteen, a sixteenth, and not all, share a shard.
  const residue = shards.filter((_, id) => id % 16 === 3);
  expect(new Set(residue).size).toBe(16);
  const same = shards.filter((shard, id) => shard === others[id]).length;
  expect(same).toBeLessThan(3_200 / 16 + 70);
});

test.each([
  ["key_full", "key"],
  ["account_full", "account"],
  ["shard_full", "cluster"],
])("a shard that says %s has no place left for the %s", async (text, of) => {
  const port = openPort(async () => ({ status: 429, text: async () => text, webSocket: null }));
  expect(await port.join(SUBSCRIPTION, LISTENER)).toEqual({ kind: "full", of });
});

test.each([
  ["refuses", async () => ({ status: 503, webSocket: null })],
  ["fails", () => Promise.reject(new Error("the object was reset"))],
])("the stream is away while its shard %s", async (_, answer) => {
  await expect(openPort(answer).join(SUBSCRIPTION, LISTENER)).rejects.toThrow(StreamUnavailable);
});

test("the stream is away when its shard says nothing for five seconds; a socket that comes after that is given back", async () => {
  const socket = new PlayedSocket();
  const asked = Promise.withResolvers<(response: object) => void>();
  const joined = openPort(() => new Promise((resolve) => asked.resolve(resolve))).join(SUBSCRIPTION, LISTENER);
  const answer = await asked.promise;
  const failure = joined.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await failure).toBeInstanceOf(StreamUnavailable);
  answer({ status: 101, webSocket: socket });
  await vi.advanceTimersByTimeAsync(0);
  expect(socket.did).toEqual(["accept", ["close", 1000]]);
});

test("what comes is heard once the link is open, and said to have come when it is asked; after the end nothing is", async () => {
  const socket = new PlayedSocket();
  const heard: unknown[] = [];
  const listener = { batch: ({ to }: { to: number }) => void heard.push(to), lost: () => void heard.push("lost") };
  const joined = await openPort(async () => ({ status: 101, webSocket: socket })).join(SUBSCRIPTION, listener);
  if (joined.kind !== "joined") throw new Error("not joined");
  expect(socket.did).toEqual([]);
  joined.link.open();
  const head = { from: 7, to: 9, isPage: true, isHead: true };
  socket.hear(packBatch(head, "id: 9\n\n"));
  socket.hear(packBatch({ ...head, from: 9, isPage: false }, "", true));
  joined.link.more(9);
  joined.link.pause();
  expect(heard).toEqual([9, 9]);
  expect(socket.did).toEqual(["accept", { heard: true }, { more: 9 }, { pause: true }]);
  socket.dispatchEvent(new Event("close"));
  socket.dispatchEvent(new Event("error"));
  socket.hear(packBatch({ ...head, to: 10 }, ""));
  expect(heard).toEqual([9, 9, "lost"]);
});

test("a link that its holder leaves is not said to be lost", async () => {
  const socket = new PlayedSocket();
  const lost = vi.fn();
  const joined = await openPort(async () => ({ status: 101, webSocket: socket })).join(SUBSCRIPTION, { ...LISTENER, lost });
  if (joined.kind !== "joined") throw new Error("not joined");
  joined.link.open();
  joined.link.leave();
  joined.link.leave();
  socket.dispatchEvent(new Event("close"));
  expect(socket.did).toEqual(["accept", ["close", 1000]]);
  expect(lost).not.toHaveBeenCalled();
});
