import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evidenceOf } from "../../../../src/scoring/skill/evidence.ts";
import { gradeOf } from "../../../../src/scoring/skill/grade.ts";
import { addBet, NO_BETS, netMarket } from "../../../../src/scoring/skill/market-bets.ts";
import type { SettledBet } from "../../../../src/scoring/skill/settled-bet.ts";
import { netBets } from "../../../support/oracles/net-bets.ts";
import { anyBet, aPopulation } from "./skill-cases.ts";

const net = (bets: readonly SettledBet[]) =>
  netMarket(
    bets
      .map(({ outcome, shares, usd, payout, isMaker = false }) => ({
        ...{ outcome, payout, isMaker, sharesMicro: Math.round(shares * 1e6), usdMicro: Math.round(usd * 1e6) },
      }))
      .reduce(addBet, NO_BETS),
  );

type Purchase = readonly [outcome: 0 | 1, shares: number, price: number, role?: "maker"];

/** Purchases in one market, of which the first outcome won. */
const inMarket = (...purchases: readonly Purchase[]): SettledBet[] =>
  purchases.map(([outcome, shares, price, role]) => ({
    ...{ cluster: "c", market: "m", outcome, shares, usd: shares * price, payout: 1 - outcome },
    isMaker: role === "maker",
  }));

describe("the purchases of one market, netted by hand", () => {
  test.each([
    // 100 shares at 0.40: a loss of 40 or a gain of 60 dollars, which came.
    ["one purchase", inMarket([0, 100, 0.4]), { usdMicro: 100e6, edgeMicro: 60e6, varianceMicro: 24e6 }],
    // 100 shares at a mean of 0.45.
    ["two prices", inMarket([0, 50, 0.4], [0, 50, 0.5]), { usdMicro: 100e6, edgeMicro: 55e6, varianceMicro: 24.75e6 }],
    // 60 pairs are 60 dollars; 40 shares remain for 40 + 36 - 60 = 16 dollars, at 0.40.
    [
      "a partial hedge",
      inMarket([0, 100, 0.4], [1, 60, 0.6]),
      { usdMicro: 40e6, edgeMicro: 24e6, varianceMicro: 9.6e6 },
    ],
    // 60 pairs cost 54 dollars, and the gain of 6 makes the 40 others cheaper: 10 dollars, at 0.25.
    [
      "a gainful hedge",
      inMarket([0, 100, 0.4], [1, 60, 0.5]),
      { usdMicro: 40e6, edgeMicro: 30e6, varianceMicro: 7.5e6 },
    ],
    ["a hedge without profit", inMarket([0, 100, 0.9], [1, 100, 0.1]), { usdMicro: 0, edgeMicro: 0, varianceMicro: 0 }],
    ["a certain gain", inMarket([0, 100, 0.4], [1, 100, 0.5]), { usdMicro: 0, edgeMicro: 0, varianceMicro: 0 }],
    ["a certain loss", inMarket([0, 100, 0.6], [1, 100, 0.5]), { usdMicro: 10e6, edgeMicro: -10e6, varianceMicro: 0 }],
    ["a maker's purchase", inMarket([0, 100, 0.4, "maker"]), { usdMicro: 0, edgeMicro: 0, varianceMicro: 0 }],
    [
      "a maker's purchase of the same side",
      inMarket([0, 100, 0.4], [0, 70, 0.3, "maker"]),
      { usdMicro: 100e6, edgeMicro: 60e6, varianceMicro: 24e6 },
    ],
    // 40 of the 100 shares are left: two fifths of the bet.
    [
      "a maker's purchase of the other side",
      inMarket([0, 100, 0.4], [1, 60, 0.6, "maker"]),
      { usdMicro: 40e6, edgeMicro: 24e6, varianceMicro: 9.6e6 },
    ],
    [
      "a maker's purchase of more of the other side",
      inMarket([0, 100, 0.4], [1, 150, 0.6, "maker"]),
      { usdMicro: 0, edgeMicro: 0, varianceMicro: 0 },
    ],
    [
      "a certain loss that a maker's purchase cannot take back",
      inMarket([0, 100, 0.6], [1, 100, 0.5], [1, 100, 0.2, "maker"]),
      { usdMicro: 10e6, edgeMicro: -10e6, varianceMicro: 0 },
    ],
  ] as const)("%s", (_, bets, expected) => {
    expect(net(bets)).toEqual({ bets: bets.filter(({ isMaker }) => !isMaker).length, ...expected });
  });
});

test("netting matches an independent calculation by pairs of both sides", () => {
  fc.assert(
    fc.property(fc.array(anyBet, { minLength: 1, maxLength: 12 }), (drawn) => {
      const bets = drawn.filter(({ market }) => market === drawn[0]?.market);
      const { bets: count, usd, edge, variance } = netBets(bets);
      const sums = net(bets);
      expect([sums.bets, sums.usdMicro]).toEqual([count, usd]);
      // Both round once, from products in another order.
      expect(Math.abs(sums.edgeMicro - edge)).toBeLessThanOrEqual(1 + Math.abs(edge) * 1e-12);
      expect(Math.abs(sums.varianceMicro - variance)).toBeLessThanOrEqual(1 + variance * 1e-12);
    }),
  );
});

const countTaken = (bets: readonly SettledBet[]) => bets.filter(({ isMaker }) => !isMaker).length;

/** Equal shares of both sides for exactly one dollar each: no profit in any outcome. */
const aHedge = fc
  .record({
    cluster: fc.constantFrom("a", "b", "c", "d", "e", "f"),
    paid: fc.constantFrom(0, 0.5, 1),
    sharesMicro: fc.integer({ min: 1, max: 1_000_000_000 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    isMaker: fc.boolean(),
  })
  .map(({ cluster, paid, sharesMicro, share, isMaker }): SettledBet[] => {
    const firstMicro = Math.round(sharesMicro * share);
    const common = { cluster, market: `${cluster} ${paid}`, shares: sharesMicro / 1e6, isMaker };
    return [
      { ...common, outcome: 0, usd: firstMicro / 1e6, payout: paid },
      { ...common, outcome: 1, usd: (sharesMicro - firstMicro) / 1e6, payout: 1 - paid },
    ];
  });

test("purchases without profit in any outcome move no evidence but the number of bets, alone or on top of any record", () => {
  const drawn = fc.array(anyBet, { maxLength: 30 });
  fc.assert(
    fc.property(drawn, fc.array(aHedge, { minLength: 1, maxLength: 30 }), (bets, hedges) => {
      const all = [...bets, ...hedges.flat()];
      expect(evidenceOf(all)).toEqual({ ...evidenceOf(bets), bets: countTaken(all) });
    }),
  );
});

test("hedges of which one side is a maker's move no evidence but the number of bets, in markets without other bets", () => {
  const drawn = fc.array(anyBet, { maxLength: 30 });
  fc.assert(
    fc.property(drawn, fc.array(aHedge, { minLength: 1, maxLength: 30 }), fc.boolean(), (bets, hedges, isFirst) => {
      const mixed = hedges.flatMap((sides, n) =>
        sides.map((side, index) => ({ ...side, market: `hedge ${n}`, isMaker: (index === 0) === isFirst })),
      );
      const all = [...bets, ...mixed];
      expect(evidenceOf(all)).toEqual({ ...evidenceOf(bets), bets: countTaken(all) });
    }),
  );
});

test("a maker's purchases never add to what is at stake in a market", () => {
  fc.assert(
    fc.property(fc.array(anyBet, { minLength: 1, maxLength: 12 }), (drawn) => {
      const bets = drawn.filter(({ market }) => market === drawn[0]?.market);
      const { usdMicro, varianceMicro } = net(bets);
      const taken = net(bets.filter(({ isMaker }) => !isMaker));
      expect(usdMicro).toBeLessThanOrEqual(taken.usdMicro);
      expect(varianceMicro).toBeLessThanOrEqual(taken.varianceMicro);
    }),
  );
});

test("three hundred hedged favourites give no letter, and move no record", () => {
  const hedges = Array.from({ length: 300 }, (_, n): SettledBet[] => {
    const common = { cluster: `h${n}`, market: `h${n}`, shares: 1_000 };
    const won = n % 20 === 0 ? 0 : 1;
    return [
      { ...common, outcome: 0, usd: 900, payout: won },
      { ...common, outcome: 1, usd: 100, payout: 1 - won },
    ];
  }).flat();
  expect(gradeOf(evidenceOf(hedges), aPopulation, null)).toMatchObject({ grade: null, reason: "too_few_markets" });
  const views = Array.from({ length: 300 }, (_, n): SettledBet => ({
    ...{ cluster: `h${n}`, market: `h${n}`, outcome: 1, shares: 500, usd: 250, payout: n % 20 === 0 ? 1 : 0 },
  }));
  const { components: alone, ...grade } = gradeOf(evidenceOf(views), aPopulation, null);
  const { components: hedged, ...gradeWithHedges } = gradeOf(evidenceOf([...views, ...hedges]), aPopulation, null);
  expect(grade.grade).toBe("F");
  expect(gradeWithHedges).toEqual(grade);
  expect(hedged?.expectedPoints).toBe(alone?.expectedPoints);
});

// Markets of one event are netted apart. All outcomes bought for a dollar have no profit in any of them, so their event
// has an edge of exactly zero: it dilutes a record, and earns nothing.
test("buying every outcome of three hundred events for a dollar each earns no letter above C", () => {
  const bets = Array.from({ length: 300 }, (_, n) =>
    [0.7, 0.2, 0.1].map((price, outcome): SettledBet => ({
      ...{ cluster: `e${n}`, market: `e${n} ${outcome}`, outcome: 0, shares: 1_000, usd: 1_000 * price },
      payout: outcome === (n % 10 < 8 ? 0 : 1) ? 1 : 0,
    })),
  ).flat();
  expect(evidenceOf(bets).edge).toBe(0);
  expect(gradeOf(evidenceOf(bets), aPopulation, null).grade).toBe("C");
});
