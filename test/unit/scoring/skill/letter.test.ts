import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { letterOf, type Letter } from "../../../../src/scoring/skill/letter.ts";

const LETTERS: readonly Letter[] = ["S", "A", "B", "C", "D", "F"];
const score = fc.double({ min: 0, max: 100, noNaN: true });

test("letters change at their floors", () => {
  const letters = [73, 72.99, 62, 61.99, 54, 53.99, 44, 43.99, 32, 31.99].map((value) => letterOf(value, 99, null));
  expect(letters.join("")).toBe("SAABBCCDDF");
});

test("a letter above C needs a probability of 64 % of an edge above zero", () => {
  expect([80, 65, 55].map((value) => letterOf(value, 64, null)).join("")).toBe("SAB");
  expect([80, 65, 55, 45, 35, 20].map((value) => letterOf(value, 63.99, null)).join("")).toBe("CCCCDF");
});

test("a letter never improves as the score or its proof falls", () => {
  fc.assert(
    fc.property(score, score, score, fc.constantFrom(null, ...LETTERS), (one, other, proof, previous) => {
      const [low, high] = one < other ? [one, other] : [other, one];
      const rank = (letter: Letter) => LETTERS.indexOf(letter);
      expect(rank(letterOf(high, proof, previous))).toBeLessThanOrEqual(rank(letterOf(low, proof, previous)));
      expect(rank(letterOf(proof, high, previous))).toBeLessThanOrEqual(rank(letterOf(proof, low, previous)));
    }),
  );
});

describe("a trader that has a letter", () => {
  test.each([
    ["A", 73, 99, "A"],
    ["A", 74.99, 99, "A"],
    ["A", 75, 99, "S"],
    ["S", 71, 99, "S"],
    ["S", 70.99, 99, "A"],
    ["S", 80, 62, "S"],
    ["S", 80, 61.99, "C"],
    ["C", 80, 65.99, "C"],
    ["C", 80, 66, "S"],
    ["D", 45.99, 50, "D"],
    ["D", 46, 50, "C"],
    ["D", 29.99, 50, "F"],
  ] as const)("with %s, a score of %d and a forecast score of %d has %s then", (previous, value, proof, expected) => {
    expect(letterOf(value, proof, previous)).toBe(expected);
  });

  test("keeps the letter that was computed when the same figures are graded again", () => {
    fc.assert(
      fc.property(score, score, fc.constantFrom(null, ...LETTERS), (value, proof, previous) => {
        const letter = letterOf(value, proof, previous);
        expect(letterOf(value, proof, letter)).toBe(letter);
      }),
    );
  });

  test("changes it at most once while its figures swing by less than twice the margin", () => {
    const swing = fc.array(
      fc.tuple(fc.double({ min: 0, max: 3.9, noNaN: true }), fc.double({ min: 0, max: 3.9, noNaN: true })),
    );
    fc.assert(
      fc.property(score, score, fc.constantFrom(...LETTERS), swing, (from, proofFrom, first, swings) => {
        let letter: Letter = letterOf(from, proofFrom, first);
        let changes = 0;
        for (const [up, proofUp] of swings) {
          const next = letterOf(from + up, proofFrom + proofUp, letter);
          changes += next === letter ? 0 : 1;
          letter = next;
        }
        // Score and proof may each cross one limit.
        expect(changes).toBeLessThanOrEqual(2);
      }),
    );
  });
});
