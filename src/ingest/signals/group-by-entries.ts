/**
 * Ledger entries that one statement reads, unless one trader or market alone has more: they are random reads
 * of the table, which take seconds when none of its pages is in memory.
 */
export const ENTRIES_PER_STATEMENT = 50_000;

/** Groups items in order, so that each group has at most `maxEntries` entries or is one item. */
export function groupByEntries<Item>(
  items: readonly Item[],
  entriesOf: (item: Item) => number,
  maxEntries: number = ENTRIES_PER_STATEMENT,
): Item[][] {
  const groups: Item[][] = [];
  let entries = 0;
  for (const item of items) {
    const group = groups.at(-1);
    entries += entriesOf(item);
    if (group !== undefined && entries <= maxEntries) {
      group.push(item);
    } else {
      groups.push([item]);
      entries = entriesOf(item);
    }
  }
  return groups;
}
