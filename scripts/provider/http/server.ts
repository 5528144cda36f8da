import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { ProviderWorld } from "../provider-world.ts";
import { handleCall } from "./handle-call.ts";
import type { Fault, FaultPlan } from "./faults.ts";

const MOST_BODY_BYTES = 1_000_000;
const KEEP_ALIVE_MS = 120_000;

export interface ServerLog {
  error(message: string, fields?: Record<string, unknown>): void;
}

/** The HTTP server of the endpoint, not yet listening. */
export function createHttpServer(world: ProviderWorld, faults: FaultPlan, log: ServerLog): Server {
  const server = createServer((request, response) => {
    serve(world, faults, request, response).catch((error: unknown) => {
      log.error("provider_endpoint.request_failed", { path: request.url, error: String(error) });
      if (!response.headersSent) response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: "internal", code: "internal", retryable: true }));
    });
  });
  // Longer than clients keep idle connections, so that none is closed just as it is reused.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

async function serve(
  world: ProviderWorld,
  faults: FaultPlan,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://loopback");
  const fault = faults.take(url.pathname);
  const body = parseJson(await readBody(request));
  if (fault?.kind === "silent") return;
  if (fault?.kind === "closed") return void request.socket.destroy();
  if (fault?.kind === "slow") await delay(fault.delayMs ?? 1000);
  const call = { method: request.method ?? "GET", path: url.pathname, search: url.searchParams, body };
  const answer = handleCall(world, faults, call, fault);
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "access-control-allow-origin": "*",
    ...answer.headers,
  };
  send(response, answer.status, headers, JSON.stringify(answer.body), fault);
}

function send(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  text: string,
  fault: Fault | null,
): void {
  const bytes = Buffer.from(text);
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  switch (fault?.kind) {
    case "garbage":
      response.writeHead(200, { "content-type": "text/html" }).end("<html><body>Attention required</body></html>");
      return;
    case "truncated_json":
      response.writeHead(status, headers).end(half);
      return;
    case "cut":
      response.writeHead(status, { ...headers, "content-length": String(bytes.length) });
      response.write(half, () => response.destroy());
      return;
    default:
      response.writeHead(status, { ...headers, "content-length": String(bytes.length) }).end(bytes);
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    // Without an encoding, a request's chunks are buffers.
    const bytes = chunk as Buffer;
    length += bytes.length;
    if (length > MOST_BODY_BYTES) break;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
