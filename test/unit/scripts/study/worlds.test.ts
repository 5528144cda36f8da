import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawTraders } from "../../../../scripts/study/simulate/draw-traders.ts";
import { simulateYear } from "../../../../scripts/study/simulate/simulate-year.ts";
import { isWorldName, WORLDS, type World } from "../../../../scripts/study/simulate/worlds.ts";
import type { StudyData } from "../../../../scripts/study/study-data.ts";
import { areaUnderCurve } from "../../../../scripts/study/worlds/area-under-curve.ts";
import { closingLineValues } from "../../../../scripts/study/worlds/closing-line.ts";
import { ESTIMATORS, PUBLISHED } from "../../../../scripts/study/estimators.ts";
import { walkForward } from "../../../../scripts/study/walk-forward.ts";

test("the area under the curve is the share of pairs in which the positive has the larger value", () => {
  const values = fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(values, values, (positives, negatives) => {
      const pairs = positives.flatMap((one) =>
        negatives.map((other): number => (one > other ? 1 : one === other ? 0.5 : 0)),
      );
      const expected = pairs.reduce((sum, value) => sum + value, 0) / pairs.length;
      expect(areaUnderCurve(positives, negatives)).toBeCloseTo(expected, 12);
    }),
  );
  expect(areaUnderCurve([], [1])).toBeNull();
});

describe("the closing-line value", () => {
  /** Trader 0 buys the second outcome at 0.30; ten others then buy the first at 0.60, and trader 0 at 0.10. */
  const columns = { price: [0.3, ...Array.from({ length: 10 }, () => 0.6), 0.1], own: [0, 11] };
  const data = (others: number): StudyData => ({
    ...{ title: "", isGenerated: true, notes: [], latent: null, traderCount: 12, clusterCount: 1 },
    clusterOfMarket: new Int32Array(1),
    settledAt: Float64Array.from([1_000]),
    bets: {
      count: 12,
      at: Float64Array.from({ length: 12 }, (_, bet) => bet),
      trader: Int32Array.from({ length: 12 }, (_, bet) => (columns.own.includes(bet) ? 0 : Math.min(bet, others))),
      market: new Int32Array(12),
      price: Float64Array.from(columns.price),
      usd: new Float64Array(12).fill(10),
      payout: new Float64Array(12).fill(1),
      side: Uint8Array.from({ length: 12 }, (_, bet) => (bet === 0 ? 1 : 0)),
      isSale: Uint8Array.from({ length: 12 }, (_, bet) => (bet === 11 ? 1 : 0)),
    },
  });

  test("is the mean of the last trades of others less the price paid, and leaves out the trader's own trades", () => {
    // The close of the first outcome is 0.60, of the second 0.40: 40 - 30 points.
    expect(closingLineValues(data(11))[0]).toBeCloseTo(10, 9);
  });

  test("is unknown where fewer than ten trades of others are known", () => {
    // All trades but trader 0's are trader 1's own.
    expect(closingLineValues(data(1))[1]).toBeNaN();
  });
});

describe("the worlds of the study", () => {
  const size = { wallets: 300, fills: 6_000 };

  test.each(Object.keys(WORLDS).filter((name) => isWorldName(name) && name !== "base"))(
    "the world %s differs from the base world of the same seed",
    (name) => {
      if (!isWorldName(name)) throw new Error(name);
      expect(simulateYear(3, size, name).bets).not.toEqual(simulateYear(3, size).bets);
    },
  );

  test("the trades of market makers, and no others, are a maker's", () => {
    const { bets, latent } = simulateYear(3, size, "makers");
    const isMaker = (trader: number) => latent?.kinds[latent.kind[trader] ?? 0] === "market maker";
    expect([...(bets.isMaker ?? [])]).toEqual(Array.from(bets.trader, (trader) => (isMaker(trader) ? 1 : 0)));
    expect(bets.isMaker?.includes(1)).toBe(true);
  });

  test("the true probabilities of a trader's purchases less their prices are its latent edge", () => {
    const { bets, latent, traderCount } = simulateYear(3, size, "makers");
    const sums = new Float64Array(traderCount);
    const purchases = new Float64Array(traderCount);
    bets.trader.forEach((trader, bet) => {
      if (bets.isSale[bet] === 1) return;
      purchases[trader] = (purchases[trader] ?? 0) + 1;
      sums[trader] = (sums[trader] ?? 0) + 100 * ((bets.truth?.[bet] ?? Number.NaN) - (bets.price[bet] ?? Number.NaN));
    });
    const errors = sums.map((sum, trader) => sum / (purchases[trader] ?? 0) - (latent?.edgePoints[trader] ?? 0));
    const known = errors.filter((error) => !Number.isNaN(error));
    expect(known.length).toBe(purchases.filter((count) => count > 0).length);
    expect(Math.max(...known.map(Math.abs))).toBeLessThan(1e-9);
  });

  test("washers have no profit in any outcome", () => {
    const { bets, latent } = simulateYear(3, size, "wash");
    const profits = new Map<string, number>();
    for (let bet = 0; bet < bets.count; bet += 1) {
      const trader = bets.trader[bet] ?? 0;
      if (latent?.kinds[latent.kind[trader] ?? 0] !== "washer") continue;
      const shares = (bets.usd[bet] ?? 0) / (bets.price[bet] ?? 1);
      for (const winner of [0, 1]) {
        const key = `${trader} ${bets.market[bet]} ${winner}`;
        const profit = (bets.side[bet] === winner ? shares : 0) - (bets.usd[bet] ?? 0);
        profits.set(key, (profits.get(key) ?? 0) + profit);
      }
    }
    expect(profits.size).toBeGreaterThan(20);
    for (const profit of profits.values()) expect(profit).toBeCloseTo(0, 6);
  });

  test("without skill no trader sees the error of a price, and with rare skill only the skilled do", () => {
    const blind: World = WORLDS["no-skill"];
    expect(blind.sightFactor(0, 0)).toBe(0);
    const rare = drawTraders(3, 2_000, WORLDS["rare-skill"]).filter(({ sight }) => sight !== 0);
    expect(rare.length).toBeGreaterThan(0);
    expect(rare.filter(({ kind }) => kind !== "skilled")).toEqual([]);
  });
});

describe("the stories of a generated year", () => {
  test("the markets of an event share a story, games have one, and two events of a league meet on a night", () => {
    const { storyOfMarket, clusterOfMarket, closesAt, settledAt } = simulateYear(3, { wallets: 300, fills: 100_000 });
    if (storyOfMarket === undefined || closesAt === undefined) throw new Error("no stories");
    const markets = [...storyOfMarket.keys()];
    for (const own of Map.groupBy(markets, (market) => clusterOfMarket[market]).values())
      expect(new Set(own.map((market) => storyOfMarket[market])).size).toBe(1);
    expect(markets.filter((market) => !Number.isNaN(closesAt[market]) && storyOfMarket[market] === -1)).toEqual([]);
    const nights = [...Map.groupBy(markets, (market) => storyOfMarket[market] ?? -1)]
      .filter(([story]) => story !== -1)
      .map(([, own]) => own);
    const eventsOf = (own: readonly number[]) => new Set(own.map((market) => clusterOfMarket[market])).size;
    expect(nights.filter((own) => eventsOf(own) > 1).length).toBeGreaterThan(3);
    // A night lasts a day, and a payout is known at most half a day later.
    for (const own of nights) {
      const ends = own.map((market) => settledAt[market] ?? 0);
      expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(1.5 * 86_400);
    }
  });

  test("in the one-sided world a trader without skill backs one side of a story, a skilled one does not", () => {
    const { bets, storyOfMarket, latent } = simulateYear(3, { wallets: 300, fills: 30_000 }, "one-sided");
    if (storyOfMarket === undefined || latent === null) throw new Error("no stories");
    const sides = new Map<string, { readonly kind: string; readonly sides: Set<number> }>();
    for (let bet = 0; bet < bets.count; bet += 1) {
      const story = storyOfMarket[bets.market[bet] ?? 0] ?? -1;
      if (story === -1 || bets.isSale[bet] === 1) continue;
      const kind = latent.kinds[latent.kind[bets.trader[bet] ?? 0] ?? 0] ?? "";
      const key = `${bets.trader[bet]} ${story}`;
      const known = sides.get(key) ?? { kind, sides: new Set<number>() };
      sides.set(key, known);
      known.sides.add(bets.side[bet] ?? 0);
    }
    const twoSided = (wanted: string) =>
      [...sides.values()].filter(({ kind, sides: own }) => kind === wanted && own.size > 1).length;
    expect(twoSided("ordinary")).toBe(0);
    expect(twoSided("skilled")).toBeGreaterThan(0);
  });
});

describe("the kickoffs of a generated year", () => {
  test("a part of the markets are games, whose kickoff is before their result and after most of their trades", () => {
    const { bets, closesAt, settledAt } = simulateYear(3, { wallets: 300, fills: 6_000 });
    if (closesAt === undefined) throw new Error("no kickoffs");
    const games = closesAt.filter((at) => !Number.isNaN(at)).length / closesAt.length;
    expect(games).toBeGreaterThan(0.25);
    expect(games).toBeLessThan(0.55);
    expect(closesAt.every((at, market) => Number.isNaN(at) || at < (settledAt[market] ?? 0))).toBe(true);
    const ofGames = [...bets.at.keys()].filter(
      (bet) => bets.isSale[bet] === 0 && !Number.isNaN(closesAt[bets.market[bet] ?? 0]),
    );
    const early = ofGames.filter((bet) => (bets.at[bet] ?? 0) < (closesAt[bets.market[bet] ?? 0] ?? 0));
    expect(early.length / ofGames.length).toBeGreaterThan(0.6);
    expect(early.length / ofGames.length).toBeLessThan(0.8);
  });

  test("a walk counts the closing lines of purchases from before a kickoff", () => {
    // Trader 0 buys the second outcome for 10 dollars at 0.50 and, after the kickoff, the first; three others trade the first
    // at 0.30, two of them as sellers, whose sale is a purchase of the second at 0.70.
    const columns = {
      at: [1, 2, 3, 4, 90_000],
      trader: [0, 1, 2, 3, 0],
      side: [1, 0, 1, 1, 0],
      isSale: [0, 0, 1, 1, 0],
    };
    const evidenceAt = (kickoff: number) =>
      walkForward(
        {
          ...{ title: "", isGenerated: true, notes: [], latent: null, traderCount: 4, clusterCount: 1 },
          clusterOfMarket: new Int32Array(1),
          settledAt: Float64Array.from([100_000]),
          closesAt: Float64Array.from([kickoff]),
          bets: {
            count: 5,
            at: Float64Array.from(columns.at),
            trader: Int32Array.from(columns.trader),
            market: new Int32Array(5),
            price: Float64Array.from([0.5, 0.3, 0.7, 0.7, 0.2]),
            usd: new Float64Array(5).fill(10),
            payout: Float64Array.from([1, 0, 1, 1, 0]),
            side: Uint8Array.from(columns.side),
            isSale: Uint8Array.from(columns.isSale),
          },
        },
        ESTIMATORS.filter(({ name }) => name === PUBLISHED),
      ).records[0]?.evidence.published;
    // 20 shares at 0.50 that close at 0.70: y = 0.20, u = 0.25, z = 0.1.
    expect(evidenceAt(10)).toMatchObject({ closeClusters: 1, closeEdge: 2e7, closeInformation: 25e6 });
    // One of the three trades after the kickoff, or all more than twelve hours before it.
    expect(evidenceAt(4)).toMatchObject({ closeClusters: 0, closeEdge: 0 });
    expect(evidenceAt(4 + 12 * 3600)).toMatchObject({ closeClusters: 0, closeEdge: 0 });
    expect(evidenceAt(Number.NaN)).toMatchObject({ closeClusters: 0, closeEdge: 0 });
  });
});
