import { CATEGORIES, type Category } from "../categories/category-tags.ts";
import { DAY_MS } from "../../scoring/utc-calendar.ts";

/** The sport buckets: the games of every other category are outside coverage. */
export const SPORTS = CATEGORIES.slice(0, CATEGORIES.indexOf("Crypto"));

export const isSport = (category: Category | null): category is Category =>
  category !== null && SPORTS.includes(category);

/**
 * Normalises a sport from a client: case is ignored, and `-` and `_` read as a space.
 *
 * @returns null for a name that no bucket has
 */
export function normalizeSport(value: string): Category | null {
  const wanted = spaced(value);
  return SPORTS.find((sport) => spaced(sport) === wanted) ?? null;
}

const spaced = (text: string): string => text.toLowerCase().replace(/[-_]/g, " ");

/** How long a game stays on the list after its kickoff or its end. */
export const LISTED_AFTER_MS = 2 * DAY_MS;
/** The oldest kickoff of a game that may still be in play: a cricket test lasts five days. */
export const LONGEST_GAME_MS = 7 * DAY_MS;

/** The two halves of the board: games in play, and all others. */
export type BoardHalf = "live" | "upcoming";

/** After this age of a half's last complete read its games are called delayed, in milliseconds. */
export const DELAYED_AFTER_MS: Readonly<Record<BoardHalf, number>> = { live: 15_000, upcoming: 120_000 };
/** A half that was not read for this long is unavailable, in milliseconds. */
export const UNAVAILABLE_AFTER_MS = 600_000;

/** The checkpoint of each half. */
export const BOARD_FEEDS: Readonly<Record<BoardHalf, string>> = { live: "games:live", upcoming: "games:upcoming" };
