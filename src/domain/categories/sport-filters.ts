import { SPORT_TAGS, type Category } from "./category-tags.ts";

/** The sports by which combos are filtered: categories, and leagues of one. */
export const SPORT_FILTERS = [
  "nfl",
  "ncaaf",
  "nba",
  "wnba",
  "baseball",
  "hockey",
  "soccer",
  "tennis",
  "table-tennis",
  "esports",
  "mma",
  "boxing",
  "golf",
  "cricket",
  "f1",
  "pickleball",
] as const;

export type SportFilter = (typeof SPORT_FILTERS)[number];

/** What a market of a sport has: the category or, of a league, one of the provider's tag slugs. */
export interface SportMarks {
  /** Null for a league: its category has other leagues too. */
  readonly category: Category | null;
  readonly tags: readonly string[];
}

const LEAGUES: Readonly<Partial<Record<SportFilter, string>>> = {
  nfl: "nfl nfl-playoffs nfl-draft super-bowl superbowl",
  ncaaf: "ncaaf cfb college-football",
  nba: "nba nba-playoffs nba-finals",
  wnba: "wnba",
  f1: "f1 formula-1 formula1",
};

const SPORTS: Readonly<Record<Exclude<SportFilter, "nfl" | "ncaaf" | "nba" | "wnba" | "f1">, Category>> = {
  baseball: "Baseball",
  hockey: "Hockey",
  soccer: "Soccer",
  tennis: "Tennis",
  "table-tennis": "Table Tennis",
  esports: "Esports",
  mma: "MMA",
  boxing: "Boxing",
  golf: "Golf",
  cricket: "Cricket",
  pickleball: "Pickleball",
};

export function marksOfSport(sport: SportFilter): SportMarks {
  const league = LEAGUES[sport];
  if (league !== undefined) return { category: null, tags: league.split(" ") };
  const category = Object.entries(SPORTS).find(([name]) => name === sport)?.[1] ?? null;
  return { category, tags: category === null ? [] : (SPORT_TAGS[category] ?? "").split(" ") };
}
