import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { letterOf as decideLetter, type Letter, type LetterFigures } from "../../../../src/scoring/skill/letter.ts";

const LETTERS: readonly Letter[] = ["S", "A", "B", "C", "D", "F"];
/** With recent evidence and a population that prove everything. */
const PROVED = { recentForecastScore: 99, significance: 9 };
const letterOf = (
  value: number,
  forecastScore: number,
  previous: Letter | null,
  proof: Partial<LetterFigures> = {},
): Letter => decideLetter({ score: value, forecastScore, ...PROVED, ...proof }, previous);

const score = fc.double({ min: 0, max: 100, noNaN: true });

test("letters change at their floors", () => {
  const letters = [73, 72.99, 62, 61.99, 52, 51.99, 38, 37.99, 26, 25.99].map((value) => letterOf(value, 99, null));
  expect(letters.join("")).toBe("SAABBCCDDF");
});

test("letters above C need a probability of 85, 72 and 63 % of an edge above zero", () => {
  expect([85, 84.99, 72, 71.99, 63, 62.99, 1].map((proof) => letterOf(80, proof, null)).join("")).toBe("SAABBCC");
  expect([80, 65, 55, 45, 30, 20].map((value) => letterOf(value, 62.99, null)).join("")).toBe("CCCCDF");
});

test("an S needs a probability of 60 % from recent evidence alone, and an A one of 50 %", () => {
  const letters = [60, 59.99, 50, 49.99, 0, null].map((recentForecastScore) =>
    letterOf(80, 99, null, { recentForecastScore }),
  );
  expect(letters.join("")).toBe("SAABBB");
  expect([80, 65, 55, 45].map((value) => letterOf(value, 99, null, { recentForecastScore: null })).join("")).toBe(
    "BBBC",
  );
});

test("letters above C need a population that shows skill, other letters do not", () => {
  expect([80, 65, 55, 45, 30].map((value) => letterOf(value, 99, null, { significance: 2 })).join("")).toBe("SABCD");
  expect([80, 65, 55, 45, 30].map((value) => letterOf(value, 99, null, { significance: 1.99 })).join("")).toBe("CCCCD");
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
    ["S", 80, 83, "S"],
    ["S", 80, 82.99, "A"],
    ["S", 80, 60, "C"],
    ["S", 80, 61, "B"],
    ["C", 80, 64.99, "C"],
    ["C", 80, 65, "B"],
    ["C", 80, 87, "S"],
    ["D", 39.99, 50, "D"],
    ["D", 40, 50, "C"],
    ["D", 24, 50, "D"],
    ["D", 23.99, 50, "F"],
  ] as const)("with %s, a score of %d and a forecast score of %d has %s then", (previous, value, proof, expected) => {
    expect(letterOf(value, proof, previous)).toBe(expected);
  });

  test.each([
    ["A", { recentForecastScore: 61.99 }, "A"],
    ["A", { recentForecastScore: 62 }, "S"],
    ["S", { recentForecastScore: 58 }, "S"],
    ["S", { recentForecastScore: 57.99 }, "A"],
    ["S", { recentForecastScore: 47.99 }, "B"],
    ["S", { recentForecastScore: null }, "B"],
    ["B", { significance: 2.24 }, "B"],
    ["C", { significance: 2.24 }, "C"],
    ["C", { significance: 2.25 }, "S"],
    ["S", { significance: 1.75 }, "S"],
    ["S", { significance: 1.74 }, "C"],
  ] as const)("with %s and %o has %s then, with the best figures", (previous, proof, expected) => {
    expect(letterOf(99, 99, previous, proof)).toBe(expected);
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
