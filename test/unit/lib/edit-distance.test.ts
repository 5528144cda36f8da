import fc from "fast-check";
import { expect, test } from "vitest";
import { editDistance } from "../../../src/lib/edit-distance.ts";

test.each([
  ["", "", 0],
  ["grade", "grade", 0],
  ["grade", "grades", 1],
  ["grade", "gade", 1],
  ["grade", "grave", 1],
  ["grade", "garde", 1],
  ["suspicious", "suspisious", 1],
  // Published examples: Wikipedia on the Levenshtein distance and the optimal string alignment distance.
  ["kitten", "sitting", 3],
  ["ca", "abc", 3],
])("the edit distance of %j and %j is %i", (a, b, distance) => {
  expect(editDistance(a, b, 9)).toBe(distance);
});

test("an edit distance above the limit is reported as the limit plus one", () => {
  expect(editDistance("kitten", "sitting", 2)).toBe(3);
  expect(editDistance("a", "abcdefgh", 2)).toBe(3);
});

/** The definition of the distance, as a recursion. */
function distanceByDefinition(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const ends = a.at(-1) === b.at(-1) ? 0 : 1;
  const steps = [
    distanceByDefinition(a.slice(0, -1), b) + 1,
    distanceByDefinition(a, b.slice(0, -1)) + 1,
    distanceByDefinition(a.slice(0, -1), b.slice(0, -1)) + ends,
  ];
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1))
    steps.push(distanceByDefinition(a.slice(0, -2), b.slice(0, -2)) + 1);
  return Math.min(...steps);
}

test("the edit distance equals its recursive definition and is symmetric", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 5 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(editDistance(a, b, 9)).toBe(distanceByDefinition(a, b));
      expect(editDistance(b, a, 9)).toBe(distanceByDefinition(a, b));
    }),
  );
});
