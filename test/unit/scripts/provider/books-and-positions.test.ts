import { describe, expect, test } from "vitest";
import { CONDITION, WALLET, aReplay, getJson } from "./provider-recordings.ts";

describe("recorded v1 positions", () => {
  const names = {
    title: "Will it rain?",
    slug: "rain",
    icon: "",
    eventSlug: "rain",
    outcome: "No",
    oppositeOutcome: "Yes",
  };
  const ids = { proxyWallet: WALLET, asset: "222", oppositeAsset: "111", conditionId: CONDITION, outcomeIndex: 1 };
  const open = {
    ...names,
    ...ids,
    size: 200,
    avgPrice: 0.669995,
    totalBought: 300,
    realizedPnl: 12.5,
    curPrice: 0.75,
    redeemable: false,
  };
  const closed = {
    ...names,
    ...ids,
    avgPrice: 0.25,
    totalBought: 40,
    realizedPnl: 30,
    curPrice: 1,
    timestamp: 1_760_000_000,
  };

  test("a recorded open position has today's field names, a truncated average price and its exact cost", async () => {
    const { dataUrl } = await aReplay({ "p.json": [open] });
    const { body } = await getJson(`${dataUrl}/v2/positions?user=${WALLET}&limit=10`);
    // 200 x 0.669995 = 133.999 and 200 x 0.75 = 150.
    expect(body.data[0]).toMatchObject({
      token_id: "222",
      opposite_token_id: "111",
      current_size: 200,
      avg_price: 0.6699,
      entry_cost_usdc: 133.999,
      current_value: 150,
      total_size: 300,
      realized_pnl: 12.5,
      unrealized_pnl: 16.001,
      total_pnl: 28.501,
      status: "OPEN",
    });
    expect((await getJson(`${dataUrl}/v2/value?user=${WALLET}`)).body.data).toEqual({
      proxy_wallet: WALLET,
      value: 150,
    });
  });

  test("a recorded closed position is only found by the status CLOSED", async () => {
    const { dataUrl } = await aReplay({ "p.json": [closed] });
    expect((await getJson(`${dataUrl}/v2/positions?user=${WALLET}&limit=10`)).body.data).toEqual([]);
    const { body } = await getJson(`${dataUrl}/v2/positions?user=${WALLET}&limit=10&status=CLOSED`);
    expect(body.data[0]).toMatchObject({
      realized_pnl: 30,
      current_size: 0,
      status: "CLOSED",
      last_event_at: 1_760_000_000,
    });
  });

  test("positions without a user need exactly one condition", async () => {
    const { dataUrl } = await aReplay({ "p.json": [open] });
    expect((await getJson(`${dataUrl}/v2/positions?limit=1`)).status).toBe(400);
  });
});

test("a leaderboard file is served for the window in its name, best profit first, and not served without one", async () => {
  const row = (rank: number, pnl: number) => ({
    rank: String(rank),
    proxyWallet: `0x${String(rank).padStart(40, "0")}`,
    userName: `w${rank}`,
    vol: 10 * rank,
    pnl,
  });
  const files = { "board.month-pnl.2026-07-15.json": [row(1, 9.5), row(2, 7)], "other.json": [row(3, 99)] };
  const { dataUrl, describe: describeProvider } = await aReplay(files);
  const { body } = await getJson(`${dataUrl}/v2/leaderboard?time_period=month&sort_by=PNL&limit=10`);
  expect(body.data.map((one: any) => [one.rank, one.user_name, one.pnl, one.volume])).toEqual([
    [1, "w1", 9.5, 10],
    [2, "w2", 7, 20],
  ]);
  expect((await getJson(`${dataUrl}/v2/leaderboard?time_period=week`)).body.data).toEqual([]);
  expect(describeProvider()).toContain("other.json");
});
