import type { Config } from "../../config.ts";
import type { Env } from "../../env.ts";
import { withTimeout } from "../../lib/timing/with-timeout.ts";
import {
  ACCESS_CHECKED_HEADER,
  PING,
  SUBSCRIPTION_HEADER,
  parseAccessMessage,
  unpackBatch,
  type StreamCommand,
  type StreamRequest,
  type Subscription,
} from "../../stream/stream-messages.ts";
import {
  shardOf,
  StreamUnavailable,
  type EventStreamPort,
  type JoinResult,
  type StreamLink,
  type StreamListener,
} from "./event-stream-port.ts";
import { findObject } from "./find-object.ts";

const TIMEOUT_MS = 5_000;

/**
 * The event stream over sharded Durable Objects. All connections of an account join the same shard, which
 * counts them.
 */
export class DurableObjectEventStream implements EventStreamPort {
  readonly #shards: Pick<Env["STREAM_FANOUT"], "idFromName" | "get">;
  readonly #env: Pick<Env, "REGION">;
  readonly #config: Pick<Config, "credentialKeys" | "stream">;

  constructor(
    shards: Pick<Env["STREAM_FANOUT"], "idFromName" | "get">,
    config: Pick<Config, "credentialKeys" | "stream">,
    env: Pick<Env, "REGION"> = {},
  ) {
    this.#shards = shards;
    this.#env = env;
    this.#config = config;
  }

  async join(request: StreamRequest, listener: StreamListener): Promise<JoinResult> {
    const response = await this.#request(request);
    if (response.status === 429) return { kind: "full", of: limitOf(await response.text()) };
    if (response.status === 404) return { kind: "no_watchlist" };
    if (response.webSocket === null) throw new StreamUnavailable(`the shard returned status ${response.status}`);
    const isAccessChecked = response.headers.has(ACCESS_CHECKED_HEADER);
    return { kind: "joined", link: listen(response.webSocket, listener), isAccessChecked };
  }

  async #request(request: StreamRequest): Promise<Response> {
    const response = this.#fetch(request);
    try {
      return await withTimeout(response, TIMEOUT_MS);
    } catch (cause) {
      response.then(discardSocket, () => undefined);
      throw new StreamUnavailable("the shard did not respond", { cause });
    }
  }

  async #fetch(request: StreamRequest): Promise<Response> {
    const shard = await shardOf(request.accountId, this.#config.credentialKeys.current, this.#config.stream.shards);
    const response = await this.#fetchFrom({ ...request, shard });
    // The shard runs with another number of shards or another secret: a deployment is under way.
    return response.status === 421
      ? this.#fetchFrom({ ...request, shard: await response.text(), isRedirected: true })
      : response;
  }

  #fetchFrom(subscription: Subscription): Promise<Response> {
    const headers = { Upgrade: "websocket", [SUBSCRIPTION_HEADER]: encodeURIComponent(JSON.stringify(subscription)) };
    return findObject(this.#shards, subscription.shard, this.#env).fetch("http://stream-fanout/", { headers });
  }
}

/** The limit that is reached, from the body of the shard's 429 response. */
function limitOf(body: string): Extract<JoinResult, { kind: "full" }>["of"] {
  if (body === "key_full") return "key";
  return body === "account_full" ? "account" : "cluster";
}

/** Closes a socket that arrives after the timeout; left open, it would count as a connection. */
function discardSocket({ webSocket }: Response): void {
  webSocket?.accept();
  webSocket?.close(1000, "too late");
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
    listener.onLost();
  };
  const sendText = (text: string) => {
    try {
      socket.send(text);
    } catch {
      lose();
    }
  };
  const send = (command: StreamCommand) => sendText(JSON.stringify(command));
  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", ({ data }) => {
    if (isOver) return;
    if (typeof data === "string") {
      const access = parseAccessMessage(data);
      // One of a later release is ignored: without a confirmation the stream ends.
      if (access !== null) listener.onAccess(access);
      return;
    }
    if (!(data instanceof ArrayBuffer)) return;
    const { batch, wantsAck } = unpackBatch(data);
    listener.onBatch(batch);
    if (wantsAck && !isOver) send({ ack: true });
  });
  socket.addEventListener("close", lose);
  socket.addEventListener("error", lose);
  return {
    open,
    requestPage: (after) => send({ more: after }),
    pause: () => send({ pause: true }),
    ping: () => sendText(PING),
    leave,
  };
}
