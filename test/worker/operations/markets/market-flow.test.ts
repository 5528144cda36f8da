import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { outcomes } from "../../../../src/db/schema.ts";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import { openApi, type ApiUnderTest } from "../../../support/api/api-under-test.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { aTakerTrade } from "../../../support/seed/fills.ts";
import { theFillFeedWasRead, theTradeFeedWasRead } from "../../../support/seed/large-trades.ts";
import { aMarket, type SeededMarket } from "../../../support/seed/markets.ts";
import { aPosition } from "../../../support/seed/traders/positions.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

let api: ApiUnderTest;
let db: Database;
let market: SeededMarket;
beforeEach(async () => {
  ({ api, db } = await openFreshApi());
  market = await aMarket(db, { title: "Will it rain?", slug: "rain", category: "Climate" });
  await theTradeFeedWasRead(db, new Date());
});

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const traded = async (facts: Partial<Parameters<typeof aTakerTrade>[1]> & { hours?: number }) => {
  const { hours = 1, ...rest } = facts;
  await aTakerTrade(db, { market, trader: rest.trader ?? (await aSeededTrader(db)), at: hoursAgo(hours), ...rest });
};
const flowOf = async (query = "") => (await api.get(`/api/v1/market/mkt_${market.id}/flow${query}`)).body.data;

describe("market flow", () => {
  test("buying YES and selling NO add to the flow, the reverse subtracts, for all traders", async () => {
    await traded({ shares: 100, price: "0.25", trader: await aSeededTrader(db, { grade: "S" }) });
    await traded({ shares: 100, price: "0.5", outcome: 1, side: "SELL" });
    await traded({ shares: 1000, price: "0.75", outcome: 1 });
    await traded({ shares: 10, price: "0.3", side: "SELL", trader: await aSeededTrader(db, { grade: "F" }) });
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
  ])("a flow of %s counts trades of that age only", async (timeframe, count) => {
    for (const hours of [0.9, 3.9, 23.9, 167.9, 168.1]) await traded({ hours });
    expect(await flowOf(`?timeframe=${timeframe}`)).toMatchObject({
      timeframe,
      sharp_money: { large_trade_count: count },
    });
  });

  test("a market without large trades has a flow of 0 on the YES side", async () => {
    expect((await flowOf()).sharp_money).toMatchObject({
      net_flow_usd: 0,
      direction: "YES",
      token_id: market.outcomes[0].tokenId,
      large_trade_count: 0,
    });
  });

  test("a negative flow of less than a cent is shown as 0 on the NO side", async () => {
    await traded({ shares: 0.01, price: "0.1", outcome: 1 });
    const { net_flow_usd, direction } = (await flowOf()).sharp_money;
    expect([Object.is(net_flow_usd, 0), direction]).toEqual([true, "NO"]);
  });

  test("the flow returns 503 before the trade feed has been read", async () => {
    const fresh = await openFreshApi();
    const { id, conditionId } = await aMarket(fresh.db);
    expect(errorOf(await fresh.api.get(`/api/v1/market/mkt_${id}/flow`))).toMatchObject({
      status: 503,
      reason: "read_model_warming",
    });
    const posted = await fresh.api.post("/api/v1/markets/flow/batch", { condition_ids: [conditionId] });
    expect(errorOf(posted)).toMatchObject({ status: 503, reason: "read_model_warming" });
  });

  test("the flow returns 503 when its window begins after the last read of the takers feed", async () => {
    const stale = await openFreshApi();
    const { id, conditionId } = await aMarket(stale.db);
    await theTradeFeedWasRead(stale.db, new Date(hoursAgo(2)));
    // Large trades come from the takers feed only.
    await theFillFeedWasRead(stale.db, new Date());
    const get = (timeframe: string) => stale.api.get(`/api/v1/market/mkt_${id}/flow?timeframe=${timeframe}`);
    const post = (timeframe: string) =>
      stale.api.post("/api/v1/markets/flow/batch", { condition_ids: [conditionId], timeframe });
    for (const send of [get, post]) {
      expect(errorOf(await send("1h"))).toMatchObject({ status: 503, reason: "read_model_warming" });
      expect((await send("4h")).status).toBe(200);
    }
  });

  test("a market of three outcomes returns 404, and in a batch an error of its item", async () => {
    await traded({ shares: 100 });
    await db.insert(outcomes).values({ marketId: market.id, tokenId: "3", outcomeIndex: 2 });
    expect(errorOf(await api.get(`/api/v1/market/mkt_${market.id}/flow`))).toMatchObject({
      status: 404,
      param: "condition_id",
    });
    const { body } = await api.post("/api/v1/markets/flow/batch", { condition_ids: [market.conditionId] });
    expect(body.data).toMatchObject([{ index: 0, status: "error", error: { code: "not_found" } }]);
  });

  test("a market without a title is named by its slug or condition id", async () => {
    market = await aMarket(db, { title: null, slug: null }, [{ outcomeIndex: null }, { outcomeIndex: null }]);
    expect(await flowOf()).toMatchObject({
      market: { title: market.conditionId, slug: null, category: null },
      sharp_money: { token_id: null },
    });
  });
});

describe("top positions", () => {
  const SYNCED = new Date("2026-11-20T12:00:00Z");
  const holder = (grade: string | null, facts = {}) => aSeededTrader(db, { grade, completeAt: SYNCED, ...facts });
  const hold = (wallet: SeededTrader, valueMicro: bigint | null, facts = {}) =>
    // At a price of one dollar a share.
    aPosition(db, { trader: wallet, market, sharesMicro: valueMicro ?? 1_000_000n, valueMicro, ...facts });

  test("the top positions are the five most valuable of graded traders, per outcome, with their oldest sync time", async () => {
    const old = await holder("F", { completeAt: new Date("2026-11-19T00:00:00Z"), username: "Known" });
    const both = await holder("S");
    await hold(both, 9_999_999n);
    await hold(both, 70_000_000n, { outcome: 1 });
    await hold(old, 30_000_000n);
    for (const value of [20_000_000n, 15_000_000n, 5_000_000n]) await hold(await holder("B"), value);
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

  test("the top positions leave out ungraded or incomplete traders, closed or unpriced positions and other markets", async () => {
    await hold(await holder(null), 1_000_000n);
    await hold(await holder("A", { completeAt: null, isFollowed: true }), 1_000_000n);
    await hold(await holder("A", { gaps: ["CONVERSION"] }), 1_000_000n);
    await hold(await holder("A"), null);
    await hold(await holder("A"), 0n, { sharesMicro: 0n });
    await hold(await holder("A"), 1_000_000n, { settledMicro: 1n });
    await aPosition(db, {
      trader: await holder("A"),
      market: await aMarket(db),
      sharesMicro: 1n,
      valueMicro: 1_000_000n,
    });
    expect((await flowOf()).sharp_money).toMatchObject({ top_positions: [], oldest_snapshot_as_of: null });
  });
});

describe("deprecated intel spelling", () => {
  test("the intel route returns the flow under its own object name with deprecation headers", async () => {
    await traded({ shares: 100 });
    const response = await api.get(`/api/v1/market/mkt_${market.id}/intel?timeframe=7d`);
    expect(response.body).toMatchObject({ object: "market_intel", data: await flowOf("?timeframe=7d") });
    expect(response.headers.get("deprecation")).toMatch(/^@\d+$/);
    expect(response.headers.get("sunset")).toMatch(/GMT$/);
    expect(response.headers.get("link")).toBe(`</api/v1/market/mkt_${market.id}/flow>; rel="successor-version"`);
  });

  test("the intel batch returns the flow under its own object name", async () => {
    const response = await api.post("/api/v1/markets/intel/batch", { condition_ids: [market.conditionId] });
    expect(response.body).toMatchObject({
      object: "market_intel_batch",
      data: [{ index: 0, status: "ok", data: await flowOf() }],
    });
    expect(response.headers.get("link")).toBe('</api/v1/markets/flow/batch>; rel="successor-version"');
  });
});

describe("flow batch", () => {
  const post = (body: unknown) => api.post("/api/v1/markets/flow/batch", body);

  test("a batch returns its items in order, with duplicates, and a failed item does not affect others", async () => {
    const unknown = `0x${"9".repeat(64)}`;
    const upper = market.conditionId.toUpperCase().replace("0X", "0x");
    const second = await aMarket(db);
    const sent = [
      second.conditionId,
      "nonsense",
      market.conditionId,
      unknown,
      `mkt_${market.id}`,
      upper,
      market.conditionId,
    ];
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

  test("a batch without a timeframe covers 24 hours", async () => {
    expect((await post({ condition_ids: [market.conditionId] })).body.data[0].data.timeframe).toBe("24h");
  });

  test.each([
    { body: { condition_ids: [] }, param: "condition_ids" },
    { body: { condition_ids: Array.from({ length: 26 }, () => "x") }, param: "condition_ids" },
    { body: { condition_ids: [1] }, param: "condition_ids[0]" },
    { body: { condition_ids: ["x"], timeframe: "2h" }, param: "timeframe" },
    { body: {}, param: "condition_ids" },
  ])("the batch body $body is refused: $param", async ({ body, param }) => {
    expect(errorOf(await post(body))).toEqual({ status: 400, reason: "invalid_body", param });
  });

  test("a batch of 25 items takes as many statements as a batch of one", async () => {
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
    // The first request also reads the account of the key.
    await count([conditionId]);
    const one = await count([conditionId]);
    expect(one).toBeGreaterThan(0);
    expect(await count(many)).toBe(one);
  });
});

test.each(["trd_1", "wt_1", "rf_1", "x"])(
  "the id %s of another kind of object returns bad_request for flows",
  async (ref) => {
    for (const name of ["flow", "intel"]) {
      expect(errorOf(await api.get(`/api/v1/market/${ref}/${name}`))).toEqual({
        status: 400,
        reason: undefined,
        param: "condition_id",
      });
    }
  },
);

test("an unknown market returns 404, and an unknown timeframe 400", async () => {
  expect(errorOf(await api.get("/api/v1/market/mkt_99999/flow"))).toMatchObject({
    status: 404,
    param: "condition_id",
  });
  expect(errorOf(await api.get(`/api/v1/market/mkt_${market.id}/flow?timeframe=2h`))).toMatchObject({
    status: 400,
    param: "timeframe",
  });
});
