import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decideSide,
  selectPicks,
  type CandidateHolder,
  type PickCandidate,
} from "../../../../src/scoring/picks/select-picks.ts";

const shares = (count: number) => BigInt(count) * 1_000_000n;
const holds = (grade: "S" | "A", first: number, second = 0): CandidateHolder => ({
  grade,
  sharesMicro: [shares(first), shares(second)],
});
const candidate = (facts: Partial<PickCandidate> = {}): PickCandidate => ({
  ...{ conditionId: "0x1", game: "g1", kind: "moneyline", kickoff: 1_000, pricesPpm: [500_000n, 500_000n] },
  holders: [holds("S", 10_000), holds("A", 4_000)],
  ...facts,
});

describe("the backed side of a market", () => {
  test("the side of S and A holders is admitted with their net dollars and their lead in weight", () => {
    const holders = [holds("A", 8_000, 2_000), holds("S", 10_000), holds("A", 100, 3_100)];
    const decision = decideSide(candidate({ holders }));
    expect(decision).toMatchObject({
      side: {
        ...{ outcomeIndex: 0, topGrade: "S", lead: 2 },
        ...{ backedMicro: 8_000_000_000n, opposedMicro: 1_500_000_000n, pricePpm: 500_000n },
      },
    });
    // Most net shares first.
    expect("side" in decision && decision.side.holders).toEqual([holders[1], holders[0]]);
  });

  test("each side is valued at its own price", () => {
    const holders = [holds("S", 0, 20_000), holds("A", 0, 10_000)];
    expect(decideSide(candidate({ holders, pricesPpm: [700_000n, 300_000n] }))).toMatchObject({
      side: { outcomeIndex: 1, backedMicro: 9_000_000_000n },
    });
  });

  test.each<[string, string, Partial<PickCandidate>]>([
    ["without holders", "no_holders", { holders: [] }],
    ["whose holders hold both sides equally", "no_holders", { holders: [holds("S", 9_000, 9_000)] }],
    ["with a price below 0.15", "price", { pricesPpm: [149_999n, 850_001n] }],
    ["with a price above 0.85", "price", { pricesPpm: [850_001n, 149_999n] }],
    ["with one holder", "few_holders", { holders: [holds("S", 90_000)] }],
    ["with less than 5,000 dollars", "few_dollars", { holders: [holds("S", 5_000), holds("S", 4_999)] }],
    [
      "with a quarter and more against it",
      "even_sides",
      { holders: [holds("S", 9_000), holds("S", 5_999), holds("A", 0, 5_000)] },
    ],
    [
      "with as much weight against it",
      "even_sides",
      { holders: [holds("A", 30_000), holds("A", 9_000), holds("S", 0, 99)] },
    ],
  ])("a side %s is refused for the reason %s", (_, refused, facts) => {
    expect(decideSide(candidate(facts))).toEqual({ refused });
  });

  test("a side exactly at every bound is admitted", () => {
    const holders = [holds("S", 5_000), holds("A", 5_000), holds("A", 0, 3_000)];
    const pricesPpm = [500_000n, 500_000n] as const;
    expect(decideSide(candidate({ holders: holders.slice(0, 2), pricesPpm }))).toHaveProperty("side");
    // 5,000 against 1,500 is more than 75 %; 15,000 against 5,000 dollars is exactly 75 %.
    const exact = [holds("S", 20_000), holds("A", 10_000), holds("A", 0, 10_000)];
    expect(decideSide(candidate({ holders: exact, pricesPpm }))).toHaveProperty("side");
  });
});

describe("the selection of a day", () => {
  const named = (conditionId: string, facts: Partial<PickCandidate> = {}) =>
    candidate({ conditionId, game: conditionId, ...facts });
  const selectedIds = (...args: Parameters<typeof selectPicks>) =>
    selectPicks(...args).map(({ candidate: { conditionId } }) => conditionId);

  test("ranks by lead in weight, then dollars, then kickoff, then condition id", () => {
    const candidates = [
      named("0xd"),
      named("0xc"),
      named("0xearly", { kickoff: 999 }),
      named("0xrich", { holders: [holds("S", 20_000), holds("A", 4_000)] }),
      named("0xlead", { holders: [holds("S", 6_000), holds("S", 4_000)] }),
    ];
    expect(selectedIds(candidates, [])).toEqual(["0xlead", "0xrich", "0xearly", "0xc", "0xd"]);
  });

  test("takes one moneyline and one handicap of a game, the better ranked of each", () => {
    const better = [holds("S", 20_000), holds("S", 4_000)];
    const candidates = [
      candidate({ conditionId: "0x1" }),
      candidate({ conditionId: "0x2", holders: better }),
      candidate({ conditionId: "0x3", kind: "spreads" }),
      candidate({ conditionId: "0x4", kind: "spreads", holders: better }),
    ];
    expect(selectedIds(candidates, [])).toEqual(["0x2", "0x4"]);
    expect(selectedIds(candidates, [{ game: "g1", kind: "moneyline" }])).toEqual(["0x4"]);
  });

  test("a day has at most fifteen picks over all its passes", () => {
    const many = Array.from({ length: 20 }, (_, index) => named(`0x${index + 10}`));
    const earlier = Array.from({ length: 12 }, (_, index) => ({ game: `old${index}`, kind: "moneyline" }));
    expect(selectedIds(many, [])).toHaveLength(15);
    expect(selectedIds(many, earlier)).toHaveLength(3);
    expect(selectedIds(many, [...earlier, ...earlier])).toEqual([]);
  });

  test("the order of the candidates does not matter", () => {
    const grade = fc.constantFrom("S" as const, "A" as const);
    const size = fc.integer({ min: 0, max: 30_000 });
    const holder = fc.tuple(grade, size, size).map(([letter, first, second]) => holds(letter, first, second));
    const markets = fc.uniqueArray(
      fc.record({ n: fc.nat(40), game: fc.nat(9), holders: fc.array(holder, { maxLength: 4 }), kickoff: fc.nat(3) }),
      { selector: ({ n }) => n, maxLength: 25 },
    );
    fc.assert(
      fc.property(markets, fc.gen(), (drawn, gen) => {
        const candidates = drawn.map(({ n, game, ...facts }) => named(`0x${n}`, { game: `g${game}`, ...facts }));
        const shuffled = gen(fc.shuffledSubarray, candidates, { minLength: candidates.length });
        expect(selectedIds(shuffled, [])).toEqual(selectedIds(candidates, []));
      }),
    );
  });
});
