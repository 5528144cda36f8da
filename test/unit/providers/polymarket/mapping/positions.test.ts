import { describe, expect, test } from "vitest";
import { CONDITION, WALLET } from "../../../../support/providers/payloads.ts";
import { aScriptedProvider, dataPage, type NetworkStep } from "../../../../support/providers/scripted-provider.ts";

const row = {
  proxy_wallet: WALLET,
  condition_id: CONDITION,
  token_id: "1001",
  current_size: 28.09,
  total_size: 449.7,
  realized_pnl: -281.1088,
  unrealized_pnl: 1.264,
  redeemable: false,
};

describe("positions of a trader", () => {
  const read = async (facts: Record<string, unknown>) => {
    const { provider } = aScriptedProvider(dataPage([{ ...row, ...facts }]));
    return provider.listPositions(WALLET, "open", null);
  };

  test("a position row has shares and results in millionths", async () => {
    expect((await read({})).rows).toEqual([
      {
        conditionId: CONDITION,
        tokenId: "1001",
        openSharesMicro: 28_090_000n,
        boughtSharesMicro: 449_700_000n,
        realizedMicro: -281_108_800n,
        unrealizedMicro: 1_264_000n,
        isRedeemable: false,
      },
    ]);
  });

  test("missing values of a position row are null, not zero", async () => {
    const { rows } = await read({ total_size: null, realized_pnl: undefined, unrealized_pnl: "", redeemable: null });
    expect(rows).toMatchObject([
      { boughtSharesMicro: null, realizedMicro: null, unrealizedMicro: null, isRedeemable: null },
    ]);
  });

  test.each([
    ["of another wallet", { proxy_wallet: `0x${"9".repeat(40)}` }],
    ["without a token", { token_id: "" }],
    ["without a size", { current_size: null }],
    ["with a negative size", { current_size: -1 }],
    ["with a result that is not a number", { realized_pnl: "NaN" }],
    ["with a result beyond every column", { realized_pnl: "1e40" }],
  ])("a position row %s is quarantined", async (_, facts) => {
    const { rows, quarantined } = await read(facts);
    expect(rows).toEqual([]);
    expect(quarantined).toHaveLength(1);
  });

  test.each([
    ["open", { status: "OPEN", include_archived: "true" }],
    ["closed", { status: "CLOSED" }],
  ] as const)("every page of %s positions is requested with the same filters", async (state, filters) => {
    const { provider, sent } = aScriptedProvider(dataPage([], "next"), dataPage([]));
    expect((await provider.listPositions(WALLET, state, null)).nextCursor).toBe("next");
    await provider.listPositions(WALLET, state, "next");
    const queries = sent.map(({ url }) => Object.fromEntries(url.searchParams));
    const common = {
      user: WALLET,
      sort_by: "TIMESTAMP",
      sort_direction: "ASC",
      limit: "1000",
      _: expect.any(String),
      ...filters,
    };
    expect(queries).toEqual([common, { ...common, cursor: "next" }]);
  });
});

describe("a trader's row of the all-time leaderboard", () => {
  const read = async (data: unknown, step: NetworkStep = { json: { data } }) => {
    const { provider, sent } = aScriptedProvider(step);
    return { ...(await provider.findAllTimeStats(WALLET)), sent };
  };
  const leaderboardRow = {
    user_id: WALLET,
    pnl: 1105323.0494979997,
    volume: 9004713.962642,
    rank_pnl: 3,
    rank_volume: 22,
  };

  test("a leaderboard row has profit and shares to their last digit", async () => {
    const { rows, sent } = await read(leaderboardRow);
    expect(rows).toEqual([{ pnlUsd: "1105323.0494979997", volumeShares: "9004713.962642" }]);
    expect(Object.fromEntries(sent[0]?.url.searchParams ?? [])).toMatchObject({
      user: WALLET,
      time_period: "all",
      category: "overall",
    });
  });

  test.each([
    ["that is unknown", null],
    ["that is not ranked", { ...leaderboardRow, pnl: 0, volume: 0, rank_pnl: null, rank_volume: null }],
    ["without numbers", { ...leaderboardRow, pnl: null, volume: null }],
  ])("a trader %s has no leaderboard row", async (_, data) => {
    expect(await read(data)).toMatchObject({ rows: [], quarantined: [] });
  });

  test("a number without a rank is null beside a ranked number", async () => {
    expect((await read({ ...leaderboardRow, pnl: 0, rank_pnl: null })).rows).toEqual([
      { pnlUsd: null, volumeShares: "9004713.962642" },
    ]);
  });

  test.each([
    ["of another wallet", { ...leaderboardRow, user_id: `0x${"9".repeat(40)}` }],
    ["with a profit that is not a number", { ...leaderboardRow, pnl: "lots" }],
  ])("a leaderboard row %s is quarantined", async (_, data) => {
    expect(await read(data)).toMatchObject({ rows: [], quarantined: [{ reason: expect.any(String) }] });
  });
});
