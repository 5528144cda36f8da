import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { systemClock } from "../../../../src/lib/timing/clock.ts";
import { FaultPlan } from "../../../provider/http/faults.ts";
import { handleCall } from "../../../provider/http/handle-call.ts";
import { attachSockets } from "../../../provider/sockets/attach.ts";
import type { LiveSize } from "../live-size.ts";
import { createLiveWorld } from "./live-world.ts";
import { ObservedTrades, type ProviderObservations } from "./observed-trades.ts";
import { RequestWindows, type BudgetName, type WindowCounts } from "./request-windows.ts";

export interface LiveProvider {
  readonly port: number;
  begin(seconds: number): void;
  /** Whether every request and every new socket is refused with status 403, from now on. */
  refuse(isRefusing: boolean): void;
  readRequests(): Partial<Record<BudgetName, WindowCounts>>;
  readObservations(): ProviderObservations;
  stop(): Promise<void>;
}

const FeedPage = z.object({
  data: z.array(z.object({ transaction_hash: z.string(), proxy_wallet: z.string() })),
  pagination: z.object({ next_cursor: z.string().nullable() }),
});

/** The surface of the provider endpoint over the live world, with counted requests and observed rows. */
export async function startLiveProvider(size: LiveSize, historyEndMs: number): Promise<LiveProvider> {
  const observed = new ObservedTrades();
  const requests = new RequestWindows();
  const faults = new FaultPlan();
  const world = createLiveWorld(size, historyEndMs, Date.now, (_, record) => observed.add(record));
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://loopback");
    requests.count(url.pathname, Date.now());
    serve(request, response, url).catch((error: unknown) => {
      console.error(`provider: ${url.pathname}: ${String(error)}`);
      response.destroy();
    });
  });

  async function serve(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const body: unknown = text === "" ? null : JSON.parse(text);
    const call = { method: request.method ?? "GET", path: url.pathname, search: url.searchParams, body };
    const answer = handleCall(world, faults, call, faults.take(url.pathname));
    // Before the rest of a long page is written: what happens from here on is the product's.
    if (answer.status === 200) observe(url, answer.body);
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(JSON.stringify(answer.body));
  }

  function observe({ pathname, searchParams }: URL, body: unknown): void {
    const user = searchParams.get("user");
    if (pathname === "/data/v2/trades" && user === null) observed.sent(FeedPage.parse(body).data, Date.now());
    if (pathname !== "/data/v2/activity" || user === null) return;
    if (FeedPage.parse(body).pagination.next_cursor === null) observed.readActivity(user.toLowerCase(), Date.now());
  }

  server.keepAliveTimeout = 120_000;
  const closeSockets = attachSockets(server, world, faults, systemClock);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    begin: (seconds) => world.begin(seconds),
    refuse: (isRefusing) =>
      faults.set(isRefusing ? [{ path: "/", kind: "status", status: 403, times: Number.POSITIVE_INFINITY }] : []),
    readRequests: () => requests.read(Date.now()),
    readObservations: () => observed.read(),
    async stop() {
      closeSockets();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
