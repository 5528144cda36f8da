import type { Grade } from "./grades.ts";
import { DAY_MS, MINUTE_MS } from "../../scoring/utc-calendar.ts";

/**
 * How closely a trader is followed. The whole activity of hot and warm traders is read continuously. A cold
 * trader is known from the trade feed; if it was followed before, its stored data is kept and it is read once
 * a week.
 */
export const TIERS = ["hot", "warm", "cold"] as const;

export type Tier = (typeof TIERS)[number];

/**
 * One fill of this many dollars makes a trader warm; a large trade or a rank on the provider's leaderboard
 * makes it hot.
 */
export const WARM_MIN_FILL_USD = 1_000;

/** A trader stays hot for this long after its last large trade. */
export const HOT_DAYS = 7;
/** A trader stays followed for this long after its last activity. */
export const WARM_DAYS = 30;

/**
 * Grades that keep a trader hot even without activity: leaderboard and flows are built from these traders.
 */
export const isHotGrade = (grade: Grade): boolean => ["S", "A", "B"].includes(grade);

/** The time from one read of a trader's activity to the next. */
export const RESYNC_MS: Readonly<Record<Tier, number>> = { hot: MINUTE_MS, warm: 30 * MINUTE_MS, cold: 7 * DAY_MS };

/** When a trader whose sync has just reached the end is read again. */
export function decideNextSync(tier: Tier, now: Date): Date {
  return new Date(now.getTime() + RESYNC_MS[tier]);
}

/** The reasons to follow a trader. Times are those of the trades, not of our reads; null means never. */
export interface TrackingReasons {
  readonly grade: Grade | null;
  readonly isOnBoard: boolean;
  readonly lastLargeTradeAt: Date | null;
  readonly lastActiveAt: Date | null;
}

/**
 * Decides the tier of a followed trader. Hot: graded S, A or B, on one of the provider's leaderboards, or a
 * large trade within HOT_DAYS. Warm: any activity within WARM_DAYS. Otherwise cold, until its next fill.
 *
 * Source: our own design, version 1.
 */
export function decideTier({ grade, isOnBoard, lastLargeTradeAt, lastActiveAt }: TrackingReasons, now: Date): Tier {
  if (isOnBoard || (grade !== null && isHotGrade(grade)) || isWithin(lastLargeTradeAt, HOT_DAYS, now)) return "hot";
  return isWithin(lastActiveAt, WARM_DAYS, now) ? "warm" : "cold";
}

/** Whether a time is within the last `days` days. The future counts too, because clocks differ. */
const isWithin = (at: Date | null, days: number, now: Date): boolean =>
  at !== null && now.getTime() - at.getTime() <= days * DAY_MS;
