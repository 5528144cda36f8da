import { beforeAll, describe, expect, test } from "vitest";
import type { ApiUnderTest } from "../../../support/api/api-under-test.ts";
import { idsOf, openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { aLargeTrade } from "../../../support/seed/large-trades.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const LIST = "/api/v1/large-trades";
const HISTORY = "/api/v1/large-trades/history";
const at = (time: string) => new Date(`2026-11-20T${time}Z`);
const usd = (dollars: number) => BigInt(Math.round(dollars * 1_000_000));
const wt = (id: number) => `wt_${id}`;

describe("order and pages", () => {
  test.each([LIST, HISTORY])(
    "%s returns the newest trade first and, within an instant, the latest row first",
    async (path) => {
      const { api, db } = await openFreshApi();
      const noon = await aLargeTrade(db, { tradedAt: at("12:00:00") });
      const later = await aLargeTrade(db, { tradedAt: at("13:00:00") });
      const twin = await aLargeTrade(db, { tradedAt: at("12:00:00") });
      const early = await aLargeTrade(db, { tradedAt: at("11:00:00") });
      expect(idsOf(await api.get(path))).toEqual([later, twin, noon, early].map(wt));
    },
  );

  test.each([LIST, HISTORY])("a walk of %s returns every trade once while others are stored", async (path) => {
    const { api, db } = await openFreshApi();
    const times = ["12:00:00", "12:00:00", "12:00:00", "12:05:00", "12:10:00"];
    const stored: number[] = [];
    for (const time of times) stored.push(await aLargeTrade(db, { tradedAt: at(time) }));
    const walked: string[] = [];
    for (
      let page = await api.get(`${path}?limit=1`);
      ;
      page = await api.get(`${path}?limit=1&cursor=${page.body.next_cursor}`)
    ) {
      walked.push(...idsOf(page));
      if (page.body.next_cursor === undefined) break;
      await aLargeTrade(db, { tradedAt: at("12:30:00") });
    }
    // By hand: the newest instants first, then the three of noon with the latest row first.
    expect(walked).toEqual([4, 3, 2, 1, 0].map((index) => wt(stored[index] ?? 0)));
  });

  test("a full page without further trades has no next page", async () => {
    const { api, db } = await openFreshApi();
    await aLargeTrade(db);
    await aLargeTrade(db);
    expect((await api.get(`${LIST}?limit=2`)).body).toMatchObject({ has_more: false });
    expect((await api.get(`${LIST}?limit=1`)).body).toMatchObject({
      has_more: true,
      next_cursor: expect.stringMatching(/./),
    });
  });

  test.each([LIST, HISTORY])(
    "%s sorted by market share has the largest share first and unknown shares last",
    async (path) => {
      const { api, db } = await openFreshApi();
      const tradedAt = new Date(Date.now() - 60_000);
      const unknown = await aLargeTrade(db, { tradedAt });
      const small = await aLargeTrade(db, { tradedAt, marketVolumeShare: "0.01" });
      const large = await aLargeTrade(db, { tradedAt, marketVolumeShare: "0.5" });
      const twin = await aLargeTrade(db, { tradedAt, marketVolumeShare: "0.01" });
      const unknownTwin = await aLargeTrade(db, { tradedAt });
      const pages = await api.walk(`${path}?sort=market_volume_share&limit=1`);
      expect(pages.flatMap(idsOf)).toEqual([large, twin, small, unknownTwin, unknown].map(wt));
    },
  );

  test("the order by market share covers 30 days, or the period that the history request names", async () => {
    const { api, db } = await openFreshApi();
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    const recent = await aLargeTrade(db, { tradedAt: daysAgo(29), marketVolumeShare: "0.1" });
    const old = await aLargeTrade(db, { tradedAt: daysAgo(31), marketVolumeShare: "0.2" });
    expect(idsOf(await api.get(`${LIST}?sort=market_volume_share`))).toEqual([wt(recent)]);
    const from = encodeURIComponent(daysAgo(40).toISOString());
    expect(idsOf(await api.get(`${HISTORY}?sort=market_volume_share&from=${from}`))).toEqual([old, recent].map(wt));
  });

  test("a cursor is refused with another order, another filter and in another list", async () => {
    const { api, db } = await openFreshApi();
    await aLargeTrade(db);
    await aLargeTrade(db);
    const cursor = (await api.get(`${LIST}?limit=1`)).body.next_cursor;
    for (const target of [`${LIST}?sort=market_volume_share`, `${LIST}?category=Crypto`, `${HISTORY}?limit=1`]) {
      const refusal = errorOf(await api.get(`${target}&cursor=${cursor}`));
      expect({ target, ...refusal }).toEqual({ target, status: 400, reason: "invalid_query", param: "cursor" });
    }
  });
});

describe("large trade filters", () => {
  let api: ApiUnderTest;
  /** Row ids by the trade's special property. */
  let trades: Record<string, number>;
  let market: string;
  let wallet: { id: number; address: string };

  beforeAll(async () => {
    const fresh = await openFreshApi();
    const { db } = fresh;
    api = fresh.api;
    const subject = await aMarket(db);
    market = subject.conditionId;
    wallet = await aSeededTrader(db, { username: "Theo" });
    const graded = async (grade: string) =>
      aLargeTrade(db, { trader: await aSeededTrader(db, { grade }), gradeAtTrade: "F", gradeAtTradeStatus: "graded" });
    trades = {
      small: await aLargeTrade(db, { sizeUsdMicro: usd(4_999.99) }),
      atDefault: await aLargeTrade(db, { sizeUsdMicro: usd(5_000) }),
      large: await aLargeTrade(db, { sizeUsdMicro: usd(20_000) }),
      politics: await aLargeTrade(db, { category: "Politics" }),
      basketball: await aLargeTrade(db, { category: "Basketball" }),
      gradeS: await graded("S"),
      gradeA: await graded("A"),
      gradeB: await graded("B"),
      // S at the trade and ungraded today: the filter uses the current grade.
      fallen: await aLargeTrade(db, { gradeAtTrade: "S", gradeAtTradeStatus: "graded" }),
      almostSuspicious: await aLargeTrade(db, { suspicionScore: 59 }),
      suspicious: await aLargeTrade(db, { suspicionScore: 60 }),
      tenth: await aLargeTrade(db, { marketVolumeShare: "0.1" }),
      half: await aLargeTrade(db, { marketVolumeShare: "0.5" }),
      ofMarket: await aLargeTrade(db, { market: subject }),
      ofWallet: await aLargeTrade(db, { trader: wallet }),
      before: await aLargeTrade(db, { tradedAt: at("06:59:59.999") }),
      first: await aLargeTrade(db, { tradedAt: at("07:00:00") }),
      last: await aLargeTrade(db, { tradedAt: at("07:59:59.999") }),
      after: await aLargeTrade(db, { tradedAt: at("08:00:00") }),
    };
  });

  /** The names of the trades that pass the filter, in alphabetical order. */
  async function passing(path: string): Promise<string[]> {
    const pages = await api.walk(`${path}&limit=100`);
    const ids = new Set(pages.flatMap(idsOf));
    return Object.keys(trades)
      .filter((name) => ids.has(wt(trades[name] ?? 0)))
      .toSorted();
  }

  describe.each([LIST, HISTORY])("%s", (path) => {
    test.each([
      ["min_size=20000", ["large"]],
      ["min_size=20000.01", []],
      // Compared in cents, rounded half away from zero.
      ["min_size=20000.004", ["large"]],
      ["min_size=20000.005", []],
      ["min_size=1e15", []],
      ["category=politics", ["politics"]],
      ["category=NBA", ["basketball"]],
      ["category=Nowhere", []],
      ["min_grade=S", ["gradeS"]],
      ["min_grade=A", ["gradeA", "gradeS"]],
      ["min_grade=F", ["gradeA", "gradeB", "gradeS"]],
      ["suspicious_only=true", ["suspicious"]],
      ["min_market_volume_share=0.1", ["half", "tenth"]],
      ["min_market_volume_share=0.11", ["half"]],
      ["min_grade=A&category=Politics", []],
    ])("the filter %s selects %j", async (filter, expected) => {
      expect(await passing(`${path}?${filter}`)).toEqual(expected);
    });

    test("trades below 5,000 dollars are left out unless min_size is lower", async () => {
      expect(await passing(`${path}?`)).toEqual(
        Object.keys(trades)
          .filter((name) => name !== "small")
          .toSorted(),
      );
      expect(await passing(`${path}?min_size=0`)).toContain("small");
      expect(await passing(`${path}?min_size=-1`)).toContain("small");
    });

    test("min_market_volume_share=0 and suspicious_only=false include unknown values", async () => {
      expect(await passing(`${path}?min_market_volume_share=0&suspicious_only=false`)).toContain("ofMarket");
    });

    test.each([
      ["min_size=much", "min_size"],
      ["min_grade=E", "min_grade"],
      ["suspicious_only=maybe", "suspicious_only"],
      ["min_market_volume_share=1.1", "min_market_volume_share"],
      ["sort=oldest", "sort"],
      ["limit=ten", "limit"],
    ])("the value %s is refused with its parameter", async (query, param) => {
      expect(errorOf(await api.get(`${path}?${query}`))).toEqual({ status: 400, reason: "invalid_query", param });
    });
  });

  const selections: readonly [by: string, query: () => string, expected: readonly string[]][] = [
    ["a condition id", () => `condition_id=${market}`, ["ofMarket"]],
    ["a condition id in capitals", () => `condition_id=0x${market.slice(2).toUpperCase()}`, ["ofMarket"]],
    ["an unknown condition id", () => `condition_id=0x${"9".repeat(64)}`, []],
    ["an invalid condition id", () => "condition_id=mkt", []],
    ["a trader's address", () => `trader=${wallet.address}`, ["ofWallet"]],
    ["a trader's address in capitals", () => `trader=0x${wallet.address.slice(2).toUpperCase()}`, ["ofWallet"]],
    ["a username in another case", () => "trader=tHEO", ["ofWallet"]],
    ["a trd_ id", () => `trader=trd_${wallet.id}`, ["ofWallet"]],
    ["an unknown name", () => "trader=nobody", []],
    [
      "a period: from inclusive, to exclusive",
      () => "from=2026-11-20T07:00:00Z&to=2026-11-20T08:00:00Z",
      ["first", "last"],
    ],
    ["a period in another offset", () => "from=2026-11-20T09:00:00%2B02:00&to=2026-11-20T07:30:00Z", ["first"]],
    ["a platform, which has no effect", () => `platform=polymarket&condition_id=${market}`, ["ofMarket"]],
  ];

  test.each(selections)("the history selects by %s", async (_, query, expected) => {
    expect(await passing(`${HISTORY}?${query()}`)).toEqual(expected);
  });

  test("the history refuses a period that does not end after its start", async () => {
    const instant = "2026-11-20T07:00:00Z";
    expect(errorOf(await api.get(`${HISTORY}?from=${instant}&to=${instant}`))).toEqual({
      status: 400,
      reason: "invalid_query",
      param: "to",
    });
  });
});
