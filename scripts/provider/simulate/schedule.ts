/** When events open. Numbers are absolute, so that an event is the same whenever it is generated. */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

export const SLOTS = { regularMs: 3 * HOUR, minuteMs: 5 * MINUTE } as const;
export const MINUTE_MARKETS = ["btc", "eth"] as const;

/** Last digits of a regular slot's two events. */
const TOPIC = 1;
const GAME = 2;
const MINUTE_BASE = 1_000_000_000;
const DAY_BASE = 2_000_000_000;
/** Of the five-minute markets before the start of the process only these are listed: the history stays small, the present is lively. */
const RECENT_MINUTE_SLOTS = 3;
const LISTED_MINUTE_SLOT_EVERY = 576;

export const isMinuteMarket = (number: number): boolean => number >= MINUTE_BASE && number < DAY_BASE;
export const isGame = (number: number): boolean => number < MINUTE_BASE && number % 10 === GAME;
export const isDay = (number: number): boolean => number >= DAY_BASE;

export function slotStartMs(number: number): number {
  if (isDay(number)) return (number - DAY_BASE) * DAY;
  if (isMinuteMarket(number)) return Math.floor((number - MINUTE_BASE) / 10) * SLOTS.minuteMs;
  return Math.floor(number / 10) * SLOTS.regularMs;
}

/** Whether the number is one the schedule gives out. */
export function isScheduled(number: number): boolean {
  if (isDay(number)) return false;
  return isMinuteMarket(number) ? number % 10 < MINUTE_MARKETS.length : number % 10 === TOPIC || number % 10 === GAME;
}

/** History starts at the week before the present one: 7 to 14 days ago. */
export const historyStartMs = (now: number): number => Math.floor(now / WEEK) * WEEK - WEEK;

/**
 * Numbers of the events that open in a stretch of time, both ends in epoch milliseconds, the first included.
 *
 * @param startedMs when the process started
 */
export function listEventNumbers(fromMs: number, toMs: number, startedMs: number): readonly number[] {
  const days = slotsBetween(fromMs, toMs, DAY).map((slot) => DAY_BASE + slot);
  const regular = slotsBetween(fromMs, toMs, SLOTS.regularMs).flatMap((slot) => [slot * 10 + TOPIC, slot * 10 + GAME]);
  const recent = Math.floor(startedMs / SLOTS.minuteMs) - RECENT_MINUTE_SLOTS;
  const minutes = slotsBetween(fromMs, toMs, SLOTS.minuteMs)
    .filter((slot) => slot >= recent || slot % LISTED_MINUTE_SLOT_EVERY === 0)
    .flatMap((slot) => MINUTE_MARKETS.map((_, index) => MINUTE_BASE + slot * 10 + index));
  return [...days, ...regular, ...minutes];
}

function slotsBetween(fromMs: number, toMs: number, lengthMs: number): readonly number[] {
  const first = Math.ceil(fromMs / lengthMs);
  return Array.from({ length: Math.max(0, Math.ceil(toMs / lengthMs) - first) }, (_, index) => first + index);
}
