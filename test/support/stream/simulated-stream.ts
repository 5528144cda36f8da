import { NO_MATCHES } from "../../../src/domain/watchlists/watchlist-matches.ts";
import { planReplay, publishPage, type Sequence } from "../../../durable-objects/event-stream/sequencer.ts";
import type { FramePush } from "../../../durable-objects/event-stream/shard-feeds.ts";
import {
  listenerOf,
  pushToListener,
  textFor,
  type Attachment,
  type Listener,
} from "../../../durable-objects/stream-fanout/listener.ts";
import { RecentFrames } from "../../../durable-objects/stream-fanout/recent-frames.ts";
import { mulberry32 } from "../../../scripts/provider/simulate/random.ts";
import { startOfEpoch, type OutboxPage, type StoredEvent } from "../../../src/events/outbox/outbox-reader.ts";
import { presentResync, type StreamFrame } from "../../../src/stream/frame.ts";
import type { BatchHeader, Subscription } from "../../../src/stream/stream-messages.ts";
import {
  startStreamSession,
  decideBatch,
  onLinkLost,
  onBufferDrained,
  type LinkCommand,
  type StreamSession,
} from "../../../src/operations/events/stream-session.ts";

/** Size of the simulated window, far below the real one, so that clients often fall behind it. */
const RETAINED = 80;

/** Bounds of the simulated shard's memory, so small that it often lacks frames. */
const RECENT = { frames: 12, characters: 4_000, pageCharacters: 1_000 };

/** Random integers below a bound, the same for the same seed. */
export function seeded(seed: number): (below: number) => number {
  const next = mulberry32(seed);
  return (below) => Math.floor(next() * below);
}

interface Message {
  readonly head: BatchHeader;
  readonly text: string;
}

/** A socket between shard and Worker: the messages in transit, and whether it is open. */
interface Link {
  readonly attachment: { value: Attachment };
  readonly toWorker: Message[];
  readonly toShard: ({ more: number } | { pause: true })[];
  isOpen: boolean;
}

/** A client across all its connections, with the frames it has received. */
export interface SimulatedClient {
  readonly subscription: Subscription;
  session: StreamSession;
  link: Link | null;
  isJoining: boolean;
  waiting: Message[];
  /** The id that a reconnect sends; null before the first frame. */
  lastId: number | null;
  /** Every wanted frame up to here was received or reported as lost. */
  position: number | null;
  received: number;
}

/**
 * A model of the stream without its runtime: the stored sequence and window, a shard that loses its memory,
 * links that break with messages in transit, and clients that read slowly, disconnect and reconnect. Every
 * client's frames are checked on arrival.
 */
export class SimulatedStream {
  readonly #below: (below: number) => number;
  readonly clients: SimulatedClient[] = [];
  /** Every frame that was ever published. */
  readonly published: StreamFrame[] = [];
  #outbox: StoredEvent[] = [];
  #epoch = 1;
  #pruned = 0;
  #nextEvent = 1;
  #sequence: Sequence;
  #firstRetained: number;
  readonly #baseSeq: number;
  /** Last sequence number pushed to the shard; kept in memory only. */
  #pushedSeq: number;
  #listeners = new Map<Link, Listener>();
  #shardSeq = 0;
  #recent = new RecentFrames(RECENT);
  #nowMs = 0;
  /** Whether the stream pushes to the shard. */
  #isRegistered = false;
  /** Pages that the shard answered from its memory. */
  pagesFromMemory = 0;
  /** Pushes that timed out and may still arrive. */
  readonly #delayed: FramePush[] = [];

  constructor(seed: number) {
    this.#below = seeded(seed);
    this.#baseSeq = 1_000 + this.#below(1_000);
    this.#sequence = { lastSeq: this.#baseSeq, publishedMs: 0, outboxPosition: startOfEpoch(1) };
    this.#firstRetained = this.#baseSeq + 1;
    this.#pushedSeq = this.#baseSeq;
  }

  step(): void {
    this.#nowMs += this.#below(1_000);
    const choice = this.#below(100);
    if (choice < 14) this.#publishEvents();
    else if (choice < 26) this.#read();
    else if (choice < 38) this.#push();
    else if (choice < 40) this.#heartbeat();
    else if (choice < 42) this.#deliverDelayed();
    else if (choice < 45) this.#forgetShard();
    else if (choice < 46) this.#pushedSeq = this.#sequence.lastSeq; // the stream is evicted
    else if (choice < 47) this.#loseEvents();
    else if (choice < 50) this.#joinOrReconnect();
    else if (this.clients.length > 0) this.#stepClient(this.#pick(this.clients));
  }

  /** Delivers everything in transit, then checks that every client has all frames. */
  settle(): void {
    for (let round = 0; round < 400; round++) {
      this.#read();
      this.#push();
      if (round % 20 === 0) this.#heartbeat();
      for (const client of this.clients) for (let step = 0; step < 5; step++) this.#stepClient(client, true);
    }
    for (const client of this.clients) {
      if ((client.position ?? 0) > this.#sequence.lastSeq)
        throw new Error(`a client was left at ${client.position}, which was never published`);
      const missing = this.#wantedBetween(client, client.position ?? this.#sequence.lastSeq, this.#sequence.lastSeq);
      if (missing.length > 0) throw new Error(`a client at ${client.position} never got ${missing.join(", ")}`);
    }
    const seqs = this.published.map(({ seq }) => seq);
    if (seqs.some((seq, index) => seq !== this.#baseSeq + 1 + index))
      throw new Error("a number was used twice or left out");
  }

  // ---- the stream

  #publishEvents(): void {
    const count = 1 + this.#below(4);
    for (let index = 0; index < count; index++) {
      const id = this.#nextEvent++;
      const grade = this.#pick(["S", "A", "B", "C", "D", "F", null]);
      const isTrade = this.#below(2) === 0;
      const payload = isTrade
        ? {
            condition_id: this.#pick(["0xa", "0xb"]),
            grade,
            wallet: this.#pick(["0x1", "0x2"]),
            size_usd: `${this.#below(100)}.5`,
          }
        : { count: id };
      const accountId = this.#below(5) === 0 ? 1 + this.#below(2) : null;
      const type =
        accountId !== null ? "export_job_ready" : isTrade ? "large_trade_inserted_v2" : "large_trades_inserted";
      const base = {
        identity: null,
        commit_xid: String(id),
        created_at: "2026-11-20T12:00:00.000Z",
        large_trade_id: null,
      };
      this.#outbox.push({ ...base, id: String(id), type, payload, account_id: accountId });
    }
  }

  /** Reads a page; the process may die before the page is stored. */
  #read(): void {
    const { outboxPosition } = this.#sequence;
    const behind = Number(outboxPosition.id);
    const isSameEpoch = outboxPosition.epoch === this.#epoch;
    const limit = 1 + this.#below(6);
    const events = isSameEpoch ? this.#outbox.filter(({ id }) => Number(id) > behind).slice(0, limit) : [];
    const page: OutboxPage = { epoch: this.#epoch, isContiguous: isSameEpoch && this.#pruned <= behind, events };
    const goOnFrom = page.isContiguous
      ? null
      : { epoch: this.#epoch, commitXid: String(this.#pruned), id: String(this.#pruned) };
    if (page.isContiguous && events.length === 0) return;
    const { frames, sequence } = publishPage(this.#sequence, page, goOnFrom, 0);
    if (this.#below(10) === 0) return;
    if (frames.length !== events.length + (page.isContiguous ? 0 : 1))
      throw new Error(`${events.length} events became ${frames.length} frames`);
    this.published.push(...frames);
    this.#sequence = sequence;
    this.#firstRetained = Math.max(this.#firstRetained, sequence.lastSeq - RETAINED + 1);
  }

  #retained(after: number, limit: number): StreamFrame[] {
    return this.published.filter(({ seq }) => seq > after && seq >= this.#firstRetained).slice(0, limit);
  }

  #pushOf(isBeat: boolean): FramePush {
    const isLeftBehind = this.#sequence.lastSeq - this.#pushedSeq > 20;
    if (isLeftBehind) this.#pushedSeq = this.#sequence.lastSeq;
    const frames = this.#retained(this.#pushedSeq, 1 + this.#below(5));
    return {
      after: this.#pushedSeq,
      to: frames.at(-1)?.seq ?? this.#pushedSeq,
      frames,
      isHeartbeat: isBeat || isLeftBehind,
    };
  }

  /** A push arrives; or it is lost or delayed; or only its acknowledgement is lost, and it arrives twice. */
  #push(isBeat = false): void {
    if (!this.#isRegistered) return;
    const push = this.#pushOf(isBeat);
    const fate = this.#below(12);
    if (fate === 0) return;
    if (fate === 1) {
      this.#delayed.push(push);
      return;
    }
    this.#apply(push);
    if (fate === 2) return;
    this.#pushedSeq = Math.max(this.#pushedSeq, push.to);
    if (this.#listeners.size === 0) this.#isRegistered = false;
  }

  #heartbeat(): void {
    this.#push(true);
  }

  #deliverDelayed(): void {
    const push = this.#delayed.shift();
    if (push !== undefined) this.#apply(push);
  }

  #loseEvents(): void {
    if (this.#below(3) === 0) {
      this.#epoch++;
      this.#pruned = 0;
      this.#outbox = [];
      this.#nextEvent = 1 + this.#below(20);
    } else {
      const last = this.#outbox.at(-1);
      this.#pruned = last === undefined ? this.#pruned : Math.max(this.#pruned, Number(last.id) - this.#below(5));
      this.#outbox = this.#outbox.filter(({ id }) => Number(id) > this.#pruned);
    }
  }

  // ---- the shard

  #apply(push: FramePush): void {
    this.#shardSeq = Math.max(this.#shardSeq, push.to);
    this.#recent.add(push, this.#nowMs);
    for (const [link, listener] of this.#listeners) {
      const { subscription } = listener;
      const delivery = pushToListener(listener, push, (after) =>
        textFor(
          push.frames.filter(({ seq }) => seq > after),
          subscription,
          NO_MATCHES,
        ),
      );
      if (delivery === null || !link.isOpen) continue;
      if (delivery.header !== null) link.toWorker.push({ head: delivery.header, text: delivery.text });
      this.#listeners.set(link, delivery.listener);
    }
    if (this.#listeners.size === 0) this.#recent.clear();
  }

  #forgetShard(): void {
    this.#shardSeq = 0;
    this.#recent = new RecentFrames(RECENT);
    for (const link of this.#listeners.keys()) this.#listeners.set(link, listenerOf(link.attachment.value, null));
  }

  #readPage(subscription: Subscription, cursor: number | null): Message {
    const recent = this.#recent.pageAfter(cursor, this.#nowMs);
    if (recent === null) return this.#readStreamPage(subscription, cursor);
    this.pagesFromMemory++;
    const { after, to, frames } = recent;
    const isHead = recent.isHead && to >= this.#shardSeq;
    return { head: { from: after, to, isPage: true, isHead }, text: textFor(frames, subscription, NO_MATCHES) };
  }

  #readStreamPage(subscription: Subscription, cursor: number | null): Message {
    // A new registration starts at the last frame, as in ShardFeeds.
    if (!this.#isRegistered) this.#pushedSeq = this.#sequence.lastSeq;
    this.#isRegistered = true;
    const plan = planReplay({ first: this.#firstRetained, last: this.#sequence.lastSeq }, cursor);
    const frames = this.#retained(plan.after, 1 + this.#below(10));
    const to = frames.at(-1)?.seq ?? plan.after;
    const isHead = to === this.#sequence.lastSeq && to >= this.#shardSeq;
    const marker = plan.marker === null ? "" : presentResync(plan.marker);
    if (plan.marker === null && to === this.#sequence.lastSeq)
      this.#recent.add({ after: cursor ?? to, to, frames }, this.#nowMs);
    return {
      head: { from: cursor ?? to, to, isPage: true, isHead },
      text: marker + textFor(frames, subscription, NO_MATCHES),
    };
  }

  #sendPage(link: Link, subscription: Subscription, page: Message): void {
    link.attachment.value = { subscription, phase: page.head.isHead ? "live" : "waiting" };
    this.#listeners.set(link, listenerOf(link.attachment.value, { sentTo: page.head.to, scannedTo: page.head.to }));
    link.toWorker.push(page);
  }

  // ---- the Worker and its client

  #joinOrReconnect(): void {
    if (this.clients.length < 6) {
      const filter = {
        types: this.#pick([null, null, ["LargeTradeInsertedV2"], ["WhaleTradesInserted", "export_job_ready"]]),
        conditionId: this.#pick([null, null, "0xa"]),
        minGrade: this.#pick([null, null, null, "B" as const]),
        wallet: this.#pick([null, null, null, "0x1"]),
        minSizeMicro: this.#pick([null, null, null, "50000000"]),
      };
      const subscription = {
        connection: String(this.clients.length),
        keyId: 1,
        accountId: 1 + this.#below(2),
        shard: "1",
        cursor: null,
        filter,
      };
      const client = { link: null, isJoining: false, waiting: [], lastId: null, position: null, received: 0 };
      this.clients.push({ ...client, subscription, session: startStreamSession(null) });
      return;
    }
    const client = this.#pick(this.clients);
    this.#disconnect(client);
    const fate = this.#below(10);
    // Some clients reconnect with a number that was never published, or with a very old one.
    if (fate === 0) client.lastId = this.#sequence.lastSeq + 1 + this.#below(50);
    if (fate === 1 && client.lastId !== null) client.lastId = Math.max(0, client.lastId - this.#below(200));
    this.#reconnect(client);
  }

  /** A reconnect only knows the last id that the client received. */
  #reconnect(client: SimulatedClient): void {
    client.position = client.lastId;
    client.session = startStreamSession(client.lastId);
  }

  #disconnect(client: SimulatedClient): void {
    if (client.link !== null) this.#breakLink(client.link);
    client.link = null;
    client.waiting = [];
  }

  #breakLink(link: Link): void {
    link.isOpen = false;
    this.#listeners.delete(link);
  }

  #stepClient(client: SimulatedClient, withoutLoss = false): void {
    const { link } = client;
    const choice = this.#below(withoutLoss ? 8 : 10);
    if (link === null) {
      if (client.session.phase === "reading") this.#join(client);
      else this.#readChunk(client);
      return;
    }
    if (choice < 3) this.#deliver(client, link);
    else if (choice < 5) this.#command(link);
    else if (choice < 8) this.#readChunk(client);
    else if (choice === 9 && this.#below(8) === 0) this.#lose(client, link);
  }

  #join(client: SimulatedClient): void {
    const subscription = { ...client.subscription, cursor: client.session.coveredSeq };
    const link: Link = {
      attachment: { value: { subscription, phase: "live" } },
      toWorker: [],
      toShard: [],
      isOpen: true,
    };
    this.#sendPage(link, subscription, this.#readPage(subscription, subscription.cursor));
    client.link = link;
  }

  #lose(client: SimulatedClient, link: Link): void {
    this.#breakLink(link);
    client.link = null;
    const { session, ask } = onLinkLost(client.session, client.waiting.length === 0);
    client.session = session;
    this.#send(client, ask);
  }

  #send(client: SimulatedClient, ask: LinkCommand): void {
    if (client.link === null || ask === null) return;
    if (ask === "more" && client.session.coveredSeq !== null)
      client.link.toShard.push({ more: client.session.coveredSeq });
    if (ask === "pause") client.link.toShard.push({ pause: true });
  }

  #command(link: Link): void {
    const command = link.toShard.shift();
    const listener = this.#listeners.get(link);
    if (command === undefined || listener === undefined) return;
    const { subscription } = listener;
    if ("more" in command) this.#sendPage(link, subscription, this.#readPage(subscription, command.more));
    else {
      link.attachment.value = { subscription, phase: "waiting" };
      this.#listeners.set(link, listenerOf(link.attachment.value, null));
    }
  }

  #deliver(client: SimulatedClient, link: Link): void {
    const message = link.toWorker.shift();
    if (message === undefined) return;
    const waiting = client.waiting.reduce((sum, { text }) => sum + text.length, 0);
    // Scaled, so that a few small frames already fill a client's buffer.
    const scale = 1_024;
    const { session, isAccepted, linkCommand } = decideBatch(
      client.session,
      message.head,
      message.text.length * scale,
      waiting * scale,
    );
    client.session = session;
    if (isAccepted) client.waiting.push(message);
    this.#send(client, linkCommand);
  }

  /** The client reads one chunk, or only part of it before the connection is cut. */
  #readChunk(client: SimulatedClient): void {
    const message = client.waiting.shift();
    if (message !== undefined) {
      const frames = message.text.split("\n\n").filter((frame) => frame !== "");
      const isCut = this.#below(40) === 0;
      const read = isCut ? frames.slice(0, this.#below(frames.length + 1)) : frames;
      if (client.position === null) client.position = message.head.from;
      for (const frame of read) this.#receive(client, frame);
      if (isCut) {
        this.#disconnect(client);
        this.#reconnect(client);
        return;
      }
      this.#check(client, message.head.to);
      client.position = message.head.to;
    }
    if (client.waiting.length > 0) return;
    const { session, ask } = onBufferDrained(client.session);
    client.session = session;
    this.#send(client, ask);
  }

  #receive(client: SimulatedClient, frame: string): void {
    const id = Number(/^id: (\d+)$/m.exec(frame)?.[1]);
    const data: { seq?: number; from_sequence: number; to_sequence: number; completeness: { status: string } } =
      JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? "");
    if (data.seq === undefined) this.#receiveMarker(client, id, data);
    else {
      if (client.position !== null && id <= client.position)
        throw new Error(`a client at ${client.position} got ${id} again`);
      this.#check(client, id - 1);
      if (this.#wantedBetween(client, id - 1, id).length === 0)
        throw new Error(`a client got ${id}, which it may not see or does not want`);
      client.received++;
      client.position = id;
    }
    client.lastId = id;
  }

  #receiveMarker(
    client: SimulatedClient,
    id: number,
    {
      from_sequence: from,
      to_sequence: to,
      completeness,
    }: { from_sequence: number; to_sequence: number; completeness: { status: string } },
  ): void {
    const position = client.position ?? -1;
    if (completeness.status === "lagged") {
      this.#check(client, id - 1);
      if (from !== id - 1 || to !== id + 1) throw new Error(`a lagged marker ${id} says ${from} to ${to}`);
    } else {
      if (id !== to - 1) throw new Error(`a marker's id ${id} is not one below ${to}`);
      if (completeness.status === "truncated" && (from !== position || to > this.#firstRetained))
        throw new Error(`truncated at ${from}, to ${to}`);
      if (completeness.status === "reset" && from <= id) throw new Error(`reset from ${from} to ${to}`);
    }
    client.position = id;
  }

  /** Expects that every frame a client wants up to a position has been received. */
  #check(client: SimulatedClient, to: number): void {
    const missing = client.position === null ? [] : this.#wantedBetween(client, client.position, to);
    if (missing.length > 0)
      throw new Error(`a client at ${client.position} was led to ${to} past ${missing.join(", ")}`);
  }

  /** Decided by the frames' text, not by their facets. */
  #wantedBetween({ subscription: { accountId, filter } }: SimulatedClient, from: number, to: number): number[] {
    return this.published
      .slice(Math.max(0, from - this.#baseSeq), Math.max(0, to - this.#baseSeq))
      .filter(({ text, facets }) => {
        if (facets === null) return true;
        const data = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "");
        if (facets.owner !== null && facets.owner !== accountId) return false;
        if (filter.types !== null && !filter.types.includes(data.type)) return false;
        if (filter.conditionId !== null && data.condition_id !== filter.conditionId) return false;
        const isTrade = data.type === "LargeTradeInsertedV2";
        if (filter.minGrade !== null && !(isTrade && ["S", "A", "B"].includes(data.grade))) return false;
        if (filter.wallet !== null && !(isTrade && data.wallet === filter.wallet)) return false;
        return filter.minSizeMicro === null || (isTrade && Number(data.size_usd) >= 50);
      })
      .map(({ seq }) => seq);
  }

  #pick<T>(values: readonly T[]): T {
    // The index is below the length, which is never 0 here.
    return values[this.#below(values.length)] as T;
  }
}
