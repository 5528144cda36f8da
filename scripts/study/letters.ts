import { LETTER_FLOORS } from "../../src/scoring/skill/parameters.ts";
import { nth } from "./nth.ts";

/** Best first. */
export const LETTERS: readonly string[] = [...LETTER_FLOORS.map(([letter]) => letter), "F"];

/** The index that means no letter in columns of letters. */
export const UNGRADED = LETTERS.length;

/**
 * Floors of all letters but the last, such that the letters have the proportions of the given counts. A
 * letter with a count of 0 gets an unreachable floor.
 */
export function cutLike(values: Float64Array, counts: readonly number[]): readonly number[] {
  const sorted = Float64Array.from(values).sort().reverse();
  const total = counts.reduce((sum, count) => sum + count, 0);
  let better = 0;
  return counts.slice(0, -1).map((count) => {
    better += count;
    const rank = Math.round((better / total) * sorted.length);
    return rank === 0 ? Number.POSITIVE_INFINITY : nth(sorted, rank - 1);
  });
}

export function letterByFloors(value: number, floors: readonly number[]): number {
  const letter = floors.findIndex((floor) => value >= floor);
  return letter === -1 ? floors.length : letter;
}
