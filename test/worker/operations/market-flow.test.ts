import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { outcomes } from "../../../src/db/schema.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { openApi, type ApiUnderTest } from "../../support/api-under-test.ts";
import { createTestDatabase } from "../../support/database.ts";
import { openFreshApi, refusalOf } from "../../support/fresh-api.ts";
import { aTakenTrade } from "../../support/seed/fills.ts";
import { theFillFeedWasRead, theTradeFeedWasRead } from "../../support/seed/large-trades.ts";
import { aMarket, type Market } from "../../support/seed/markets.ts";
import { aPosition } from "../../support/seed/positions.ts";
import { aWallet, type Wallet } from "../../support/seed/wallets.ts";

let api: ApiUnderTest;
let db: Database;
let market: Market;
beforeEach(async () => {
  ({ api, db } = await openFreshApi());
  market = await aMarket(db, { title: "Will it rain?", slug: "rain", category: "Climate" });
  await theTradeFeedWasRead(db, new Date());
});

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const traded = async (facts: Partial<Parameters<typeof aTakenTrade>[1]> & { hours?: number }) => {
  const { hours = 1, ...rest } = facts;
  await aTakenTrade(db, { market, wallet: rest.wallet ?? (await aWallet(db)), at: hoursAgo(hours), ...rest });
};
const flowOf = async (query = "") => (await api.get(`/api/v1/market/mkt_${market.id}/flow${query}`)).body.data;

describe("the flow", () => {
  test("buying YES and selling NO add, buying NO and selling YES subtract, of graded and ungraded wallets", async () => {
    await traded({ shares: 100, price: "0.25", wallet: await aWallet(db, { grade: "S" }) });
    await traded({ shares: 100, price: "0.5", outcome: 1, side: "SELL" });
    await traded({ shares: 1000, price: "0.75", outcome: 1 });
    await traded({ shares: 10, price: "0.3", side: "SELL", wallet: await aWallet(db, { grade: "F" }) });
    const sharp = {
      // 25 + 50 - 750 - 3.
      net_flow_usd: -678,
      direction: "NO",
      token_id: market.outcomes[1].tokenId,
      large_trade_count: 4,
      whale_trade_count: 4,
      buy_volume_usd: 775,
      sell_volume_usd: 53,
      top_positions: [],
      oldest_snapshot_as_of: null,
    };
    expect(await flowOf()).toEqual({
      market: {
        id: `mkt_${market.id}`,
        condition_id: market.conditionId,
        title: "Will it rain?",
        slug: "rain",
        category: "Climate",
        platform: "polymarket",
      },
      sharp_money: sharp,
      smart_money: sharp,
      timeframe: "24h",
    });
  });

  test.each([
    ["1h", 1],
    ["4h", 2],
    ["24h", 3],
    ["7d", 4],
  ])("of %s counts trades up to that old", async (timeframe, count) => {
    for (const hours of [0.9, 3.9, 23.9, 167.9, 168.1]) await traded({ hours });
    expect(await flowOf(`?timeframe=${timeframe}`)).toMatchObject({ timeframe, sharp_money: { large_trade_count: count } });
  });

  test("of a market without large trades is a known 0, on the YES side by tie-break", async () => {
    expect((await flowOf()).sharp_money).toMatchObject({
      net_flow_usd: 0,
      direction: "YES",
      token_id: market.outcomes[0].tokenId,
      large_trade_count: 0,
    });
  });

  test("below zero by less than a cent is NO, and 0 to the cent", async () => {
    await traded({ shares: 0.01, price: "0.1", outcome: 1 });
    const { net_flow_usd, direction } = (await flowOf()).sharp_money;
    expect([Object.is(net_flow_usd, 0), direction]).toEqual([true, "NO"]);
  });

  test("while no trade feed has been read is not known: 503", async () => {
    const fresh = await openFreshApi();
    const { id, conditionId } = await aMarket(fresh.db);
    expect(refusalOf(await fresh.api.get(`/api/v1/market/mkt_${id}/flow`))).toMatchObject({ status: 503, reason: "read_model_warming" });
    const posted = await fresh.api.post("/api/v1/markets/flow/batch", { condition_ids: [conditionId] });
    expect(refusalOf(posted)).toMatchObject({ status: 503, reason: "read_model_warming" });
  });

  test("of a window that began after the feeds were last read is not known: 503", async () => {
    const stale = await openFreshApi();
    const { id, conditionId } = await aMarket(stale.db);
    await theTradeFeedWasRead(stale.db, new Date(hoursAgo(2)));
    // Large trades come from the takers' feed alone.
    await theFillFeedWasRead(stale.db, new Date());
    const get = (timeframe: string) => stale.api.get(`/api/v1/market/mkt_${id}/flow?timeframe=${timeframe}`);
    const post = (timeframe: string) => stale.api.post("/api/v1/markets/flow/batch", { condition_ids: [conditionId], timeframe });
    for (const ask of [get, post]) {
      expect(refusalOf(await ask("1h"))).toMatchObject({ status: 503, reason: "read_model_warming" });
      expect((await ask("4h")).status).toBe(200);
    }
  });

  test("of a market of three outcomes has no sides, and is not said to be 0: 404, in a batch of that item", async () => {
    await traded({ shares: 100 });
    await db.insert(outcomes).values({ marketId: market.id, tokenId: "3", outcomeIndex: 2 });
    expect(refusalOf(await api.get(`/api/v1/market/mkt_${market.id}/flow`))).toMatchObject({ status: 404, param: "condition_id" });
    const { body } = await api.post("/api/v1/markets/flow/batch", { condition_ids: [market.conditionId] });
    expect(body.data).toMatchObject([{ index: 0, status: "error", error: { code: "not_found" } }]);
  });

  test("a market whose title has not been read is named by its slug or condition id", async () => {
    market = await aMarket(db, { title: null, slug: null }, [{ outcomeIndex: null }, { outcomeIndex: null }]);
    expect(await flowOf()).toMatchObject({
      market: { title: market.conditionId, slug: null, category: null },
      sharp_money: { token_id: null },
    });
  });
});

describe("top positions", () => {
  const SYNCED = new Date("2026-11-20T12:00:00Z");
  const holder = (grade: string | null, facts = {}) => aWallet(db, { grade, completeAt: SYNCED, ...facts });
  const held = (wallet: Wallet, valueMicro: bigint | null, facts = {}) =>
    // At a dollar a share.
    aPosition(db, { wallet, market, sharesMicro: valueMicro ?? 1_000_000n, valueMicro, ...facts });

  test("are the five most valuable of graded wallets, outcome by outcome, with the oldest sync behind them", async () => {
    const old = await holder("F", { completeAt: new Date("2026-11-19T00:00:00Z"), username: "Known" });
    const both = await holder("S");
    await held(both, 9_999_999n);
    await held(both, 70_000_000n, { outcome: 1 });
    await held(old, 30_000_000n);
    for (const value of [20_000_000n, 15_000_000n, 5_000_000n]) await held(await holder("B"), value);
    const { top_positions: top, oldest_snapshot_as_of } = (await flowOf()).sharp_money;
    expect(top.map((position: { size_usd: number; side: string }) => [position.size_usd, position.side])).toEqual([
      [70, "NO"],
      [30, "YES"],
      [20, "YES"],
      [15, "YES"],
      [9.99, "YES"],
    ]);
    expect(top[1]).toEqual({
      id: `pos_${old.address}:${market.conditionId}:0`,
      address: old.address,
      username: "Known",
      grade: "F",
      side: "YES",
      token_id: market.outcomes[0].tokenId,
      size_usd: 30,
    });
    expect(oldest_snapshot_as_of).toBe("2026-11-19T00:00:00.000Z");
  });

  test("leave out who is ungraded or known in part, what is sold or settled or has no price, and other markets", async () => {
    await held(await holder(null), 1_000_000n);
    await held(await holder("A", { completeAt: null, followed: true }), 1_000_000n);
    await held(await holder("A", { gaps: ["CONVERSION"] }), 1_000_000n);
    await held(await holder("A"), null);
    await held(await holder("A"), 0n, { sharesMicro: 0n });
    await held(await holder("A"), 1_000_000n, { settledMicro: 1n });
    await aPosition(db, { wallet: await holder("A"), market: await aMarket(db), sharesMicro: 1n, valueMicro: 1_000_000n });
    expect((await flowOf()).sharp_money).toMatchObject({ top_positions: [], oldest_snapshot_as_of: null });
  });
});

describe("intel, the old spelling", () => {
  test("says the same under its own name, and where it has gone", async () => {
    await traded({ shares: 100 });
    const answer = await api.get(`/api/v1/market/mkt_${market.id}/intel?timeframe=7d`);
    expect(answer.body).toMatchObject({ object: "market_intel", data: await flowOf("?timeframe=7d") });
    expect(answer.headers.get("deprecation")).toMatch(/^@\d+$/);
    expect(answer.headers.get("sunset")).toMatch(/GMT$/);
    expect(answer.headers.get("link")).toBe(`</api/v1/market/mkt_${market.id}/flow>; rel="successor-version"`);
  });

  test("its batch too", async () => {
    const answer = await api.post("/api/v1/markets/intel/batch", { condition_ids: [market.conditionId] });
    expect(answer.body).toMatchObject({ object: "market_intel_batch", data: [{ index: 0, status: "ok", data: await flowOf() }] });
    expect(answer.headers.get("link")).toBe('</api/v1/markets/flow/batch>; rel="successor-version"');
  });
});

describe("a batch", () => {
  const post = (body: unknown) => api.post("/api/v1/markets/flow/batch", body);

  test("answers in order, duplicates too; an item that fails leaves the others alone", async () => {
    const unknown = `0x${"9".repeat(64)}`;
    const upper = market.conditionId.toUpperCase().replace("0X", "0x");
    const second = await aMarket(db);
    const sent = [second.conditionId, "nonsense", market.conditionId, unknown, `mkt_${market.id}`, upper, market.conditionId];
    const { status, body } = await post({ condition_ids: sent, timeframe: "4h" });
    expect({ status, object: body.object }).toEqual({ status: 200, object: "market_flow_batch" });
    const own = await flowOf("?timeframe=4h");
    const failed = (code: string) => ({
      status: "error",
      error: { code, message: expect.any(String), doc_url: expect.any(String), param: "condition_ids" },
    });
    const outcome = [
      { status: "ok", data: expect.objectContaining({ timeframe: "4h" }) },
      failed("bad_request"),
      { status: "ok", data: own },
      failed("not_found"),
      failed("bad_request"),
      { status: "ok", data: own },
      { status: "ok", data: own },
    ];
    expect(body.data).toEqual(outcome.map((one, index) => ({ index, input: sent[index], ...one })));
    expect(body.data[0].data.market.condition_id).toBe(second.conditionId);
    expect(body.meta).toMatchObject({ total_items: 7, successful_items: 4, failed_items: 3, request_cost: 7 });
    expect(body.meta.rate_limit).toMatchObject({ basis: "batch_items_per_minute" });
    expect(body.meta).not.toHaveProperty("cost");
  });

  test("without a timeframe is of 24 hours", async () => {
    expect((await post({ condition_ids: [market.conditionId] })).body.data[0].data.timeframe).toBe("24h");
  });

  test.each([
    { body: { condition_ids: [] }, param: "condition_ids" },
    { body: { condition_ids: Array.from({ length: 26 }, () => "x") }, param: "condition_ids" },
    { body: { condition_ids: [1] }, param: "condition_ids[0]" },
    { body: { condition_ids: ["x"], timeframe: "2h" }, param: "timeframe" },
    { body: {}, param: "condition_ids" },
  ])("$body is no batch: $param", async ({ body, param }) => {
    expect(refusalOf(await post(body))).toEqual({ status: 400, reason: "invalid_body", param });
  });

  test("of twenty-five items takes as many statements as one of one", async () => {
    let statements = 0;
    const { db: plain } = await createTestDatabase();
    const { conditionId } = await aMarket(plain);
    await theTradeFeedWasRead(plain, new Date());
    const counting: Database = new Proxy(plain, {
      get(target, name, receiver) {
        if (name === "execute") statements++;
        return Reflect.get(target, name, receiver);
      },
    });
    const counted = await openApi(counting, OPERATIONS);
    const count = async (condition_ids: string[]) => {
      statements = 0;
      const { body } = await counted.post("/api/v1/markets/flow/batch", { condition_ids });
      expect(body.meta.total_items).toBe(condition_ids.length);
      return statements;
    };
    const many = [...Array.from({ length: 24 }, (_, n) => `0x${String(n).repeat(64).slice(0, 64)}`), conditionId];
    const one = await count([conditionId]);
    expect(one).toBeGreaterThan(0);
    expect(await count(many)).toBe(one);
  });
});

test.each(["trd_1", "wt_1", "rf_1", "x"])("%s is no market's id: bad_request", async (ref) => {
  for (const name of ["flow", "intel"]) {
    expect(refusalOf(await api.get(`/api/v1/market/${ref}/${name}`))).toEqual({ status: 400, reason: undefined, param: "condition_id" });
  }
});

test("an unknown market is 404, and an unknown timeframe 400", async () => {
  expect(refusalOf(await api.get("/api/v1/market/mkt_99999/flow"))).toMatchObject({ status: 404, param: "condition_id" });
  expect(refusalOf(await api.get(`/api/v1/market/mkt_${market.id}/flow?timeframe=2h`))).toMatchObject({ status: 400, param: "timeframe" });
});
