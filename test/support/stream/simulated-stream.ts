import { planReplay, publishPage, type Sequence } from "../../../durable-objects/event-stream/sequencer.ts";
import type { FramePush } from "../../../durable-objects/event-stream/shard-feeds.ts";
import { listenerOf, tellListener, textFor, type Attachment, type Listener } from "../../../durable-objects/stream-fanout/listener.ts";
import { mulberry32 } from "../../../scripts/provider/simulate/random.ts";
import { startOfEpoch, type OutboxPage, type StoredEvent } from "../../../src/db/outbox.ts";
import { presentResync, type StreamFrame } from "../../../src/domain/stream/frame.ts";
import type { BatchHead, Subscription } from "../../../src/messages/stream.ts";
import { beginSession, takeBatch, whenLost, whenRead, type Ask, type Session } from "../../../src/operations/events/stream-session.ts";

/** Of a simulated window, far below the real one, so that it is left behind often. */
const RETAINED = 80;

/** Random whole numbers below a bound, the same for the same seed. */
export function seeded(seed: number): (below: number) => number {
  const next = mulberry32(seed);
  return (below) => Math.floor(next() * below);
}

interface Message {
  readonly head: BatchHead;
  readonly text: string;
}

/** A socket between shard and Worker: what is on its way, and which end is still there. */
interface Link {
  readonly attachment: { value: Attachment };
  readonly toWorker: Message[];
  readonly toShard: ({ more: number } | { pause: true })[];
  isOpen: boolean;
}

/** A client over all its connections, and what it has been sent. */
export interface SimulatedClient {
  readonly subscription: Subscription;
  session: Session;
  link: Link | null;
  isJoining: boolean;
  waiting: Message[];
  /** The id that a reconnect goes on from; null before anything was received. */
  lastId: number | null;
  /** Everything wanted up to here has been received or was said to be lost. */
  position: number | null;
  received: number;
}

/**
 * The stream without its runtime: the sequence and its window as they are stored, a shard that forgets, links that break with messages on their
 * way, clients that read slowly, cut the connection and come back. Every client's frames are checked as it gets them.
 */
export class SimulatedStream {
  readonly #below: (below: number) => number;
  readonly clients: SimulatedClient[] = [];
  /** Every frame that ever was. */
  readonly published: StreamFrame[] = [];
  #outbox: StoredEvent[] = [];
  #epoch = 1;
  #pruned = 0;
  #nextEvent = 1;
  #sequence: Sequence;
  #firstKept: number;
  readonly #begin: number;
  /** Kept by the stream in memory only. */
  #told: number;
  #listeners = new Map<Link, Listener>();
  #pushedTo = 0;
  /** Pushes that were given up and may still arrive. */
  readonly #late: FramePush[] = [];

  constructor(seed: number) {
    this.#below = seeded(seed);
    this.#begin = 1_000 + this.#below(1_000);
    this.#sequence = { lastSeq: this.#begin, publishedMs: 0, place: startOfEpoch(1) };
    this.#firstKept = this.#begin + 1;
    this.#told = this.#begin;
  }

  step(): void {
    const choice = this.#below(100);
    if (choice < 14) this.#announce();
    else if (choice < 26) this.#read();
    else if (choice < 38) this.#push();
    else if (choice < 40) this.#beat();
    else if (choice < 42) this.#lateAgain();
    else if (choice < 45) this.#forgetShard();
    else if (choice < 46) this.#told = this.#sequence.lastSeq; // the stream is evicted
    else if (choice < 47) this.#loseEvents();
    else if (choice < 50) this.#comeOrGo();
    else if (this.clients.length > 0) this.#stepClient(this.#pick(this.clients));
  }

  /** Lets everything arrive, and then checks that everybody has all. */
  settle(): void {
    for (let round = 0; round < 400; round++) {
      this.#read();
      this.#push();
      if (round % 20 === 0) this.#beat();
      for (const client of this.clients) for (let turn = 0; turn < 5; turn++) this.#stepClient(client, true);
    }
    for (const client of this.clients) {
      if ((client.position ?? 0) > this.#sequence.lastSeq)
        throw new Error(`a client was left at ${client.position}, which nobody was given`);
      const missing = this.#wantedBetween(client, client.position ?? this.#sequence.lastSeq, this.#sequence.lastSeq);
      if (missing.length > 0) throw new Error(`a client at ${client.position} never got ${missing.join(", ")}`);
    }
    const seqs = this.published.map(({ seq }) => seq);
    if (seqs.some((seq, at) => seq !== this.#begin + 1 + at)) throw new Error("a number was used twice or left out");
  }

  // ---- the stream

  #announce(): void {
    const count = 1 + this.#below(4);
    for (let made = 0; made < count; made++) {
      const id = this.#nextEvent++;
      const grade = this.#pick(["S", "A", "B", "C", "D", "F", null]);
      const isTrade = this.#below(2) === 0;
      const payload = isTrade
        ? { condition_id: this.#pick(["0xa", "0xb"]), grade, wallet: this.#pick(["0x1", "0x2"]), size_usd: `${this.#below(100)}.5` }
        : { count: id };
      const accountId = this.#below(5) === 0 ? 1 + this.#below(2) : null;
      const type = accountId !== null ? "export_job_ready" : isTrade ? "large_trade_inserted_v2" : "large_trades_inserted";
      const base = { commit_xid: String(id), created_at: "2026-11-20T12:00:00.000Z", large_trade_id: null };
      this.#outbox.push({ ...base, id: String(id), type, payload, account_id: accountId });
    }
  }

  /** Reads a page, and may die before it is stored. */
  #read(): void {
    const { place } = this.#sequence;
    const behind = Number(place.id);
    const isSameEpoch = place.epoch === this.#epoch;
    const limit = 1 + this.#below(6);
    const events = isSameEpoch ? this.#outbox.filter(({ id }) => Number(id) > behind).slice(0, limit) : [];
    const page: OutboxPage = { epoch: this.#epoch, isWhole: isSameEpoch && this.#pruned <= behind, events };
    const goOnFrom = page.isWhole ? null : { epoch: this.#epoch, commitXid: String(this.#pruned), id: String(this.#pruned) };
    if (page.isWhole && events.length === 0) return;
    const { frames, sequence } = publishPage(this.#sequence, page, goOnFrom, 0);
    if (this.#below(10) === 0) return;
    if (frames.length !== events.length + (page.isWhole ? 0 : 1)) throw new Error(`${events.length} events became ${frames.length} frames`);
    this.published.push(...frames);
    this.#sequence = sequence;
    this.#firstKept = Math.max(this.#firstKept, sequence.lastSeq - RETAINED + 1);
  }

  #kept(after: number, limit: number): StreamFrame[] {
    return this.published.filter(({ seq }) => seq > after && seq >= this.#firstKept).slice(0, limit);
  }

  #pushOf(isBeat: boolean): FramePush {
    const isLeftBehind = this.#sequence.lastSeq - this.#told > 20;
    if (isLeftBehind) this.#told = this.#sequence.lastSeq;
    const frames = this.#kept(this.#told, 1 + this.#below(5));
    return { after: this.#told, to: frames.at(-1)?.seq ?? this.#told, frames, isBeat: isBeat || isLeftBehind };
  }

  /** A push arrives; or is lost on its way, now or for good; or its answer is lost, and it comes twice. */
  #push(isBeat = false): void {
    const push = this.#pushOf(isBeat);
    const fate = this.#below(12);
    if (fate === 0) return;
    if (fate === 1) {
      this.#late.push(push);
      return;
    }
    this.#apply(push);
    if (fate !== 2) this.#told = Math.max(this.#told, push.to);
  }

  #beat(): void {
    this.#push(true);
  }

  #lateAgain(): void {
    const push = this.#late.shift();
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
    this.#pushedTo = Math.max(this.#pushedTo, push.to);
    for (const [link, listener] of this.#listeners) {
      const { subscription } = listener;
      const telling = tellListener(listener, push, (after) =>
        textFor(
          push.frames.filter(({ seq }) => seq > after),
          subscription,
        ),
      );
      if (telling === null || !link.isOpen) continue;
      if (telling.head !== null) link.toWorker.push({ head: telling.head, text: telling.text });
      this.#listeners.set(link, telling.listener);
    }
  }

  #forgetShard(): void {
    this.#pushedTo = 0;
    for (const link of this.#listeners.keys()) this.#listeners.set(link, listenerOf(link.attachment.value, null));
  }

  #readPage(subscription: Subscription, cursor: number | null): Message {
    const plan = planReplay({ first: this.#firstKept, last: this.#sequence.lastSeq }, cursor);
    const frames = this.#kept(plan.after, 1 + this.#below(10));
    const to = frames.at(-1)?.seq ?? plan.after;
    const isHead = to === this.#sequence.lastSeq && to >= this.#pushedTo;
    const marker = plan.marker === null ? "" : presentResync(plan.marker);
    return { head: { from: cursor ?? to, to, isPage: true, isHead }, text: marker + textFor(frames, subscription) };
  }

  #answer(link: Link, subscription: Subscription, page: Message): void {
    link.attachment.value = { subscription, phase: page.head.isHead ? "live" : "waiting" };
    this.#listeners.set(link, listenerOf(link.attachment.value, { toldTo: page.head.to, seenTo: page.head.to }));
    link.toWorker.push(page);
  }

  // ---- the Worker and its client

  #comeOrGo(): void {
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
      this.clients.push({ ...client, subscription, session: beginSession(null) });
      return;
    }
    const client = this.#pick(this.clients);
    this.#disconnect(client);
    const fate = this.#below(10);
    // Now and then somebody comes with a number that nobody was given, or with a very old one.
    if (fate === 0) client.lastId = this.#sequence.lastSeq + 1 + this.#below(50);
    if (fate === 1 && client.lastId !== null) client.lastId = Math.max(0, client.lastId - this.#below(200));
    this.#comeBack(client);
  }

  /** A reconnect knows the last id it was given and nothing else. */
  #comeBack(client: SimulatedClient): void {
    client.position = client.lastId;
    client.session = beginSession(client.lastId);
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

  #stepClient(client: SimulatedClient, isKind = false): void {
    const { link } = client;
    const choice = this.#below(isKind ? 8 : 10);
    if (link === null) {
      if (client.session.phase === "reading") this.#join(client);
      else this.#hand(client);
      return;
    }
    if (choice < 3) this.#deliver(client, link);
    else if (choice < 5) this.#command(link);
    else if (choice < 8) this.#hand(client);
    else if (choice === 9 && this.#below(8) === 0) this.#lose(client, link);
  }

  #join(client: SimulatedClient): void {
    const subscription = { ...client.subscription, cursor: client.session.covered };
    const link: Link = { attachment: { value: { subscription, phase: "live" } }, toWorker: [], toShard: [], isOpen: true };
    this.#answer(link, subscription, this.#readPage(subscription, subscription.cursor));
    client.link = link;
  }

  #lose(client: SimulatedClient, link: Link): void {
    this.#breakLink(link);
    client.link = null;
    const { session, ask } = whenLost(client.session, client.waiting.length === 0);
    client.session = session;
    this.#ask(client, ask);
  }

  #ask(client: SimulatedClient, ask: Ask): void {
    if (client.link === null || ask === null) return;
    if (ask === "more" && client.session.covered !== null) client.link.toShard.push({ more: client.session.covered });
    if (ask === "pause") client.link.toShard.push({ pause: true });
  }

  #command(link: Link): void {
    const command = link.toShard.shift();
    const listener = this.#listeners.get(link);
    if (command === undefined || listener === undefined) return;
    const { subscription } = listener;
    if ("more" in command) this.#answer(link, subscription, this.#readPage(subscription, command.more));
    else {
      link.attachment.value = { subscription, phase: "waiting" };
      this.#listeners.set(link, listenerOf(link.attachment.value, null));
    }
  }

  #deliver(client: SimulatedClient, link: Link): void {
    const message = link.toWorker.shift();
    if (message === undefined) return;
    const waiting = client.waiting.reduce((sum, { text }) => sum + text.length, 0);
    // Scaled, so that a few small frames are as much as a client may have waiting.
    const scale = 1_024;
    const { session, isTaken, ask } = takeBatch(client.session, message.head, message.text.length * scale, waiting * scale);
    client.session = session;
    if (isTaken) client.waiting.push(message);
    this.#ask(client, ask);
  }

  /** The client reads one chunk, maybe only part of it before the connection is cut. */
  #hand(client: SimulatedClient): void {
    const message = client.waiting.shift();
    if (message !== undefined) {
      const frames = message.text.split("\n\n").filter((frame) => frame !== "");
      const isCut = this.#below(40) === 0;
      const read = isCut ? frames.slice(0, this.#below(frames.length + 1)) : frames;
      if (client.position === null) client.position = message.head.from;
      for (const frame of read) this.#receive(client, frame);
      if (isCut) {
        this.#disconnect(client);
        this.#comeBack(client);
        return;
      }
      this.#check(client, message.head.to);
      client.position = message.head.to;
    }
    if (client.waiting.length > 0) return;
    const { session, ask } = whenRead(client.session);
    client.session = session;
    this.#ask(client, ask);
  }

  #receive(client: SimulatedClient, frame: string): void {
    const id = Number(/^id: (\d+)$/m.exec(frame)?.[1]);
    const data: { seq?: number; from_sequence: number; to_sequence: number; completeness: { status: string } } = JSON.parse(
      /^data: (.*)$/m.exec(frame)?.[1] ?? "",
    );
    if (data.seq === undefined) this.#receiveMarker(client, id, data);
    else {
      if (client.position !== null && id <= client.position) throw new Error(`a client at ${client.position} got ${id} again`);
      this.#check(client, id - 1);
      if (this.#wantedBetween(client, id - 1, id).length === 0)
        throw new Error(`a client got ${id}, which it may not know or does not want`);
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
      if (completeness.status === "truncated" && (from !== position || to > this.#firstKept))
        throw new Error(`truncated at ${from}, to ${to}`);
      if (completeness.status === "reset" && from <= id) throw new Error(`reset from ${from} to ${to}`);
    }
    client.position = id;
  }

  /** All frames that a client wants up to a place have been received. */
  #check(client: SimulatedClient, to: number): void {
    const missing = client.position === null ? [] : this.#wantedBetween(client, client.position, to);
    if (missing.length > 0) throw new Error(`a client at ${client.position} was led to ${to} past ${missing.join(", ")}`);
  }

  /** By what the frames say and not by their facets. */
  #wantedBetween({ subscription: { accountId, filter } }: SimulatedClient, from: number, to: number): number[] {
    return this.published
      .slice(Math.max(0, from - this.#begin), Math.max(0, to - this.#begin))
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
