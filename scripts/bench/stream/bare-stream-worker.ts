import { DurableObject } from "cloudflare:workers";
import { presentFrame } from "../../../src/domain/stream/frame.ts";
import { EVENT } from "./stream-event.ts";

/*
 * What the runtime itself takes for a stream of this shape: objects that hold hibernating sockets, Workers that write what comes on them into their
 * answers. Frames are numbered in memory; there is no database, no storage, no filter, no limit, no caller, and nothing can be resumed. What is
 * published while a round is told goes together with the next, which begins when the last listener of each room has the round.
 */
interface Bindings {
  readonly PUBLISHER: DurableObjectNamespace<BarePublisher>;
  readonly ROOM: DurableObjectNamespace<BareRoom>;
}

const ROOMS = 16;
/** Without a rest rounds are begun faster than they are delivered; the product rests as long with so many listeners. */
const REST_MS = 120;
const encoder = new TextEncoder();

export class BarePublisher extends DurableObject<Bindings> {
  #seq = 0;
  #waiting: string[] = [];
  #isTelling = false;

  publish(frames: number): void {
    for (let made = 0; made < frames; made++) {
      const seq = ++this.#seq;
      this.#waiting.push(presentFrame(seq, new Date().toISOString(), "LargeTradeInsertedV2", { event_id: `evt_1_${seq}`, ...EVENT }));
    }
    if (!this.#isTelling) this.ctx.waitUntil(this.#tell());
  }

  async #tell(): Promise<void> {
    this.#isTelling = true;
    while (this.#waiting.length > 0) {
      const frames = encoder.encode(this.#waiting.splice(0).join(""));
      await Promise.all(Array.from({ length: ROOMS }, (_, room) => this.env.ROOM.getByName(String(room)).push(frames)));
      await scheduler.wait(REST_MS);
    }
    this.#isTelling = false;
  }
}

export class BareRoom extends DurableObject<Bindings> {
  /** Those of before, when the object sleeps in between. */
  readonly #sockets = new Set(this.ctx.getWebSockets());
  #whenHeard: () => void = () => undefined;

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
    last.send("heard?");
    await new Promise<void>((resolve) => (this.#whenHeard = resolve));
  }

  override webSocketMessage(): void {
    this.#whenHeard();
  }

  override webSocketClose(socket: WebSocket): void {
    this.#sockets.delete(socket);
    this.#whenHeard();
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
        else socket.send("heard");
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
