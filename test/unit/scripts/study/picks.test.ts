import { describe, expect, test } from "vitest";
import { measurePicks } from "../../../../scripts/study/picks/measure-picks.ts";
import { walkPicks } from "../../../../scripts/study/picks/walk-picks.ts";
import { ESTIMATORS } from "../../../../scripts/study/estimators.ts";
import { LETTERS, UNGRADED } from "../../../../scripts/study/letters.ts";
import type { StudyData } from "../../../../scripts/study/study-data.ts";
import type { GradedWalk } from "../../../../scripts/study/walk-forward.ts";

const HOUR = 3_600;
/** Kickoff of the first event: its last trade. */
const KICKOFF = 10 * 86_400 + 20 * HOUR;

interface Bet {
  readonly at: number;
  readonly trader: number;
  readonly market: number;
  /** Of the side that wins. */
  readonly wins: boolean;
  readonly price: number;
  readonly usd: number;
  readonly letter: string;
}

/** A study of these bets: each market is an event of its own. */
function studyOf(bets: readonly Bet[]): { data: StudyData; walk: GradedWalk } {
  const ordered = bets.toSorted((a, b) => a.at - b.at);
  const markets = Math.max(...ordered.map(({ market }) => market)) + 1;
  const data: StudyData = {
    ...{ title: "test", isGenerated: true, notes: [], traderCount: 10, clusterCount: markets, latent: null },
    clusterOfMarket: Int32Array.from({ length: markets }, (_, market) => market),
    settledAt: new Float64Array(markets).fill(KICKOFF + 86_400),
    bets: {
      count: ordered.length,
      at: Float64Array.from(ordered, ({ at }) => at),
      trader: Int32Array.from(ordered, ({ trader }) => trader),
      market: Int32Array.from(ordered, ({ market }) => market),
      price: Float64Array.from(ordered, ({ price }) => price),
      usd: Float64Array.from(ordered, ({ usd }) => usd),
      payout: Float64Array.from(ordered, ({ wins }) => (wins ? 1 : 0)),
      side: Uint8Array.from(ordered, ({ wins }) => (wins ? 0 : 1)),
      isSale: new Uint8Array(ordered.length),
    },
  };
  const letters = Uint8Array.from(ordered, ({ letter }) => (letter === "" ? UNGRADED : LETTERS.indexOf(letter)));
  const walk = { letters: ESTIMATORS.map(() => letters), forecast: new Float64Array(), months: [], records: [] };
  const flaps = { changes: 0, straightBack: 0, graderMonths: 0 };
  return { data, walk: { ...walk, estimators: ESTIMATORS, flaps, population: null } };
}

const bet = (facts: Partial<Bet> & Pick<Bet, "trader" | "at">): Bet => ({
  ...{ market: 0, wins: true, price: 0.5, usd: 4_000, letter: "S" },
  ...facts,
});
const backed = (facts: Partial<Bet> = {}): Bet[] => [
  bet({ trader: 1, at: KICKOFF - 5 * HOUR, ...facts }),
  bet({ trader: 2, at: KICKOFF - 4 * HOUR, ...facts }),
];
const lastTrade = (facts: Partial<Bet> = {}): Bet => bet({ trader: 9, at: KICKOFF, letter: "", usd: 10, ...facts });
const picksOf = (bets: readonly Bet[]) => {
  const { data, walk } = studyOf(bets);
  return walkPicks(data, walk);
};

describe("the walk over picks", () => {
  test("picks what graded traders backed before the release, at that price, and settles it afterwards", () => {
    const quote = bet({ trader: 8, at: KICKOFF - 2 * HOUR, price: 0.55, letter: "" });
    const closing = bet({ trader: 8, at: KICKOFF - 60, price: 0.6, letter: "" });
    for (const wins of [true, false]) {
      const { picks } = picksOf([...backed({ wins }), { ...quote, wins }, { ...closing, wins }, lastTrade({ wins })]);
      expect(picks).toHaveLength(1);
      expect(picks[0]).toMatchObject({ price: 0.55, closePrice: 0.6, payout: wins ? 1 : 0 });
    }
  });

  test("nothing that happens after the release changes what is picked", () => {
    const early = [...backed(), bet({ trader: 8, at: KICKOFF - 2 * HOUR, letter: "" })];
    const late = [3, 4, 5].map((trader) => bet({ trader, at: KICKOFF - HOUR, wins: false, usd: 90_000, price: 0.3 }));
    const [before] = picksOf([...early, lastTrade()]).picks;
    const [after] = picksOf([...early, ...late, lastTrade()]).picks;
    expect(after).toMatchObject({ price: before?.price, outcomeIndex: before?.outcomeIndex, payout: 1 });
  });

  test("the result of a market does not decide which side is picked", () => {
    const sides = [true, false].map((wins) => picksOf([...backed({ wins }), lastTrade({ wins })]).picks[0]);
    expect(sides.map((pick) => pick?.payout)).toEqual([1, 0]);
  });

  test("a pick that graded traders leave before the release is dropped", () => {
    const leaving = [1, 2].map((trader) => bet({ trader, at: KICKOFF - 1.5 * HOUR, wins: false, usd: 4_000 }));
    expect(picksOf([...backed(), ...leaving, lastTrade()])).toMatchObject({ picks: [], dropped: 1 });
  });

  test("traders without a letter, or with a lower one, do not count", () => {
    expect(picksOf([...backed({ letter: "B" }), lastTrade()]).picks).toEqual([]);
  });
});

test("the rule is compared with random sides at the same price and with the favourite", () => {
  const markets = [0, 1, 2, 3].flatMap((market) => {
    const at = market * 86_400;
    const price = 0.4;
    const wins = market !== 3;
    return [...backed(), lastTrade()].map((one) => ({ ...one, market, at: one.at + at, price, wins }));
  });
  const { results } = measurePicks(picksOf(markets), 1);
  const [rule, random, favourite] = results;
  // Three of four sides at 0.40 won: 75 less 40 points; 1,500 three times and -1,000 once.
  expect(rule?.edge.mean).toBeCloseTo(35, 9);
  expect(rule?.dollars.mean).toBeCloseTo(875, 9);
  // Only the picked sides have that price.
  expect(random?.price.mean).toBeCloseTo(0.4, 9);
  expect(random?.edge.count).toBe(4);
  expect(favourite?.edge.mean).toBeCloseTo(-35, 9);
});
