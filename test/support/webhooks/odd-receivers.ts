import { createServer, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

export type Oddity = "fine" | "endless" | "trickling" | "huge" | "hanging" | "resetting" | "cut off";

export interface OddReceivers {
  url(oddity: Oddity, name?: string): string;
  /** Number of received requests. */
  requests(oddity: Oddity): number;
  /** Response bytes accepted by the operating system, including connection buffers. */
  sent(oddity: Oddity): number;
  /** Number of open connections with an unfinished response. */
  answering(): number;
}

const CHUNK = Buffer.alloc(64 * 1024, "x");
const HUGE_BYTES = 100 * 1024 * 1024;

/** Receivers on loopback that respond in every wrong way, until the test has finished. */
export async function startOddReceivers(): Promise<OddReceivers> {
  const requests = new Map<Oddity, number>();
  const sent = new Map<Oddity, number>();
  const open = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const oddity = decodeURIComponent(request.url?.split("/")[1] ?? "") as Oddity;
    requests.set(oddity, (requests.get(oddity) ?? 0) + 1);
    const send = (limit: number) => {
      while (!response.destroyed && (sent.get(oddity) ?? 0) < limit) {
        sent.set(oddity, (sent.get(oddity) ?? 0) + CHUNK.length);
        if (!response.write(CHUNK)) return void response.once("drain", () => send(limit));
      }
      response.end();
    };
    open.add(response);
    response.once("close", () => open.delete(response));
    response.on("error", () => undefined);
    request.resume().on("end", () => {
      if (oddity === "fine") response.writeHead(200).end("thank you");
      if (oddity === "endless") send(Infinity);
      if (oddity === "huge") send((requests.get(oddity) ?? 0) * HUGE_BYTES);
      if (oddity === "resetting") request.socket.resetAndDestroy();
      if (oddity === "cut off") {
        response.writeHead(200, { "content-length": "500" }).write("half");
        setTimeout(() => request.socket.resetAndDestroy(), 50);
      }
      if (oddity === "trickling") {
        const timer = setInterval(() => response.write("x"), 500);
        response.once("close", () => clearInterval(timer));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: (oddity, name = "in") => `http://127.0.0.1:${port}/${encodeURIComponent(oddity)}/${name}`,
    requests: (oddity) => requests.get(oddity) ?? 0,
    sent: (oddity) => sent.get(oddity) ?? 0,
    answering: () => open.size,
  };
}
