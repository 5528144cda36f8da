import { connect, type Socket } from "node:net";
import { START_OF_STREAM, scanFrames } from "./scan-frames.ts";
import type { ReceivedFrame, SubscribersRequest } from "./subscribers.ts";

/*
 * Listens on many connections, in its own process so that it takes no time from the measured one. For each
 * frame it stores the number of arrivals and the time of the last one; it parses nothing else.
 */
const AT_ONCE = 20;
const sockets: Socket[] = [];
/** Of the open connections, those that the source has ended. */
let ended = 0;
const received = new Map<number, { count: number; lastMs: number; publishedMs: number | null }>();

process.on("message", async (request: SubscribersRequest) => {
  process.send?.(await handle(request).catch((error: unknown) => ({ failed: String(error) })));
});
process.on("disconnect", () => process.exit(0));

async function handle(request: SubscribersRequest): Promise<unknown> {
  if (request.kind === "report")
    return { ended, frames: [...received].map(([id, frame]): ReceivedFrame => ({ id, ...frame })) };
  if (request.kind === "forget") return { forgotten: received.clear() ?? true };
  if (request.kind === "close") {
    for (const socket of sockets.splice(0)) socket.removeAllListeners("close").destroy();
    ended = 0;
    return { closed: true };
  }
  const waiting = [...request.requests];
  const refusals: string[] = [];
  const openAll = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const opened = await open(request.port, next);
      if (typeof opened === "string") refusals.push(opened);
      else sockets.push(opened.once("close", () => ended++));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, openAll));
  return { refusals };
}

/** Resolves once the response has begun. @returns the start of the response where the connection was refused */
function open(
  port: number,
  { path, headers }: { path: string; headers: Record<string, string> },
): Promise<Socket | string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let rest: Buffer | null = null;
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join("")}\r\n`);
    socket.once("error", reject);
    socket.on("data", (chunk) => {
      if (rest === null && !chunk.toString("latin1", 0, 12).endsWith(" 200"))
        return resolve(chunk.toString().slice(0, 500));
      if (rest === null) resolve(socket);
      rest = scanFrames(rest ?? START_OF_STREAM, chunk, recordFrame);
    });
  });
}

function recordFrame(id: number, bytes: Buffer, at: number): void {
  const now = Date.now();
  const frame = received.get(id) ?? { count: 0, lastMs: now, publishedMs: null };
  frame.count++;
  frame.lastMs = now;
  frame.publishedMs ??= parsePublished(bytes.toString("latin1", at, at + 120));
  received.set(id, frame);
}

/** Null where the text is cut; another subscriber has it whole. */
function parsePublished(text: string): number | null {
  const time = /"published_at":"([^"]+)"/.exec(text)?.[1];
  return time === undefined ? null : Date.parse(time);
}
