import { createServer } from "node:http";

export type ReceiverRequest = "start" | "arrivals";

export interface Arrival {
  readonly receiver: string;
  /** The event's id from the header. */
  readonly eventId: string;
  /** When the whole body had arrived, milliseconds since 1970. */
  readonly atMs: number;
}

/** A shaky receiver responds to one request of this many with 503. */
const SHAKEN = 997;

// Accepts requests with 204, fails or hangs, depending on the path.
let requests = 0;
let arrivals: Arrival[] = [];
const server = createServer((request, response) => {
  const [, kind, receiver = ""] = request.url?.split("/") ?? [];
  request.resume().on("end", () => {
    if (kind === "hanging") return;
    if (kind === "shaky" && ++requests % SHAKEN === 0) return void response.writeHead(503).end();
    arrivals.push({
      receiver,
      eventId: String(request.headers["webhook-id"]),
      atMs: performance.timeOrigin + performance.now(),
    });
    response.writeHead(204).end();
  });
});
server.keepAliveTimeout = 60_000;

process.on("message", (request: ReceiverRequest) => {
  if (request === "start") {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      process.send?.(typeof address === "object" && address !== null ? address.port : 0);
    });
  } else {
    process.send?.(arrivals);
    arrivals = [];
  }
});
process.once("disconnect", () => process.exit());
