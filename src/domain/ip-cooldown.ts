const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * When traffic over a per-IP budget counts as sustained, and how long its caller then waits. A caller is an address, or one valid key behind
 * it; each budget has cooldowns of its own.
 */
export const IP_COOLDOWN = {
  /**
   * So many refusals make a UTC minute one of excess. A caller that waits out Retry-After is refused about once a minute for each of its
   * connections and stays far below.
   */
  refusedInExcess: 100,
  /**
   * The same for one valid key behind an address. It is above all that the user's own 100 requests a minute explain, so a client within its
   * budget never gets there, even when all its requests are refused because of others.
   */
  refusedOfKeyInExcess: 200,
  /** So many minutes of excess, among this and the nine before it, begin a cooldown. */
  excessMinutes: 5,
  withinMinutes: 10,
  /** The first cooldown, the second and so on; the last one repeats. */
  ladderMs: [5 * MINUTE_MS, 30 * MINUTE_MS, 4 * HOUR_MS, DAY_MS, 3 * DAY_MS],
  /** Each whole stretch of this length since the last cooldown ended takes the caller one rung down. */
  quietMs: 7 * DAY_MS,
} as const;

export interface Cooldown {
  /** The rung of the ladder, from 1. */
  readonly level: number;
  readonly untilMs: number;
}

/**
 * The cooldown a caller is in, after one more of its requests was refused.
 *
 * A new one runs from the end of the current minute, so that isolates which find the same excess at once decide the same.
 *
 * @param refusals by UTC minute, `withinMinutes` of them, the current minute last
 * @param previous the caller's last cooldown; null when it had none, or long ago
 * @param refusedInExcess refusals that make a minute one of excess
 * @returns `previous` itself while it lasts, a new one, or null
 */
export function decideCooldown(
  refusals: readonly number[],
  previous: Cooldown | null,
  nowMs: number,
  refusedInExcess: number = IP_COOLDOWN.refusedInExcess,
): Cooldown | null {
  if (previous !== null && nowMs < previous.untilMs) return previous;
  const minuteStartMs = nowMs - (nowMs % MINUTE_MS);
  // Excess that a cooldown has already punished does not count again.
  const excess = refusals.filter((refused, index) => {
    const startMs = minuteStartMs - (refusals.length - 1 - index) * MINUTE_MS;
    return refused >= refusedInExcess && startMs >= (previous?.untilMs ?? 0);
  });
  if (excess.length < IP_COOLDOWN.excessMinutes) return null;
  const level = Math.min(remainingLevel(previous, nowMs) + 1, IP_COOLDOWN.ladderMs.length);
  return { level, untilMs: minuteStartMs + MINUTE_MS + (IP_COOLDOWN.ladderMs[level - 1] ?? 0) };
}

export function isRunning(cooldown: Cooldown | null, nowMs: number): cooldown is Cooldown {
  return cooldown !== null && nowMs < cooldown.untilMs;
}

function remainingLevel(previous: Cooldown | null, nowMs: number): number {
  if (previous === null) return 0;
  return Math.max(0, previous.level - Math.floor((nowMs - previous.untilMs) / IP_COOLDOWN.quietMs));
}

/** From when on a cooldown no longer matters to the next one. */
export function forgottenAtMs({ level, untilMs }: Cooldown): number {
  return untilMs + level * IP_COOLDOWN.quietMs;
}
