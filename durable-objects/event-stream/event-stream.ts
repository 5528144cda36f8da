import { DurableObject } from "cloudflare:workers";
import { parseConfig } from "../../src/config.ts";
import { openDatabase, type Database } from "../../src/db/client.ts";
import { beat, recordFailure } from "../../src/db/heartbeats.ts";
import { readOutbox } from "../../src/db/outbox.ts";
import { findOutboxEnds } from "../../src/db/outbox-restart.ts";
import { presentResync, type StreamFrame } from "../../src/domain/stream/frame.ts";
import type { Env } from "../../src/env.ts";
import { consoleLog, describeError } from "../../src/lib/console-log.ts";
import { FrameStorage } from "./frame-storage.ts";
import { beginSequence, planReplay, publishPage, type Sequence } from "./sequencer.ts";
import { ShardFeeds } from "./shard-feeds.ts";

/** How often the outbox is looked at while somebody listens, and while nobody does. */
const LISTENING_MS = 500;
const IDLE_MS = 10_000;
/** The alarm that fires should this one never return. */
const WATCHDOG_MS = 30_000;
/** What is published so soon after other news goes together with it: a statement, a transaction and a push to each shard for all of it. */
const GATHER_MS = 20;
/** The alarm waits no longer for a reading that does not end because more and more is published: it has beats to give and frames to drop. */
const READING_MS = 5_000;
/** How often it says that it works. */
const BEAT_MS = 30_000;
/** Events read, and frames handed on, at a time. */
const PAGE = 500;
const PAGE_CHARACTERS = 256 * 1024;

/** Frames that lie between two places of the sequence, all of them. */
export interface FramePage {
  /** The cursor that was asked with; without one the same as `to`. */
  readonly from: number;
  readonly to: number;
  /** Goes before the frames: something between `from` and them cannot be sent. */
  readonly marker: string | null;
  readonly frames: StreamFrame[];
  /** Whether there were no more behind `to`. */
  readonly isHead: boolean;
}

/**
 * Gives each event of the outbox its number on the stream, keeps the frames that can be replayed, and hands new ones to the shards that have
 * listeners. There is one of it. Numbers, frames and the place in the outbox change in one transaction of its storage, before anything of them
 * is sent.
 */
export class EventStream extends DurableObject<Env> {
  readonly #storage: FrameStorage;
  readonly #shards: ShardFeeds;
  #reading: Promise<void> | null = null;
  #isAskedAgain = false;
  /** Not kept: an object that begins anew beats at once. */
  #beatMs = 0;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#storage = new FrameStorage(state.storage);
    this.#shards = new ShardFeeds(this.#storage, (name) => env.STREAM_FANOUT.get(env.STREAM_FANOUT.idFromName(name)), {
      now: () => Date.now(),
      wait: (ms) => scheduler.wait(ms),
    });
  }

  /** Makes sure the loop runs, and that listeners hear at once of what has been committed. Called by cron, and by who has published events. */
  async wake(): Promise<void> {
    const alarm = await this.ctx.storage.getAlarm();
    // Re-armed even when set: a past-due alarm is not certain to fire after eviction.
    if (alarm === null || alarm < Date.now()) await this.ctx.storage.setAlarm(Date.now());
    // Whoever calls has other work to do than to wait for it.
    if (this.#shards.isAnyListening()) this.ctx.waitUntil(this.#readOn());
  }

  /**
   * What comes after a cursor. The shard that asks has listeners from now on and is told of all that follows.
   *
   * @throws when the stream has not begun and the database cannot say where it would
   */
  async page(shard: string, cursor: number | null): Promise<FramePage> {
    await this.#sequence();
    if (this.#shards.add(shard)) await this.#listenSoon();
    const retained = this.#storage.findRetained();
    if (retained === null) throw new Error("the stream has not begun");
    const { marker, after } = planReplay(retained, cursor);
    const frames = this.#storage.listAfter(after, PAGE, PAGE_CHARACTERS);
    const to = frames.at(-1)?.seq ?? after;
    return { from: cursor ?? to, to, marker: marker === null ? null : presentResync(marker), frames, isHead: to === retained.last };
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + WATCHDOG_MS);
    await this.#readFor(READING_MS);
    this.#storage.dropOld(Date.now());
    this.#shards.tellAll();
    await this.ctx.storage.setAlarm(Date.now() + this.#restMs());
  }

  #restMs(): number {
    return this.#shards.isAnyListening() ? LISTENING_MS : IDLE_MS;
  }

  /** The first listener does not wait for the alarm that was set while there was none. */
  async #listenSoon(): Promise<void> {
    const soon = Date.now() + LISTENING_MS;
    const alarm = await this.ctx.storage.getAlarm();
    if (alarm === null || alarm > soon) await this.ctx.storage.setAlarm(soon);
  }

  /** Reads until the outbox has no more. Whoever asks while it reads may mean what the reading has missed. */
  #readOn(): Promise<void> {
    this.#isAskedAgain = this.#reading !== null;
    this.#reading ??= this.#readAll().finally(() => (this.#reading = null));
    return this.#reading;
  }

  /** The same, and waits no longer than so for it. */
  async #readFor(ms: number): Promise<void> {
    const waiting = new AbortController();
    await Promise.race([this.#readOn(), scheduler.wait(ms, { signal: waiting.signal }).catch(() => undefined)]);
    waiting.abort();
  }

  async #readAll(): Promise<void> {
    const db = openDatabase(parseConfig(this.env));
    try {
      for (let more = true; more; more ||= this.#isAskedAgain) {
        this.#isAskedAgain = false;
        more = await this.#readPage(db);
        const isTold = this.#shards.tellNews();
        await this.#beat(db);
        if (isTold && !more) await scheduler.wait(GATHER_MS);
      }
    } catch (error) {
      const message = describeError(error);
      consoleLog.warn("stream not read on", { error: message });
      await recordFailure(db, "event_stream", message).catch(() => undefined);
    }
  }

  async #beat(db: Database): Promise<void> {
    if (Date.now() - this.#beatMs < BEAT_MS) return;
    await beat(db, "event_stream");
    this.#beatMs = Date.now();
  }

  /** @returns whether there may be more */
  async #readPage(db: Database): Promise<boolean> {
    const sequence = await this.#sequence();
    const page = await readOutbox(db, sequence.place, PAGE);
    if (page.epoch === null) return false;
    const goOnFrom = page.isWhole ? null : ((await findOutboxEnds(db))?.start ?? null);
    if (!page.isWhole) consoleLog.error("events were lost to the stream", { behind: sequence.place });
    if (page.isWhole && page.events.length === 0) return false;
    this.#storage.commit(publishPage(sequence, page, goOnFrom, Date.now()));
    return page.events.length === PAGE;
  }

  /** A stream begins with what comes: events from before it were told by nobody, and nobody has a cursor of them. */
  async #sequence(): Promise<Sequence> {
    const begun = this.#storage.findSequence();
    if (begun !== null) return begun;
    const ends = await findOutboxEnds(openDatabase(parseConfig(this.env)));
    if (ends === null) throw new Error("the outbox has no epoch");
    // Another call may have begun it meanwhile.
    const sequence = this.#storage.findSequence() ?? beginSequence(ends.end, Date.now());
    this.#storage.begin(sequence);
    return sequence;
  }
}
