import { describe, expect, test } from "vitest";
import { bindLabels } from "../../../../src/domain/games/bind-labels.ts";
import { marketSideOf } from "../../../../src/domain/games/market-side.ts";

const side = (name: string, abbreviation: string | null = null) => ({ name, abbreviation });
const GIANTS = [side("Milwaukee Bucks", "mil"), side("Boston Celtics", "bos")] as const;

describe("bindLabels", () => {
  test.each([
    ["names", ["Milwaukee Bucks", "Boston Celtics"], [0, 1], "exact_labels"],
    ["names in the other order", ["boston celtics", "MILWAUKEE BUCKS"], [1, 0], "exact_labels"],
    ["abbreviations", ["BOS", "MIL"], [1, 0], "exact_labels"],
    ["parts of names", ["Bucks", "Celtics"], [0, 1], "containment_labels"],
    ["a name and a part", ["Celtics", "Milwaukee Bucks"], [1, 0], "containment_labels"],
    ["a longer text", ["Milwaukee Bucks (sim)", "Boston Celtics (sim)"], [0, 1], "containment_labels"],
    ["one known name", ["Bucks", "C's"], [0, 1], "elimination"],
    ["one known name as the second", ["C's", "Bucks"], [1, 0], "elimination"],
  ] as const)("binds labels that are %s", (_, labels, sides, provenance) => {
    expect(bindLabels([labels[0], labels[1]], GIANTS)).toEqual({ kind: "bound", sides, provenance });
  });

  test("ignores accents and punctuation", () => {
    expect(bindLabels(["Atletico Madrid", "St Pauli"], [side("Atlético Madrid"), side("St. Pauli")])).toMatchObject({
      provenance: "exact_labels",
    });
  });

  test.each([
    ["yes and no", ["Yes", "No"], "unavailable"],
    ["a side and a generic word", ["Bucks", "No"], "unavailable"],
    ["a word inside a name", ["uck", "eltic"], "unavailable"],
    ["the same side twice", ["Bucks", "MIL"], "ambiguous"],
  ] as const)("does not bind %s", (_, labels, kind) => {
    expect(bindLabels([labels[0], labels[1]], GIANTS)).toEqual({ kind });
  });

  test("does not bind a label that both names contain", () => {
    const derby = [side("Manchester United"), side("Manchester City")] as const;
    expect(bindLabels(["Manchester", "Manchester City"], derby)).toEqual({ kind: "ambiguous" });
  });
});

describe("marketSideOf", () => {
  const CUP = [side("Doncaster Rovers FC", "don"), side("Oxford United FC", "oxf")];
  const market = (facts: object) => ({ marketType: "moneyline", slug: null, title: null, label: "Yes", ...facts });

  test.each([
    ["its label names the first competitor", { label: "Doncaster Rovers FC" }, "home"],
    ["its label names the second competitor", { label: "Oxford United" }, "away"],
    ["its spread names a competitor", { marketType: "spreads", label: "Oxford United FC" }, "away"],
    ["its slug ends with an abbreviation", { slug: "el1-don-oxf-2026-09-26-oxf" }, "away"],
    ["its slug ends with draw", { slug: "el1-don-oxf-2026-09-26-draw" }, "draw"],
    ["its question names one competitor", { title: "Will Doncaster Rovers FC win?" }, "home"],
    ["its question asks for a draw", { title: "Will Doncaster Rovers FC vs. Oxford United FC end in a draw?" }, "draw"],
    ["it is a total", { marketType: "totals", label: "Over" }, "other"],
    ["its question names both competitors", { title: "Doncaster Rovers FC vs. Oxford United FC" }, null],
    ["it is a yes-or-no question of another type", { marketType: "both_teams_to_score" }, null],
    ["its outcomes are not known", { label: null }, null],
  ])("a market is classified when %s", (_, facts, expected) => {
    expect(marketSideOf(market(facts), CUP)).toBe(expected);
  });
});
