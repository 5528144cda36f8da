import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ESTIMATORS, PUBLISHED } from "../../../scripts/study/estimators.ts";
import { measureWalk } from "../../../scripts/study/measure-walk.ts";
import { simulateYear } from "../../../scripts/study/simulate/simulate-year.ts";
import type { StudyData } from "../../../scripts/study/study-data.ts";
import { twoWayMean } from "../../../scripts/study/two-way-mean.ts";
import { walkForward, type GradedWalk } from "../../../scripts/study/walk-forward.ts";

const published = ESTIMATORS.findIndex(({ name }) => name === PUBLISHED);

test("the simulated year is the same for the same seed and different for another seed", () => {
  const [first, again, other] = [3, 3, 4].map((seed) => simulateYear(seed, { wallets: 300, fills: 5_000 }));
  expect(again).toEqual(first);
  expect(other?.bets.payout).not.toEqual(first?.bets.payout);
});

let generated: { data: StudyData; walk: GradedWalk } | undefined;
afterAll(() => {
  generated = undefined;
});
/** One year and its walk, computed once: these tests only read them. */
function aYear(): { data: StudyData; walk: GradedWalk } {
  if (generated === undefined) {
    const data = simulateYear(5, { wallets: 600, fills: 40_000 });
    generated = { data, walk: walkForward(data) };
  }
  return generated;
}

/** The same data with inverted payouts for everything that settles from a time on. */
function invertPayouts(data: StudyData, from: number): StudyData {
  const payout = data.bets.payout.map((paid, bet) =>
    (data.settledAt[data.bets.market[bet] ?? 0] ?? 0) >= from ? 1 - paid : paid,
  );
  return { ...data, bets: { ...data.bets, payout } };
}

test("later settlements never change a grade or a forecast", () => {
  const { data, walk } = aYear();
  const graded = walk.forecast.findIndex((value) => !Number.isNaN(value));
  expect(graded).toBeGreaterThan(0);
  fc.assert(
    fc.property(fc.integer({ min: graded + 1, max: data.bets.count - 1 }), (bet) => {
      const moment = data.bets.at[bet] ?? 0;
      const inverted = walkForward(invertPayouts(data, moment));
      // Bets at that very time still have their earlier grades.
      let last = bet;
      while ((data.bets.at[last + 1] ?? Number.POSITIVE_INFINITY) <= moment) last += 1;
      expect(inverted.forecast.subarray(0, last + 1)).toEqual(walk.forecast.subarray(0, last + 1));
      inverted.letters.forEach((letters, index) =>
        expect(letters.subarray(0, last + 1)).toEqual(walk.letters[index]?.subarray(0, last + 1)),
      );
    }),
    { numRuns: 3 },
  );
});

test("a market that settles in the second of a buy is not known to it yet, but one that settled a second earlier is", () => {
  const { data: year, walk: known } = aYear();
  const { at, trader, market, isSale } = year.bets;
  // A graded buy, and an earlier buy of its trader in a market that was still open.
  const [late, early] = at.reduce<readonly number[]>((found, time, bet) => {
    if (found.length > 0 || Number.isNaN(known.forecast[bet])) return found;
    const before = trader.findIndex(
      (one, index) =>
        index < bet && one === trader[bet] && isSale[index] === 0 && (year.settledAt[market[index] ?? 0] ?? 0) > time,
    );
    return before === -1 ? found : [bet, before];
  }, []);
  const settling = market[early ?? 0];
  const forecastOf = (time: number, inverted: boolean) => {
    const settledAt = year.settledAt.map((settled, one) => (one === settling ? time : settled));
    const payout = year.bets.payout.map((paid, bet) => (inverted && market[bet] === settling ? 1 - paid : paid));
    return walkForward({ ...year, settledAt, bets: { ...year.bets, payout } }).forecast[late ?? 0];
  };
  const second = at[late ?? 0] ?? 0;
  expect(forecastOf(second, true)).toBe(forecastOf(second, false));
  expect(forecastOf(second - 1, true)).not.toBe(forecastOf(second - 1, false));
});

test("a buy in an already settled market does not count for its own grade", () => {
  const { data: year, walk: known } = aYear();
  const bet = known.forecast.findIndex((value, index) => !Number.isNaN(value) && (year.bets.usd[index] ?? 0) > 20);
  const forecastOf = (payout: number) => {
    const { bets } = year;
    const own = year.settledAt.length;
    // The buy is moved to a separate market that settled ten days earlier.
    const data: StudyData = {
      ...year,
      clusterCount: year.clusterCount + 1,
      clusterOfMarket: Int32Array.from([...year.clusterOfMarket, year.clusterCount]),
      settledAt: Float64Array.from([...year.settledAt, (bets.at[bet] ?? 0) - 864_000]),
      bets: {
        ...bets,
        market: bets.market.map((market, index) => (index === bet ? own : market)),
        payout: bets.payout.map((paid, index) => (index === bet ? payout : paid)),
      },
    };
    return walkForward(data).forecast[bet];
  };
  expect(forecastOf(1)).toBe(forecastOf(0));
});

describe("a small simulated year", () => {
  let data: StudyData;
  let walk: GradedWalk;
  beforeAll(() => {
    data = simulateYear(21, { wallets: 4_000, fills: 400_000 });
    walk = walkForward(data);
  });

  /** Edge of later buys of the upper grades (S, A, B) minus that of the lower grades (D, F), and its error. */
  function separate(letterOf: (bet: number) => number | undefined, { bets: all, clusterOfMarket }: StudyData = data) {
    const mean = (isWanted: (letter: number) => boolean) => {
      const bets = [...all.at.keys()].filter((bet) => all.isSale[bet] === 0 && isWanted(letterOf(bet) ?? -1));
      const column = (values: ArrayLike<number>) => Int32Array.from(bets, (bet) => values[bet] ?? 0);
      const wallet = column(all.trader);
      const cluster = column(all.market).map((market) => clusterOfMarket[market] ?? 0);
      const numbers = new Map<string, number>();
      const both = cluster.map((one, index) => {
        const key = `${one} ${wallet[index]}`;
        numbers.set(key, numbers.get(key) ?? numbers.size);
        return numbers.get(key) ?? 0;
      });
      const edges = Float64Array.from(bets, (bet) => 100 * ((all.payout[bet] ?? 0) - (all.price[bet] ?? 0)));
      return twoWayMean(edges, cluster, wallet, both);
    };
    const upper = mean((letter) => letter >= 0 && letter <= 2);
    const lower = mean((letter) => letter === 4 || letter === 5);
    const error = Math.hypot(upper.standardError ?? Number.NaN, lower.standardError ?? Number.NaN);
    return { edge: (upper.mean ?? Number.NaN) - (lower.mean ?? Number.NaN), error };
  }

  test("later buys of the upper grades win more over their price than those of the lower grades", () => {
    // Upper grades are rare: one year of this size has too few of their purchases.
    const years = [22, 23, 24].map((seed) => {
      const year = simulateYear(seed, { wallets: 4_000, fills: 400_000 });
      const [letters] = walkForward(
        year,
        ESTIMATORS.filter(({ name }) => name === PUBLISHED),
      ).letters;
      return separate((bet) => letters?.[bet], year);
    });
    const all = [separate((bet) => walk.letters[published]?.[bet]), ...years];
    const edge = all.reduce((sum, one) => sum + one.edge, 0);
    expect(edge / Math.hypot(...all.map(({ error }) => error))).toBeGreaterThan(3);
  });

  test("shuffled grades separate nothing, so the measure finds no skill where there is none", () => {
    // Each bet gets the grade of another bet, far away.
    const shuffled = (bet: number) => walk.letters[published]?.[(bet + 77_777) % data.bets.count];
    const { edge, error } = separate(shuffled);
    expect(Math.abs(edge / error)).toBeLessThan(3);
  });

  test("forecasts are right within their error, and scores follow latent skill better than profit and win rate do", () => {
    const result = measureWalk(data, walk);
    for (const { forecast, came } of result.calibration.filter((bin) => bin.came.count > 5_000)) {
      expect(Math.abs(forecast - (came.mean ?? Number.NaN))).toBeLessThan(3.5 * (came.standardError ?? Number.NaN));
    }
    const correlation = (name: string) =>
      result.estimators.find((one) => one.name === name)?.latentCorrelation ?? Number.NaN;
    expect(correlation(PUBLISHED)).toBeGreaterThan(correlation("profit_composite") + 0.05);
    expect(correlation(PUBLISHED)).toBeGreaterThan(correlation("win_rate") + 0.05);
  });
});
