import { createServer, type AddressInfo, type Server } from "node:net";
import { onTestFinished } from "vitest";

/** Listens on loopback over IPv4 and IPv6, counts connections, and responds 200 to every request. */
export interface Canary {
  readonly port: number;
  connections(): number;
}

export async function startCanary(): Promise<Canary> {
  let connections = 0;
  const listen = (host: string, port: number) =>
    new Promise<Server>((resolve, reject) => {
      const server = createServer((socket) => {
        connections++;
        socket.on("error", () => undefined);
        // A response before the request would be invalid.
        socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"));
      });
      server.once("error", reject);
      server.listen(port, host, () => resolve(server));
    });
  const v4 = await listen("127.0.0.1", 0);
  const { port } = v4.address() as AddressInfo;
  // Not every machine has IPv6.
  const v6 = await listen("::1", port).catch(() => null);
  onTestFinished(() => {
    v4.close();
    v6?.close();
  });
  return { port, connections: () => connections };
}
