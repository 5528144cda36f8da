import { systemClock } from "../../src/lib/timing/clock.ts";
import { DurableObject } from "cloudflare:workers";
import { parseConfig } from "../../src/config.ts";
import { openDatabase, type Database } from "../../src/db/client.ts";
import { recordHeartbeat, recordJobFailure } from "../../src/db/heartbeats.ts";
import { requireCurrentSchema, SchemaOutdated } from "../../src/db/schema-version.ts";
import { readOutbox } from "../../src/events/outbox/outbox-reader.ts";
import { findOutboxBounds } from "../../src/events/outbox/outbox-bounds.ts";
import { presentResync, type StreamFrame } from "../../src/stream/frame.ts";
import type { Env } from "../../src/env.ts";
import { AlarmLoop } from "../../src/lib/timing/alarm-loop.ts";
import { consoleLog, describeError } from "../../src/platform/log/console-log.ts";
import { findObject } from "../../src/platform/objects/find-object.ts";
import { FrameStorage } from "./frame-storage.ts";
import { beginSequence, planReplay, publishPage, type Sequence } from "./sequencer.ts";
import { ShardFeeds } from "./shard-feeds.ts";

/** Poll interval of the outbox with and without listeners. */
const LISTENING_MS = 500;
const IDLE_MS = 10_000;
/** The next alarm in case this one never returns. */
const WATCHDOG_MS = 30_000;
/** Events published within this time share one read, one transaction and one push per shard. */
const GATHER_MS = 20;
/**
 * Maximum time the alarm waits for a drain under constant load: it must still send heartbeats and prune
 * frames.
 */
const READING_MS = 5_000;
/** Interval of the job heartbeat in the database. */
const HEARTBEAT_MS = 30_000;
/** Maximum number of events per read and of frames per page. */
const PAGE = 500;
const PAGE_CHARACTERS = 256 * 1024;

/** All frames between two sequence numbers. */
export interface FramePage {
  /** The requested cursor, exclusive; equal to `to` without one. */
  readonly from: number;
  readonly to: number;
  /** A resync marker to send before the frames, when frames after `from` cannot be replayed; else null. */
  readonly marker: string | null;
  readonly frames: StreamFrame[];
  /** Whether `to` was the last sequence number. */
  readonly isHead: boolean;
}

/**
 * Assigns each outbox event its sequence number, retains frames for replay and pushes new frames to the
 * shards with listeners. A single instance. Sequence numbers, frames and the outbox position change in one
 * storage transaction, before a frame is sent.
 */
export class EventStream extends DurableObject<Env> {
  readonly #storage: FrameStorage;
  readonly #shards: ShardFeeds;
  #reading: Promise<void> | null = null;
  #isReadAgain = false;
  /** In memory only: a restarted object sends a heartbeat at once. */
  #heartbeatAtMs = 0;

  readonly #loop = new AlarmLoop({
    storage: this.ctx.storage,
    now: Date.now,
    watchdogMs: WATCHDOG_MS,
    turn: () => this.#turn(),
    retryMs: (error) => {
      consoleLog.error("stream.turn_failed", { error: describeError(error) });
      return IDLE_MS;
    },
  });

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#storage = new FrameStorage(state.storage);
    this.#shards = new ShardFeeds(this.#storage, (name) => findObject(env.STREAM_FANOUT, name, env), systemClock);
  }

  /**
   * Keeps the loop running and pushes committed events to listeners at once. Called by cron and by publishers
   * of events.
   */
  async wake(): Promise<void> {
    await this.#loop.keepAlive();
    // Not awaited: the caller must not wait for the drain.
    if (this.#shards.isAnyListening()) this.ctx.waitUntil(this.#drainOutbox());
  }

  /**
   * The frames after a cursor. Registers the calling shard, which then gets all further pushes.
   *
   * @throws when the stream has not begun and its start cannot be read from the database
   */
  async page(shard: string, cursor: number | null): Promise<FramePage> {
    await this.#sequence();
    // The alarm of the first listener: the current one was set with the idle interval.
    if (this.#shards.add(shard)) await this.#loop.wakeBy(Date.now() + LISTENING_MS);
    const retained = this.#storage.findRetained();
    if (retained === null) throw new Error("the stream has not started");
    const { marker, after } = planReplay(retained, cursor);
    const frames = this.#storage.listAfter(after, PAGE, PAGE_CHARACTERS);
    const to = frames.at(-1)?.seq ?? after;
    return {
      from: cursor ?? to,
      to,
      marker: marker === null ? null : presentResync(marker),
      frames,
      isHead: to === retained.last,
    };
  }

  override alarm(): Promise<void> {
    return this.#loop.alarm();
  }

  async #turn(): Promise<number> {
    await this.#drainFor(READING_MS);
    this.#storage.pruneFrames(Date.now());
    this.#shards.pushPendingAndHeartbeats();
    return Date.now() + (this.#shards.isAnyListening() ? LISTENING_MS : IDLE_MS);
  }

  /** Drains the outbox. A call during a drain triggers another pass. */
  #drainOutbox(): Promise<void> {
    this.#isReadAgain = this.#reading !== null;
    this.#reading ??= this.#readAll().finally(() => (this.#reading = null));
    return this.#reading;
  }

  /** Drains the outbox, but resolves after `ms` at the latest. */
  async #drainFor(ms: number): Promise<void> {
    const timer = new AbortController();
    await Promise.race([this.#drainOutbox(), scheduler.wait(ms, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
  }

  async #readAll(): Promise<void> {
    const config = parseConfig(this.env);
    const db = openDatabase(config);
    try {
      await requireCurrentSchema(config.databaseUrl, db, consoleLog);
      for (let more = true; more; more ||= this.#isReadAgain) {
        this.#isReadAgain = false;
        more = await this.#readPage(db);
        const isPushed = this.#shards.pushPending();
        await this.#heartbeat(db);
        if (isPushed && !more) await scheduler.wait(GATHER_MS);
      }
    } catch (error) {
      const message = describeError(error);
      consoleLog.warn("stream.outbox_read_failed", { error: message });
      // The log has the failure; the database may be its cause.
      if (!(error instanceof SchemaOutdated))
        await recordJobFailure(db, "event_stream", message).catch(() => undefined);
    }
  }

  async #heartbeat(db: Database): Promise<void> {
    if (Date.now() - this.#heartbeatAtMs < HEARTBEAT_MS) return;
    await recordHeartbeat(db, "event_stream");
    this.#heartbeatAtMs = Date.now();
  }

  /** @returns whether more events may be readable */
  async #readPage(db: Database): Promise<boolean> {
    const sequence = await this.#sequence();
    const page = await readOutbox(db, sequence.outboxPosition, PAGE);
    if (page.epoch === null) return false;
    const resumeFrom = page.isContiguous ? null : ((await findOutboxBounds(db))?.start ?? null);
    if (!page.isContiguous) consoleLog.error("stream.events_lost", { position: sequence.outboxPosition });
    if (page.isContiguous && page.events.length === 0) return false;
    this.#storage.commit(publishPage(sequence, page, resumeFrom, Date.now()));
    return page.events.length === PAGE;
  }

  /**
   * The current sequence. A new stream starts at the end of the outbox, because no client can have an earlier
   * cursor.
   */
  async #sequence(): Promise<Sequence> {
    const existing = this.#storage.findSequence();
    if (existing !== null) return existing;
    const ends = await findOutboxBounds(openDatabase(parseConfig(this.env)));
    if (ends === null) throw new Error("the outbox has no epoch");
    // A concurrent call may have started the sequence.
    const sequence = this.#storage.findSequence() ?? beginSequence(ends.end, Date.now());
    this.#storage.begin(sequence);
    return sequence;
  }
}
