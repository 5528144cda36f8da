import { createServer } from "node:http";

export type ReceiverRequest = "start" | "arrivals";

export interface Arrival {
  readonly receiver: string;
  /** The event's id, as the header says. */
  readonly eventId: string;
  /** When its body had come, milliseconds since 1970. */
  readonly atMs: number;
}

/** Of so many requests to those that are shaky one is answered with 503. */
const SHAKEN = 997;

// Accepts what comes with 204, or does not, as the path says.
let requests = 0;
let arrivals: Arrival[] = [];
const server = createServer((request, response) => {
  const [, kind, receiver = ""] = request.url?.split("/") ?? [];
  request.resume().on("end", () => {
    if (kind === "hanging") return;
    if (kind === "shaky" && ++requests % SHAKEN === 0) return void response.writeHead(503).end();
    arrivals.push({ receiver, eventId: String(request.headers["webhook-id"]), atMs: performance.timeOrigin + performance.now() });
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
