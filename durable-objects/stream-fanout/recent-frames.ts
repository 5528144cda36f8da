import type { StreamFrame } from "../../src/stream/frame.ts";

/**
 * Bounds of the window and of one page. A frame of a large trade has about 600 characters, so the characters are the bound
 * for long frames. All shards may share the 128 MB of one isolate.
 */
export interface RecentBounds {
  readonly frames: number;
  readonly characters: number;
  readonly pageCharacters: number;
}
const BOUNDS: RecentBounds = { frames: 1_000, characters: 1024 * 1024, pageCharacters: 256 * 1024 };

/**
 * How long the window is current without a push or a page of the stream. The stream pushes at least every 20 seconds to a
 * shard that it knows; a longer silence means that it does not know the shard any more.
 */
const CURRENT_MS = 30_000;

/** All frames between two sequence numbers. */
export interface FrameRange {
  /** Exclusive. */
  readonly after: number;
  readonly to: number;
  readonly frames: readonly StreamFrame[];
}

/**
 * The newest frames of the stream, as one gapless range, in the memory of a shard. Most connections that join need only
 * these.
 */
export class RecentFrames {
  #range: FrameRange | null = null;
  #currentUntilMs = 0;
  readonly #bounds: RecentBounds;

  constructor(bounds: RecentBounds = BOUNDS) {
    this.#bounds = bounds;
  }

  /** Adds a push, or a page of the stream that ended at its last frame. */
  add(range: FrameRange, nowMs: number): void {
    const known = this.#range;
    // A delayed push that adds nothing does not show that the stream still knows the shard.
    if (known === null || range.to >= known.to) this.#currentUntilMs = nowMs + CURRENT_MS;
    this.#range = newestOf(known === null ? range : joinRanges(known, range), this.#bounds);
  }

  /** Forgets everything: the stream may send no further pushes. */
  clear(): void {
    this.#range = null;
  }

  /**
   * The frames after a cursor, as many as fit into a page; none for a null cursor, which asks for new frames only.
   *
   * @returns null when the window does not have all of them, or is not current
   */
  pageAfter(cursor: number | null, nowMs: number): (FrameRange & { readonly isHead: boolean }) | null {
    if (this.#range === null || nowMs >= this.#currentUntilMs) return null;
    const { after, to, frames } = this.#range;
    if (cursor === null) return { after: to, to, frames: [], isHead: true };
    if (cursor < after || cursor > to) return null;
    const page: StreamFrame[] = [];
    let characters = 0;
    for (const frame of frames) {
      if (frame.seq <= cursor) continue;
      characters += frame.text.length;
      if (page.length > 0 && characters > this.#bounds.pageCharacters)
        return { after: cursor, to: page.at(-1)?.seq ?? cursor, frames: page, isHead: false };
      page.push(frame);
    }
    return { after: cursor, to, frames: page, isHead: true };
  }
}

/** The union of two ranges; the later one when there is a gap between them. */
function joinRanges(one: FrameRange, other: FrameRange): FrameRange {
  const [first, second] = one.after <= other.after ? [one, other] : [other, one];
  if (second.after > first.to) return second;
  if (second.to <= first.to) return first;
  return { ...first, to: second.to, frames: [...first.frames, ...second.frames.filter(({ seq }) => seq > first.to)] };
}

/** The newest part of a range that is within the bounds. */
function newestOf(range: FrameRange, bounds: RecentBounds): FrameRange {
  const { frames } = range;
  let characters = 0;
  let first = frames.length;
  while (first > 0 && frames.length - first < bounds.frames) {
    characters += frames[first - 1]?.text.length ?? 0;
    if (characters > bounds.characters) break;
    first--;
  }
  const dropped = frames[first - 1];
  return dropped === undefined ? range : { after: dropped.seq, to: range.to, frames: frames.slice(first) };
}
