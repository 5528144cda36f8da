import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/scoring/utc-calendar.ts";

/** When events open. Numbers are absolute, so an event is the same whenever it is generated. */
const WEEK = 7 * DAY_MS;

export const SLOTS = { regularMs: 3 * HOUR_MS, minuteMs: 5 * MINUTE_MS } as const;
export const MINUTE_MARKETS = ["btc", "eth"] as const;

/** Last digits of a regular slot's events: a topic, a game, and more games in recent slots. */
const TOPIC = 1;
const GAME = 2;
const MORE_GAMES = [3, 4, 5, 6, 7, 8, 9];
/** The slots with more games before the start of the process: two days, so that some are in play at any time. */
const RECENT_GAME_SLOTS = 16;
/** From a game's listing to its end. */
const LONGEST_GAME_HOURS = 45;
const MINUTE_BASE = 1_000_000_000;
const DAY_BASE = 2_000_000_000;
/**
 * The number of five-minute slots listed before the start of the process; it keeps the history small and the
 * present busy.
 */
const RECENT_MINUTE_SLOTS = 3;
const LISTED_MINUTE_SLOT_EVERY = 576;

export const isMinuteMarket = (number: number): boolean => number >= MINUTE_BASE && number < DAY_BASE;
export const isGame = (number: number): boolean =>
  number < MINUTE_BASE && (number % 10 === GAME || isExtraGame(number));
/** Whether few trade in the game: the games beyond the one of each slot. */
export const isExtraGame = (number: number): boolean => number < MINUTE_BASE && MORE_GAMES.includes(number % 10);
export const isDay = (number: number): boolean => number >= DAY_BASE;

export function slotStartMs(number: number): number {
  if (isDay(number)) return (number - DAY_BASE) * DAY_MS;
  if (isMinuteMarket(number)) return Math.floor((number - MINUTE_BASE) / 10) * SLOTS.minuteMs;
  return Math.floor(number / 10) * SLOTS.regularMs;
}

/** Whether the schedule uses this number. */
export function isScheduled(number: number): boolean {
  if (isDay(number)) return false;
  return isMinuteMarket(number) ? number % 10 < MINUTE_MARKETS.length : number % 10 === TOPIC || isGame(number);
}

/** History starts at the beginning of the previous week: 7 to 14 days ago. */
export const historyStartMs = (now: number): number => Math.floor(now / WEEK) * WEEK - WEEK;

/**
 * Numbers of the events that open in a time range in epoch milliseconds, the start included.
 *
 * @param startedMs when the process started
 */
export function listEventNumbers(fromMs: number, toMs: number, startedMs: number): readonly number[] {
  const days = slotsBetween(fromMs, toMs, DAY_MS).map((slot) => DAY_BASE + slot);
  const regular = slotsBetween(fromMs, toMs, SLOTS.regularMs).flatMap((slot) => [slot * 10 + TOPIC, slot * 10 + GAME]);
  const recentGames = Math.floor(startedMs / SLOTS.regularMs) - RECENT_GAME_SLOTS;
  const more = slotsBetween(fromMs, toMs, SLOTS.regularMs)
    .filter((slot) => slot >= recentGames)
    .flatMap((slot) => MORE_GAMES.map((digit) => slot * 10 + digit));
  const recent = Math.floor(startedMs / SLOTS.minuteMs) - RECENT_MINUTE_SLOTS;
  const minutes = slotsBetween(fromMs, toMs, SLOTS.minuteMs)
    .filter((slot) => slot >= recent || slot % LISTED_MINUTE_SLOT_EVERY === 0)
    .flatMap((slot) => MINUTE_MARKETS.map((_, index) => MINUTE_BASE + slot * 10 + index));
  return [...days, ...regular, ...more, ...minutes];
}

/**
 * The games of each slot that may be open at a moment: kickoff is at most 40 hours after the listing. Only games of
 * the same week, because a history may start with it.
 */
export function listGameNumbers(ms: number): readonly number[] {
  const last = Math.floor(ms / SLOTS.regularMs);
  const slots = Math.ceil((LONGEST_GAME_HOURS * HOUR_MS) / SLOTS.regularMs);
  const weekMs = Math.floor(ms / WEEK) * WEEK;
  return Array.from({ length: slots }, (_, index) => last - index)
    .filter((slot) => slot * SLOTS.regularMs >= weekMs)
    .map((slot) => slot * 10 + GAME);
}

function slotsBetween(fromMs: number, toMs: number, lengthMs: number): readonly number[] {
  const first = Math.ceil(fromMs / lengthMs);
  return Array.from({ length: Math.max(0, Math.ceil(toMs / lengthMs) - first) }, (_, index) => first + index);
}
