import { once } from "node:events";
import { createServer, request as sendRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface KeyedProxy {
  /** The endpoint as a tool without credentials reaches it. */
  readonly url: string;
  close(): Promise<void>;
}

/** Forwards requests unchanged but for an added key: the conformance suite cannot send one. */
export async function openKeyedProxy(target: URL, key: string): Promise<KeyedProxy> {
  const server = createServer((received, answer) => {
    const headers = { ...received.headers, host: target.host, authorization: `Bearer ${key}` };
    const options = { hostname: target.hostname, port: target.port, path: target.pathname };
    const forwarded = sendRequest({ ...options, method: received.method, headers }, (response: IncomingMessage) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    forwarded.on("error", () => answer.destroy());
    received.pipe(forwarded);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}${target.pathname}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
