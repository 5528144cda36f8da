import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { seeded } from "./simulated-stream.ts";

/** Stands between clients and the product's stream, with the keys they cannot send, and cuts their connections in the middle of anything. */
export interface CuttingProxy {
  readonly origin: string;
  /** How often the connections of a client were cut. */
  cutsOf(client: string): number;
  /** Status and client of every answer of the product that was no stream. */
  readonly refusals: string[];
  /** Bodies that pages have posted, by the client's name. */
  readonly posted: Map<string, string>;
  stop(): void;
}

interface Facts {
  readonly productUrl: string;
  /** Taken in turn, so that none of them connects too often. */
  readonly keys: readonly string[];
  readonly seed: number;
  /** How often each client is cut. */
  readonly cuts: number;
  /** How many bytes a connection carries before it is cut: any number below twice this. */
  readonly meanBytes: number;
  /** Of the document at `/page`. */
  readonly page: string;
}

/** How long clients wait before they come again; the product's own seconds would make the test last an hour. */
const RETRY_MS = 5;

/** Clients ask at `/stream/<their name>`. */
export async function startCuttingProxy({ productUrl, keys, seed, cuts, meanBytes, page }: Facts): Promise<CuttingProxy> {
  const random = seeded(seed);
  const done = new Map<string, number>();
  const refusals: string[] = [];
  const posted = new Map<string, string>();
  let turn = 0;

  function pass(client: string, incoming: IncomingMessage, response: ServerResponse): void {
    const place = turn++ % keys.length;
    const headers: Record<string, string> = { authorization: `Bearer ${keys[place]}`, "cf-connecting-ip": `10.1.0.${place}` };
    const lastEventId = incoming.headers["last-event-id"];
    if (typeof lastEventId === "string") headers["last-event-id"] = lastEventId;
    const upstream = request(`${productUrl}/api/v1/stream`, { headers }, (answer) => {
      if (answer.statusCode !== 200) refusals.push(`${answer.statusCode} ${client}`);
      const { "content-type": type = "text/plain" } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, { "content-type": type, "cache-control": "no-store" });
      response.flushHeaders();
      let left = (done.get(client) ?? 0) < cuts && answer.statusCode === 200 ? random(2 * meanBytes) : Number.POSITIVE_INFINITY;
      let isFirst = true;
      answer.on("data", (chunk: Buffer) => {
        const bytes = isFirst ? Buffer.from(chunk.toString("latin1").replace(/^retry: \d+/, `retry: ${RETRY_MS}`), "latin1") : chunk;
        isFirst = false;
        if (bytes.length < left) {
          left -= bytes.length;
          response.write(bytes);
          return;
        }
        if (response.destroyed) return;
        done.set(client, (done.get(client) ?? 0) + 1);
        // The last bytes go out before the connection goes.
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
    cutsOf: (client) => done.get(client) ?? 0,
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
