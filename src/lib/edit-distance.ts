/**
 * Optimal string alignment distance: the number of insertions, deletions, substitutions and transpositions of
 * adjacent letters that turn one word into another, where no letter is edited twice.
 *
 * @param max the search limit
 * @returns the distance, or `max` + 1 when it is greater than `max`
 */
export function editDistance(a: string, b: string, max: number): number {
  const [from, to] = [[...a], [...b]];
  if (Math.abs(from.length - to.length) > max) return max + 1;
  let rowBeforeLast: readonly number[] = [];
  let lastRow: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isTransposition = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next.push(
        Math.min(
          (lastRow[column] ?? Infinity) + 1,
          (next[column - 1] ?? Infinity) + 1,
          (lastRow[column - 1] ?? Infinity) + (isSame ? 0 : 1),
          isTransposition ? (rowBeforeLast[column - 2] ?? Infinity) + 1 : Infinity,
        ),
      );
    }
    [rowBeforeLast, lastRow] = [lastRow, next];
  }
  return Math.min(max + 1, lastRow[to.length] ?? 0);
}
