/** Longer gaps of a recording are played as if they lasted this long. */
const LONGEST_GAP_SECONDS = 3600;

/** The time of a replay. */
export interface ReplayClock {
  /** Epoch milliseconds. */
  nowMs(): number;
  /** Records up to this time are visible, epoch seconds; infinite when all are. */
  horizon(): number;
}

/**
 * @param times of the records, ascending, epoch seconds
 * @param speed a multiple of real time, or `max` for everything at once
 * @param realNow epoch milliseconds
 */
export function createReplayClock(times: readonly number[], speed: number | "max", realNow: () => number): ReplayClock {
  if (speed === "max") return { nowMs: realNow, horizon: () => Number.POSITIVE_INFINITY };
  const playedAt = playbackTimes(times);
  const startedMs = realNow();
  const recordedAt = () => timeAt(times, playedAt, ((realNow() - startedMs) / 1000) * speed);
  return { nowMs: () => recordedAt() * 1000, horizon: () => Math.floor(recordedAt()) };
}

/** Seconds from the start of the playback to each record, with long gaps shortened. */
function playbackTimes(times: readonly number[]): readonly number[] {
  let played = 0;
  return times.map((time, index) => {
    played += Math.min(time - (times[index - 1] ?? time), LONGEST_GAP_SECONDS);
    return played;
  });
}

function timeAt(times: readonly number[], playedAt: readonly number[], elapsed: number): number {
  const next = playedAt.findIndex((played) => played > elapsed);
  const last = times.at(-1) ?? 0;
  if (next === -1) return last + elapsed - (playedAt.at(-1) ?? 0);
  const before = Math.max(next - 1, 0);
  return (times[before] ?? 0) + Math.max(0, elapsed - (playedAt[before] ?? 0));
}
