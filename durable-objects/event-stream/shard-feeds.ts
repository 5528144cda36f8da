import type { StreamFrame } from "../../src/domain/stream/frame.ts";
import { consoleLog, describeError } from "../../src/lib/console-log.ts";
import type { FrameStorage } from "./frame-storage.ts";

/** What a shard is told: these are all frames between two places of the sequence. */
export interface FramePush {
  /** Exclusive. */
  readonly after: number;
  readonly to: number;
  readonly frames: StreamFrame[];
  /** Whether every listener hears of it, also one that wants none of the frames. */
  readonly isBeat: boolean;
}

/** Time, as the feeds use it. */
export interface FeedClock {
  now(): number;
  wait(ms: number): Promise<unknown>;
}

/** What is told of, and who is told. */
type Kept = Pick<FrameStorage, "findSequence" | "listAfter" | "listShards" | "addShard" | "dropShard">;

/** A shard as it is called. */
interface Shard {
  /** Resolves when it may be told more. @returns how many listeners it has */
  push(push: FramePush): Promise<number>;
}

interface Feed {
  /** The shard has been told of all up to here. */
  told: number;
  /** When every listener last heard something, Unix milliseconds. */
  beatMs: number;
  isBusy: boolean;
  /** Grows when somebody comes to listen. */
  comings: number;
}

/** Listeners that hear nothing for three of these take their shard for dead. */
const BEAT_MS = 20_000;
const PUSH_MS = 10_000;
const FRAMES = 500;
const CHARACTERS = 4 * 1024 * 1024;
/**
 * A shard rests after a push, longer the more listeners it has: word from one of them does not say that all the others have been dealt with, and
 * messages that are sent faster than that wait for each other, more and more of them.
 */
const REST_MS_PER_LISTENER = 2;
const MOST_REST_MS = 200;
/** A shard that is further behind is told from the newest on: its listeners see the gap and ask for what lies in it. */
const MOST_BEHIND = 2_000;

/**
 * Tells each shard that has listeners of the frames, in their order and one push after the other; a slow shard delays no other. A push is a message
 * to each listener, which costs as much whether it brings one frame or ten, so what comes during a push goes with the next. Who was told what is
 * kept in memory only: after an eviction all count as told, and the beat that follows shows to listeners who were not what they lack.
 */
export class ShardFeeds {
  readonly #storage: Kept;
  readonly #shardOf: (name: string) => Shard;
  readonly #clock: FeedClock;
  readonly #feeds = new Map<string, Feed>();

  constructor(storage: Kept, shardOf: (name: string) => Shard, clock: FeedClock) {
    this.#storage = storage;
    this.#shardOf = shardOf;
    this.#clock = clock;
    for (const name of storage.listShards()) this.#open(name, 0);
  }

  isAnyListening(): boolean {
    return this.#feeds.size > 0;
  }

  /** Somebody listens at a shard now. @returns whether nobody did before */
  add(name: string): boolean {
    const feed = this.#feeds.get(name);
    if (feed !== undefined) {
      feed.comings++;
      return false;
    }
    this.#storage.addShard(name);
    this.#open(name, this.#clock.now());
    return true;
  }

  /** Tells the shards that have not been told all. @returns whether there are any */
  tellNews(): boolean {
    const last = this.#last();
    const behind = [...this.#feeds].filter(([, feed]) => feed.told < last);
    for (const [name, feed] of behind) void this.#tell(name, feed);
    return behind.length > 0;
  }

  /** The same, and those whose beat is due. */
  tellAll(): void {
    const last = this.#last();
    for (const [name, feed] of this.#feeds) if (feed.told < last || this.#isBeatDue(feed)) void this.#tell(name, feed);
  }

  #open(name: string, beatMs: number): void {
    this.#feeds.set(name, { told: this.#last(), beatMs, isBusy: false, comings: 0 });
  }

  async #tell(name: string, feed: Feed): Promise<void> {
    if (feed.isBusy) return;
    feed.isBusy = true;
    try {
      do {
        const isLeftBehind = this.#last() - feed.told > MOST_BEHIND;
        if (isLeftBehind) feed.told = this.#last();
        const frames = this.#storage.listAfter(feed.told, FRAMES, CHARACTERS);
        // Who is left behind has to hear of it: without a frame nothing else would show the gap before the next one.
        const isBeat = isLeftBehind || this.#isBeatDue(feed);
        const push = { after: feed.told, to: frames.at(-1)?.seq ?? feed.told, frames, isBeat };
        const { comings } = feed;
        const listeners = await within(this.#shardOf(name).push(push));
        feed.told = push.to;
        if (push.isBeat) feed.beatMs = this.#clock.now();
        // Who came while it was counted is not in the count.
        if (listeners === 0 && feed.comings === comings) this.#drop(name);
        await this.#clock.wait(Math.min(listeners * REST_MS_PER_LISTENER, MOST_REST_MS));
      } while (this.#feeds.get(name) === feed && feed.told < this.#last());
    } catch (error) {
      // Told again with the next news or beat.
      consoleLog.warn("shard not told", { shard: name, error: describeError(error) });
    } finally {
      feed.isBusy = false;
    }
  }

  #drop(name: string): void {
    this.#feeds.delete(name);
    this.#storage.dropShard(name);
  }

  #isBeatDue(feed: Feed): boolean {
    return this.#clock.now() - feed.beatMs >= BEAT_MS;
  }

  #last(): number {
    return this.#storage.findSequence()?.lastSeq ?? 0;
  }
}

async function within<T>(call: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PUSH_MS} ms`)), PUSH_MS);
  });
  try {
    return await Promise.race([call, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
