import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  ACCESS_CHECKED_HEADER,
  SUBSCRIPTION_HEADER,
  Subscription,
  packBatch,
  type StreamRequest,
} from "../../../src/stream/stream-messages.ts";
import { jumpHash, shardOf, StreamUnavailable } from "../../../src/platform/objects/event-stream-port.ts";
import { DurableObjectEventStream } from "../../../src/platform/objects/durable-object-event-stream.ts";

const SUBSCRIPTION: StreamRequest = {
  connection: "é",
  keyId: 35,
  accountId: 3,
  cursor: 7,
  filter: { types: null, conditionId: null, minGrade: null, wallet: null, minSizeMicro: null },
};
const SECRET = "a secret of the test";
const LISTENER = { onBatch: () => undefined, onAccess: () => undefined, onLost: () => undefined };

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** The Worker's end of a socket, driven by the test. */
class FakeSocket extends EventTarget {
  readonly sent: unknown[] = [];
  binaryType = "blob";
  accept = () => void this.sent.push("accept");
  close = (code: number) => void this.sent.push(["close", code]);
  send = (text: string) => void this.sent.push(JSON.parse(text));
  receive(message: Uint8Array | string): void {
    const data = typeof message === "string" ? message : message.slice().buffer;
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }
}

/** The port over shards that respond with `answer`. */
function openPort(answer: (request: { shard: string; headers: Record<string, string> }) => Promise<object>) {
  const shards = {
    idFromName: (name: string) => name,
    get: (shard: string) => ({
      fetch: (_url: string, { headers }: { headers: Record<string, string> }) => answer({ shard, headers }),
    }),
  };
  // The runtime's own namespace has more members and returns its own Response.
  return new DurableObjectEventStream(shards as unknown as ConstructorParameters<typeof DurableObjectEventStream>[0], {
    credentialKeys: { current: SECRET, previous: [] },
    stream: { shards: 16, connectionsPerShard: 1_000 },
  });
}

test("all connections of an account join the same shard, whatever their key, with their subscription in a header", async () => {
  const requests: unknown[] = [];
  const port = openPort(async ({ shard, headers }) => {
    requests.push([shard, JSON.parse(decodeURIComponent(headers[SUBSCRIPTION_HEADER] ?? ""))]);
    return { status: 429, text: async () => "key_full", webSocket: null };
  });
  await port.join(SUBSCRIPTION, LISTENER);
  await port.join({ ...SUBSCRIPTION, keyId: 19 }, LISTENER);
  const shard = await shardOf(3, SECRET, 16);
  expect(requests).toEqual([
    [shard, { ...SUBSCRIPTION, shard }],
    [shard, { ...SUBSCRIPTION, keyId: 19, shard }],
  ]);
});

test("accounts are spread evenly over sixteen shards, differently for each secret", async () => {
  const shardsFor = (secret: string) => Promise.all(Array.from({ length: 3_200 }, (_, id) => shardOf(id, secret, 16)));
  const [shards, others] = [await shardsFor(SECRET), await shardsFor("another secret")];
  const counts = Object.values(Object.groupBy(shards, (shard) => shard)).map((members) => members?.length ?? 0);
  expect(counts).toHaveLength(16);
  // 200 each, with a standard deviation of 13.7; the bounds are five of them.
  expect(Math.min(...counts)).toBeGreaterThan(130);
  expect(Math.max(...counts)).toBeLessThan(270);
  // Accounts whose ids differ by sixteen are spread over all shards, and between two secrets about a
  // sixteenth agree.
  const residue = shards.filter((_, id) => id % 16 === 3);
  expect(new Set(residue).size).toBe(16);
  const same = shards.filter((shard, id) => shard === others[id]).length;
  expect(same).toBeLessThan(3_200 / 16 + 70);
});

test("a connection follows the shard that names another one as the account's, once", async () => {
  const requests: unknown[] = [];
  const port = openPort(async ({ shard, headers }) => {
    const { isRedirected } = JSON.parse(decodeURIComponent(headers[SUBSCRIPTION_HEADER] ?? ""));
    requests.push([shard, isRedirected]);
    return { status: 421, text: async () => "99", webSocket: null };
  });
  await expect(port.join(SUBSCRIPTION, LISTENER)).rejects.toThrow(StreamUnavailable);
  expect(requests).toEqual([
    [await shardOf(3, SECRET, 16), undefined],
    ["99", true],
  ]);
});

// Computed with the function in C of the paper (Lamping and Veach, 2014, figure 1).
test.each([
  [0n, 1, 0],
  [0n, 16, 0],
  [0n, 100, 0],
  [0n, 1000, 0],
  [1n, 1, 0],
  [1n, 16, 6],
  [1n, 100, 55],
  [1n, 1000, 549],
  [42n, 1, 0],
  [42n, 16, 2],
  [42n, 100, 43],
  [42n, 1000, 571],
  [0xdeadbeefcafef00dn, 1, 0],
  [0xdeadbeefcafef00dn, 16, 1],
  [0xdeadbeefcafef00dn, 100, 32],
  [0xdeadbeefcafef00dn, 1000, 774],
  [0xffffffffffffffffn, 1, 0],
  [0xffffffffffffffffn, 16, 10],
  [0xffffffffffffffffn, 100, 92],
  [0xffffffffffffffffn, 1000, 313],
] as const)("the jump hash of %s in %i buckets is %i", (key, buckets, bucket) => {
  expect(jumpHash(key, buckets)).toBe(bucket);
});

test("a seventeenth shard moves a seventeenth of the accounts, all of them to it", async () => {
  const ids = Array.from({ length: 3_400 }, (_, id) => id);
  const before = await Promise.all(ids.map((id) => shardOf(id, SECRET, 16)));
  const after = await Promise.all(ids.map((id) => shardOf(id, SECRET, 17)));
  const moved = after.filter((shard, id) => shard !== before[id]);
  expect(new Set(moved)).toEqual(new Set(["16"]));
  // 200, with a standard deviation of 13.7; the bounds are five of them.
  expect(moved.length).toBeGreaterThan(130);
  expect(moved.length).toBeLessThan(270);
});

test.each([
  ["key_full", "key"],
  ["account_full", "account"],
  ["shard_full", "cluster"],
])("a shard that refuses with %s has no connection left for the %s", async (text, scope) => {
  const port = openPort(async () => ({ status: 429, text: async () => text, webSocket: null }));
  expect(await port.join(SUBSCRIPTION, LISTENER)).toEqual({ kind: "full", of: scope });
});

test.each([
  ["refuses", async () => ({ status: 503, webSocket: null })],
  ["fails", () => Promise.reject(new Error("the object was reset"))],
])("the stream is unavailable while its shard %s", async (_, answer) => {
  await expect(openPort(answer).join(SUBSCRIPTION, LISTENER)).rejects.toThrow(StreamUnavailable);
});

test("the stream is unavailable when its shard does not respond for five seconds, and a later socket is closed", async () => {
  const socket = new FakeSocket();
  const answered = Promise.withResolvers<(response: object) => void>();
  const joined = openPort(() => new Promise((resolve) => answered.resolve(resolve))).join(SUBSCRIPTION, LISTENER);
  const answer = await answered.promise;
  const failure = joined.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await failure).toBeInstanceOf(StreamUnavailable);
  answer({ status: 101, webSocket: socket, headers: new Headers() });
  await vi.advanceTimersByTimeAsync(0);
  expect(socket.sent).toEqual(["accept", ["close", 1000]]);
});

test("batches are delivered once the link is open and acknowledged on request, but not after its end", async () => {
  const socket = new FakeSocket();
  const events: unknown[] = [];
  const listener = {
    ...LISTENER,
    onBatch: ({ to }: { to: number }) => void events.push(to),
    onLost: () => void events.push("lost"),
  };
  const joined = await openPort(async () => ({ status: 101, webSocket: socket, headers: new Headers() })).join(
    SUBSCRIPTION,
    listener,
  );
  if (joined.kind !== "joined") throw new Error("not joined");
  expect(socket.sent).toEqual([]);
  joined.link.open();
  const head = { from: 7, to: 9, isPage: true, isHead: true };
  socket.receive(packBatch(head, "id: 9\n\n"));
  socket.receive(packBatch({ ...head, from: 9, isPage: false }, "", true));
  joined.link.requestPage(9);
  joined.link.pause();
  expect(events).toEqual([9, 9]);
  expect(socket.sent).toEqual(["accept", { ack: true }, { more: 9 }, { pause: true }]);
  socket.dispatchEvent(new Event("close"));
  socket.dispatchEvent(new Event("error"));
  socket.receive(packBatch({ ...head, to: 10 }, ""));
  expect(events).toEqual([9, 9, "lost"]);
});

test.each([
  ["of this release", { [ACCESS_CHECKED_HEADER]: "1" }, true],
  ["of the previous release", {}, false],
])("a shard %s says whether it checks the access of the connection", async (_, headers, isAccessChecked) => {
  const answer = async () => ({ status: 101, webSocket: new FakeSocket(), headers: new Headers(headers) });
  expect(await openPort(answer).join(SUBSCRIPTION, LISTENER)).toMatchObject({ kind: "joined", isAccessChecked });
});

test("what a shard says about access reaches the listener, and any other text is ignored", async () => {
  const socket = new FakeSocket();
  const onAccess = vi.fn();
  const answer = async () => ({ status: 101, webSocket: socket, headers: new Headers() });
  await openPort(answer).join(SUBSCRIPTION, { ...LISTENER, onAccess });
  for (const message of [{ confirmed: 5 }, { refused: "account_locked" }, { refused: "unknown" }, { later: 1 }])
    socket.receive(JSON.stringify(message));
  socket.receive("confirmed");
  expect(onAccess.mock.calls).toEqual([[{ confirmed: 5 }], [{ refused: "account_locked" }]]);
});

test("a subscription whose access this release cannot read is one without access", () => {
  const access = { hash: "h", requirement: { scope: "read", plan: "pro", resource: "api" }, checkedMs: 5 };
  const subscription = { ...SUBSCRIPTION, shard: "1", access };
  expect(Subscription.parse(subscription)).toEqual(subscription);
  const later = { ...access, requirement: { ...access.requirement, plan: "ultra" } };
  expect(Subscription.parse({ ...subscription, access: later }).access).toBeUndefined();
});

test("a link that its owner leaves is not reported as lost", async () => {
  const socket = new FakeSocket();
  const lost = vi.fn();
  const joined = await openPort(async () => ({ status: 101, webSocket: socket, headers: new Headers() })).join(
    SUBSCRIPTION,
    {
      ...LISTENER,
      onLost: lost,
    },
  );
  if (joined.kind !== "joined") throw new Error("not joined");
  joined.link.open();
  joined.link.leave();
  joined.link.leave();
  socket.dispatchEvent(new Event("close"));
  expect(socket.sent).toEqual(["accept", ["close", 1000]]);
  expect(lost).not.toHaveBeenCalled();
});
