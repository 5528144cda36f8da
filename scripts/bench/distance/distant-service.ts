import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** In the time of `performance.now()`. */
interface AnsweredRequest {
  readonly arrivedAt: number;
  readonly answeredAt: number;
}

/** A service of the product behind a distance. */
export interface DistantService {
  readonly url: string;
  /** The time that each request takes on its way there and back. */
  setRoundTrip(ms: number): void;
  /** The requests that were answered since the last call. */
  takeRequests(): AnsweredRequest[];
  stop(): Promise<void>;
}

const HEADERS = ["authorization", "content-type", "neon-connection-string", "neon-raw-text-output", "neon-array-mode"];

/** Forwards requests over HTTP and delays each. A connection is open already, as to a service that is used often. */
export async function startDistantService(target: string): Promise<DistantService> {
  let roundTripMs = 0;
  const requests: AnsweredRequest[] = [];
  const { origin } = new URL(target);
  const server = createServer(async (request, response) => {
    const arrivedAt = performance.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    await sleep(roundTripMs);
    const headers = HEADERS.flatMap((name) => {
      const value = request.headers[name];
      return typeof value === "string" ? [[name, value] as [string, string]] : [];
    });
    const body = Buffer.concat(chunks);
    const forward = () => fetch(origin + (request.url ?? ""), { method: "POST", headers, body });
    // The service closes idle connections, and a request may meet one that just closed.
    const answer = await forward().catch(forward);
    const answered = Buffer.from(await answer.arrayBuffer());
    requests.push({ arrivedAt, answeredAt: performance.now() });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(answered);
  });
  // Longer than any kind of reads uses only the other service: workerd would meet a connection that just closed.
  server.keepAliveTimeout = 300_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: target.replace(origin, `http://127.0.0.1:${port}`),
    setRoundTrip: (ms) => void (roundTripMs = ms),
    takeRequests: () => requests.splice(0),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
