import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { markets } from "../../../../src/db/schema.ts";
import type { ApiUnderTest } from "../../../support/api/api-under-test.ts";
import { idsOf, openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { aLargeTrade } from "../../../support/seed/large-trades.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { aSuspiciousTrade } from "../../../support/seed/signals.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const LIST = "/api/v1/suspicious-trades";
const OLD_LIST = "/api/v1/insider-radar";
const rf = (id: number) => `rf_${id}`;

let api: ApiUnderTest;
let db: Database;

beforeEach(async () => {
  ({ api, db } = await openFreshApi());
});

const flags = async (...scores: number[]) => {
  const ids: number[] = [];
  for (const score of scores) ids.push(await aSuspiciousTrade(db, { score }));
  return ids;
};

describe("one flag", () => {
  test.each([
    [LIST, "suspicious_trade"],
    [OLD_LIST, "radar_flag"],
  ])("%s/{id} accepts the rf_ id or its bare number and returns the stored %s", async (path, object) => {
    const [wallet, market] = [await aSeededTrader(db, { username: "Ada" }), await aMarket(db, { title: "Rain" })];
    const evidence = { version: "suspicion-1", inputs: { price: 0.12345678, wallet: null }, tracks: { whale: 73.92 } };
    const scores = { timing: null, edge: null, size: 73.92, fresh_wallet: 63.83 };
    const largeTradeId = await aLargeTrade(db, { trader: wallet, market, tradedAt: new Date("2026-11-20T11:00:00Z") });
    const id = await aSuspiciousTrade(db, { largeTradeId, score: 73, scores, evidence });
    for (const ref of [rf(id), String(id)]) {
      const { body } = await api.get(`${path}/${ref}`);
      expect(body).toMatchObject({ object });
      expect(body.data).toEqual({
        id: rf(id),
        suspicion_score: 73,
        severity: "flag",
        trader: { id: `trd_${wallet.id}`, address: wallet.address, username: "Ada" },
        market: { id: `mkt_${market.id}`, condition_id: market.conditionId, title: "Rain" },
        scores,
        evidence,
        created_at: "2026-11-20T11:00:00.000Z",
      });
    }
  });

  test("a flag has null for an unknown username and title", async () => {
    const largeTradeId = await aLargeTrade(db, { market: await aMarket(db, { title: null }) });
    const id = await aSuspiciousTrade(db, { largeTradeId });
    expect((await api.get(`${LIST}/${id}`)).body.data).toMatchObject({
      trader: { username: null },
      market: { title: null },
    });
  });

  test.each(["1", "rf_1", "99999999999999999999"])("the unknown flag id %s returns 404", async (id) => {
    expect(errorOf(await api.get(`${LIST}/${id}`))).toEqual({ status: 404, reason: undefined, param: "id" });
  });

  test.each(["wt_1", "rf_", "rf_0", "0", "-1", "1.5", "RF_1"])(
    "the invalid flag id %s returns invalid_path",
    async (id) => {
      expect(errorOf(await api.get(`${LIST}/${id}`))).toEqual({ status: 400, reason: "invalid_path", param: "id" });
    },
  );
});

describe("flag list", () => {
  test("flags are ordered by score and then newest first, without unflagged trades", async () => {
    await aLargeTrade(db, { suspicionScore: 59 });
    const [a = 0, b = 0, c = 0, d = 0] = await flags(60, 100, 60, 85);
    const { body, ...response } = await api.get(LIST);
    expect(idsOf({ body, ...response })).toEqual([b, d, c, a].map(rf));
    expect(body).toMatchObject({ object: "list", total: 4, has_more: false });
  });

  test.each([
    ["min_suspicion=0", [60, 61, 75]],
    ["min_suspicion=-5", [60, 61, 75]],
    ["min_suspicion=60.5", [61, 75]],
    ["min_suspicion=75", [75]],
    ["min_suspicion=75.01", []],
    ["min_suspicion=1e300", []],
    ["severity=flag", [60, 61, 75]],
    ["severity=watch", []],
    ["mode=stable&min_suspicion=61", [61, 75]],
  ])("the query %s selects the scores %j", async (query, expected) => {
    await flags(60, 61, 75);
    const { body } = await api.get(`${LIST}?${query}`);
    expect(body.data.map((row: { suspicion_score: number }) => row.suspicion_score).toSorted()).toEqual(expected);
    expect(body.total).toBe(expected.length);
  });

  test.each([
    ["min_suspicion=high", "min_suspicion"],
    ["severity=alarm", "severity"],
    ["mode=frozen", "mode"],
    ["limit=ten", "limit"],
  ])("the query %s is refused with param %s", async (query, param) => {
    expect(errorOf(await api.get(`${LIST}?${query}`))).toEqual({ status: 400, reason: "invalid_query", param });
  });

  test("an unchanged flag list returns 304, and the deprecated spelling names its successor", async () => {
    const [id = 0] = await flags(70);
    for (const [path, old] of [
      [LIST, OLD_LIST],
      [`${LIST}/${id}`, `${OLD_LIST}/${id}`],
    ] as const) {
      const { headers, body } = await api.get(path);
      expect((await api.get(path, { "if-none-match": headers.get("etag") ?? "" })).status).toBe(304);
      const again = await api.get(old);
      expect(again.body.data).toEqual(body.data);
      expect(again.headers.get("link")).toContain(`<${path}>; rel="successor-version"`);
      expect(again.headers.get("deprecation")).toMatch(/^@\d+$/);
    }
    const { headers } = await api.get(LIST);
    await db.update(markets).set({ title: "Snow" });
    expect((await api.get(LIST, { "if-none-match": headers.get("etag") ?? "" })).status).toBe(200);
  });
});

describe("pages of flags", () => {
  const some = fc.array(fc.integer({ min: 60, max: 64 }), { maxLength: 6 });

  test.each(["live", "stable"])(
    "a %s walk returns every initial flag once in order, with new flags in between",
    async (mode) => {
      await fc.assert(
        fc.asyncProperty(
          some,
          fc.integer({ min: 1, max: 3 }),
          fc.array(some, { maxLength: 3 }),
          async (first, limit, additions) => {
            await db.execute(sql`delete from suspicious_trades`);
            const ids = await flags(...first);
            const byRank = (rows: [number, number][]) =>
              rows.toSorted(([a, x], [b, y]) => y - x || b - a).map(([id]) => rf(id));
            const initial = byRank(ids.map((id, index) => [id, first[index] ?? 0]));
            const walked: string[] = [];
            const pages: { total: number; more: boolean; walked: number }[] = [];
            let left = [...additions];
            for (let path = `${LIST}?mode=${mode}&limit=${limit}`; ;) {
              const response = await api.get(path);
              walked.push(...idsOf(response));
              pages.push({ total: response.body.total, more: response.body.has_more, walked: walked.length });
              if (!response.body.has_more) break;
              const [scores = [], ...rest] = left;
              await flags(...scores);
              left = rest;
              path = `${LIST}?mode=${mode}&limit=${limit}&cursor=${response.body.next_cursor}`;
            }
            const pinned = pages.map((page) => ({ ...page, total: first.length, more: page.walked < first.length }));
            expect(mode === "stable" ? pages : pinned).toEqual(pinned);
            expect(new Set(walked).size).toBe(walked.length);
            expect(mode === "stable" ? walked : walked.filter((id) => initial.includes(id))).toEqual(initial);
          },
        ),
        { numRuns: 15 },
      );
    },
    60_000,
  );

  test("a flag deleted between pages is the only one missing", async () => {
    const [a = 0, b = 0, c = 0] = await flags(90, 80, 70);
    const { body } = await api.get(`${LIST}?limit=1&mode=stable`);
    await db.execute(sql`delete from suspicious_trades where id in (${a}, ${b})`);
    expect(idsOf(await api.get(`${LIST}?limit=1&mode=stable&cursor=${body.next_cursor}`))).toEqual([rf(c)]);
  });

  test("a stable cursor binds its limit, a live one does not, and both bind filters and mode", async () => {
    await flags(90, 80, 70);
    const cursorOf = async (mode: string): Promise<string> =>
      (await api.get(`${LIST}?limit=1&mode=${mode}`)).body.next_cursor;
    const [live, stable] = [await cursorOf("live"), await cursorOf("stable")];
    expect(idsOf(await api.get(`${LIST}?limit=2&cursor=${live}`))).toHaveLength(2);
    // Both spellings are the same list.
    expect((await api.get(`${OLD_LIST}?limit=1&mode=stable&cursor=${stable}`)).status).toBe(200);
    for (const query of [
      `limit=2&mode=stable&cursor=${stable}`,
      `limit=1&mode=stable&cursor=${live}`,
      `limit=1&cursor=${stable}`,
      `limit=1&min_suspicion=70&cursor=${live}`,
      `limit=1&cursor=${live.slice(0, -1)}`,
    ]) {
      const refusal = errorOf(await api.get(`${LIST}?${query}`));
      expect({ query, ...refusal }).toEqual({ query, status: 400, reason: "invalid_query", param: "cursor" });
    }
  });
});
