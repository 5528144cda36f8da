import type { ProviderScoreFrame } from "../../platform/provider.ts";

export interface ReceivedFrame {
  readonly frame: ProviderScoreFrame;
  readonly receivedAt: Date;
}

/** The frames that are held at most while they cannot be applied: about a quarter of an hour of all games. */
const MOST_FRAMES = 20_000;

/**
 * Frames of the score socket that were not applied yet, in the order of arrival. They are in memory only: the
 * socket sends each game again, and the games in play are read from the provider's events as well.
 */
export class ScoreFrames {
  #frames: ReceivedFrame[] = [];

  add(frame: ProviderScoreFrame, receivedAt: Date): void {
    this.#frames.push({ frame, receivedAt });
    if (this.#frames.length > MOST_FRAMES) this.#frames.shift();
  }

  /** Removes and returns all frames. */
  take(): readonly ReceivedFrame[] {
    const taken = this.#frames;
    this.#frames = [];
    return taken;
  }

  /** Returns frames that were taken but not applied; they stay before the frames that have arrived since. */
  putBack(frames: readonly ReceivedFrame[]): void {
    this.#frames = [...frames, ...this.#frames].slice(-MOST_FRAMES);
  }
}
