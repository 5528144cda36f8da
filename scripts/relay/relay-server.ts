import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, request as plainRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { request as secureRequest } from "node:https";
import type { Duplex } from "node:stream";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/*
 * A reference relay with a fixed address: it forwards requests and WebSockets to the provider's hosts. It logs nothing,
 * and keeps nothing without a recording. The client names the target in a header, so that the relay needs no routes.
 */

export interface RelaySettings {
  /** At least 32 characters. */
  readonly token: string;
  /** In the form of `URL.host`. */
  readonly allowedHosts: readonly string[];
  /** Time until the target's response is complete; for a socket, until it is open. */
  readonly timeoutMs: number;
  readonly bind: string;
  readonly port: number;
  /** Gets complete responses with status 200. Null records nothing. */
  readonly recording: Recording | null;
}

export interface Recording {
  record(target: URL, body: string): void;
  /** Resolves once everything is stored. */
  close(): Promise<void>;
}

export interface Relay {
  readonly url: string;
  stop(): Promise<void>;
}

/** In `Relay-Outcome`. Only a response with `forwarded` comes from the target. */
type Refusal = "unauthorized" | "target_refused" | "body_too_large" | "target_unreachable" | "target_timed_out";

const STATUS: Readonly<Record<Refusal, number>> = {
  unauthorized: 401,
  target_refused: 403,
  body_too_large: 413,
  target_unreachable: 502,
  target_timed_out: 504,
};
const REQUEST_HEADERS = ["accept", "content-type", "user-agent"];
const RESPONSE_HEADERS = ["content-type", "retry-after"];
const SOCKET_HEADERS = [
  ...["connection", "upgrade", "origin", "user-agent", "sec-websocket-key"],
  ...["sec-websocket-version", "sec-websocket-extensions", "sec-websocket-protocol"],
];
const MAX_BODY_BYTES = 1_000_000;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

export async function startRelay(settings: RelaySettings): Promise<Relay> {
  if (settings.token.length < 32) throw new Error("the relay's token needs at least 32 characters");
  const sockets = new Set<Duplex>();
  const server = createServer((request, response) => {
    forward(request, response, settings).catch((error: unknown) => refuse(response, refusalOf(error)));
  });
  server.on("upgrade", (request, socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    forwardSocket(request, socket, settings);
  });
  await new Promise<void>((resolve, reject) =>
    server.once("error", reject).listen(settings.port, settings.bind, resolve),
  );
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : settings.port;
  return {
    url: `http://${settings.bind}:${port}`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await settings.recording?.close();
    },
  };
}

async function forward(request: IncomingMessage, response: ServerResponse, settings: RelaySettings): Promise<void> {
  const target = targetOf(request, settings, "http");
  const body = await readBody(request);
  const ended = new AbortController();
  response.once("close", () => ended.abort());
  const answer = await fetch(target, {
    method: request.method ?? "GET",
    headers: pick(request, REQUEST_HEADERS),
    ...(body.length === 0 ? {} : { body }),
    // A redirect could lead to a host that is not allowed.
    redirect: "manual",
    signal: AbortSignal.any([ended.signal, AbortSignal.timeout(settings.timeoutMs)]),
  });
  for (const name of RESPONSE_HEADERS) {
    const value = answer.headers.get(name);
    if (value !== null) response.setHeader(name, value);
  }
  response.writeHead(answer.status, { "relay-outcome": "forwarded" });
  response.flushHeaders();
  if (answer.body === null) response.end();
  // A body that breaks off breaks off at the client too.
  else {
    const chunks: Buffer[] = [];
    const isRecorded = settings.recording !== null && answer.status === 200;
    // The cast is safe: the stream of fetch is that of Node, whose types differ from the DOM's by name only.
    const stream = Readable.fromWeb(answer.body as never);
    if (isRecorded) stream.on("data", (chunk: Uint8Array) => chunks.push(Buffer.from(chunk)));
    await pipeline(stream, response).then(
      () => isRecorded && settings.recording?.record(target, Buffer.concat(chunks).toString()),
      () => response.destroy(),
    );
  }
}

/** After the handshake both sides are connected byte by byte. */
function forwardSocket(request: IncomingMessage, client: Duplex, settings: RelaySettings): void {
  client.on("error", () => client.destroy());
  const fail = (refusal: Refusal) =>
    client.end(`HTTP/1.1 ${STATUS[refusal]} Refused\r\nRelay-Outcome: ${refusal}\r\nConnection: close\r\n\r\n`);
  let target: URL;
  try {
    target = targetOf(request, settings, "ws");
  } catch (error) {
    fail(refusalOf(error));
    return;
  }
  const send = target.protocol === "wss:" ? secureRequest : plainRequest;
  const handshake = send(target.href.replace(/^ws/, "http"), { headers: pick(request, SOCKET_HEADERS) });
  const timer = setTimeout(() => handshake.destroy(new Refused("target_timed_out")), settings.timeoutMs);
  handshake.on("error", (error) => {
    clearTimeout(timer);
    fail(refusalOf(error));
  });
  handshake.once("response", (answer) => {
    clearTimeout(timer);
    handshake.destroy();
    client.end(`HTTP/1.1 ${answer.statusCode} Refused\r\nRelay-Outcome: forwarded\r\nConnection: close\r\n\r\n`);
  });
  handshake.once("upgrade", (answer, upstream, head) => {
    clearTimeout(timer);
    const lines = answer.rawHeaders.flatMap((name, index, all) =>
      index % 2 === 0 ? [`${name}: ${all[index + 1] ?? ""}`] : [],
    );
    client.write(["HTTP/1.1 101 Switching Protocols", ...lines, "Relay-Outcome: forwarded", "", ""].join("\r\n"));
    if (head.length > 0) client.write(head);
    upstream.on("error", () => client.destroy());
    upstream.once("close", () => client.destroy());
    client.once("close", () => upstream.destroy());
    client.pipe(upstream).pipe(client);
  });
  handshake.end();
}

/** @throws Refused for a wrong token, and for a target that is not allowed */
function targetOf(request: IncomingMessage, { token, allowedHosts }: RelaySettings, scheme: "http" | "ws"): URL {
  if (!isEqual(request.headers.authorization ?? "", `Bearer ${token}`)) throw new Refused("unauthorized");
  const header = request.headers["relay-target"];
  const target = typeof header === "string" ? URL.parse(header) : null;
  if (target === null || !allowedHosts.includes(target.host) || target.username !== "" || target.password !== "")
    throw new Refused("target_refused");
  const isPlain = target.protocol === `${scheme}:` && LOOPBACK.test(target.hostname);
  if (target.protocol !== `${scheme}s:` && !isPlain) throw new Refused("target_refused");
  return target;
}

/** Takes the same time for every wrong value. */
const isEqual = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Everything else of the request stays here, the token above all. */
const pick = ({ headers }: IncomingMessage, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );

async function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new Refused("body_too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused) return error.refusal;
  const isTimeout = error instanceof Error && error.name === "TimeoutError";
  return isTimeout ? "target_timed_out" : "target_unreachable";
}

function refuse(response: ServerResponse, refusal: Refusal): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(STATUS[refusal], { "relay-outcome": refusal, connection: "close" }).end();
}
