import { expect, test } from "vitest";
import { RecentMap } from "../../../src/lib/recent-map.ts";

test("a full map forgets what was neither set nor found for longest", () => {
  const map = new RecentMap<number>(2);
  map.set("a", 1);
  map.set("b", 2);
  expect(map.find("a")).toBe(1);
  map.set("c", 3);
  expect(["a", "b", "c"].map((key) => map.find(key))).toEqual([1, null, 3]);
  map.set("a", 4);
  map.set("d", 5);
  expect(["a", "c", "d"].map((key) => map.find(key))).toEqual([4, null, 5]);
});
