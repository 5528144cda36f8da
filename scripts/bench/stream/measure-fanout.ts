import { percentile } from "../engine/percentiles.ts";
import { readFigures } from "./process-figures.ts";
import type { Subscribers } from "./subscribers.ts";

/** A stream that can publish test frames. */
export interface StreamSource {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  /**
   * Publishes `frames` frames, one every `everyMs` milliseconds, or all at once for 0.
   *
   * @returns the commit time of each; empty where there is no commit
   */
  publish(frames: number, everyMs: number): Promise<number[]>;
  collectGarbage(): Promise<void>;
}

export interface FanoutFigures {
  /** Frames that reached a subscriber, for each second of one core that the source's process used. */
  readonly perCoreSecond: number;
  /** The share of a core that the process used. */
  readonly cores: number;
  /** Frames that reached a subscriber, a second of wall time. */
  readonly perSecond: number;
  /**
   * From the frame's publication, and from its event's commit, to the last subscriber. Milliseconds, one for
   * each frame.
   */
  readonly fromPublishMs: readonly number[];
  readonly fromCommitMs: readonly number[];
}

const WITHIN_MS = 60_000;

/** Publishes frames to all subscribers and waits until each has every one. */
export async function measureFanout(
  source: StreamSource,
  subscribers: Subscribers,
  { frames, everyMs, listeners }: { frames: number; everyMs: number; listeners: number },
): Promise<FanoutFigures> {
  await subscribers.forget();
  const before = readFigures(source.pid);
  const startedMs = Date.now();
  const committed = await source.publish(frames, everyMs);
  const received = await subscribers.until(frames, WITHIN_MS);
  const cpuSeconds = readFigures(source.pid).cpuSeconds - before.cpuSeconds;
  const seconds = (Math.max(...received.map(({ lastMs }) => lastMs)) - startedMs) / 1_000;
  return {
    perCoreSecond: (frames * listeners) / cpuSeconds,
    cores: cpuSeconds / seconds,
    perSecond: (frames * listeners) / seconds,
    fromPublishMs: received.flatMap(({ publishedMs, lastMs }) => (publishedMs === null ? [] : [lastMs - publishedMs])),
    fromCommitMs: received.flatMap(({ lastMs }, at) => (committed[at] === undefined ? [] : [lastMs - committed[at]])),
  };
}

export const p50p99 = (values: readonly number[]): string =>
  `p50 ${percentile(values, 0.5).toFixed(0)} ms, p99 ${percentile(values, 0.99).toFixed(0)} ms`;
