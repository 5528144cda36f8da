import { DurableObject } from "cloudflare:workers";
import { presentFrame } from "../../../src/stream/frame.ts";
import { EVENT } from "./stream-event.ts";

/*
 * The floor of the runtime for a stream of this shape: objects hold hibernating sockets, Workers copy the
 * socket's messages into their responses. Frames are numbered in memory; there is no database, storage,
 * filter, limit or resume. Frames published during a round wait for the next, which begins when the last
 * listener of each room has acknowledged the round.
 */
interface Bindings {
  readonly PUBLISHER: DurableObjectNamespace<BarePublisher>;
  readonly ROOM: DurableObjectNamespace<BareRoom>;
}

const ROOMS = 16;
/**
 * Without a pause rounds start faster than they are delivered; the product pauses as long for this many
 * listeners.
 */
const PAUSE_MS = 120;
const encoder = new TextEncoder();

export class BarePublisher extends DurableObject<Bindings> {
  #seq = 0;
  #waiting: string[] = [];
  #isSending = false;

  publish(frames: number): void {
    for (let count = 0; count < frames; count++) {
      const seq = ++this.#seq;
      this.#waiting.push(
        presentFrame(seq, new Date().toISOString(), "LargeTradeInsertedV2", { event_id: `evt_1_${seq}`, ...EVENT }),
      );
    }
    if (!this.#isSending) this.ctx.waitUntil(this.#sendWaiting());
  }

  async #sendWaiting(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting.length > 0) {
      const frames = encoder.encode(this.#waiting.splice(0).join(""));
      await Promise.all(Array.from({ length: ROOMS }, (_, room) => this.env.ROOM.getByName(String(room)).push(frames)));
      await scheduler.wait(PAUSE_MS);
    }
    this.#isSending = false;
  }
}

export class BareRoom extends DurableObject<Bindings> {
  /** Includes sockets from before a hibernation. */
  readonly #sockets = new Set(this.ctx.getWebSockets());
  #onAck: () => void = () => undefined;

  override fetch(): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    this.#sockets.add(server);
    return new Response(null, { status: 101, webSocket: client });
  }

  async push(frames: Uint8Array): Promise<void> {
    for (const socket of this.#sockets) {
      if (socket.readyState === WebSocket.OPEN) socket.send(frames);
      else this.#sockets.delete(socket);
    }
    const last = [...this.#sockets].at(-1);
    if (last === undefined) return;
    last.send("ack?");
    await new Promise<void>((resolve) => (this.#onAck = resolve));
  }

  override webSocketMessage(): void {
    this.#onAck();
  }

  override webSocketClose(socket: WebSocket): void {
    this.#sockets.delete(socket);
    this.#onAck();
  }
}

let nextRoom = 0;

async function openStream(env: Bindings): Promise<Response> {
  const room = env.ROOM.getByName(String(nextRoom++ % ROOMS));
  const { webSocket: socket } = await room.fetch("http://room/", { headers: { Upgrade: "websocket" } });
  if (socket === null) return new Response(null, { status: 503 });
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode("retry: 1000\n\n"));
      socket.addEventListener("message", ({ data }) => {
        if (data instanceof ArrayBuffer) controller.enqueue(new Uint8Array(data));
        else socket.send("ack");
      });
    },
    cancel: () => socket.close(),
  });
  socket.binaryType = "arraybuffer";
  socket.accept();
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.endsWith("/stream")) return openStream(env);
    if (pathname === "/publish") await env.PUBLISHER.getByName("publisher").publish(Number(searchParams.get("frames")));
    if (pathname === "/collect") globalThis.gc?.();
    return new Response();
  },
} satisfies ExportedHandler<Bindings>;
