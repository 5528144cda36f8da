import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CONDITION, SECOND_CONDITION, aMarketRow } from "../../../../support/providers/payloads.ts";
import { aScriptedProvider, marketPage } from "../../../../support/providers/scripted-provider.ts";

async function read(facts: Record<string, unknown>) {
  const { provider } = aScriptedProvider(marketPage([aMarketRow(facts)]));
  const { rows, quarantined } = await provider.listMarkets("open", null);
  return { market: rows[0] ?? null, invalid: quarantined[0] ?? null };
}

test("the second outcome's quotes mirror the first outcome's exactly", async () => {
  expect((await read({})).market?.outcomes).toEqual([
    {
      tokenId: "1001",
      outcomeIndex: 0,
      label: "Yes",
      price: "0.31",
      lastTradePrice: "0.305",
      bestBid: "0.3",
      bestAsk: "0.32",
    },
    {
      tokenId: "1002",
      outcomeIndex: 1,
      label: "No",
      price: "0.69",
      lastTradePrice: "0.695",
      bestBid: "0.68",
      bestAsk: "0.7",
    },
  ]);
});

test("a one-sided book leaves the other side null in both outcomes", async () => {
  const { market } = await read({ bestAsk: null, lastTradePrice: undefined });
  expect(market?.outcomes).toMatchObject([
    { bestBid: "0.3", bestAsk: null, lastTradePrice: null },
    { bestBid: null, bestAsk: "0.7", lastTradePrice: null },
  ]);
});

test("a bid of 0, an ask of 1 and a last price of 0 are read as null", async () => {
  const { market } = await read({ bestBid: 0, bestAsk: 1, lastTradePrice: 0 });
  expect(market?.outcomes[1]).toMatchObject({ bestBid: null, bestAsk: null, lastTradePrice: null });
});

test("a closed market has no quotes, only its final prices and its last trade", async () => {
  const { market } = await read({ closed: true, outcomePrices: '["1", "0"]' });
  expect(market?.outcomes).toMatchObject([
    { price: "1", bestBid: null, bestAsk: null, lastTradePrice: "0.305" },
    { price: "0", bestBid: null, bestAsk: null, lastTradePrice: "0.695" },
  ]);
});

test.each([
  [0.2750008313, "0.275", "0.725"],
  [0.7249991687, "0.725", "0.275"],
  [0.12344999, "0.1234", "0.8766"],
  [0.00004, null, null],
  [0.99996, null, null],
])(
  "a last trade price of %d is rounded to the provider's smallest tick, and so is its mirror",
  async (lastTradePrice, first, second) => {
    const { market } = await read({ lastTradePrice });
    expect(market?.outcomes.map((outcome) => outcome.lastTradePrice)).toEqual([first, second]);
  },
);

test("a last trade price and its mirror sum to 1 once both are truncated to four decimals, whatever its noise", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9_999 }),
      fc.integer({ min: -4_999, max: 4_999 }),
      async (ticks, noise) => {
        const { market } = await read({ lastTradePrice: (ticks * 10_000 + noise) / 100_000_000 });
        const ticksShown =
          market?.outcomes.map((outcome) => Math.floor(Number((Number(outcome.lastTradePrice) * 10_000).toFixed(6)))) ??
          [];
        expect(ticksShown).toEqual([ticks, 10_000 - ticks]);
      },
    ),
    { numRuns: 200 },
  );
});

test("prices of 0 for every outcome are read as missing", async () => {
  const { market } = await read({ closed: true, outcomePrices: '["0", "0"]' });
  expect(market?.outcomes.map((outcome) => outcome.price)).toEqual([null, null]);
});

test("only the first outcome of three is quoted", async () => {
  const { market } = await read({
    outcomes: '["A", "B", "C"]',
    clobTokenIds: '["1", "2", "3"]',
    outcomePrices: '["0.2", "0.3", "0.5"]',
  });
  expect(market?.outcomes.map(({ label, price, bestBid }) => [label, price, bestBid])).toEqual([
    ["A", "0.2", "0.3"],
    ["B", "0.3", null],
    ["C", "0.5", null],
  ]);
});

describe("the tokens of a market", () => {
  const POSITIONS = ["9001", "9002"];

  test.each([
    [
      "a first-protocol market, even as a leg of combinations, has its tokens",
      { positionIds: POSITIONS },
      "v1",
      ["1001", "1002"],
    ],
    [
      "a second-protocol market has its positions",
      { version: "v2", positionIds: POSITIONS, clobTokenIds: null },
      "v2",
      POSITIONS,
    ],
    ["a market before its mint has no tokens", { clobTokenIds: "" }, "v1", []],
    ["a market with an empty list has no tokens", { clobTokenIds: "[]" }, "v1", []],
  ])("the protocol decides the tokens: %s", async (_, facts, version, tokens) => {
    const { market } = await read(facts);
    expect(market?.protocolVersion).toBe(version);
    expect(market?.outcomes.map((outcome) => outcome.tokenId)).toEqual(tokens);
  });

  test.each([
    ["more tokens than outcomes", { outcomes: '["Yes"]' }],
    ["one token twice", { clobTokenIds: '["1001", "1001"]' }],
    ["tokens that are not numbers", { clobTokenIds: '["1001", "NaN"]' }],
    ["lists that do not parse", { outcomes: "[" }],
    ["a price above 1", { outcomePrices: '["1.2", "0"]' }],
    ["no question", { question: " " }],
    ["no closed flag", { closed: undefined }],
    ["a date of an unknown form", { endDate: "soon" }],
  ])("a market with %s is quarantined", async (_, facts) => {
    const { market, invalid } = await read(facts);
    expect(market).toBeNull();
    expect(invalid?.reason).not.toBe("");
  });
});

test("a market announced without a condition is left out until it has one", async () => {
  expect(await read({ conditionId: "" })).toEqual({ market: null, invalid: null });
});

test("a second-protocol condition is stored in one width", async () => {
  expect((await read({ conditionId: `${SECOND_CONDITION}00` })).market?.conditionId).toBe(SECOND_CONDITION);
});

describe("times, tags and numbers of a market", () => {
  const EVENT = {
    id: 4711,
    slug: "mil-sd",
    title: "Milwaukee at San Diego",
    icon: "https://img.test/e.png",
    series: [{ slug: "mlb" }],
    tags: [{ slug: "sports" }, { slug: "baseball" }],
    startDate: "2026-10-01T13:00:26Z",
    startTime: "2026-10-08T02:00:00Z",
    endDate: "2026-10-15T02:00:00Z",
    gameId: 10079774,
  };

  test("a market is read with its event, which gives the kick-off and the sport", async () => {
    const { market } = await read({
      events: [EVENT],
      tags: [{ slug: "mlb" }],
      sportsMarketType: "moneyline",
      gameStartTime: "2026-09-26 20:00:00+00",
    });
    expect(market).toMatchObject({
      event: {
        providerEventId: "4711",
        slug: "mil-sd",
        image: "https://img.test/e.png",
        seriesSlug: "mlb",
        tags: ["sports", "baseball"],
        startAt: new Date("2026-10-08T02:00:00Z"),
      },
      tags: ["mlb", "sports", "baseball"],
      category: "Baseball",
      marketType: "moneyline",
      gameId: "10079774",
      // The game was postponed: only the event has the new time, not the market's own field.
      gameStartAt: new Date("2026-10-08T02:00:00Z"),
    });
  });

  test("a stray game time does not turn a market into a game", async () => {
    expect((await read({ gameStartTime: "2026-05-08 20:00:00+00" })).market?.gameStartAt).toBeNull();
  });

  test("a market without tags gets its category from the old category field, or none", async () => {
    expect((await read({ category: "US-current-affairs" })).market?.category).toBe("Politics");
    expect((await read({})).market?.category).toBeNull();
  });

  test("both date formats, numbers and numeric strings are read, and empty values are null", async () => {
    const { market } = await read({
      closed: true,
      closedTime: "2026-04-05 19:37:33+00",
      endDate: "2026-04-05T21:10:00Z",
      createdAt: "",
      volume: "26458.188064999995",
      volume24hr: 25072.14,
      liquidity: null,
      liquidityNum: 4.6,
      umaResolutionStatus: "resolved",
    });
    expect(market).toMatchObject({
      conditionId: CONDITION,
      closedAt: new Date("2026-04-05T19:37:33Z"),
      endAt: new Date("2026-04-05T21:10:00Z"),
      createdAt: null,
      volumeUsd: "26458.188064999995",
      volume24hUsd: "25072.14",
      liquidityUsd: "4.6",
      resolutionStatus: "resolved",
      event: null,
    });
  });
});
