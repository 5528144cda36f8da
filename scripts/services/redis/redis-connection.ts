import { connect, type Socket } from "node:net";
import type { RedisRunner, RedisReply } from "./redis-runner.ts";

interface Connection extends RedisRunner {
  isClosed(): boolean;
}

/** A connection to a real Redis. The first command after a loss opens it again. */
export async function connectRedis(redisUrl: string): Promise<RedisRunner> {
  const url = new URL(redisUrl);
  let connection = await openConnection(url);
  let reopening: Promise<Connection> | null = null;

  async function reopen(): Promise<Connection> {
    reopening ??= openConnection(url).finally(() => (reopening = null));
    connection = await reopening;
    return connection;
  }
  return {
    run: async (command) => (connection.isClosed() ? await reopen() : connection).run(command),
    close: () => connection.close(),
  };
}

/** Replies come in the order of commands (RESP2). */
async function openConnection(url: URL): Promise<Connection> {
  const socket = await open(url);
  const waiting: { resolve: (reply: RedisReply) => void; reject: (error: Error) => void }[] = [];
  let received = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (let parsed = parseReply(received, 0); parsed !== null; parsed = parseReply(received, 0)) {
      received = received.subarray(parsed.end);
      const next = waiting.shift();
      if (parsed.reply instanceof Error) next?.reject(parsed.reply);
      else next?.resolve(parsed.reply);
    }
  });
  socket.on("close", () => {
    for (const { reject } of waiting.splice(0)) reject(new Error("ERR the Redis connection closed"));
  });
  const run = (command: readonly string[]) =>
    new Promise<RedisReply>((resolve, reject) => {
      if (socket.destroyed) return reject(new Error("ERR the Redis connection closed"));
      waiting.push({ resolve, reject });
      socket.write(
        `*${command.length}\r\n${command.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join("")}`,
      );
    });
  if (url.password !== "") await run(["AUTH", ...(url.username === "" ? [] : [url.username]), url.password]);
  return { run, close: () => socket.destroy(), isClosed: () => socket.destroyed };
}

function open(url: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port || 6379), url.hostname).setNoDelay(true);
    socket.once("connect", () => resolve(socket));
    socket.once("error", () => reject(new Error(`No Redis answers at ${url.host}.`)));
    socket.on("error", () => undefined);
  });
}

/** The reply that starts at `at`; null while it is incomplete. */
function parseReply(bytes: Buffer, at: number): { reply: RedisReply | Error; end: number } | null {
  const lineEnd = bytes.indexOf("\r\n", at);
  if (lineEnd === -1) return null;
  const line = bytes.toString("utf8", at + 1, lineEnd);
  const end = lineEnd + 2;
  switch (String.fromCharCode(bytes[at] ?? 0)) {
    case "+":
      return { reply: line, end };
    case "-":
      return { reply: new Error(line), end };
    case ":":
      return { reply: Number(line), end };
    case "$": {
      const length = Number(line);
      if (length === -1) return { reply: null, end };
      return bytes.length < end + length + 2
        ? null
        : { reply: bytes.toString("utf8", end, end + length), end: end + length + 2 };
    }
    default:
      return parseArray(bytes, Number(line), end);
  }
}

function parseArray(bytes: Buffer, length: number, start: number): { reply: RedisReply; end: number } | null {
  if (length === -1) return { reply: null, end: start };
  const items: RedisReply[] = [];
  let end = start;
  for (let i = 0; i < length; i++) {
    const item = parseReply(bytes, end);
    if (item === null) return null;
    items.push(item.reply instanceof Error ? item.reply.message : item.reply);
    end = item.end;
  }
  return { reply: items, end };
}
