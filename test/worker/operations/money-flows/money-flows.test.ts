import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { ingestCheckpoints, listGenerations, markets as marketRows } from "../../../../src/db/schema.ts";
import { GRADES, gradesFrom } from "../../../../src/domain/traders/grades.ts";
import type { TestApiResponse, ApiUnderTest } from "../../../support/api/api-under-test.ts";
import { openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { theFillFeedWasRead, theTradeFeedWasRead } from "../../../support/seed/large-trades.ts";
import { aGeneration } from "../../../support/seed/lists.ts";
import { aMarket, type SeededMarket } from "../../../support/seed/markets.ts";
import { aFlow } from "../../../support/seed/signals.ts";

const LIST = "/api/v1/markets/sharp-money-flows";
const BUILT_AT = new Date("2026-11-20T12:00:00Z");

let api: ApiUnderTest;
let db: Database;

beforeEach(async () => {
  ({ api, db } = await openFreshApi());
  await theTradeFeedWasRead(db, new Date());
});

const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6));
const conditionsOf = (response: TestApiResponse): string[] =>
  response.body.data.map((row: { market: { condition_id: string } }) => row.market.condition_id);

/** A generation of the window with these net flows, all from traders of grade A. */
async function aRanking(flows: readonly (readonly [SeededMarket, number])[], list = "flows:24h"): Promise<number> {
  const generation = await aGeneration(db, list, BUILT_AT, flows.length);
  for (const [market, net] of flows) await aFlow(db, { generation, marketId: market.id, netMicro: usd(net) });
  return generation;
}

test("a flow row has side, token, counts and gross sums truncated toward zero, under both names", async () => {
  const market = await aMarket(db, { title: "Rain", slug: "rain", category: "Politics" });
  const generation = await aGeneration(db, "flows:24h", BUILT_AT, 1);
  const flow = { generation, marketId: market.id };
  await aFlow(db, {
    ...flow,
    grade: "S",
    netMicro: -20_000_999_999n,
    buyMicro: 1_009_999n,
    sellMicro: 5_000_000n,
    tradeCount: 3,
  });
  await aFlow(db, { ...flow, grade: "B", netMicro: 5_000_000_000n, tradeCount: 1 });
  await aFlow(db, { ...flow, grade: "C", netMicro: 900_000_000_000n });
  await aFlow(db, { ...flow, grade: "", netMicro: 900_000_000_000n });
  const { body } = await api.get(LIST);
  const money = {
    net_flow_usd: -15_000.99,
    direction: "NO",
    token_id: market.outcomes[1].tokenId,
    large_trade_count: 4,
    whale_trade_count: 4,
    buy_volume_usd: 5_001,
    sell_volume_usd: 5,
  };
  expect(body).toMatchObject({ object: "list", total: 1, has_more: false, meta: { cost: 3 } });
  expect(body.data).toEqual([
    {
      market: {
        id: `mkt_${market.id}`,
        condition_id: market.conditionId,
        title: "Rain",
        slug: "rain",
        category: "Politics",
        platform: "polymarket",
      },
      sharp_money: money,
      smart_money: money,
      timeframe: "24h",
    },
  ]);
});

test("a flow of an undescribed market has null fields, and a net of 0 has the direction YES", async () => {
  const market = await aMarket(db, { title: null, slug: null }, [{ outcomeIndex: null }, {}]);
  await aRanking([[market, 0]]);
  const [row] = (await api.get(LIST)).body.data;
  expect(row.market).toMatchObject({ title: null, slug: null, category: null });
  expect(row.sharp_money).toMatchObject({ net_flow_usd: 0, direction: "YES", token_id: null });
});

describe("timeframe and window", () => {
  beforeEach(async () => {
    for (const window of ["1h", "4h", "24h", "7d"]) await aRanking([[await aMarket(db), 1_000]], `flows:${window}`);
  });

  test.each([
    ["", "24h"],
    ["?timeframe=1h", "1h"],
    ["?window=4h", "4h"],
    ["?window=7d&timeframe=7d", "7d"],
    ["?window=1h", "1h"],
  ])('the query "%s" returns the list of %s', async (query, window) => {
    expect((await api.get(LIST + query)).body.data).toMatchObject([{ timeframe: window }]);
  });

  test.each([
    ["?window=1h&timeframe=4h", "window"],
    // The default may differ from window, an explicit value may not.
    ["?window=1h&timeframe=24h", "window"],
    ["?window=2h", "window"],
    ["?timeframe=2h", "timeframe"],
  ])("the query %s is refused with param %s", async (query, param) => {
    expect(errorOf(await api.get(LIST + query))).toEqual({ status: 400, reason: "invalid_query", param });
  });
});

test("flows count the grades from min_grade up, B by default, and never ungraded traders", async () => {
  const market = await aMarket(db);
  const generation = await aGeneration(db, "flows:24h", BUILT_AT, 1);
  // Powers of ten: each sum shows which grades are included.
  for (const [index, grade] of GRADES.entries())
    await aFlow(db, { generation, marketId: market.id, grade, netMicro: usd(10 ** index) });
  await aFlow(db, { generation, marketId: market.id, grade: "", netMicro: usd(9_000_000) });
  const net = async (query: string) => (await api.get(LIST + query)).body.data[0]?.sharp_money.net_flow_usd;
  expect(await net("")).toBe(111);
  for (const grade of GRADES)
    expect(await net(`?min_grade=${grade}`)).toBe(Number("1".repeat(gradesFrom(grade).length)));
});

test("flows are ordered by absolute net, then condition id, and filters apply to the sum", async () => {
  const [a, b, c] = [
    await aMarket(db, { category: "Basketball" }),
    await aMarket(db),
    await aMarket(db, { category: "Politics" }),
  ];
  const generation = await aRanking([
    [a, 500],
    [b, -500],
    [c, 900],
  ]);
  // Traders of grade A bought YES in this market, but the total net is NO.
  await aFlow(db, { generation, marketId: a.id, grade: "S", netMicro: usd(-1_000) });
  expect(conditionsOf(await api.get(LIST))).toEqual([c, a, b].map(({ conditionId }) => conditionId));
  expect(conditionsOf(await api.get(`${LIST}?direction=NO`))).toEqual([a, b].map(({ conditionId }) => conditionId));
  expect((await api.get(`${LIST}?direction=YES`)).body).toMatchObject({ total: 1 });
  expect(conditionsOf(await api.get(`${LIST}?category=nba`))).toEqual([a.conditionId]);
  expect(conditionsOf(await api.get(`${LIST}?category=POLITICS&platform=polymarket`))).toEqual([c.conditionId]);
  expect((await api.get(`${LIST}?min_grade=S`)).body).toMatchObject({
    total: 1,
    data: [{ sharp_money: { net_flow_usd: -1_000 } }],
  });
});

describe("unavailable flow list", () => {
  test("a flow list without a generation returns 503 read_model_warming", async () => {
    expect(errorOf(await api.get(LIST))).toMatchObject({ status: 503, reason: "read_model_warming" });
  });

  test("a flow list returns 503 when the takers feed was not read since the start of its window", async () => {
    await db.delete(ingestCheckpoints);
    for (const window of ["1h", "4h"]) await aRanking([], `flows:${window}`);
    const refusalFor = async (window: string) => errorOf(await api.get(`${LIST}?window=${window}`));
    const warming = { status: 503, reason: "read_model_warming" };
    expect(await refusalFor("4h")).toMatchObject(warming);
    await theFillFeedWasRead(db, new Date());
    expect(await refusalFor("4h")).toMatchObject(warming);
    await theTradeFeedWasRead(db, new Date(Date.now() - 2 * 3_600_000));
    expect(await refusalFor("1h")).toMatchObject(warming);
    expect((await api.get(`${LIST}?window=4h`)).body).toMatchObject({ data: [], total: 0 });
  });

  test("a flow cursor of a deleted generation returns cursor_expired", async () => {
    const generation = await aRanking([
      [await aMarket(db), 1],
      [await aMarket(db), 2],
    ]);
    const cursor = (await api.get(`${LIST}?limit=1`)).body.next_cursor;
    await aRanking([[await aMarket(db), 3]]);
    expect((await api.get(`${LIST}?limit=1&cursor=${cursor}`)).body).toMatchObject({
      total: 2,
      data: [{}],
      has_more: false,
    });
    await db.delete(listGenerations).where(eq(listGenerations.id, generation));
    expect(errorOf(await api.get(`${LIST}?cursor=${cursor}`))).toEqual({
      status: 400,
      reason: "cursor_expired",
      param: "cursor",
    });
  });

  test("a flow cursor returns cursor_expired for other filters and invalid_query when mangled", async () => {
    await aRanking([
      [await aMarket(db), 1],
      [await aMarket(db), 2],
    ]);
    await aRanking([[await aMarket(db), 1]], "flows:1h");
    const cursor: string = (await api.get(`${LIST}?limit=1`)).body.next_cursor;
    const refusedWith = async (query: string) => ({ query, ...errorOf(await api.get(`${LIST}?${query}`)) });
    const refusal = { status: 400, param: "cursor" };
    for (const query of ["min_grade=A", "window=1h", "category=politics", "direction=YES"].map(
      (filter) => `${filter}&cursor=${cursor}`,
    ))
      expect(await refusedWith(query)).toEqual({ query, ...refusal, reason: "cursor_expired" });
    for (const query of [`cursor=${cursor.slice(0, -1)}`, `min_grade=A&cursor=${cursor.slice(0, -1)}`, "cursor=x"])
      expect(await refusedWith(query)).toEqual({ query, ...refusal, reason: "invalid_query" });
  });
});

test("a flow walk returns each market of its first generation once in order during rebuilds", async () => {
  const pool: SeededMarket[] = [];
  for (let n = 0; n < 8; n++) pool.push(await aMarket(db));
  const nets = fc.array(fc.constantFrom(-3, -2, -1, 0, 1, 2, 3), { minLength: 1, maxLength: pool.length });
  await fc.assert(
    fc.asyncProperty(
      nets,
      fc.integer({ min: 1, max: 4 }),
      fc.array(nets, { maxLength: 4 }),
      async (first, limit, rebuilds) => {
        await db.execute(sql`delete from list_generations`);
        const ranking = (built: number[]) =>
          pool.slice(0, built.length).map((market, index) => [market, built[index] ?? 0] as const);
        await aRanking(ranking(first));
        const expected = ranking(first)
          .toSorted(([a, x], [b, y]) => Math.abs(y) - Math.abs(x) || (a.conditionId < b.conditionId ? -1 : 1))
          .map(([market]) => market.conditionId);
        const walked: string[] = [];
        let left = [...rebuilds];
        for (let path = `${LIST}?limit=${limit}`; ;) {
          const { body, ...response } = await api.get(path);
          walked.push(...conditionsOf({ body, ...response }));
          expect(body.total).toBe(first.length);
          expect(body.has_more).toBe(walked.length < first.length);
          if (!body.has_more) break;
          const [next, ...rest] = left;
          if (next !== undefined) await aRanking(ranking(next));
          left = rest;
          path = `${LIST}?limit=${limit}&cursor=${body.next_cursor}`;
        }
        expect(walked).toEqual(expected);
      },
    ),
    { numRuns: 25 },
  );
});

test("an unchanged flow list returns 304, and the deprecated spelling names its successor", async () => {
  const market = await aMarket(db);
  await aRanking([[market, 1]]);
  const { headers, body } = await api.get(LIST);
  const etag = headers.get("etag") ?? "";
  expect((await api.get(LIST, { "if-none-match": etag })).status).toBe(304);
  const old = await api.get(LIST.replace("sharp", "smart"));
  expect(old.body.data).toEqual(body.data);
  expect(old.headers.get("link")).toContain(`<${LIST}>; rel="successor-version"`);
  await db.update(marketRows).set({ title: "Snow" }).where(eq(marketRows.id, market.id));
  expect((await api.get(LIST, { "if-none-match": etag })).status).toBe(200);
});
