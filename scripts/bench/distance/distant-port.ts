import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A service behind a distance. */
export interface DistantPort {
  /** A text with the service's host and port, with this one's instead. */
  rename(text: string): string;
  stop(): Promise<void>;
}

/**
 * Forwards connections to a service on loopback. What the service sends arrives a round trip later, so every request
 * takes that much longer, on WebSockets too. Pipelined requests wait once, as on a real line.
 */
export async function startDistantPort(url: string, roundTripMs: number): Promise<DistantPort> {
  const { hostname, port, host } = new URL(url.includes("://") ? url : `http://${url}`);
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    const far = connect({ host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true });
    // Timers of one length run in the order in which they were set.
    const later = (work: () => void) => void setTimeout(work, roundTripMs);
    near.on("data", (data) => far.write(data));
    near.on("end", () => far.end());
    far.on("data", (data) => later(() => near.write(data)));
    far.on("end", () => later(() => near.end()));
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => open.delete(socket));
    }
    // A destroyed side has no end event.
    near.on("close", () => far.destroy());
    far.on("close", (hadError) => hadError && near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    rename: (text) => text.replace(host, own),
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
