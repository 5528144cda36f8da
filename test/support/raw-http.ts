import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** The decoded body; null when it is not JSON. */
  readonly body: any;
}

const ANSWER_MS = 10_000;

/**
 * Sends these bytes as they are and ends its side, as no HTTP client would.
 *
 * @returns the answer once the server has closed the connection; null when it closed it without a word
 */
export async function sendRaw(port: number, ...parts: readonly (string | Uint8Array)[]): Promise<RawAnswer | null> {
  const received = await new Promise<Buffer>((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const chunks: Buffer[] = [];
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error(`no end of the answer within ${ANSWER_MS / 1000} s`)));
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // A server that has answered need not read the rest.
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
    });
    socket.on("close", () => resolve(Buffer.concat(chunks)));
    socket.end(Buffer.concat(parts.map((part) => Buffer.from(part))));
  });
  return received.length === 0 ? null : parseAnswer(received.toString());
}

/** Sends these bytes and goes away after so long, whatever comes. */
export async function abandonRaw(port: number, part: string, afterMs: number): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1" });
  // A connection that the server has closed first is as good.
  socket.on("error", () => undefined);
  socket.write(part);
  await sleep(afterMs);
  socket.resetAndDestroy();
}

function parseAnswer(received: string): RawAnswer {
  const split = received.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = received.slice(0, split).split("\r\n");
  const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]));
  const text = received.slice(split + 4);
  return { status: Number(/^HTTP\/1\.[01] (\d{3}) /.exec(statusLine)?.[1]), headers, text, body: parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
