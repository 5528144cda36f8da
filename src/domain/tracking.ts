import type { Grade } from "./grades.ts";

/**
 * How closely a wallet is followed. Hot and warm wallets have their whole activity read all the time. A cold one is known from the trade
 * feed; if it was followed before, it keeps what is stored and is read once a week.
 */
export type Tier = "hot" | "warm" | "cold";

/** One fill of this many dollars makes a wallet warm; a large trade or a place on the provider's board makes it hot. */
export const WARM_MIN_FILL_USD = 1_000;

const DAY_MS = 86_400_000;
/** A wallet stays hot for so long after its last large trade. */
export const HOT_DAYS = 7;
/** A wallet stays followed for so long after it last did anything. */
export const WARM_DAYS = 30;

/** Grades that keep a wallet hot however quiet it is: leaderboard and flows rest on these. */
export const isHotGrade = (grade: Grade): boolean => ["S", "A", "B"].includes(grade);

const RESYNC_MS: Record<Tier, number> = { hot: 60_000, warm: 30 * 60_000, cold: 7 * DAY_MS };

/** When a wallet whose sync has just reached the end is read again. */
export function decideNextSync(tier: Tier, now: Date): Date {
  return new Date(now.getTime() + RESYNC_MS[tier]);
}

/** What keeps a wallet followed. Times are those of the trades, not of our reading them; null: never. */
export interface TrackingReasons {
  readonly grade: Grade | null;
  readonly isOnBoard: boolean;
  readonly lastLargeTradeAt: Date | null;
  readonly lastActiveAt: Date | null;
}

/**
 * The tier a followed wallet is due. Hot: graded S, A or B, on one of the provider's boards, or a large trade in HOT_DAYS. Warm: any activity
 * in WARM_DAYS. Else cold, until its next fill.
 *
 * Source: our own design, version 1.
 */
export function decideTier({ grade, isOnBoard, lastLargeTradeAt, lastActiveAt }: TrackingReasons, now: Date): Tier {
  if (isOnBoard || (grade !== null && isHotGrade(grade)) || isWithin(lastLargeTradeAt, HOT_DAYS, now)) return "hot";
  return isWithin(lastActiveAt, WARM_DAYS, now) ? "warm" : "cold";
}

/** Whether a time lies in the last so many days. The future counts: clocks differ. */
const isWithin = (at: Date | null, days: number, now: Date): boolean => at !== null && now.getTime() - at.getTime() <= days * DAY_MS;
