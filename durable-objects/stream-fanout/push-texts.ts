import type { WatchlistMatches } from "../../src/domain/watchlists/watchlist-matches.ts";
import { packBatch, type BatchHeader } from "../../src/stream/stream-messages.ts";
import type { FramePush } from "../event-stream/shard-feeds.ts";
import { textFor, type Listener } from "./listener.ts";

/**
 * The messages of one push to the listeners of a shard. Listeners with the same filter share one encoded
 * message.
 */
export class PushTexts {
  readonly #push: FramePush;
  readonly #matches: WatchlistMatches;
  readonly #hasOwnedFrames: boolean;
  readonly #texts = new Map<string, string>();
  /** Encoded messages by text and then by `from`, which is the same for most listeners. */
  readonly #messages = new Map<string, Map<number, Uint8Array>>();

  /** @param matches of the frames' wallets with the watchlists of all listeners that ask for a text */
  constructor(push: FramePush, matches: WatchlistMatches) {
    this.#push = push;
    this.#matches = matches;
    this.#hasOwnedFrames = push.frames.some(({ facets }) => facets !== null && facets.owner !== null);
  }

  /** Text of the push's frames after a sequence number that match a listener's subscription. */
  textFor({ subscription, filterKey }: Listener, after: number): string {
    const isOwn = this.#hasOwnedFrames || subscription.filter.watchlist !== undefined;
    const key = `${after} ${isOwn ? subscription.accountId : ""} ${filterKey}`;
    const cached = this.#texts.get(key);
    if (cached !== undefined) return cached;
    const frames = this.#push.frames.filter(({ seq }) => seq > after);
    const text = textFor(frames, subscription, this.#matches);
    this.#texts.set(key, text);
    return text;
  }

  /** @param head header of this push; headers of one push differ only in `from` */
  messageFor(head: BatchHeader, text: string): Uint8Array {
    const byStart = this.#messages.get(text) ?? new Map<number, Uint8Array>();
    this.#messages.set(text, byStart);
    const cached = byStart.get(head.from) ?? packBatch(head, text);
    byStart.set(head.from, cached);
    return cached;
  }
}
