import { expect, test } from "vitest";
import { measurePile, pileOf, type GradedHolder, type PileGrade } from "../../../../src/scoring/edge/holder-pile.ts";

const shares = (count: number) => BigInt(count) * 1_000_000n;
let nextId = 1;
const holder = (grade: PileGrade, yes: number, no: number): GradedHolder => ({
  traderId: nextId++,
  grade,
  sharesMicro: [shares(yes), shares(no)],
});
function measured(holders: readonly GradedHolder[], yesPrice = 600_000n) {
  const pile = pileOf(holders, [yesPrice, 1_000_000n - yesPrice]);
  if (typeof pile === "string") throw new Error(`no pile: ${pile}`);
  return { ...measurePile(pile), outcomeIndex: pile.outcomeIndex };
}

test("a pile counts a holder of both outcomes with its net shares, on its net side", () => {
  // YES: 1,000 and net 500 shares at 0.60, 900 dollars. NO: net 250 at 0.40, 100 dollars. The last is on no side.
  const figures = measured([holder("S", 1_000, 0), holder("A", 700, 200), holder("B", 50, 300), holder("S", 80, 80)]);
  expect(figures).toMatchObject({
    outcomeIndex: 0,
    sideShare: 0.8,
    pileShare: 0.9,
    backedMicro: 900_000_000n,
    // 600 of the S in full, 300 of the A as a half.
    backingMicro: 750_000_000n,
    counts: { S: 1, A: 1, B: 0 },
    topGrade: "S",
    oneWayHolders: 1,
    hedgedHolders: 1,
    oneWayMicro: 600_000_000n,
    rankScore: 10_100_000_000_900,
  });
});

test("a pile of the second outcome has a negative side share", () => {
  expect(measured([holder("B", 100, 0), holder("B", 0, 850)], 600_000n)).toMatchObject({
    outcomeIndex: 1,
    sideShare: -0.7,
    pileShare: 0.85,
    topGrade: "B",
  });
});

test("one holder graded S ranks above any holders graded A, and dollars decide between equal holders", () => {
  const oneBest = measured([holder("S", 1, 0)]).rankScore;
  const manyGood = measured(Array.from({ length: 150 }, () => holder("A", 1_000_000, 0))).rankScore;
  expect(oneBest).toBeGreaterThan(manyGood);
  expect(measured([holder("S", 10, 0)]).rankScore).toBeGreaterThan(oneBest);
});

test("a rank score is a safe integer for any pile", () => {
  const most = measured(
    ["S", "A", "B"].flatMap((grade) => Array.from({ length: 200 }, () => holder(grade as PileGrade, 1e9, 0))),
  );
  expect(most.rankScore).toBe(999_999_999_999_999);
  expect(Number.isSafeInteger(most.rankScore)).toBe(true);
});

test("an outcome with net shares and without a price leaves the pile unknown", () => {
  expect(pileOf([holder("S", 10, 0), holder("B", 0, 1)], [500_000n, null])).toBe("unpriced");
  expect(pileOf([holder("S", 10, 0), holder("B", 1, 1)], [500_000n, null])).toMatchObject({ outcomeIndex: 0 });
});
