import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface RawResponse {
  readonly status: number;
  /** By lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** The parsed body; null when it is not JSON. */
  readonly body: any;
}

const RESPONSE_TIMEOUT_MS = 10_000;

/**
 * Sends these bytes unchanged and ends its side of the connection, as no HTTP client would.
 *
 * @returns the response once the server has closed the connection; null when it closed without a response
 */
export async function sendRaw(port: number, ...parts: readonly (string | Uint8Array)[]): Promise<RawResponse | null> {
  const received = await new Promise<Buffer>((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const chunks: Buffer[] = [];
    socket.setTimeout(RESPONSE_TIMEOUT_MS, () =>
      socket.destroy(new Error(`the response did not end within ${RESPONSE_TIMEOUT_MS / 1000} s`)),
    );
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      // A server that has responded need not read the rest.
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
    });
    socket.on("close", () => resolve(Buffer.concat(chunks)));
    socket.end(Buffer.concat(parts.map((part) => Buffer.from(part))));
  });
  return received.length === 0 ? null : parseAnswer(received.toString());
}

/** Sends these bytes and disconnects after this time, whether or not a response has arrived. */
export async function sendRawAndDisconnect(port: number, part: string, afterMs: number): Promise<void> {
  const socket = connect({ port, host: "127.0.0.1" });
  // A connection that the server closes first is equally good.
  socket.on("error", () => undefined);
  socket.write(part);
  await sleep(afterMs);
  socket.resetAndDestroy();
}

function parseAnswer(received: string): RawResponse {
  const split = received.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = received.slice(0, split).split("\r\n");
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
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
