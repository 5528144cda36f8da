import type { StreamFrame } from "../../src/stream/frame.ts";
import { consoleLog, describeError } from "../../src/platform/log/console-log.ts";
import type { FrameStorage } from "./frame-storage.ts";
import type { Clock } from "../../src/lib/timing/clock.ts";
import { withTimeout } from "../../src/lib/timing/with-timeout.ts";

/** A push to a shard: all frames between two sequence numbers. */
export interface FramePush {
  /** Exclusive. */
  readonly after: number;
  readonly to: number;
  readonly frames: StreamFrame[];
  /** Whether every listener gets a message, even without a matching frame. */
  readonly isHeartbeat: boolean;
}

/** The storage of frames and shards. */
type FeedStorage = Pick<FrameStorage, "findSequence" | "listAfter" | "listShards" | "addShard" | "dropShard">;

/** The interface of a shard. */
interface Shard {
  /**
   * Resolves when the shard is ready for the next push.
   *
   * @returns its number of listeners
   */
  push(push: FramePush): Promise<number>;
}

interface Feed {
  /** The shard has every frame up to this sequence number. */
  pushedTo: number;
  /** Time of the last message to every listener, Unix milliseconds. */
  heartbeatAtMs: number;
  isBusy: boolean;
  /** Number of joins so far. */
  joins: number;
}

/** Heartbeat interval. A listener without a message for three intervals considers its shard dead. */
const HEARTBEAT_MS = 20_000;
const PUSH_TIMEOUT_MS = 10_000;
const MAX_FRAMES = 500;
const MAX_CHARACTERS = 4 * 1024 * 1024;
/**
 * Pause after each push, per listener: the ack of one listener does not mean that every socket has drained,
 * and messages sent faster than sockets drain pile up.
 */
const PAUSE_MS_PER_LISTENER = 2;
const MAX_PAUSE_MS = 200;
/**
 * A shard that lags by more frames skips to the newest one; its listeners see the gap and request the missing
 * frames.
 */
const MAX_LAG = 2_000;

/**
 * Pushes frames to each shard with listeners, in order and one push at a time; a slow shard does not delay
 * the others. A push costs one message per listener, whatever its number of frames, so frames that arrive
 * during a push go with the next one. The progress of shards is in memory only: after an eviction every shard
 * counts as up to date, and the next heartbeat reveals any gap to the listeners.
 */
export class ShardFeeds {
  readonly #storage: FeedStorage;
  readonly #shardOf: (name: string) => Shard;
  readonly #clock: Pick<Clock, "now" | "wait" | "after">;
  readonly #feeds = new Map<string, Feed>();

  constructor(storage: FeedStorage, shardOf: (name: string) => Shard, clock: Pick<Clock, "now" | "wait" | "after">) {
    this.#storage = storage;
    this.#shardOf = shardOf;
    this.#clock = clock;
    for (const name of storage.listShards()) this.#open(name, 0);
  }

  isAnyListening(): boolean {
    return this.#feeds.size > 0;
  }

  /**
   * Registers a join at a shard.
   *
   * @returns whether the shard had no listeners before
   */
  add(name: string): boolean {
    const feed = this.#feeds.get(name);
    if (feed !== undefined) {
      feed.joins++;
      return false;
    }
    this.#storage.addShard(name);
    this.#open(name, this.#clock.now());
    return true;
  }

  /**
   * Pushes to the shards that lack frames.
   *
   * @returns whether there are any
   */
  pushPending(): boolean {
    const last = this.#last();
    const behind = [...this.#feeds].filter(([, feed]) => feed.pushedTo < last);
    for (const [name, feed] of behind) void this.#push(name, feed);
    return behind.length > 0;
  }

  /** Pushes to the shards that lack frames or whose heartbeat is due. */
  pushPendingAndHeartbeats(): void {
    const last = this.#last();
    for (const [name, feed] of this.#feeds)
      if (feed.pushedTo < last || this.#isHeartbeatDue(feed)) void this.#push(name, feed);
  }

  #open(name: string, heartbeatAtMs: number): void {
    this.#feeds.set(name, { pushedTo: this.#last(), heartbeatAtMs, isBusy: false, joins: 0 });
  }

  async #push(name: string, feed: Feed): Promise<void> {
    if (feed.isBusy) return;
    feed.isBusy = true;
    try {
      do {
        const isSkipped = this.#last() - feed.pushedTo > MAX_LAG;
        if (isSkipped) feed.pushedTo = this.#last();
        const frames = this.#storage.listAfter(feed.pushedTo, MAX_FRAMES, MAX_CHARACTERS);
        // A skip is announced to every listener: otherwise the gap would show only with the next matching
        // frame.
        const isHeartbeat = isSkipped || this.#isHeartbeatDue(feed);
        const push = { after: feed.pushedTo, to: frames.at(-1)?.seq ?? feed.pushedTo, frames, isHeartbeat };
        const { joins } = feed;
        const listeners = await withTimeout(
          this.#shardOf(name).push(push),
          PUSH_TIMEOUT_MS,
          undefined,
          this.#clock.after,
        );
        feed.pushedTo = push.to;
        if (push.isHeartbeat) feed.heartbeatAtMs = this.#clock.now();
        // A listener that joined during the push may not be counted.
        if (listeners === 0 && feed.joins === joins) this.#drop(name);
        await this.#clock.wait(Math.min(listeners * PAUSE_MS_PER_LISTENER, MAX_PAUSE_MS));
      } while (this.#feeds.get(name) === feed && feed.pushedTo < this.#last());
    } catch (error) {
      // Retried with the next frames or the next heartbeat.
      consoleLog.warn("stream.shard_push_failed", { shard: name, error: describeError(error) });
    } finally {
      feed.isBusy = false;
    }
  }

  #drop(name: string): void {
    this.#feeds.delete(name);
    this.#storage.dropShard(name);
  }

  #isHeartbeatDue(feed: Feed): boolean {
    return this.#clock.now() - feed.heartbeatAtMs >= HEARTBEAT_MS;
  }

  #last(): number {
    return this.#storage.findSequence()?.lastSeq ?? 0;
  }
}
