import { DurableObject } from "cloudflare:workers";
import type { Env } from "../../src/env.ts";
import { consoleLog, describeError } from "../../src/lib/console-log.ts";
import { packBatch, StreamCommand, Subscription, SUBSCRIPTION_HEADER, type BatchHead } from "../../src/messages/stream.ts";
import { EVENT_STREAM_NAME } from "../../src/ports/event-stream.ts";
import type { FramePush } from "../event-stream/shard-feeds.ts";
import { decideJoining, type Counted } from "./decide-joining.ts";
import { Attachment, listenerOf, tellListener, textFor, type Listener, type Place } from "./listener.ts";
import { PushTexts } from "./push-texts.ts";

/** A page for somebody who wants little of much is read on until it has so much to say. */
const ENOUGH_CHARACTERS = 64 * 1024;
/** And no further than so many of the stream's: who wants nothing of a whole window has its answer begun in time, and asks on. */
const ENOUGH_PAGES = 16;
/** A push waits no longer for word from one of those it was told to. */
const WORD_MS = 200;
/** Says to the Worker that it has to join again, from what it has covered. */
const JOIN_AGAIN = 4000;

interface Page {
  readonly head: BatchHead;
  readonly text: string;
}

/**
 * The listeners of some accounts: all connections of an account are at one shard, so that counting them is counting its sockets. What is remembered of
 * them besides their attachments may be lost at any time: each message says from where to where it tells, so that a Worker sees a gap and
 * asks for what lies in it.
 */
export class StreamFanout extends DurableObject<Env> {
  readonly #listeners = new Map<WebSocket, Listener>();
  /** Counted, and not yet open. */
  readonly #joining = new Set<Counted>();
  /** All pushes up to here have been told since the object woke. */
  #pushedTo = 0;
  /** Who was asked to say that a push has come, and what happens then. */
  readonly #asked = new Map<WebSocket, () => void>();
  #pushes = 0;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    for (const socket of state.getWebSockets()) {
      const attachment = Attachment.safeParse(socket.deserializeAttachment());
      // What it asked for was being read when the object ended; nobody answers it any more.
      if (!attachment.success || attachment.data.phase === "reading") close(socket);
      else this.#listeners.set(socket, listenerOf(attachment.data, null));
    }
  }

  /** Opens a socket for one connection: 429 when its key, its account or the shard has no place for it, 503 when what it asks for cannot be read. */
  override async fetch(request: Request): Promise<Response> {
    const subscription = Subscription.parse(JSON.parse(decodeURIComponent(request.headers.get(SUBSCRIPTION_HEADER) ?? "")));
    const joining = decideJoining(subscription, this.#counted());
    if (joining !== "admitted") return new Response(joining, { status: 429 });
    this.#joining.add(subscription);
    try {
      const page = await this.#readPage(subscription, subscription.cursor);
      const { 0: client, 1: server } = new WebSocketPair();
      for (const [socket, { subscription: other }] of this.#listeners) {
        if (other.connection === subscription.connection) this.#drop(socket);
      }
      this.ctx.acceptWebSocket(server);
      this.#answer(server, subscription, page);
      return new Response(null, { status: 101, webSocket: client });
    } catch (error) {
      consoleLog.warn("stream not joined", { error: describeError(error) });
      return new Response(null, { status: 503 });
    } finally {
      this.#joining.delete(subscription);
    }
  }

  /**
   * Tells all live listeners what they want of a push, and waits until one of them says that it has come: the next push takes all with it that was
   * published meanwhile. Messages that are sent faster than they are delivered would wait for each other, more and more of them.
   *
   * @returns how many listeners there are
   */
  async push(push: FramePush): Promise<number> {
    this.#pushedTo = Math.max(this.#pushedTo, push.to);
    const texts = new PushTexts(push);
    const told: WebSocket[] = [];
    for (const [socket, listener] of this.#listeners) {
      if (socket.readyState !== WebSocket.OPEN) this.#listeners.delete(socket);
      else if (this.#tell(socket, listener, push, texts)) told.push(socket);
    }
    // Another one each time: one that is slow or gone holds up few.
    const witness = told[this.#pushes++ % told.length];
    if (witness !== undefined) await this.#wordOf(witness, push.to);
    return this.#listeners.size + this.#joining.size;
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const listener = this.#listeners.get(socket);
    if (listener === undefined) return;
    try {
      const command = StreamCommand.parse(JSON.parse(String(message)));
      if ("heard" in command) this.#asked.get(socket)?.();
      else if ("pause" in command) this.#set(socket, listener.subscription, "waiting", null);
      else {
        this.#set(socket, listener.subscription, "reading", null);
        const page = await this.#readPage(listener.subscription, command.more);
        if (this.#listeners.has(socket)) this.#answer(socket, listener.subscription, page);
      }
    } catch (error) {
      consoleLog.warn("stream not read on", { error: describeError(error) });
      this.#drop(socket);
    }
  }

  override webSocketClose(socket: WebSocket): void {
    this.#drop(socket);
  }

  override webSocketError(socket: WebSocket): void {
    this.#drop(socket);
  }

  /** @returns whether anything was sent */
  #tell(socket: WebSocket, listener: Listener, push: FramePush, texts: PushTexts): boolean {
    const telling = tellListener(listener, push, (after) => texts.textFor(listener, after));
    if (telling === null) return false;
    const isSent = telling.head !== null && this.#send(socket, texts.messageFor(telling.head, telling.text));
    if (telling.head === null || isSent) this.#listeners.set(socket, telling.listener);
    return isSent;
  }

  /** Asks a listener that was told up to a place to say so. Resolves when it does, is gone, or takes too long. */
  async #wordOf(socket: WebSocket, to: number): Promise<void> {
    if (!this.#send(socket, packBatch({ from: to, to, isPage: false, isHead: true }, "", true))) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, WORD_MS);
      this.#asked.set(socket, () => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.#asked.delete(socket);
  }

  /** All that a subscription wants after a cursor, up to some size; read on for a while when there is nothing to say and more to look at. */
  async #readPage(subscription: Subscription, cursor: number | null): Promise<Page> {
    const stream = this.env.EVENT_STREAM.get(this.env.EVENT_STREAM.idFromName(EVENT_STREAM_NAME));
    const { shard } = subscription;
    let page = await stream.page(shard, cursor);
    const { from } = page;
    let text = "";
    for (let pages = 1; ; pages++) {
      text += (page.marker ?? "") + textFor(page.frames, subscription);
      // What was pushed while this was read was not told to who is not live yet.
      const isHead = page.isHead && page.to >= this.#pushedTo;
      if (isHead || text.length >= ENOUGH_CHARACTERS || pages >= ENOUGH_PAGES)
        return { head: { from, to: page.to, isPage: true, isHead }, text };
      page = await stream.page(shard, page.to);
    }
  }

  #answer(socket: WebSocket, subscription: Subscription, { head, text }: Page): void {
    const place = { toldTo: head.to, seenTo: head.to };
    this.#set(socket, subscription, head.isHead ? "live" : "waiting", place);
    this.#send(socket, packBatch(head, text));
  }

  #set(socket: WebSocket, subscription: Subscription, phase: Attachment["phase"], place: Place | null): void {
    const attachment: Attachment = { subscription, phase };
    socket.serializeAttachment(attachment);
    this.#listeners.set(socket, listenerOf(attachment, place));
  }

  #send(socket: WebSocket, message: Uint8Array): boolean {
    try {
      socket.send(message);
      return true;
    } catch {
      this.#drop(socket);
      return false;
    }
  }

  #drop(socket: WebSocket): void {
    this.#listeners.delete(socket);
    this.#asked.get(socket)?.();
    close(socket);
  }

  *#counted(): Iterable<Counted> {
    yield* this.#joining;
    for (const [socket, { subscription }] of this.#listeners) if (socket.readyState === WebSocket.OPEN) yield subscription;
  }
}

function close(socket: WebSocket): void {
  try {
    socket.close(JOIN_AGAIN, "join again");
  } catch {
    // It is closed already.
  }
}
