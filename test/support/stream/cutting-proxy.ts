import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { seeded } from "./simulated-stream.ts";

/**
 * A proxy between clients and the product's stream. It adds the keys, which clients cannot send, and cuts
 * connections at arbitrary bytes.
 */
export interface CuttingProxy {
  readonly origin: string;
  /** How often the connections of a client were cut. */
  cutsOf(client: string): number;
  /** Status and client of every response of the product that was not a stream. */
  readonly refusals: string[];
  /** Bodies that pages have posted, by the client's name. */
  readonly posted: Map<string, string>;
  stop(): void;
}

interface ProxyOptions {
  readonly productUrl: string;
  /** Used in turn, so that no key connects too often. */
  readonly keys: readonly string[];
  readonly seed: number;
  /** Number of cuts of each client. */
  readonly cuts: number;
  /** Mean number of bytes that a connection carries before it is cut, uniform from 0 to twice this. */
  readonly meanBytes: number;
  /** The document at `/page`. */
  readonly page: string;
}

/** The retry delay sent to clients; with the product's own seconds the test would take an hour. */
const RETRY_MS = 5;

/** Clients connect to `/stream/<their name>`. */
export async function startCuttingProxy({
  productUrl,
  keys,
  seed,
  cuts,
  meanBytes,
  page,
}: ProxyOptions): Promise<CuttingProxy> {
  const random = seeded(seed);
  const cutCounts = new Map<string, number>();
  const refusals: string[] = [];
  const posted = new Map<string, string>();
  let requests = 0;

  function pass(client: string, incoming: IncomingMessage, response: ServerResponse): void {
    const index = requests++ % keys.length;
    const headers: Record<string, string> = {
      authorization: `Bearer ${keys[index]}`,
      "cf-connecting-ip": `10.1.0.${index}`,
    };
    const lastEventId = incoming.headers["last-event-id"];
    if (typeof lastEventId === "string") headers["last-event-id"] = lastEventId;
    const upstream = request(`${productUrl}/api/v1/stream`, { headers }, (answer) => {
      if (answer.statusCode !== 200) refusals.push(`${answer.statusCode} ${client}`);
      const { "content-type": type = "text/plain" } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, { "content-type": type, "cache-control": "no-store" });
      response.flushHeaders();
      let left =
        (cutCounts.get(client) ?? 0) < cuts && answer.statusCode === 200
          ? random(2 * meanBytes)
          : Number.POSITIVE_INFINITY;
      let isFirst = true;
      answer.on("data", (chunk: Buffer) => {
        const bytes = isFirst
          ? Buffer.from(chunk.toString("latin1").replace(/^retry: \d+/, `retry: ${RETRY_MS}`), "latin1")
          : chunk;
        isFirst = false;
        if (bytes.length < left) {
          left -= bytes.length;
          response.write(bytes);
          return;
        }
        if (response.destroyed) return;
        cutCounts.set(client, (cutCounts.get(client) ?? 0) + 1);
        // The last bytes are sent before the connection is destroyed.
        response.write(bytes.subarray(0, left), () => response.destroy());
        left = 0;
        upstream.destroy();
      });
      answer.once("end", () => response.end());
      answer.once("error", () => response.destroy());
    });
    upstream.once("error", () => response.destroy());
    response.once("close", () => upstream.destroy());
    upstream.end();
  }

  const server = createServer(async (incoming, response) => {
    const [, kind, client = ""] = (incoming.url ?? "").split("/");
    if (kind === "stream") return pass(client, incoming, response);
    if (kind === "page") return void response.writeHead(200, { "content-type": "text/html" }).end(page);
    if (kind === "posted") posted.set(client, await textOf(incoming));
    response.writeHead(kind === "posted" ? 204 : 404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutsOf: (client) => cutCounts.get(client) ?? 0,
    refusals,
    posted,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
