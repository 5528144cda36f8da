import { describe, expect, test } from "vitest";
import { CONDITION, WALLET } from "../../../../support/providers/payloads.ts";
import { aScriptedProvider, dataPage } from "../../../../support/providers/scripted-provider.ts";

describe("resolutions", () => {
  async function read(facts: Record<string, unknown>) {
    const { provider } = aScriptedProvider({
      json: { data: [{ condition_id: CONDITION, status: "resolved", ...facts }] },
    });
    return provider.findResolutions([CONDITION]);
  }

  test.each([[[1_000_000, 0]], [[500_000, 500_000]], [[333_333, 333_333, 333_334]]])(
    "a resolution with the payouts %j is read",
    async (payouts) => {
      const { rows } = await read({ payouts, resolved_at: "2026-09-09T21:19:19Z" });
      expect(rows).toEqual([
        {
          conditionId: CONDITION,
          status: "resolved",
          payoutsPpm: payouts,
          resolvedAt: new Date("2026-09-09T21:19:19Z"),
          expectedAt: null,
        },
      ]);
    },
  );

  test.each([[[1_000_000, 1_000_000]], [[0, 0]], [[-1, 1_000_001]], [["1000000", "0"]]])(
    "a resolution with the invalid payouts %j is quarantined",
    async (payouts) => {
      const { rows, quarantined } = await read({ payouts });
      expect(rows).toEqual([]);
      expect(quarantined).toHaveLength(1);
    },
  );

  test("a disputed question has no payouts, whatever was proposed", async () => {
    const { rows } = await read({ status: "disputed", payouts: [1_000_000, 0], resolved_at: "" });
    expect(rows).toEqual([
      { conditionId: CONDITION, status: "disputed", payoutsPpm: null, resolvedAt: null, expectedAt: null },
    ]);
  });

  test.each([
    ["2026-09-09T21:19:19Z", new Date("2026-09-09T21:19:19Z")],
    ["", null],
    ["soon", null],
  ])("an expected settlement time %j is read as a time or as unknown", async (expected_settlement_time, expectedAt) => {
    const { rows } = await read({ status: "proposed", expected_settlement_time });
    expect(rows).toMatchObject([{ status: "proposed", expectedAt }]);
  });

  test("a resolved question has no expected settlement time", async () => {
    const { rows } = await read({ payouts: [0, 1_000_000], expected_settlement_time: "2026-09-09T21:19:19Z" });
    expect(rows).toMatchObject([{ expectedAt: null }]);
  });
});

describe("order books", () => {
  const book = { asset_id: "1001", timestamp: "1728799418260", bids: [], asks: [], last_trade_price: "" };

  async function read(facts: Record<string, unknown>) {
    const { provider } = aScriptedProvider({ json: [{ ...book, ...facts }] });
    return (await provider.findBooks(["1001"])).rows[0];
  }

  test("the best levels of a book are chosen by price, with the dollars of their orders", async () => {
    const bids = [
      { price: "0.1", size: "125" },
      { price: "0.09", size: "294" },
      { price: "0.11", size: "0" },
    ];
    const asks = [
      { price: "0.98", size: "5000" },
      { price: "0.14", size: "705" },
    ];
    expect(await read({ bids, asks, last_trade_price: "0.12" })).toEqual({
      tokenId: "1001",
      bestBid: "0.1",
      bestAsk: "0.14",
      bidDepthUsd: "12.500000",
      askDepthUsd: "98.700000",
      lastTradePrice: "0.12",
      asOf: new Date(1_728_799_418_260),
    });
  });

  test("an empty side of a book is null, not 0", async () => {
    expect(await read({})).toMatchObject({
      bestBid: null,
      bidDepthUsd: null,
      bestAsk: null,
      askDepthUsd: null,
      lastTradePrice: null,
    });
  });
});

describe("the leaderboard of the provider", () => {
  const row = (rank: number) => ({ rank, user_id: WALLET, user_name: "", pnl: -12.5, volume: null, profile_image: "" });

  test("a loss on the leaderboard keeps its sign, and a missing volume is null", async () => {
    const { provider } = aScriptedProvider(dataPage([row(1)]));
    expect((await provider.listLeaderboard("week", 10)).rows).toEqual([
      { trader: { address: WALLET, username: null, profileImage: null }, rank: 1, pnlUsd: "-12.5", volumeShares: null },
    ]);
  });

  test("the leaderboard is read in as many pages as the limit needs and truncated to the limit", async () => {
    const { provider, sent } = aScriptedProvider(dataPage([row(1), row(2)], "b"), dataPage([row(3), row(4)], "c"));
    expect((await provider.listLeaderboard("month", 3)).rows.map(({ rank }) => rank)).toEqual([1, 2, 3]);
    expect(sent.map(({ url }) => [url.searchParams.get("time_period"), url.searchParams.get("cursor")])).toEqual([
      ["month", null],
      ["month", "b"],
    ]);
  });
});

test("the serving lag of the Data API is read in seconds", async () => {
  const { provider } = aScriptedProvider({
    json: { data: { computed_at: "2026-09-14T10:24:36Z", serving: { lag_seconds: 4, worst: "activity_feed" } } },
  });
  expect(await provider.getServingLag()).toBe(4);
});
