import type { Server } from "node:http";
import { WebSocketServer } from "ws";
import type { Clock } from "../../../src/lib/timing/clock.ts";
import type { FaultPlan } from "../http/faults.ts";
import type { ProviderWorld } from "../provider-world.ts";
import { serveSportsSocket } from "./sports-socket.ts";
import { serveTradesSocket } from "./trades-socket.ts";

const SOCKETS: Record<string, typeof serveTradesSocket> = { "/rtds": serveTradesSocket, "/sports": serveSportsSocket };

/** Adds the WebSocket paths to the server. @returns a function that closes every open socket */
export function attachSockets(server: Server, world: ProviderWorld, faults: FaultPlan, clock: Clock): () => void {
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, stream, head) => {
    const path = new URL(request.url ?? "/", "http://loopback").pathname;
    const serve = SOCKETS[path];
    const fault = faults.take(path);
    if (serve === undefined || fault?.kind === "closed") return void stream.destroy();
    if (fault?.kind === "status")
      return void stream.end(`HTTP/1.1 ${fault.status ?? 503} Unavailable\r\nconnection: close\r\n\r\n`);
    sockets.handleUpgrade(request, stream, head, (socket) => {
      // An abrupt disconnect is not an error here; its close event follows.
      socket.on("error", () => undefined);
      if (fault?.kind === "silent") return;
      serve(world, socket, clock);
      if (fault?.kind === "cut") clock.after(fault.delayMs ?? 500, () => socket.terminate());
    });
  });
  return () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  };
}
