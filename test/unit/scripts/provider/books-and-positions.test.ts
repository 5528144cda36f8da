import { describe, expect, test } from "vitest";
import { CONDITION, WALLET, aReplay, anEndpoint, getJson } from "./recordings.ts";

const NOW = Date.parse("2026-11-18T20:04:00Z");

describe("CLOB reads of the simulation", () => {
  async function aMarket(closed: boolean) {
    const endpoint = await anEndpoint({ kind: "simulate", seed: 7, now: () => NOW });
    const { body } = await getJson(`${endpoint.gammaUrl}/markets/keyset?limit=1&order=volume24hr&closed=${closed}`);
    const [market] = body.markets;
    return { ...endpoint, market, tokens: JSON.parse(market.clobTokenIds) as string[] };
  }

  test("the best level is last on both sides, and Gamma shows the same top for outcome 0", async () => {
    const { clobUrl, tokens, market } = await aMarket(false);
    const { body } = await getJson(`${clobUrl}/book?token_id=${tokens[0]}`);
    const prices = (levels: any[]) => levels.map((level) => Number(level.price));
    const bids = prices(body.bids);
    const asks = prices(body.asks);
    expect(bids).toEqual([...bids].sort((a, b) => a - b));
    expect(asks).toEqual([...asks].sort((a, b) => b - a));
    expect(bids.at(-1)).toBeLessThan(asks.at(-1) ?? 0);
    expect([bids.at(-1), asks.at(-1)]).toEqual([market.bestBid, market.bestAsk]);
    expect((await getJson(`${clobUrl}/price?token_id=${tokens[0]}&side=BUY`)).body).toEqual({ price: body.bids.at(-1).price });
    expect((await getJson(`${clobUrl}/price?token_id=${tokens[0]}&side=SELL`)).body).toEqual({ price: body.asks.at(-1).price });
  });

  test("several books come for a flat array, unknown ids left out; a wrapper object gets an empty list", async () => {
    const { clobUrl, tokens } = await aMarket(false);
    const post = (body: unknown) => getJson(`${clobUrl}/books`, { method: "POST", body: JSON.stringify(body) });
    const { body } = await post([{ token_id: tokens[0] }, { token_id: "12345" }, { token_id: tokens[1] }]);
    expect(body.map((book: any) => book.asset_id)).toEqual(tokens);
    expect((await post({ params: [{ token_id: tokens[0] }] })).body).toEqual([]);
  });

  test("a closed market has no book but its last price, and its token's history ends with the settlement", async () => {
    const { clobUrl, dataUrl, market, tokens } = await aMarket(true);
    expect((await fetch(`${clobUrl}/book?token_id=${tokens[0]}`)).status).toBe(404);
    const { body } = await getJson(`${dataUrl}/v2/prices-history?token_id=${tokens[0]}&interval=max`);
    const settled = Number(JSON.parse(market.outcomePrices)[0]);
    expect(body.data.at(-1)).toMatchObject({ price: settled, resolution_seconds: 0 });
    expect(body.data[0].resolution_seconds).toBe(43_200);
  });

  test("a token without a trade has the price 0.5 and no side; a history needs exactly one bound", async () => {
    const { clobUrl, dataUrl, tokens } = await aMarket(false);
    expect((await getJson(`${clobUrl}/last-trade-price?token_id=12345`)).body).toEqual({ price: "0.5", side: "" });
    expect((await fetch(`${dataUrl}/v2/prices-history?token_id=${tokens[0]}`)).status).toBe(400);
    expect((await fetch(`${dataUrl}/v2/prices-history?token_id=${tokens[0]}&start=1&interval=1d`)).status).toBe(400);
  });
});

describe("recorded v1 positions", () => {
  const names = { title: "Will it rain?", slug: "rain", icon: "", eventSlug: "rain", outcome: "No", oppositeOutcome: "Yes" };
  const place = { proxyWallet: WALLET, asset: "222", oppositeAsset: "111", conditionId: CONDITION, outcomeIndex: 1 };
  const open = {
    ...names,
    ...place,
    size: 200,
    avgPrice: 0.669995,
    totalBought: 300,
    realizedPnl: 12.5,
    curPrice: 0.75,
    redeemable: false,
  };
  const closed = { ...names, ...place, avgPrice: 0.25, totalBought: 40, realizedPnl: 30, curPrice: 1, timestamp: 1_760_000_000 };

  test("an open one has today's names, its average truncated to four decimals and its cost from the whole average", async () => {
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
    expect((await getJson(`${dataUrl}/v2/value?user=${WALLET}`)).body.data).toEqual({ proxy_wallet: WALLET, value: 150 });
  });

  test("a closed one is found by status CLOSED alone", async () => {
    const { dataUrl } = await aReplay({ "p.json": [closed] });
    expect((await getJson(`${dataUrl}/v2/positions?user=${WALLET}&limit=10`)).body.data).toEqual([]);
    const { body } = await getJson(`${dataUrl}/v2/positions?user=${WALLET}&limit=10&status=CLOSED`);
    expect(body.data[0]).toMatchObject({ realized_pnl: 30, current_size: 0, status: "CLOSED", last_event_at: 1_760_000_000 });
  });

  test("without a user exactly one condition must be named", async () => {
    const { dataUrl } = await aReplay({ "p.json": [open] });
    expect((await getJson(`${dataUrl}/v2/positions?limit=1`)).status).toBe(400);
  });
});

test("a leaderboard file is served for the window its name tells, best profit first, and not at all without one", async () => {
  const row = (rank: number, pnl: number) => ({
    rank: String(rank),
    proxyWallet: `0x${String(rank).padStart(40, "0")}`,
    userName: `w${rank}`,
    vol: 10 * rank,
    pnl,
  });
  const files = { "board.month-pnl.2026-07-15.json": [row(1, 9.5), row(2, 7)], "other.json": [row(3, 99)] };
  const { dataUrl, describe: tell } = await aReplay(files);
  const { body } = await getJson(`${dataUrl}/v2/leaderboard?time_period=month&sort_by=PNL&limit=10`);
  expect(body.data.map((one: any) => [one.rank, one.user_name, one.pnl, one.volume])).toEqual([
    [1, "w1", 9.5, 10],
    [2, "w2", 7, 20],
  ]);
  expect((await getJson(`${dataUrl}/v2/leaderboard?time_period=week`)).body.data).toEqual([]);
  expect(tell()).toContain("other.json");
});
