import { describe, expect, test } from "vitest";
import { opensPick, requiredPlans } from "../../../../src/domain/picks/pick-access.ts";

const picks = (ranks: readonly number[], free = 1) =>
  ranks.map((rank) => ({ id: String(100 + rank), rank, isFree: rank === free }));
const opened = (plan: "free" | "pro" | "max", ranks: readonly number[], free = 1) =>
  [...requiredPlans(picks(ranks, free))].flatMap(([id, required]) =>
    opensPick(plan, required) ? [Number(id) - 100] : [],
  );

describe("access to the picks of a day", () => {
  test.each([
    ["free", [1]],
    ["pro", [1, 2, 3, 4, 5]],
    ["max", [1, 2, 3, 4, 5, 6, 7]],
  ] as const)("the plan %s opens the ranks %j of seven", (plan, ranks) => {
    expect(opened(plan, [1, 2, 3, 4, 5, 6, 7])).toEqual(ranks);
  });

  test("without a withdrawn pick, the next one in publication order opens for Pro", () => {
    expect(opened("pro", [1, 2, 4, 5, 6, 7])).toEqual([1, 2, 4, 5, 6]);
  });

  test("without the free selection, Pro opens four picks and a free account none", () => {
    expect(opened("pro", [2, 3, 4, 5, 6])).toEqual([2, 3, 4, 5]);
    expect(opened("free", [2, 3, 4, 5, 6])).toEqual([]);
  });

  test("the order of the rows does not matter", () => {
    expect(opened("pro", [7, 6, 5, 4, 3, 2, 1]).toSorted()).toEqual([1, 2, 3, 4, 5]);
  });
});
