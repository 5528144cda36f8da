import type { Connect } from "./socket-port.ts";

/** Opens an outbound WebSocket from the Workers runtime, which returns it with the response to a fetch. */
export const connectFromWorker: Connect = async (url) => {
  const response = await fetch(url.replace(/^ws/, "http"), { headers: { upgrade: "websocket" } });
  const socket = response.webSocket;
  if (socket === null) throw new Error(`the response has no WebSocket: status ${response.status}`);
  socket.accept();
  return socket;
};
