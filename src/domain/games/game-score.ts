/** A score that names both sides, in the provider's order. */
export interface GameScore {
  readonly format: "two_side" | "multi_set" | "esports_series";
  readonly sides: readonly [SideScore, SideScore];
  /** Esports only, such as `Bo3`. */
  readonly seriesFormat: string | null;
  /** The index of the side that is ahead; null for a tie, or where the numbers do not say. */
  readonly leader: 0 | 1 | null;
}

export interface SideScore {
  /** Points, games of each set (`6(3), 6, 2`, tie-break points in brackets), or maps won. */
  readonly text: string;
  /** Points in the current map; null without maps, and before the map's first round. */
  readonly map: string | null;
}

const SET = /^(\d+)-(\d+)(?:\((\d+)-(\d+)\))?$/;
const PAIR = /^([^\s,|-][^,|-]*)-([^\s,|-][^,|-]*)$/;
const SERIES_FORMAT = /^bo\d+$/i;
/** The provider's text for a map without a score. */
const NO_MAP_SCORE = "000-000";

/**
 * Splits a score: `2-1`; sets of tennis `6-7(3-7), 6-3, 2-1`; esports `011-004|1-0|Bo3`, the map's points before
 * the maps won.
 *
 * @returns null for any other text
 */
export function parseGameScore(score: string): GameScore | null {
  const text = score.trim();
  if (text.includes("|")) return parseSeries(text.split("|").map((part) => part.trim()));
  return /[,(]/.test(text) ? parseSets(text.split(",").map((part) => part.trim())) : parseTwoSides(text);
}

function parseTwoSides(text: string): GameScore | null {
  const pair = pairOf(text);
  if (pair === null) return null;
  return {
    format: "two_side",
    sides: [
      { text: pair[0], map: null },
      { text: pair[1], map: null },
    ],
    seriesFormat: null,
    leader: leaderOf(pair),
  };
}

function parseSets(sets: readonly string[]): GameScore | null {
  const cells = sets.map((set) => SET.exec(set));
  const won: [number, number] = [0, 0];
  const texts: [string[], string[]] = [[], []];
  for (const cell of cells) {
    if (cell === null) return null;
    const [, first = "", second = "", firstTiebreak, secondTiebreak] = cell;
    texts[0].push(firstTiebreak === undefined ? first : `${first}(${firstTiebreak})`);
    texts[1].push(secondTiebreak === undefined ? second : `${second}(${secondTiebreak})`);
    const leader = leaderOf([first, second]);
    if (leader !== null) won[leader] += 1;
  }
  return {
    format: "multi_set",
    sides: [
      { text: texts[0].join(", "), map: null },
      { text: texts[1].join(", "), map: null },
    ],
    seriesFormat: null,
    leader: leaderOf([String(won[0]), String(won[1])]),
  };
}

function parseSeries([map = "", series = "", format]: readonly string[]): GameScore | null {
  const maps = pairOf(series);
  if (maps === null) return null;
  const points = map === NO_MAP_SCORE ? null : pairOf(map);
  return {
    format: "esports_series",
    sides: [
      { text: maps[0], map: points?.[0] ?? null },
      { text: maps[1], map: points?.[1] ?? null },
    ],
    seriesFormat: format !== undefined && SERIES_FORMAT.test(format) ? format : null,
    leader: leaderOf(maps),
  };
}

function pairOf(text: string): [string, string] | null {
  const [, first, second] = PAIR.exec(text) ?? [];
  return first === undefined || second === undefined ? null : [first.trim(), second.trim()];
}

function leaderOf([first, second]: readonly [string, string]): 0 | 1 | null {
  if (!/^\d+$/.test(first) || !/^\d+$/.test(second) || Number(first) === Number(second)) return null;
  return Number(first) > Number(second) ? 0 : 1;
}
