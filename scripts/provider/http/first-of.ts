/**
 * The first `count` rows in an order, sorted, in one pass: a page of 100 of 65,000 open markets does not sort them all. Rows that
 * compare as equal keep their order.
 *
 * @param isIncluded asked only for rows that would be among the first
 */
export function firstOf<Row>(
  rows: Iterable<Row>,
  count: number,
  compare: (a: Row, b: Row) => number,
  isIncluded: (row: Row) => boolean = () => true,
): Row[] {
  let kept: Row[] = [];
  let last: Row | undefined;
  for (const row of rows) {
    if ((last !== undefined && compare(row, last) >= 0) || !isIncluded(row)) continue;
    kept.push(row);
    if (kept.length < 2 * count) continue;
    kept = kept.toSorted(compare).slice(0, count);
    last = kept.at(-1);
  }
  return kept.toSorted(compare).slice(0, count);
}
