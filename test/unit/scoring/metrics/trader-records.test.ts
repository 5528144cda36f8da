import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { STRATEGIES } from "../../../../src/domain/traders/strategies.ts";
import { categoryRecords } from "../../../../src/scoring/metrics/category-records.ts";
import { categoryStrengths } from "../../../../src/scoring/metrics/category-strengths.ts";
import { classifyStrategy, type TradedMarket } from "../../../../src/scoring/metrics/classify-strategy.ts";
import { toDailySeries } from "../../../../src/scoring/metrics/series/daily-series.ts";
import { markPosition, returnOnCost } from "../../../support/oracles/mark-position.ts";
import { streakTier, trailingForm } from "../../../../src/scoring/metrics/streak-tier.ts";
import { winRate, winRecord } from "../../../../src/scoring/metrics/win-record.ts";
import { anyDays, anyPrice, anySettled, daysOf, isPlain, numbersIn, settledMarket, usd } from "./trader-days.ts";

const settled = (category: string | null, pnl: number[], game: { seriesSlug: string; name: string } | null = null) =>
  pnl.map((dollars) => settledMarket({ category, game, pnlMicro: usd(dollars) }));

describe("win rates", () => {
  test("the win rate leaves out markets with a result of exactly zero", () => {
    const record = winRecord(settled("Politics", [1, 1, -1, 0, 0]));
    expect(record).toEqual({ wins: 2, decided: 3 });
    expect(winRate(record)).toBe(2 / 3);
  });

  test("the win rate is unknown below the minimum and never divides by zero", () => {
    expect(winRate({ wins: 3, decided: 4 }, 5)).toBeNull();
    expect(winRate({ wins: 0, decided: 0 }, 0)).toBeNull();
  });
});

describe("category records", () => {
  test("category records are sorted by decided markets, then by name, with a rate from five decided markets on", () => {
    const markets = [
      ...settled("Soccer", [1, -1, -1, -1]),
      ...settled("Politics", [1, 1, 1, -1, -1, 0]),
      ...settled("Crypto", [1, 1, -1, -1]),
      ...settled("Golf", [0]),
      ...settled(null, [1, 1, 1, 1, 1]),
    ];
    expect(categoryRecords(markets)).toEqual([
      { category: "Politics", wins: 3, decided: 5, winRate: 0.6, status: "measured", games: [] },
      { category: "Crypto", wins: 2, decided: 4, winRate: null, status: "not_enough_data", games: [] },
      { category: "Soccer", wins: 1, decided: 4, winRate: null, status: "not_enough_data", games: [] },
      { category: "Golf", wins: 0, decided: 0, winRate: null, status: "not_enough_data", games: [] },
    ]);
  });

  test("the Esports record lists its titles, busiest first, and counts markets of unknown titles only in the total", () => {
    const markets = [
      ...settled("Esports", [1, -1], { seriesSlug: "valorant", name: "Valorant" }),
      ...settled("Esports", [1, 1, 1, 1, -1], { seriesSlug: "dota-2", name: "Dota 2" }),
      ...settled("Esports", [-1]),
    ];
    expect(categoryRecords(markets)).toMatchObject([
      {
        category: "Esports",
        decided: 8,
        winRate: 0.625,
        games: [
          { game: "Dota 2", seriesSlug: "dota-2", wins: 4, decided: 5, winRate: 0.8, status: "measured" },
          { game: "Valorant", seriesSlug: "valorant", wins: 1, decided: 2, winRate: null, status: "not_enough_data" },
        ],
      },
    ]);
  });

  test("category records contain every decided market once, in any order", () => {
    fc.assert(
      fc.property(anySettled, (markets) => {
        const records = categoryRecords(markets);
        const decided = markets.filter((market) => market.category !== null && market.pnlMicro !== 0n).length;
        expect(records.reduce((sum, record) => sum + record.decided, 0)).toBe(decided);
        expect(categoryRecords([...markets].reverse()).map(({ games: _, ...record }) => record)).toEqual(
          records.map(({ games: _, ...record }) => record),
        );
      }),
    );
  });
});

describe("category strengths", () => {
  const bets = (category: string, count: number, change: Parameters<typeof settledMarket>[0] = {}) =>
    Array.from({ length: count }, () => settledMarket({ category, ...change }));

  test("category strengths compare wins with entry prices and profit with cost, best return first", () => {
    const markets = [
      ...bets("Soccer", 4, { costMicro: usd(50), pnlMicro: usd(-25), entryPrice: 0.25 }),
      ...bets("Soccer", 1, { costMicro: usd(50), pnlMicro: usd(150), entryPrice: 0.75 }),
      ...bets("Politics", 5, { costMicro: usd(20), pnlMicro: usd(10) }),
      ...bets("Golf", 4),
    ];
    expect(categoryStrengths(markets)).toEqual([
      {
        category: "Politics",
        wins: 5,
        decided: 5,
        winRate: 1,
        expectedWinRate: 0.5,
        pnlMicro: usd(50),
        costMicro: usd(100),
        returnOnCost: 0.5,
      },
      {
        category: "Soccer",
        wins: 1,
        decided: 5,
        winRate: 0.2,
        expectedWinRate: 0.35,
        pnlMicro: usd(50),
        costMicro: usd(250),
        returnOnCost: 0.2,
      },
      {
        category: "Golf",
        wins: 4,
        decided: 4,
        winRate: null,
        expectedWinRate: null,
        pnlMicro: usd(40),
        costMicro: usd(400),
        returnOnCost: null,
      },
    ]);
  });

  test("category strengths are the same for any order of markets", () => {
    fc.assert(
      fc.property(anySettled, (markets) => {
        expect(categoryStrengths([...markets].reverse())).toEqual(categoryStrengths(markets));
      }),
    );
    // Their floating-point sum is 1.8000000000000003 from the left and 1.8 from the right.
    const prices = [0.1, 0.2, 0.3, 0.6, 0.6].map((entryPrice) => settledMarket({ entryPrice }));
    expect(categoryStrengths([...prices].reverse())).toEqual(categoryStrengths(prices));
  });

  test.each([
    ["below 20 USD", { costMicro: usd(20) - 5_001n }],
    ["entered above 0.95", { entryPrice: 0.951 }],
    ["entered below 0.05", { entryPrice: 0.049 }],
    ["of unknown entry price", { entryPrice: null }],
    ["without a profit or loss", { pnlMicro: 0n }],
  ])("category strengths leave out markets %s", (_, change) => {
    expect(categoryStrengths(bets("Politics", 9, change))).toEqual([]);
  });
});

describe("the streak tier", () => {
  /** Forms from -50 % to 49 %, then the same shifted to be without losses. */
  const forms = Array.from({ length: 100 }, (_, index) => (index - 50) / 100);
  const gains = forms.map((form) => form + 0.51);

  test("the form is a week's result over the largest capital within it", () => {
    expect(trailingForm(toDailySeries(daysOf([-90, 5, 0, 0, -1, 0, 0, 6])), "2026-01-08")).toBe(0.1);
    expect(trailingForm(toDailySeries(daysOf([5])), "2026-01-08")).toBeNull();
    expect(trailingForm(toDailySeries(daysOf([5], null)), "2026-01-01")).toBeNull();
  });

  test.each([
    [0.45, "hot"],
    [0.35, "rising"],
    [0.1, "neutral"],
    [-0.1, "neutral"],
    [-0.2, "cooling"],
    [-0.45, "cold"],
  ] as const)("the streak tier of the form %d among a hundred is %s", (form, tier) => {
    expect(streakTier(form, forms)).toBe(tier);
  });

  test("the streak tier of a gain is never cold, and that of a loss is never hot", () => {
    expect(streakTier(0.01, gains)).toBe("neutral");
    expect(
      streakTier(
        -0.01,
        gains.map((form) => -form).sort((a, b) => a - b),
      ),
    ).toBe("neutral");
  });

  test("the streak tier is unknown for an inactive trader or with too few others", () => {
    expect(streakTier(null, forms)).toBeNull();
    expect(streakTier(0.1, forms.slice(0, 19))).toBeNull();
  });

  test("the streak tier never falls as the form rises", () => {
    const rank = ["cold", "cooling", "neutral", "rising", "hot"];
    const form = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(form, form, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        expect(rank.indexOf(streakTier(low, forms) ?? "")).toBeLessThanOrEqual(
          rank.indexOf(streakTier(high, forms) ?? ""),
        );
      }),
    );
  });
});

describe("strategies", () => {
  const market = (category: string | null, isTwoSided = false, cost = 10): TradedMarket => ({
    category,
    isTwoSided,
    costMicro: usd(cost),
  });
  const spread = ["Politics", "Crypto", "Soccer", "Golf", "Tennis"].map((category) => market(category));
  const plain = [market("Politics"), market("Politics"), market("Politics"), market("Crypto"), market("Crypto")];
  const focused = ["Politics", "Politics", "Politics", "Politics", "Crypto"].map((category) => market(category));
  const typeOf = (markets: TradedMarket[], fills = 20, activeDays = 20) =>
    classifyStrategy({ fills, activeDays, markets })?.type;

  test("a strategy names the only trait, several traits are mixed, and none is unclassified", () => {
    expect(typeOf(plain)).toBe("unclassified");
    expect(typeOf(spread)).toBe("diversified");
    expect(typeOf(focused)).toBe("category_focused");
    expect(typeOf(plain, 500, 10)).toBe("high_activity");
    expect(typeOf(plain.map((one, index) => ({ ...one, isTwoSided: index < 2 })))).toBe("two_sided");
    expect(typeOf(focused, 500, 10)).toBe("mixed");
  });

  test("a strategy is unknown below twenty fills", () => {
    expect(classifyStrategy({ fills: 19, activeDays: 1, markets: spread })).toBeNull();
  });

  test("a strategy ignores categories that are mostly unknown or of only four markets", () => {
    expect(typeOf([...spread, market(null, false, 51)])).toBe("unclassified");
    expect(typeOf([...spread, market(null, false, 50)])).toBe("diversified");
    expect(classifyStrategy({ fills: 20, activeDays: 0, markets: focused.slice(0, 4) })).toEqual({
      type: "unclassified",
      measures: {
        twoSidedShare: null,
        fillsPerActiveDay: null,
        leadingCategory: null,
        leadingShare: null,
        effectiveCategories: null,
      },
    });
  });

  test("a strategy reports its measures", () => {
    expect(classifyStrategy({ fills: 40, activeDays: 20, markets: focused })?.measures).toEqual({
      twoSidedShare: 0,
      fillsPerActiveDay: 2,
      leadingCategory: "Politics",
      leadingShare: 0.8,
      effectiveCategories: 1 / 0.68,
    });
  });

  test("any behaviour has a known strategy with finite measures, for any order of markets", () => {
    const anyMarkets = anySettled.map((markets) =>
      markets.map((one, index) => ({ ...one, isTwoSided: index % 3 === 0 })),
    );
    const count = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(anyMarkets, count, count, (markets, fills, activeDays) => {
        const result = classifyStrategy({ fills, activeDays, markets });
        expect(result === null).toBe(fills < 20);
        if (result === null) return;
        expect(STRATEGIES).toContain(result.type);
        expect(numbersIn(result).filter((number) => !isPlain(number))).toEqual([]);
        expect(classifyStrategy({ fills, activeDays, markets: [...markets].reverse() })).toEqual(result);
      }),
    );
  });
});

describe("marked positions", () => {
  test("a marked position is worth its shares at the price minus their cost", () => {
    expect(markPosition({ sharesMicro: usd(200), costMicro: usd(80) }, 0.55)).toEqual({
      valueMicro: usd(110),
      unrealizedMicro: usd(30),
      returnOnCost: 0.375,
    });
  });

  test("a marked position is unknown without a price, worth zero at 0, and has no return on a cost of zero", () => {
    expect(markPosition({ sharesMicro: usd(200), costMicro: usd(80) }, null)).toBeNull();
    expect(markPosition({ sharesMicro: usd(200), costMicro: usd(80) }, 0)).toMatchObject({
      unrealizedMicro: usd(-80),
      returnOnCost: -1,
    });
    expect(markPosition({ sharesMicro: usd(1), costMicro: 0n }, 1)).toEqual({
      valueMicro: usd(1),
      unrealizedMicro: usd(1),
      returnOnCost: null,
    });
    expect(returnOnCost(5n, 0n)).toBeNull();
  });

  test("the value of a marked position never falls as the price rises", () => {
    const shares = fc.bigInt(0n, 2n ** 63n - 1n);
    fc.assert(
      fc.property(shares, shares, anyPrice, anyPrice, (sharesMicro, costMicro, a, b) => {
        const [low, high] = [
          markPosition({ sharesMicro, costMicro }, Math.min(a, b)),
          markPosition({ sharesMicro, costMicro }, Math.max(a, b)),
        ];
        expect(low?.valueMicro ?? 0n).toBeLessThanOrEqual(high?.valueMicro ?? 0n);
        expect(numbersIn([low, high]).every(isPlain)).toBe(true);
      }),
    );
  });
});

test("records and forms of any history are finite numbers", () => {
  fc.assert(
    fc.property(anySettled, anyDays, (markets, days) => {
      const results = [
        categoryRecords(markets),
        categoryStrengths(markets),
        trailingForm(toDailySeries(days), "2026-03-01"),
      ];
      expect(numbersIn(results).filter((number) => !isPlain(number))).toEqual([]);
    }),
  );
});
