import { MIN_DECIDED_FOR_WIN_RATE } from "./parameters.ts";
import type { SettledMarket } from "./settled-market.ts";
import { winRate, winRecord, type WinRecord } from "./win-record.ts";

/** Wins of one subject. `winRate` is a fraction 0 to 1, null with `not_enough_data`. */
export interface MeasuredRecord extends WinRecord {
  readonly winRate: number | null;
  readonly status: "measured" | "not_enough_data";
}

export interface GameRecord extends MeasuredRecord {
  readonly game: string;
  readonly seriesSlug: string;
}

export interface CategoryRecord extends MeasuredRecord {
  readonly category: string;
  /** Records by title, busiest first; Esports only, empty elsewhere. */
  readonly games: readonly GameRecord[];
}

/**
 * A wallet's record in each category in which a market of it has settled, at any size: most decided first, then by name.
 *
 * Below MIN_DECIDED_FOR_WIN_RATE decided markets there is no rate: `not_enough_data`. Markets without a category are left out.
 */
export function categoryRecords(markets: readonly SettledMarket[]): readonly CategoryRecord[] {
  return [...groupBy(markets, (market) => market.category)]
    .map(([category, group]) => ({ category, ...measured(group), games: category === "Esports" ? gameRecords(group) : [] }))
    .sort((a, b) => b.decided - a.decided || compareText(a.category, b.category));
}

function gameRecords(markets: readonly SettledMarket[]): readonly GameRecord[] {
  return [...groupBy(markets, (market) => market.game?.seriesSlug ?? null)]
    .map(([seriesSlug, group]) => ({ game: group[0]?.game?.name ?? seriesSlug, seriesSlug, ...measured(group) }))
    .sort((a, b) => b.decided - a.decided || compareText(a.seriesSlug, b.seriesSlug));
}

function measured(markets: readonly SettledMarket[]): MeasuredRecord {
  const record = winRecord(markets);
  const rate = winRate(record, MIN_DECIDED_FOR_WIN_RATE);
  return { ...record, winRate: rate, status: rate === null ? "not_enough_data" : "measured" };
}

/** Groups by key; what has none is left out. */
export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string | null): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
