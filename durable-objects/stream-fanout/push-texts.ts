import { packBatch, type BatchHead } from "../../src/messages/stream.ts";
import type { FramePush } from "../event-stream/shard-feeds.ts";
import { textFor, type Listener } from "./listener.ts";

/** What the listeners of a shard are told of one push. Those who want the same are told the same bytes, which are made once. */
export class PushTexts {
  readonly #push: FramePush;
  readonly #isOwned: boolean;
  readonly #texts = new Map<string, string>();
  /** By text and then by where it begins: most listeners have come equally far. */
  readonly #messages = new Map<string, Map<number, Uint8Array>>();

  constructor(push: FramePush) {
    this.#push = push;
    this.#isOwned = push.frames.some(({ facets }) => facets !== null && facets.owner !== null);
  }

  /** What a listener wants of the push's frames behind a place. */
  textFor({ subscription, filterKey }: Listener, after: number): string {
    const key = `${after} ${this.#isOwned ? subscription.accountId : ""} ${filterKey}`;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const frames = this.#push.frames.filter(({ seq }) => seq > after);
    const text = textFor(frames, subscription);
    this.#texts.set(key, text);
    return text;
  }

  /** @param head of this push: but for its beginning the same for all */
  messageFor(head: BatchHead, text: string): Uint8Array {
    const ofText = this.#messages.get(text) ?? new Map<number, Uint8Array>();
    this.#messages.set(text, ofText);
    const known = ofText.get(head.from) ?? packBatch(head, text);
    ofText.set(head.from, known);
    return known;
  }
}
