import type { Server } from "node:http";
import { WebSocketServer } from "ws";
import type { FaultPlan } from "../http/faults.ts";
import type { ProviderWorld } from "../world.ts";
import { serveSportsSocket } from "./sports-socket.ts";
import { serveTradesSocket } from "./trades-socket.ts";

const SOCKETS: Record<string, typeof serveTradesSocket> = { "/rtds": serveTradesSocket, "/sports": serveSportsSocket };

/** Adds the WebSocket paths to the server. The result closes every open socket. */
export function attachSockets(server: Server, world: ProviderWorld, faults: FaultPlan): () => void {
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, stream, head) => {
    const path = new URL(request.url ?? "/", "http://loopback").pathname;
    const serve = SOCKETS[path];
    const fault = faults.take(path);
    if (serve === undefined || fault?.kind === "closed") return void stream.destroy();
    if (fault?.kind === "status") return void stream.end(`HTTP/1.1 ${fault.status ?? 503} Unavailable\r\nconnection: close\r\n\r\n`);
    sockets.handleUpgrade(request, stream, head, (socket) => {
      // A reader that goes away abruptly is no error here; its close event follows.
      socket.on("error", () => undefined);
      if (fault?.kind === "silent") return;
      serve(world, socket);
      if (fault?.kind === "cut") setTimeout(() => socket.terminate(), fault.delayMs ?? 500).unref();
    });
  });
  return () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  };
}
