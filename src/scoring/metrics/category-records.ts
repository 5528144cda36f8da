import { MIN_DECIDED_FOR_WIN_RATE } from "./parameters.ts";
import type { SettledMarket } from "./settled-market.ts";
import { winRate, winRecord, type WinRecord } from "./win-record.ts";

/** A win record. `winRate` is a fraction 0 to 1, null with `not_enough_data`. */
export interface WinRateRecord extends WinRecord {
  readonly winRate: number | null;
  readonly status: "measured" | "not_enough_data";
}

export interface GameRecord extends WinRateRecord {
  readonly game: string;
  readonly seriesSlug: string;
}

export interface CategoryRecord extends WinRateRecord {
  readonly category: string;
  /** Records by title, most decided first; only for Esports, empty elsewhere. */
  readonly games: readonly GameRecord[];
}

/**
 * A trader's record in each category with a settled market of any size: most decided first, then by name.
 *
 * Below MIN_DECIDED_FOR_WIN_RATE decided markets the status is `not_enough_data`, without a rate. Markets
 * without a category are omitted.
 */
export function categoryRecords(markets: readonly SettledMarket[]): readonly CategoryRecord[] {
  return [...groupBy(markets, (market) => market.category)]
    .map(([category, group]) => ({
      category,
      ...measureRecord(group),
      games: category === "Esports" ? gameRecords(group) : [],
    }))
    .sort((a, b) => b.decided - a.decided || compareText(a.category, b.category));
}

function gameRecords(markets: readonly SettledMarket[]): readonly GameRecord[] {
  return [...groupBy(markets, (market) => market.game?.seriesSlug ?? null)]
    .map(([seriesSlug, group]) => ({ game: group[0]?.game?.name ?? seriesSlug, seriesSlug, ...measureRecord(group) }))
    .sort((a, b) => b.decided - a.decided || compareText(a.seriesSlug, b.seriesSlug));
}

function measureRecord(markets: readonly SettledMarket[]): WinRateRecord {
  const record = winRecord(markets);
  const rate = winRate(record, MIN_DECIDED_FOR_WIN_RATE);
  return { ...record, winRate: rate, status: rate === null ? "not_enough_data" : "measured" };
}

/** Groups items by key; items with a null key are omitted. */
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
