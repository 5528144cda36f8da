import type { Config } from "../../../config.ts";
import { relayHeaders } from "../http/through-relay.ts";
import type { Connect } from "./socket-port.ts";

/**
 * Opens outbound WebSockets from the Workers runtime, which returns them with the response to a fetch.
 *
 * @param relay takes the socket to the provider; null connects directly
 */
export function connectFromWorker({ relay }: Pick<Config["provider"], "relay">): Connect {
  return async (url) => {
    const headers = { upgrade: "websocket", ...(relay === null ? {} : relayHeaders(relay, url)) };
    const response = await fetch(relay?.url ?? url.replace(/^ws/, "http"), { headers, redirect: "manual" });
    const socket = response.webSocket;
    if (socket === null) throw new Error(`the response has no WebSocket: status ${response.status}`);
    socket.accept();
    return socket;
  };
}
