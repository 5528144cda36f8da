import { describe, expect, test } from "vitest";
import { CONDITION, WALLET } from "../../../../support/providers/payloads.ts";
import { aScriptedProvider, page, type Step } from "../../../../support/providers/scripted-provider.ts";

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

describe("positions of a wallet", () => {
  const read = async (facts: Record<string, unknown>) => {
    const { provider } = aScriptedProvider(page([{ ...row, ...facts }]));
    return provider.listPositions(WALLET, "open", null);
  };

  test("shares and results in millionths", async () => {
    expect((await read({})).rows).toEqual([
      {
        conditionId: CONDITION,
        tokenId: "1001",
        heldSharesMicro: 28_090_000n,
        boughtSharesMicro: 449_700_000n,
        realizedMicro: -281_108_800n,
        unrealizedMicro: 1_264_000n,
        isRedeemable: false,
      },
    ]);
  });

  test("what is not told is unknown, not zero", async () => {
    const { rows } = await read({ total_size: null, realized_pnl: undefined, unrealized_pnl: "", redeemable: null });
    expect(rows).toMatchObject([{ boughtSharesMicro: null, realizedMicro: null, unrealizedMicro: null, isRedeemable: null }]);
  });

  test.each([
    ["another wallet's", { proxy_wallet: `0x${"9".repeat(40)}` }],
    ["without a token", { token_id: "" }],
    ["without a size", { current_size: null }],
    ["with a size below nothing", { current_size: -1 }],
    ["with a result that is no number", { realized_pnl: "NaN" }],
    ["with a result that nothing can hold", { realized_pnl: "1e40" }],
  ])("a row %s is set aside", async (_, facts) => {
    const { rows, misfits } = await read(facts);
    expect(rows).toEqual([]);
    expect(misfits).toHaveLength(1);
  });

  test.each([
    ["open", { status: "OPEN", include_archived: "true" }],
    ["closed", { status: "CLOSED" }],
  ] as const)("the %s ones are asked for, every page with the same filters", async (state, filters) => {
    const { provider, sent } = aScriptedProvider(page([], "next"), page([]));
    expect((await provider.listPositions(WALLET, state, null)).nextCursor).toBe("next");
    await provider.listPositions(WALLET, state, "next");
    const queries = sent.map(({ url }) => Object.fromEntries(url.searchParams));
    const common = { user: WALLET, sort_by: "TIMESTAMP", sort_direction: "ASC", limit: "1000", _: expect.any(String), ...filters };
    expect(queries).toEqual([common, { ...common, cursor: "next" }]);
  });
});

describe("a wallet's standing on the all-time board", () => {
  const read = async (data: unknown, step: Step = { json: { data } }) => {
    const { provider, sent } = aScriptedProvider(step);
    return { ...(await provider.findStanding(WALLET)), sent };
  };
  const standing = { user_id: WALLET, pnl: 1105323.0494979997, volume: 9004713.962642, rank_pnl: 3, rank_volume: 22 };

  test("profit and shares to their last digit", async () => {
    const { rows, sent } = await read(standing);
    expect(rows).toEqual([{ pnlUsd: "1105323.0494979997", volumeShares: "9004713.962642" }]);
    expect(Object.fromEntries(sent[0]?.url.searchParams ?? [])).toMatchObject({ user: WALLET, time_period: "all", category: "overall" });
  });

  test.each([
    ["nobody knows", null],
    ["nobody ranks", { ...standing, pnl: 0, volume: 0, rank_pnl: null, rank_volume: null }],
    ["without figures", { ...standing, pnl: null, volume: null }],
  ])("of a wallet %s there is none", async (_, data) => {
    expect(await read(data)).toMatchObject({ rows: [], misfits: [] });
  });

  test("a figure without a place is none beside one that has", async () => {
    expect((await read({ ...standing, pnl: 0, rank_pnl: null })).rows).toEqual([{ pnlUsd: null, volumeShares: "9004713.962642" }]);
  });

  test.each([
    ["of another wallet", { ...standing, user_id: `0x${"9".repeat(40)}` }],
    ["that is no number", { ...standing, pnl: "lots" }],
  ])("a standing %s is set aside", async (_, data) => {
    expect(await read(data)).toMatchObject({ rows: [], misfits: [{ reason: expect.any(String) }] });
  });
});
