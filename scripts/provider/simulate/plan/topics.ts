import type { Tag } from "../../provider-world.ts";

/** Tag ids that the provider uses; other tags get an id that begins with 900. */
const TAG_IDS: Record<string, string> = {
  sports: "1",
  politics: "2",
  crypto: "21",
  games: "100639",
  nba: "745",
  mlb: "100381",
  tech: "1401",
  finance: "120",
  "pop-culture": "596",
  elections: "144",
};

export function tagOf(slug: string): Tag {
  const id = TAG_IDS[slug] ?? `900${[...slug].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 100_000, 7)}`;
  return { id, slug, label: slug.replaceAll("-", " ").replace(/\b[a-z]/g, (letter) => letter.toUpperCase()) };
}

export interface Topic {
  readonly category: string;
  readonly tags: readonly string[];
  /** The provider's taker fee rate for the category. */
  readonly feeRate: number;
  /** How often the topic is drawn, relative to the others. */
  readonly weight: number;
  /** Titles; `#` is replaced by the event's number. */
  readonly subjects: readonly string[];
  readonly choices: readonly string[];
}

/**
 * Categories with one market or, when there are choices, with a group of markets of which exactly one
 * happens.
 */
export const TOPICS: readonly Topic[] = [
  {
    category: "politics",
    tags: ["politics", "elections"],
    feeRate: 0.04,
    weight: 3,
    subjects: ["Who wins the district # by-election?", "Who becomes speaker of assembly #?"],
    choices: ["A. Alder", "B. Birch", "C. Cedar", "D. Dogwood"],
  },
  {
    category: "politics",
    tags: ["politics"],
    feeRate: 0.04,
    weight: 2,
    subjects: ["Will bill # pass its vote?", "Will minister # resign this week?"],
    choices: [],
  },
  {
    category: "geopolitics",
    tags: ["geopolitics", "world"],
    feeRate: 0,
    weight: 1,
    subjects: ["Will treaty # be signed?"],
    choices: [],
  },
  {
    category: "crypto",
    tags: ["crypto"],
    feeRate: 0.07,
    weight: 2,
    subjects: ["Will coin # close above its opening price today?"],
    choices: [],
  },
  {
    category: "weather",
    tags: ["weather", "climate"],
    feeRate: 0.05,
    weight: 2,
    subjects: ["Highest temperature at station # tomorrow?"],
    choices: ["below 10 C", "10 to 14 C", "15 to 19 C", "20 C or more"],
  },
  {
    category: "culture",
    tags: ["pop-culture", "music"],
    feeRate: 0.05,
    weight: 1,
    subjects: ["Will song # reach number one?"],
    choices: [],
  },
  {
    category: "mentions",
    tags: ["mention-markets"],
    feeRate: 0.04,
    weight: 1,
    subjects: ["Will the word of the day # be said in the address?"],
    choices: [],
  },
  {
    category: "tech",
    tags: ["tech"],
    feeRate: 0.04,
    weight: 1,
    subjects: ["Will product # launch on time?"],
    choices: [],
  },
  {
    category: "economics",
    tags: ["economics", "finance"],
    feeRate: 0.05,
    weight: 1,
    subjects: ["Will index # rise this month?"],
    choices: [],
  },
];

export interface League {
  readonly slug: string;
  readonly sport: string;
  readonly teams: readonly string[];
  readonly minutes: number;
  readonly periods: readonly string[];
  /** How the score is written; points of both sides when absent. */
  readonly scoreFormat?: "sets" | "maps";
  /** Range of the winner's points. */
  readonly winnerPoints: readonly [number, number];
  readonly totalLine: number;
}

const CITIES = ["Ashford", "Brookton", "Carrick", "Dunmore", "Elmstead", "Fairhaven", "Glenrock", "Harwick"];
const teams = (nickname: string) => CITIES.map((city) => `${city} ${nickname} (sim)`);

export const LEAGUES: readonly League[] = [
  {
    slug: "nba",
    sport: "basketball",
    teams: teams("Kites"),
    minutes: 140,
    periods: ["1Q", "2Q", "3Q", "4Q"],
    winnerPoints: [96, 130],
    totalLine: 221.5,
  },
  {
    slug: "nfl",
    sport: "football",
    teams: teams("Mules"),
    minutes: 190,
    periods: ["1Q", "2Q", "3Q", "4Q"],
    winnerPoints: [17, 38],
    totalLine: 44.5,
  },
  {
    slug: "epl",
    sport: "soccer",
    teams: teams("Rovers"),
    minutes: 110,
    periods: ["1H", "2H"],
    winnerPoints: [1, 4],
    totalLine: 2.5,
  },
  {
    slug: "mlb",
    sport: "baseball",
    teams: teams("Larks"),
    minutes: 170,
    periods: ["1", "3", "5", "7", "9"],
    winnerPoints: [3, 9],
    totalLine: 8.5,
  },
  {
    slug: "atp",
    sport: "tennis",
    teams: teams("Baker"),
    minutes: 120,
    periods: ["S1", "S2", "S3"],
    scoreFormat: "sets",
    winnerPoints: [2, 2],
    totalLine: 2.5,
  },
  {
    slug: "cs2",
    sport: "esports",
    teams: teams("Foxes"),
    minutes: 130,
    periods: ["1/3", "2/3", "3/3"],
    scoreFormat: "maps",
    winnerPoints: [2, 2],
    totalLine: 2.5,
  },
];
