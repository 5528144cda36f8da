import { expect, test } from "vitest";
import { groupByEntries } from "../../../../src/ingest/signals/group-by-entries.ts";

test.for<[string, number[], number[][]]>([
  ["no items give no group", [], []],
  ["a group is filled up to the maximum", [4, 6, 1], [[4, 6], [1]]],
  ["an item that would exceed it begins the next group", [4, 7, 3], [[4], [7, 3]]],
  ["an item with more is a group", [1, 11, 1, 9], [[1], [11], [1, 9]]],
  ["items without entries take no room", [10, 0, 0, 1], [[10, 0, 0], [1]]],
])("%s", ([, entries, groups]) => {
  expect(groupByEntries(entries, (count) => count, 10)).toEqual(groups);
});
