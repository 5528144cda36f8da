import type { Env } from "../env.ts";
import { SUBSCRIPTION_HEADER, unpackBatch, type StreamCommand, type StreamRequest, type Subscription } from "../messages/stream.ts";
import { shardOf, StreamUnavailable, type EventStreamPort, type Joined, type StreamLink, type StreamListener } from "./event-stream.ts";

const TIMEOUT_MS = 5_000;

/** The stream over sharded Durable Objects. All connections of an account join the same one, which counts them. */
export class ObjectEventStream implements EventStreamPort {
  readonly #shards: Pick<Env["STREAM_FANOUT"], "idFromName" | "get">;
  readonly #secret: string;

  /** @param secret keys the hash that spreads accounts over the shards */
  constructor(shards: Pick<Env["STREAM_FANOUT"], "idFromName" | "get">, secret: string) {
    this.#shards = shards;
    this.#secret = secret;
  }

  async join(request: StreamRequest, listener: StreamListener): Promise<Joined> {
    const response = await this.#ask(request);
    if (response.status === 429) return { kind: "full", of: fullOf(await response.text()) };
    if (response.webSocket === null) throw new StreamUnavailable(`the shard answered ${response.status}`);
    return { kind: "joined", link: listen(response.webSocket, listener) };
  }

  async #ask(request: StreamRequest): Promise<Response> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLate = false;
    const answer = this.#fetch(request).then((response) => {
      if (isLate) discard(response.webSocket);
      return response;
    });
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isLate = true;
        reject(new Error(`no answer within ${TIMEOUT_MS} ms`));
      }, TIMEOUT_MS);
    });
    try {
      return await Promise.race([answer, timeout]);
    } catch (cause) {
      throw new StreamUnavailable("the shard did not answer", { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  async #fetch(request: StreamRequest): Promise<Response> {
    const subscription: Subscription = { ...request, shard: await shardOf(request.accountId, this.#secret) };
    const headers = { Upgrade: "websocket", [SUBSCRIPTION_HEADER]: encodeURIComponent(JSON.stringify(subscription)) };
    return this.#shards.get(this.#shards.idFromName(subscription.shard)).fetch("http://stream-fanout/", { headers });
  }
}

/** What has no place left, as the shard says it. */
function fullOf(answer: string): Extract<Joined, { kind: "full" }>["of"] {
  if (answer === "key_full") return "key";
  return answer === "account_full" ? "account" : "cluster";
}

/** Nobody waits for it any more; left open, it would count as a connection. */
function discard(socket: WebSocket | null): void {
  socket?.accept();
  socket?.close(1000, "too late");
}

function listen(socket: WebSocket, listener: StreamListener): StreamLink {
  let isOpen = false;
  let isOver = false;
  const open = () => {
    if (isOpen) return;
    isOpen = true;
    socket.accept();
  };
  const leave = () => {
    if (isOver) return;
    isOver = true;
    open();
    try {
      socket.close(1000);
    } catch {
      // It is closed already.
    }
  };
  const lose = () => {
    if (isOver) return;
    leave();
    listener.lost();
  };
  const send = (command: StreamCommand) => {
    try {
      socket.send(JSON.stringify(command));
    } catch {
      lose();
    }
  };
  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", ({ data }) => {
    if (isOver || !(data instanceof ArrayBuffer)) return;
    const { batch, isAsked } = unpackBatch(data);
    listener.batch(batch);
    if (isAsked && !isOver) send({ heard: true });
  });
  socket.addEventListener("close", lose);
  socket.addEventListener("error", lose);
  return { open, more: (after) => send({ more: after }), pause: () => send({ pause: true }), leave };
}
