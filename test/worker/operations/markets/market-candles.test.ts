import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { outcomeDays, outcomes } from "../../../../src/db/schema.ts";
import type { ApiUnderTest } from "../../../support/api/api-under-test.ts";
import { openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { buildOutcomeDays } from "../../../../src/ingest/signals/build-outcome-days.ts";
import { aFill } from "../../../support/seed/fills.ts";
import { aLargeTrade } from "../../../support/seed/large-trades.ts";
import { aMarket, type SeededMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

let api: ApiUnderTest;
let db: Database;
let market: SeededMarket;

/** Unix time of a day's midnight in UTC, in seconds. */
const at = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000;

// 2026-11-16 is a Monday.
beforeAll(async () => {
  ({ api, db } = await openFreshApi());
  market = await aMarket(db);
  const [yes, no] = market.outcomes;
  const day = (outcome: { id: number }, on: string, open: string, high: string, low: string, close: string) => ({
    outcomeId: outcome.id,
    day: on,
    open,
    high,
    low,
    close,
  });
  await db
    .insert(outcomeDays)
    .values([
      day(yes, "2026-11-14", "0.5", "0.59996", "0.1", "0.4"),
      day(yes, "2026-11-16", "0.41", "0.45", "0.4", "0.44"),
      day(yes, "2026-11-18", "0.44", "0.9", "0.43", "0.5"),
      day(no, "2026-11-18", "0.56", "0.57", "0.1", "0.5"),
    ]);
});

const candles = async (query: string, ref: string = market.conditionId) => {
  const { body } = await api.get(`/api/v1/market/${ref}/candles?${query}`);
  return body.data.outcomes.map((outcome: { candles: { t: number }[] }) => outcome.candles.map(({ t }) => t));
};

test("each outcome has daily candles with prices truncated to four decimals, and days without trade are absent", async () => {
  const { body } = await api.get(`/api/v1/market/mkt_${market.id}/candles`);
  expect(body).toMatchObject({ object: "market_candles", meta: { cost: 2, covered_from: null } });
  expect(body.data).toEqual({
    condition_id: market.conditionId,
    resolution: "1d",
    outcomes: [
      {
        token_id: market.outcomes[0].tokenId,
        outcome: "YES",
        candles: [
          { t: at("2026-11-14"), o: 0.5, h: 0.5999, l: 0.1, c: 0.4 },
          { t: at("2026-11-16"), o: 0.41, h: 0.45, l: 0.4, c: 0.44 },
          { t: at("2026-11-18"), o: 0.44, h: 0.9, l: 0.43, c: 0.5 },
        ],
      },
      {
        token_id: market.outcomes[1].tokenId,
        outcome: "NO",
        candles: [{ t: at("2026-11-18"), o: 0.56, h: 0.57, l: 0.1, c: 0.5 }],
      },
    ],
  });
});

test("weeks start on Monday and combine the candles of their days", async () => {
  const { body } = await api.get(`/api/v1/market/${market.conditionId}/candles?resolution=1w`);
  expect(body.data.outcomes[0].candles).toEqual([
    { t: at("2026-11-09"), o: 0.5, h: 0.5999, l: 0.1, c: 0.4 },
    { t: at("2026-11-16"), o: 0.41, h: 0.9, l: 0.4, c: 0.5 },
  ]);
});

test.each([
  { query: `from=${at("2026-11-14")}`, yes: ["2026-11-16", "2026-11-18"], because: "from is exclusive" },
  {
    query: `from=${at("2026-11-14") - 1}`,
    yes: ["2026-11-14", "2026-11-16", "2026-11-18"],
    because: "a bound one second earlier includes the day",
  },
  { query: `to=${at("2026-11-16")}`, yes: ["2026-11-14", "2026-11-16"], because: "to is inclusive" },
  { query: `to=${at("2026-11-16") - 1}`, yes: ["2026-11-14"], because: "a bound one second earlier excludes the day" },
  {
    query: `from=${at("2026-11-16")}&to=${at("2026-11-16")}`,
    yes: [],
    because: "the range between equal bounds is empty",
  },
  {
    query: `resolution=1w&from=${at("2026-11-16")}`,
    yes: ["2026-11-16"],
    because: "a week may start before its first day in range",
  },
  {
    query: `from=1&from=${at("2026-11-16")}`,
    yes: ["2026-11-18"],
    because: "the last value of a repeated name applies",
  },
  {
    query: `from=nonsense&from=${at("2026-11-16")}`,
    yes: ["2026-11-18"],
    because: "other values of a repeated name may be invalid",
  },
  {
    query: "resolution=1d&resolution=1w",
    yes: ["2026-11-09", "2026-11-16"],
    because: "the last value applies to every name",
  },
  {
    query: "from=-9007199254740991&to=9007199254740991",
    yes: ["2026-11-14", "2026-11-16", "2026-11-18"],
    because: "bounds may be any safe integer",
  },
])("the candles of $query: $because", async ({ query, yes }) => {
  expect((await candles(query))[0]).toEqual(yes.map(at));
});

test.each([
  [`from=${at("2026-11-16") + 1}&to=${at("2026-11-16")}`, "from"],
  ["from=1.5", "from"],
  ["to=soon", "to"],
  ["to=1&to=soon", "to"],
  ["resolution=1h", "resolution"],
])("the candle query %s is refused with param %s", async (query, param) => {
  const response = await api.get(`/api/v1/market/${market.conditionId}/candles?${query}`);
  expect(errorOf(response)).toEqual({ status: 400, reason: "invalid_query", param });
});

describe("candle outcomes", () => {
  test("candles have no outcomes for undescribed markets and for markets of three outcomes", async () => {
    const unsynced = await aMarket(db, {}, [{ outcomeIndex: null }, { outcomeIndex: null }]);
    const three = await aMarket(db);
    await db.insert(outcomes).values({ marketId: three.id, tokenId: "3", outcomeIndex: 2 });
    expect(await candles("", unsynced.conditionId)).toEqual([]);
    expect(await candles("", three.conditionId)).toEqual([]);
  });

  test("outcomes without trades have no candles", async () => {
    expect(await candles("", (await aMarket(db)).conditionId)).toEqual([[], []]);
  });
});

test.each(["trd_1", "wt_1", "rf_1"])(
  "the id %s of another kind of object returns bad_request for candles",
  async (ref) => {
    expect(errorOf(await api.get(`/api/v1/market/${ref}/candles`))).toEqual({
      status: 400,
      reason: undefined,
      param: "condition_id",
    });
  },
);

test("candles of an unknown market return 404", async () => {
  expect(errorOf(await api.get("/api/v1/market/mkt_999999/candles"))).toEqual({
    status: 404,
    reason: undefined,
    param: "condition_id",
  });
});

test("meta has the start of the complete record, and the ETag does not depend on it", async () => {
  const path = `/api/v1/market/${market.conditionId}/candles`;
  const etag = (await api.get(path)).headers.get("etag") ?? "";
  await aLargeTrade(db, { tradedAt: new Date("2026-11-10T00:00:00Z") });
  expect((await api.get(path)).body.meta.covered_from).toBe("2026-11-10T00:00:00.000Z");
  expect((await api.get(path, { "if-none-match": etag })).status).toBe(304);
});

test("candles of an ended market close at its last trade, which is also its current price", async () => {
  const fresh = await openFreshApi();
  const ended = await aMarket(fresh.db, { endAt: new Date(Date.now() - 60_000) }, [
    { bestBid: "0.3", bestAsk: "0.32", bookSource: "clob_book", bookAsOf: new Date(Date.now() - 61_000) },
    { bestBid: "0.68", bestAsk: "0.7", bookSource: "clob_book", bookAsOf: new Date(Date.now() - 61_000) },
  ]);
  const wallet = await aSeededTrader(fresh.db);
  const last = new Date(Date.now() - 62_000).toISOString();
  await aFill(fresh.db, {
    trader: wallet,
    market: ended,
    price: "0.31",
    at: new Date(Date.now() - 90_000).toISOString(),
  });
  // Two trades in the same second: the later transaction is the last trade.
  await aFill(fresh.db, { trader: wallet, market: ended, price: "0.02", at: last, tx: 900_002 });
  await aFill(fresh.db, { trader: wallet, market: ended, price: "0.25", at: last, tx: 900_001 });
  await aFill(fresh.db, { trader: wallet, market: ended, outcome: 1, price: "0.99", at: last });
  // What the ingest stores with these trades.
  await fresh.db.execute(sql`update outcomes o set (last_trade_price, last_trade_at, last_trade_tx) = (
    select price, traded_at, tx_hash from ledger_entries where outcome_id = o.id and kind in ('buy', 'sell') order by traded_at desc, tx_hash desc limit 1)`);
  while (await buildOutcomeDays(fresh.openPool()));
  const [daily, snapshot] = await Promise.all(
    ["candles", "snapshot"].map((read) => fresh.api.get(`/api/v1/market/mkt_${ended.id}/${read}`)),
  );
  const closes = daily?.body.data.outcomes.map((outcome: { candles: { c: number }[] }) => outcome.candles.at(-1)?.c);
  expect(closes).toEqual([0.02, 0.99]);
  expect(snapshot?.body.data.outcomes.map((outcome: { current_price: number }) => outcome.current_price)).toEqual(
    closes,
  );
});
