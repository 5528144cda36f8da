import { DurableObject } from "cloudflare:workers";
import { parseConfig } from "../../src/config.ts";
import type { Env } from "../../src/env.ts";
import { isKnownList, NO_MATCHES, type WatchlistMatches } from "../../src/domain/watchlists/watchlist-matches.ts";
import { consoleLog, describeError } from "../../src/platform/log/console-log.ts";
import {
  ACCESS_CHECKED_HEADER,
  packBatch,
  PING,
  PONG,
  StreamCommand,
  Subscription,
  SUBSCRIPTION_HEADER,
  type AccessMessage,
  type BatchHeader,
} from "../../src/stream/stream-messages.ts";
import { openMetrics } from "../../src/platform/metrics/open-metrics.ts";
import { withTimeout } from "../../src/lib/timing/with-timeout.ts";
import { systemClock } from "../../src/lib/timing/clock.ts";
import { EVENT_STREAM_NAME, shardOf } from "../../src/platform/objects/event-stream-port.ts";
import { findObject } from "../../src/platform/objects/find-object.ts";
import type { StreamFrame } from "../../src/stream/frame.ts";
import type { FramePage } from "../event-stream/event-stream.ts";
import type { FramePush } from "../event-stream/shard-feeds.ts";
import { AccessChecks } from "./access-checks.ts";
import { authorizeAccount } from "./authorize-account.ts";
import { decideJoin, type CountedConnection } from "./decide-join.ts";
import { Attachment, listenerOf, pushToListener, textFor, type Listener, type ListenerPosition } from "./listener.ts";
import { PushTexts } from "./push-texts.ts";
import { PingTimes } from "./ping-times.ts";
import { RecentFrames } from "./recent-frames.ts";
import { lookUpWatchlists, walletsOf, watchlistsOf } from "./watchlist-look-up.ts";

/** A page for a selective filter reads further stream pages until it has this many characters. */
const MAX_PAGE_CHARACTERS = 64 * 1024;
/**
 * Maximum number of stream pages per request. A subscriber whose filter matches nothing still gets a first
 * response quickly, and continues from there.
 */
const MAX_PAGES = 16;
/** Maximum wait for the ack of a push. */
const ACK_TIMEOUT_MS = 200;
/**
 * How long an alarm waits for its checks. It is repeated when the object is evicted meanwhile. Checks that take longer go
 * on, and the next alarm is set for their repetition.
 */
const CHECKS_WAIT_MS = 2_000;
/** Accepted lateness of an alarm. */
const ALARM_TOLERANCE_MS = 5_000;
/** WebSocket close code that requests the Worker to join again from its last sequence number. */
const JOIN_AGAIN = 4000;

/** The watchlist of a subscription does not exist. */
class WatchlistMissing extends Error {
  override name = "WatchlistMissing";
}

interface Page {
  readonly head: BatchHeader;
  readonly text: string;
}

/**
 * The listeners of some accounts. All connections of an account are at one shard, so the shard can count them
 * by its sockets. State other than the socket attachments may be lost at any time: each message states its
 * range of sequence numbers, so a Worker sees a gap and requests the missing frames.
 */
export class StreamFanout extends DurableObject<Env> {
  readonly #listeners = new Map<WebSocket, Listener>();
  /** Connections that are counted but not open yet. */
  readonly #joining = new Set<CountedConnection>();
  /** Highest sequence number pushed since the object started. */
  #pushedTo = 0;
  /** Sockets that have to ack a push, with the callback of the ack. */
  readonly #pendingAcks = new Map<WebSocket, () => void>();
  #pushes = 0;
  readonly #recent = new RecentFrames();
  readonly #pings = new PingTimes<WebSocket>();
  readonly #config = parseConfig(this.env);
  readonly #access = new AccessChecks<WebSocket>({
    authorizeAll: (accountId, checks) => authorizeAccount(this.env, accountId, checks),
    onConfirmed: (socket, checkedMs) => this.#confirm(socket, checkedMs),
    onRefused: (socket, refused) => {
      this.#sendAccess(socket, { refused });
      this.#drop(socket);
    },
    clock: systemClock,
    random: Math.random,
  });

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    state.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
    for (const socket of state.getWebSockets()) {
      const attachment = Attachment.safeParse(socket.deserializeAttachment());
      // Its page was being read when the object stopped and will never be sent.
      if (!attachment.success || attachment.data.phase === "reading") close(socket);
      else {
        this.#listeners.set(socket, listenerOf(attachment.data, null));
        this.#access.add(socket, attachment.data.subscription, attachment.data.accessDueMs ?? null);
      }
    }
  }

  /**
   * Opens a socket for one connection: 421 with the name of the account's shard when that is another one, 429 when a limit
   * of the key, account or shard is reached, 404 when its watchlist does not exist, 503 when its page cannot be read.
   */
  override async fetch(request: Request): Promise<Response> {
    const startedMs = Date.now();
    const response = await this.#join(request);
    openMetrics(this.env).write("stream_join", {
      status: String(response.status),
      duration_ms: Date.now() - startedMs,
    });
    // After the join, which counts its connection until it ends: a wait within it would count the connection twice.
    await this.#scheduleChecks();
    return response;
  }

  async #join(request: Request): Promise<Response> {
    const subscription = Subscription.parse(
      JSON.parse(decodeURIComponent(request.headers.get(SUBSCRIPTION_HEADER) ?? "")),
    );
    const { shard, accountId } = subscription;
    const home = await this.#homeOf(accountId);
    if (home !== shard && subscription.isRedirected !== true) return new Response(home, { status: 421 });
    const decision = decideJoin(subscription, this.#countedConnections(), this.#config.stream.connectionsPerShard);
    if (decision !== "admitted") return new Response(decision, { status: 429 });
    this.#joining.add(subscription);
    try {
      const page = await this.#readPage(subscription, subscription.cursor);
      const { 0: client, 1: server } = new WebSocketPair();
      for (const [socket, { subscription: other }] of this.#listeners) {
        if (other.connection === subscription.connection) this.#drop(socket);
      }
      this.ctx.acceptWebSocket(server);
      this.#access.add(server, subscription, null);
      this.#sendPage(server, subscription, page);
      const headers = subscription.access === undefined ? {} : { [ACCESS_CHECKED_HEADER]: "1" };
      return new Response(null, { status: 101, webSocket: client, headers });
    } catch (error) {
      if (error instanceof WatchlistMissing) return new Response(null, { status: 404 });
      consoleLog.warn("stream.join_failed", { error: describeError(error) });
      return new Response(null, { status: 503 });
    } finally {
      this.#joining.delete(subscription);
    }
  }

  /**
   * Sends a push to all live listeners and waits for the ack of one of them. This is back-pressure: frames
   * published in the meantime go with the next push, instead of messages piling up on the sockets.
   *
   * @returns the number of listeners
   */
  async push(push: FramePush): Promise<number> {
    if (push.isHeartbeat) this.#dropSilent(Date.now());
    if (push.isHeartbeat) await this.#dropMoved();
    if (push.isHeartbeat) await this.#scheduleChecks();
    this.#pushedTo = Math.max(this.#pushedTo, push.to);
    this.#recent.add(push, Date.now());
    const texts = new PushTexts(push, NO_MATCHES);
    const reached: WebSocket[] = [];
    const watching: WebSocket[] = [];
    for (const [socket, listener] of this.#listeners) {
      if (socket.readyState !== WebSocket.OPEN) this.#forget(socket);
      else if (listener.subscription.filter.watchlist !== undefined) watching.push(socket);
      else if (this.#pushTo(socket, listener, push, texts)) reached.push(socket);
    }
    if (watching.length > 0) reached.push(...(await this.#pushToWatching(watching, push)));
    // Rotates over the listeners, so that a slow or dead one delays few pushes.
    const ackProbe = reached[this.#pushes++ % reached.length];
    if (ackProbe !== undefined) await this.#awaitAck(ackProbe, push.to);
    const listeners = this.#listeners.size + this.#joining.size;
    // The stream pushes no more to a shard without listeners, until the shard requests a page.
    if (listeners === 0) this.#recent.clear();
    return listeners;
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const listener = this.#listeners.get(socket);
    if (listener === undefined) return;
    try {
      const command = StreamCommand.parse(JSON.parse(String(message)));
      if ("ack" in command || "heard" in command) this.#pendingAcks.get(socket)?.();
      else if ("pause" in command) this.#set(socket, listener.subscription, "waiting", null);
      else {
        this.#set(socket, listener.subscription, "reading", null);
        const page = await this.#readPage(listener.subscription, command.more);
        if (this.#listeners.has(socket)) this.#sendPage(socket, listener.subscription, page);
      }
    } catch (error) {
      consoleLog.warn("stream.page_read_failed", { error: describeError(error) });
      this.#drop(socket);
    }
  }

  override webSocketClose(socket: WebSocket): void {
    this.#drop(socket);
  }

  override webSocketError(socket: WebSocket): void {
    this.#drop(socket);
  }

  /** Checks the access of the accounts that are due. */
  override async alarm(): Promise<void> {
    await withTimeout(this.#access.run(), CHECKS_WAIT_MS).catch(() => undefined);
    await this.#scheduleChecks();
  }

  /** Sets the alarm of the next checks. An overdue one is set again: it is not certain to fire after an eviction. */
  async #scheduleChecks(): Promise<void> {
    const nextMs = this.#access.nextRunMs();
    if (nextMs === null) return;
    const alarmMs = await this.ctx.storage.getAlarm();
    if (alarmMs === null || alarmMs > nextMs || alarmMs < Date.now() - ALARM_TOLERANCE_MS)
      await this.ctx.storage.setAlarm(Math.max(nextMs, Date.now()));
  }

  #confirm(socket: WebSocket, checkedMs: number): void {
    const listener = this.#listeners.get(socket);
    if (listener === undefined) return;
    this.#storeAttachment(socket, listener.subscription, listener.phase);
    this.#sendAccess(socket, { confirmed: checkedMs });
  }

  #sendAccess(socket: WebSocket, message: AccessMessage): void {
    this.#send(socket, JSON.stringify(message));
  }

  /**
   * Sends a push to the listeners with a watchlist. They come after the others, which do not wait for the look-up. A
   * look-up that fails changes nothing for them: the next message then shows them the gap, and they request its frames.
   *
   * @returns the sockets to which anything was sent
   */
  async #pushToWatching(sockets: readonly WebSocket[], push: FramePush): Promise<WebSocket[]> {
    // Heartbeats also detect deleted lists.
    const isNeeded = push.isHeartbeat || walletsOf(push.frames).length > 0;
    const subscriptions = sockets.flatMap((socket) => this.#listeners.get(socket)?.subscription ?? []);
    let matches: WatchlistMatches | null = null;
    try {
      if (isNeeded) matches = await lookUpWatchlists(this.env, watchlistsOf(subscriptions), push.frames);
    } catch (error) {
      consoleLog.warn("stream.watchlists_unavailable", { error: describeError(error) });
      return [];
    }
    const texts = new PushTexts(push, matches ?? NO_MATCHES);
    return sockets.filter((socket) => {
      // Gone or joined again during the look-up.
      const listener = this.#listeners.get(socket);
      const [list] = listener === undefined ? [] : watchlistsOf([listener.subscription]);
      if (listener === undefined || list === undefined) return false;
      if (matches === null || isKnownList(matches, list)) return this.#pushTo(socket, listener, push, texts);
      this.#drop(socket);
      return false;
    });
  }

  /**
   * Ends connections whose Worker is gone: its end of a socket does not always close, and an open one counts toward the
   * limits of its key and account.
   */
  #dropSilent(nowMs: number): void {
    for (const [socket, { subscription }] of this.#listeners) {
      if (subscription.sendsPings !== true) continue;
      const pingMs = this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? null;
      if (this.#pings.isSilent(socket, pingMs, nowMs)) this.#drop(socket);
    }
  }

  /** Lets the connections of accounts whose shard is another one join again. */
  async #dropMoved(): Promise<void> {
    const homes = new Map<number, string>();
    for (const [socket, { subscription }] of this.#listeners) {
      const { accountId, shard } = subscription;
      const home = homes.get(accountId) ?? (await this.#homeOf(accountId));
      homes.set(accountId, home);
      if (home !== shard) this.#drop(socket);
    }
  }

  /** The shard of an account with the configuration of this object. */
  #homeOf(accountId: number): Promise<string> {
    return shardOf(accountId, this.#config.credentialKeys.current, this.#config.stream.shards);
  }

  /** @returns whether anything was sent */
  #pushTo(socket: WebSocket, listener: Listener, push: FramePush, texts: PushTexts): boolean {
    const plan = pushToListener(listener, push, (after) => texts.textFor(listener, after));
    if (plan === null) return false;
    const isSent = plan.header !== null && this.#send(socket, texts.messageFor(plan.header, plan.text));
    if (plan.header === null || isSent) this.#listeners.set(socket, plan.listener);
    return isSent;
  }

  /**
   * Sends an empty message that wants an ack. Resolves on the ack, when the socket closes, or after
   * ACK_TIMEOUT_MS.
   */
  async #awaitAck(socket: WebSocket, to: number): Promise<void> {
    if (!this.#send(socket, packBatch({ from: to, to, isPage: false, isHead: true }, "", true))) return;
    const end = new AbortController();
    this.#pendingAcks.set(socket, () => end.abort());
    await systemClock.wait(ACK_TIMEOUT_MS, end.signal);
    this.#pendingAcks.delete(socket);
  }

  /**
   * The frames after a cursor that match a subscription. Reads further pages while nothing matches, up to the limits.
   */
  async #readPage(subscription: Subscription, cursor: number | null): Promise<Page> {
    let page = await this.#framesAfter(subscription, cursor);
    const { from } = page;
    let text = "";
    for (let pages = 1; ; pages++) {
      text +=
        (page.marker ?? "") + textFor(page.frames, subscription, await this.#matchesOf(page.frames, subscription));
      // Pushes during this read did not reach this listener, which is not live yet.
      const isHead = page.isHead && page.to >= this.#pushedTo;
      if (isHead || text.length >= MAX_PAGE_CHARACTERS || pages >= MAX_PAGES)
        return { head: { from, to: page.to, isPage: true, isHead }, text };
      page = await this.#framesAfter(subscription, page.to);
    }
  }

  /** The frames after a cursor, from memory or else from the stream, which registers the shard for further pushes. */
  async #framesAfter({ shard }: Subscription, cursor: number | null): Promise<FramePage> {
    const recent = this.#recent.pageAfter(cursor, Date.now());
    if (recent !== null) {
      const { after, to, frames, isHead } = recent;
      return { from: after, to, marker: null, frames: [...frames], isHead };
    }
    const page = await findObject(this.env.EVENT_STREAM, EVENT_STREAM_NAME, this.env).page(shard, cursor);
    if (page.isHead && page.marker === null)
      this.#recent.add({ after: page.from, to: page.to, frames: page.frames }, Date.now());
    return page;
  }

  /** @throws WatchlistMissing */
  async #matchesOf(frames: readonly StreamFrame[], subscription: Subscription): Promise<WatchlistMatches> {
    const [list] = watchlistsOf([subscription]);
    if (list === undefined) return NO_MATCHES;
    const matches = await lookUpWatchlists(this.env, [list], frames);
    if (!isKnownList(matches, list)) throw new WatchlistMissing();
    return matches;
  }

  #sendPage(socket: WebSocket, subscription: Subscription, { head, text }: Page): void {
    const position = { sentTo: head.to, scannedTo: head.to };
    this.#set(socket, subscription, head.isHead ? "live" : "waiting", position);
    this.#send(socket, packBatch(head, text));
  }

  #set(
    socket: WebSocket,
    subscription: Subscription,
    phase: Attachment["phase"],
    position: ListenerPosition | null,
  ): void {
    this.#listeners.set(socket, listenerOf(this.#storeAttachment(socket, subscription, phase), position));
  }

  #storeAttachment(socket: WebSocket, subscription: Subscription, phase: Attachment["phase"]): Attachment {
    const accessDueMs = this.#access.dueMsOf(socket);
    const attachment: Attachment = { subscription, phase, accessDueMs };
    socket.serializeAttachment(attachment);
    return attachment;
  }

  #send(socket: WebSocket, message: Uint8Array | string): boolean {
    try {
      socket.send(message);
      return true;
    } catch {
      this.#drop(socket);
      return false;
    }
  }

  #forget(socket: WebSocket): void {
    this.#listeners.delete(socket);
    this.#access.remove(socket);
  }

  #drop(socket: WebSocket): void {
    this.#forget(socket);
    this.#pendingAcks.get(socket)?.();
    close(socket);
  }

  *#countedConnections(): Iterable<CountedConnection> {
    yield* this.#joining;
    for (const [socket, { subscription }] of this.#listeners)
      if (socket.readyState === WebSocket.OPEN) yield subscription;
  }
}

function close(socket: WebSocket): void {
  try {
    socket.close(JOIN_AGAIN, "join again");
  } catch {
    // Already closed.
  }
}
