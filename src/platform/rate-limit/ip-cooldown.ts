import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../scoring/utc-calendar.ts";

/**
 * When traffic over a per-IP budget counts as sustained, and how long its caller is then blocked. A caller is
 * an address, or one valid key behind an address; each budget has its own cooldowns.
 */
export const IP_COOLDOWN = {
  /**
   * This many refusals make a UTC minute a minute of excess. A caller that respects Retry-After is refused
   * about once a minute per connection, far below this.
   */
  refusedInExcess: 100,
  /**
   * The same for one valid key behind an address. It exceeds all refusals that the user's own limit of 100
   * requests a minute can cause, so a client within its budget never reaches it, even when all its requests
   * are refused because of others.
   */
  refusedOfKeyInExcess: 200,
  /** This many minutes of excess, within `withinMinutes` including the current one, start a cooldown. */
  excessMinutes: 5,
  withinMinutes: 10,
  /** Duration of the first cooldown, the second and so on; the last one repeats. */
  ladderMs: [5 * MINUTE_MS, 30 * MINUTE_MS, 4 * HOUR_MS, DAY_MS, 3 * DAY_MS],
  /** Each full period of this length since the last cooldown ended lowers the caller's level by one. */
  quietMs: 7 * DAY_MS,
} as const;

export interface Cooldown {
  /** Position in `ladderMs`, from 1. */
  readonly level: number;
  readonly untilMs: number;
}

/**
 * Decides the cooldown of a caller after one more refused request.
 *
 * A new cooldown runs from the end of the current minute, so that isolates that detect the same excess at the
 * same time decide the same.
 *
 * @param refusals refusals per UTC minute, `withinMinutes` of them, the current minute last
 * @param previous the caller's last cooldown; null when it never had one or the last one no longer counts
 * @param refusedInExcess number of refusals that makes a minute one of excess
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
  // Excess before the end of the last cooldown has been penalised already.
  const excess = refusals.filter((refused, index) => {
    const startMs = minuteStartMs - (refusals.length - 1 - index) * MINUTE_MS;
    return refused >= refusedInExcess && startMs >= (previous?.untilMs ?? 0);
  });
  if (excess.length < IP_COOLDOWN.excessMinutes) return null;
  const level = Math.min(remainingLevel(previous, nowMs) + 1, IP_COOLDOWN.ladderMs.length);
  return { level, untilMs: minuteStartMs + MINUTE_MS + (IP_COOLDOWN.ladderMs[level - 1] ?? 0) };
}

export function isCooldownActive(cooldown: Cooldown | null, nowMs: number): cooldown is Cooldown {
  return cooldown !== null && nowMs < cooldown.untilMs;
}

function remainingLevel(previous: Cooldown | null, nowMs: number): number {
  if (previous === null) return 0;
  return Math.max(0, previous.level - Math.floor((nowMs - previous.untilMs) / IP_COOLDOWN.quietMs));
}

/** When a cooldown no longer affects the next one. */
export function levelResetAtMs({ level, untilMs }: Cooldown): number {
  return untilMs + level * IP_COOLDOWN.quietMs;
}
