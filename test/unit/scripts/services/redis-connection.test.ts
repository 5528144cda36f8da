import { createServer, type Server, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { connectRedis } from "../../../../scripts/services/redis/redis-connection.ts";

/**
 * The server's side of RESP2 as a table: each request on the wire with the reply that Redis documents for it.
 */
const REPLIES: Record<string, string> = {
  "*1\r\n$4\r\nPING\r\n": "+PONG\r\n",
  "*2\r\n$3\r\nGET\r\n$4\r\nZoë\r\n": "$9\r\nline\r\n日\r\n",
  "*3\r\n$4\r\nMGET\r\n$1\r\na\r\n$1\r\nb\r\n": "*2\r\n$1\r\n1\r\n$-1\r\n",
  "*2\r\n$3\r\nTTL\r\n$1\r\na\r\n": ":60\r\n",
  "*1\r\n$4\r\nNOPE\r\n": "-ERR unknown command 'NOPE'\r\n",
  "*4\r\n$7\r\nEVALSHA\r\n$2\r\nab\r\n$1\r\n1\r\n$1\r\nk\r\n": "-NOSCRIPT No matching script. Please use EVAL.\r\n",
  "*4\r\n$4\r\nEVAL\r\n$19\r\n#!lua\n return {…}\r\n$1\r\n1\r\n$1\r\nk\r\n": "*2\r\n:-1\r\n:1200\r\n",
  "*3\r\n$6\r\nINCRBY\r\n$1\r\nk\r\n$2\r\n20\r\n": ":40\r\n",
  "*2\r\n$4\r\nAUTH\r\n$6\r\nsecret\r\n": "+OK\r\n",
};

interface FakeServer {
  readonly port: number;
  readonly received: string[];
  stop(): Promise<void>;
}

async function aServer(port = 0): Promise<FakeServer> {
  const sockets = new Set<Socket>();
  const received: string[] = [];
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString();
      for (let request = firstOf(text); request !== null; request = firstOf(text)) {
        text = text.slice(request.length);
        received.push(request);
        // One byte at a time: a reply is complete with its last byte, not with a packet.
        for (const byte of Buffer.from(REPLIES[request] ?? "-ERR not in the table\r\n")) socket.write(Buffer.of(byte));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  async function stop(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
  onTestFinished(stop);
  return { port: typeof address === "object" ? (address?.port ?? 0) : 0, received, stop };
}

const firstOf = (text: string) => Object.keys(REPLIES).find((request) => text.startsWith(request)) ?? null;

async function aConnection(port: number, credentials = "") {
  const redis = await connectRedis(`redis://${credentials}127.0.0.1:${port}`);
  onTestFinished(() => redis.close());
  return redis;
}

test("every kind of reply is parsed, and replies belong to their commands in order", async () => {
  const { port } = await aServer();
  const redis = await aConnection(port);
  const [pong, text, list, number] = await Promise.all([
    redis.run(["PING"]),
    redis.run(["GET", "Zoë"]),
    redis.run(["MGET", "a", "b"]),
    redis.run(["TTL", "a"]),
  ]);
  expect({ pong, text, list, number }).toEqual({ pong: "PONG", text: "line\r\n日", list: ["1", null], number: 60 });
  await expect(redis.run(["NOPE"])).rejects.toThrow("ERR unknown command 'NOPE'");
});

test("scripts and counters are passed through unchanged", async () => {
  const { port } = await aServer();
  const redis = await aConnection(port);
  await expect(redis.run(["EVALSHA", "ab", "1", "k"])).rejects.toThrow("NOSCRIPT No matching script. Please use EVAL.");
  expect(await redis.run(["EVAL", "#!lua\n return {…}", "1", "k"])).toEqual([-1, 1200]);
  expect(await redis.run(["INCRBY", "k", "20"])).toBe(40);
});

test("the password of a Redis URL is sent before any other command", async () => {
  const { port, received } = await aServer();
  const redis = await aConnection(port, ":secret@");
  await redis.run(["PING"]);
  expect(received).toEqual(["*2\r\n$4\r\nAUTH\r\n$6\r\nsecret\r\n", "*1\r\n$4\r\nPING\r\n"]);
});

test("commands fail while Redis is unavailable and succeed again once it is back", async () => {
  const server = await aServer();
  const redis = await aConnection(server.port);
  expect(await redis.run(["PING"])).toBe("PONG");
  await server.stop();
  await expect
    .poll(() => Promise.resolve(redis.run(["PING"])).catch((error: Error) => error.message))
    .toMatch(/^No Redis answers/);
  await aServer(server.port);
  expect(await Promise.all([redis.run(["PING"]), redis.run(["PING"])])).toEqual(["PONG", "PONG"]);
});

test("a connection to an address without Redis fails with that address", async () => {
  const server = await aServer();
  await server.stop();
  await expect(connectRedis(`redis://127.0.0.1:${server.port}`)).rejects.toThrow(
    `No Redis answers at 127.0.0.1:${server.port}.`,
  );
});
