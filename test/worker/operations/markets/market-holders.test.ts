import { eq } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { holderScans, marketHolders, outcomes, traders } from "../../../../src/db/schema.ts";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import { departures } from "../../../contract/contract.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { aKey } from "../../../support/kernel/keys.ts";
import { openKernel, openTestRuntime } from "../../../support/kernel/open-kernel.ts";
import { aFill } from "../../../support/seed/fills.ts";
import { aHolderScan, addHoldings, type SeededHolding } from "../../../support/seed/traders/holders.ts";
import { aMarket, anEvent, type SeededMarket } from "../../../support/seed/markets.ts";
import { aPosition } from "../../../support/seed/traders/positions.ts";
import { aProfile } from "../../../support/seed/traders/profiles.ts";
import { aSeededTrader, type SeededTraderFacts } from "../../../support/seed/traders/traders.ts";

const pathOf = (market: SeededMarket, query = "") =>
  `/api/v1/market/mkt_${market.id}/holders${query === "" ? "" : `?${query}`}`;
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);
const graded = (db: Database, grade: string, facts: Partial<SeededTraderFacts> = {}) =>
  aSeededTrader(db, { grade, ...facts });

/** A market with one graded holder of these facts. */
async function aHolder(facts: Partial<SeededTraderFacts> = {}, market: Parameters<typeof aMarket>[1] = {}) {
  const { api, db } = await openFreshApi();
  const wallet = await graded(db, "A", facts);
  const stored = await aMarket(db, market);
  await aHolderScan(db, stored, [{ trader: wallet, shares: 10 }]);
  return { db, wallet, market: stored, read: async () => (await api.get(pathOf(stored))).body.data[0] };
}

describe("holder", () => {
  test("a holder has the side with more shares and the number of shares of the other outcome", async () => {
    const { api, db } = await openFreshApi();
    const [first, second, third] = [
      await graded(db, "S", { username: "Known" }),
      await graded(db, "B"),
      await graded(db, "A"),
    ];
    const market = await aMarket(db, {}, [{ lastTradePrice: "0.555" }, { lastTradePrice: "0.45" }]);
    await aHolderScan(db, market, [
      { trader: first, shares: 100.123456 },
      { trader: second, outcome: 0, shares: 20 },
      { trader: second, outcome: 1, shares: 100 },
      // Equal shares of both outcomes.
      { trader: third, outcome: 0, shares: 30 },
      { trader: third, outcome: 1, shares: 30 },
    ]);
    const { body } = await api.get(pathOf(market));
    const common = { last_traded_at: null, category_win_rate_status: "unavailable" };
    const idOf = (wallet: { address: string }, index: 0 | 1) => ({
      id: `pos_${wallet.address}:${market.conditionId}:${index}`,
      side: index === 0 ? "YES" : "NO",
      token_id: market.outcomes[index].tokenId,
      address: wallet.address,
    });
    expect(body.data).toEqual([
      {
        ...common,
        ...idOf(first, 0),
        trader_id: `trd_${first.id}`,
        name: "Known",
        grade: "S",
        shares: 100.1234,
        current_value_usd: 55.56,
      },
      {
        ...common,
        ...idOf(second, 1),
        trader_id: `trd_${second.id}`,
        name: null,
        grade: "B",
        shares: 100,
        current_value_usd: 45,
        other_outcome_shares: 20,
      },
      {
        ...common,
        ...idOf(third, 0),
        trader_id: `trd_${third.id}`,
        name: null,
        grade: "A",
        shares: 30,
        current_value_usd: 16.65,
        other_outcome_shares: 30,
      },
    ]);
  });

  test("a holder is valued at our mark price, and an unpriced one has a null value and comes last", async () => {
    const { api, db } = await openFreshApi();
    const [priced, unpriced, valued] = [await graded(db, "A"), await graded(db, "A"), await graded(db, "A")];
    const market = await aMarket(db, {}, [{ lastTradePrice: "0.5" }, {}]);
    await aHolderScan(db, market, [
      { trader: priced, shares: 3 },
      { trader: unpriced, outcome: 1, shares: 900 },
      { trader: valued, shares: 1 },
    ]);
    const { data } = (await api.get(pathOf(market))).body;
    expect(
      data.map((row: { address: string; current_value_usd: number }) => [row.address, row.current_value_usd]),
    ).toEqual([
      [priced.address, 1.5],
      [valued.address, 0.5],
      [unpriced.address, null],
    ]);
  });

  test("last_traded_at is the last buy or sell of either outcome in this market", async () => {
    const { db, wallet, market, read } = await aHolder();
    await aFill(db, { trader: wallet, market, outcome: 1, at: "2026-11-03T00:00:00Z", side: "SELL" });
    await aFill(db, { trader: wallet, market, at: "2026-11-02T00:00:00Z" });
    await aFill(db, { trader: wallet, market, kind: "split", at: "2026-11-09T00:00:00Z" });
    await aFill(db, { trader: wallet, market: await aMarket(db), at: "2026-11-08T00:00:00Z" });
    expect((await read()).last_traded_at).toBe("2026-11-03T00:00:00.000Z");
  });
});

describe("category record", () => {
  const record = (wins: number, decided: number, facts: object = {}) => ({
    category: "Esports",
    wins,
    decided,
    win_rate: null,
    status: "measured" as const,
    games: [],
    ...facts,
  });
  const game = (wins: number, decided: number) => ({
    game: "CS2",
    series_slug: "counter-strike",
    wins,
    decided,
    win_rate: null,
    status: "measured" as const,
  });
  const read = async (
    records: ReturnType<typeof record>[],
    market: object = { category: "Esports", tags: ["esports", "cs2"] },
  ) => {
    const holder = await aHolder({ completeAt: new Date() }, market);
    await aProfile(holder.db, holder.wallet, { profile: { category_records: records } });
    const row = await holder.read();
    return Object.fromEntries(Object.entries(row).filter(([name]) => name.startsWith("category_")));
  };

  test("the category record is that of the market's category from five decided markets on, to four decimals", async () => {
    expect(await read([record(0, 50, { category: "Golf" }), record(2, 6)])).toEqual({
      category_win_rate: 0.3333,
      category_win_record: { wins: 2, decided: 6 },
      category_win_rate_status: "measured",
    });
    expect(await read([record(4, 4)])).toEqual({ category_win_rate_status: "not_enough_data" });
    expect(await read([])).toEqual({ category_win_rate_status: "not_enough_data" });
  });

  test("the category record is that of the esports title from five decided markets of it on", async () => {
    expect(await read([record(2, 16, { games: [game(4, 5)] })])).toEqual({
      category_win_rate: 0.8,
      category_win_record: { wins: 4, decided: 5 },
      category_win_rate_game: "CS2",
      category_win_rate_status: "measured",
    });
    expect(await read([record(2, 16, { games: [game(4, 4)] })])).toMatchObject({ category_win_rate: 0.125 });
    expect(
      await read([record(2, 16, { games: [game(4, 5)] })], { category: "Esports", tags: ["valorant"] }),
    ).toMatchObject({
      category_win_rate: 0.125,
    });
  });

  test("the category record is unavailable without a category or a profile", async () => {
    expect(await read([record(9, 9)], { category: null })).toEqual({ category_win_rate_status: "unavailable" });
    const { read: bare } = await aHolder({ completeAt: new Date() }, { category: "Esports" });
    expect(await bare()).toMatchObject({ category_win_rate_status: "unavailable" });
  });
});

describe("holder badges", () => {
  const daysAgo = (days: number) => secondsAgo(days * 86_400 + 60);
  const BADGES = ["wallet_age_days", "is_new_wallet", "markets_traded", "is_bot", "x_username"];
  const badgesOf = (row: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => BADGES.includes(name)));

  test("a new trader's badges are shown together with its number of markets", async () => {
    const { db, wallet, market, read } = await aHolder({ completeAt: new Date(), totals: { firstAt: daysAgo(3) } });
    await aPosition(db, { trader: wallet, market, outcome: 0 });
    await aPosition(db, { trader: wallet, market, outcome: 1 });
    await aPosition(db, { trader: wallet, market: await aMarket(db) });
    expect(badgesOf(await read())).toEqual({
      wallet_age_days: 3,
      is_new_wallet: true,
      markets_traded: 2,
      is_bot: false,
      x_username: null,
    });
  });

  test.each([
    { what: "is neither new nor a bot", facts: { completeAt: new Date(), totals: { firstAt: daysAgo(30) } } },
    { what: "has an incomplete history", facts: { isFollowed: true, totals: { firstAt: daysAgo(3) } } },
    { what: "has no known trades", facts: { completeAt: new Date() } },
    {
      what: "makes many fills in few markets",
      facts: { completeAt: new Date(), totals: { firstAt: daysAgo(300), entryCount: 50_000 } },
    },
  ])("the badges are absent for a trader that $what", async ({ facts }) => {
    expect(badgesOf(await (await aHolder(facts)).read())).toEqual({});
  });
});

test("totals cover all graded holders whatever the filter and count a two-sided holder once", async () => {
  const { api, db } = await openFreshApi();
  const market = await aMarket(db, {}, [{ lastTradePrice: "0.5" }, { lastTradePrice: "0.5" }]);
  const holders: SeededHolding[] = [
    { trader: await graded(db, "S"), shares: 10 },
    { trader: await graded(db, "A"), shares: 20.5 },
    { trader: await graded(db, "A"), outcome: 1, shares: 8 },
    { trader: await graded(db, "C"), shares: 1000 },
    { trader: await aSeededTrader(db), shares: 1000 },
  ];
  const both = await graded(db, "B");
  const sides: SeededHolding[] = [
    { trader: both, outcome: 0, shares: 2 },
    { trader: both, outcome: 1, shares: 3 },
  ];
  await aHolderScan(db, market, [...holders, ...sides], { walletCount: 77 });
  const totals = {
    graded_count: 4,
    yes_count: 2,
    no_count: 2,
    yes_shares: 30.5,
    no_shares: 11,
    yes_usd: 15.25,
    no_usd: 5.5,
    yes_grades: { s: 1, a: 1, b: 0 },
    no_grades: { s: 0, a: 1, b: 1 },
  };
  for (const [query, total] of [
    ["", 4],
    ["outcome=yes", 2],
    ["outcome=no&min_grade=A", 1],
    ["min_grade=S", 1],
    ["outcome=no&min_grade=S", 0],
  ] as const) {
    const { body } = await api.get(pathOf(market, query));
    expect({ query, totals: body.totals, total: body.total, rows: body.data.length }).toEqual({
      query,
      totals,
      total,
      rows: total,
    });
    expect(body.scan).toMatchObject({ source: "cached", complete: true, wallet_count: 77 });
  }
});

test.each([
  { facts: {}, status: "open" },
  { facts: { closed: true }, status: "closed" },
  { facts: { closed: true, payoutsPpm: [0, 1_000_000] }, status: "resolved" },
])("the response describes the market: $status", async ({ facts, status }) => {
  const { api, db } = await openFreshApi();
  const eventId = await anEvent(db, { slug: "rain" });
  const market = await aMarket(
    db,
    { title: "Rain?", slug: "r", eventId, category: "Politics", endAt: new Date("2026-12-31T00:00:00Z"), ...facts },
    [{ label: "Wet" }, { label: "Dry" }],
  );
  await aHolderScan(db, market, []);
  const { body } = await api.get(pathOf(market));
  expect(body).toMatchObject({ data: [], total: 0, has_more: false });
  expect(departures("MarketHoldersResponse", body)).toEqual([]);
  expect(body.market).toEqual({
    id: `mkt_${market.id}`,
    condition_id: market.conditionId,
    title: "Rain?",
    slug: "r",
    event_slug: "rain",
    category: "Politics",
    outcome_yes: "Wet",
    outcome_no: "Dry",
    token_id_yes: market.outcomes[0].tokenId,
    token_id_no: market.outcomes[1].tokenId,
    end_date: "2026-12-31T00:00:00.000Z",
    status,
  });
});

describe("missing or old scan", () => {
  const requestedAt = async (db: Database, market: SeededMarket) =>
    (await db.select().from(holderScans).where(eq(holderScans.marketId, market.id)))[0]?.requestedAt ?? null;

  test("a market without a scan returns 503 with Retry-After and records the request", async () => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db);
    const before = Date.now();
    const response = await api.get(pathOf(market));
    expect(errorOf(response)).toMatchObject({ status: 503, reason: "read_model_warming" });
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await requestedAt(db, market))?.getTime()).toBeGreaterThanOrEqual(before);
  });

  const storeScan = (db: Database) => db.update(holderScans).set({ fetchedAt: new Date(), walletCount: 7 });
  const never = () => new Promise<never>(() => undefined);

  test.each([
    { polls: 1, waits: [150] },
    { polls: 4, waits: [150, 200, 300, 450] },
  ])(
    "a request polls with growing gaps for another process's scan that ends before poll $looks",
    async ({ polls, waits }) => {
      const { db, databaseUrl } = await createTestDatabase();
      const market = await aMarket(db);
      const waitedMs: number[] = [];
      const wait = async (ms: number) => {
        if (waitedMs.push(ms) === polls) await storeScan(db);
      };
      const api = openKernel(
        { ...openTestRuntime(databaseUrl), wait, holderScanner: { scan: never } },
        OPERATIONS,
        await aKey(db),
      );
      const { status, body } = await api.send(pathOf(market));
      expect({ status, holders: body.scan.wallet_count, waitedMs }).toEqual({
        status: 200,
        holders: 7,
        waitedMs: waits,
      });
    },
  );

  test("a request starts one scan itself and responds as soon as it ends", async () => {
    const { db, databaseUrl } = await createTestDatabase();
    const market = await aMarket(db);
    const requestedScans: number[] = [];
    const scan = async (marketId: number) => {
      requestedScans.push(marketId);
      await storeScan(db);
      return true;
    };
    // No wait ends, so only the end of the scan leads to a response.
    const api = openKernel(
      { ...openTestRuntime(databaseUrl), wait: never, holderScanner: { scan } },
      OPERATIONS,
      await aKey(db),
    );
    const { status, body } = await api.send(pathOf(market));
    expect({ status, holders: body.scan.wallet_count, requestedScans }).toEqual({
      status: 200,
      holders: 7,
      requestedScans: [market.id],
    });
  });

  test("a request starts one scan only and gives up after ten seconds if it stays incomplete", async () => {
    const { db, databaseUrl } = await createTestDatabase();
    const market = await aMarket(db);
    let [requestedScans, waitedMs] = [0, 0];
    const scan = async () => (requestedScans++, true);
    const wait = async (ms: number) => void (waitedMs += ms);
    const api = openKernel(
      { ...openTestRuntime(databaseUrl), wait, holderScanner: { scan } },
      OPERATIONS,
      await aKey(db),
    );
    expect(errorOf(await api.send(pathOf(market)))).toMatchObject({ status: 503, reason: "read_model_warming" });
    expect([requestedScans, waitedMs]).toEqual([1, 10_300]);
  });

  test.each([
    { age: 160, status: 200 },
    { age: 185, status: 503 },
  ])("a scan that is $age seconds old returns $status", async ({ age, status }) => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db);
    await aHolderScan(db, market, [], { fetchedAt: secondsAgo(age) });
    expect((await api.get(pathOf(market))).status).toBe(status);
  });

  test("an incomplete first scan is not served", async () => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db);
    await aHolderScan(db, market, [{ trader: await graded(db, "S"), shares: 1 }], {
      fetchedAt: null,
      walletCount: null,
      lastError: "too many",
    });
    expect((await api.get(pathOf(market))).status).toBe(503);
  });

  test("a market that is read has its request time renewed once a minute", async () => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db);
    const [overAMinuteAgo, recent] = [secondsAgo(90), secondsAgo(30)];
    await aHolderScan(db, market, [], { requestedAt: recent });
    await api.get(pathOf(market));
    expect(await requestedAt(db, market)).toEqual(recent);
    await db.update(holderScans).set({ requestedAt: overAMinuteAgo });
    await api.get(pathOf(market));
    expect((await requestedAt(db, market))?.getTime()).toBeGreaterThan(recent.getTime());
  });

  test("an unknown market returns 404 and records no request", async () => {
    const { api, db } = await openFreshApi();
    expect(errorOf(await api.get("/api/v1/market/mkt_99/holders"))).toMatchObject({
      status: 404,
      param: "condition_id",
    });
    expect(await db.select().from(holderScans)).toEqual([]);
  });

  test("a market of three outcomes returns 404 for holders", async () => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db);
    await db.insert(outcomes).values({ marketId: market.id, tokenId: "3", outcomeIndex: 2, label: "Draw" });
    await aHolderScan(db, market, []);
    expect((await api.get(pathOf(market))).status).toBe(404);
  });
});

test.each(["trd_1", "wt_1", "rf_1", "nonsense"])(
  "the id %s of another kind of object returns bad_request for holders",
  async (ref) => {
    const { api } = await openFreshApi();
    const { status, body } = await api.get(`/api/v1/market/${ref}/holders`);
    expect({ status, ...body.error }).toMatchObject({ status: 400, code: "bad_request", param: "condition_id" });
  },
);

test.each(["min_grade=C", "min_grade=F", "outcome=maybe", "limit=x", "cursor=nonsense"])(
  "the holders query %s is refused with its parameter",
  async (query) => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db);
    await aHolderScan(db, market, []);
    const [name] = query.split("=");
    expect(errorOf(await api.get(pathOf(market, query)))).toMatchObject({ status: 400, param: name });
  },
);

describe("holder pages", () => {
  async function aRoster(size: number) {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db, {}, [{ lastTradePrice: "0.8" }, {}]);
    const holders: SeededHolding[] = [];
    for (let n = 0; n < size; n++)
      holders.push({ trader: await graded(db, "A"), outcome: n % 4 === 0 ? 1 : 0, shares: 10 + (n % 3) });
    await aHolderScan(db, market, holders);
    return { api, db, market, holders };
  }

  test("holders are ordered by value, shares and address, and each appears once for any page size", async () => {
    const { api, market, holders } = await aRoster(11);
    // The second outcome has no price.
    const rank = (one: SeededHolding) => [one.outcome === 1 ? -1 : one.shares, one.shares] as const;
    const expected = holders
      .toSorted(
        (a, b) => rank(b)[0] - rank(a)[0] || rank(b)[1] - rank(a)[1] || (a.trader.address < b.trader.address ? -1 : 1),
      )
      .map(({ trader }) => trader.address);
    for (const limit of [1, 4, 11, 100]) {
      const pages = await api.walk(pathOf(market, `limit=${limit}`));
      expect(pages.flatMap(({ body }) => body.data.map((row: { address: string }) => row.address))).toEqual(expected);
      expect(pages.map(({ body }) => body.total)).toEqual(pages.map(() => 11));
      // A full last page has has_more false.
      expect(pages).toHaveLength(Math.ceil(11 / limit));
      expect(pages.at(-1)?.body.has_more).toBe(false);
    }
  });

  test("a holders cursor is an offset that survives a new scan and another page size, but not other filters", async () => {
    const { api, db, market, holders } = await aRoster(6);
    const first = await api.get(pathOf(market, "limit=2"));
    const cursor = encodeURIComponent(first.body.next_cursor);
    await db.delete(marketHolders);
    await addHoldings(
      db,
      market,
      holders.map((one, n) => ({ ...one, outcome: 0 as const, shares: 100 + n })),
    );
    await db.update(holderScans).set({ fetchedAt: new Date() });
    const { body } = await api.get(pathOf(market, `limit=3&cursor=${cursor}`));
    // By value, the new scan lists the last trader first: 5, 4 | 3, 2, 1 | 0.
    expect(body.data.map((row: { address: string }) => row.address)).toEqual(
      [3, 2, 1].map((n) => holders[n]?.trader.address),
    );
    const other = await aMarket(db);
    await aHolderScan(db, other, []);
    for (const path of [
      pathOf(market, `outcome=yes&cursor=${cursor}`),
      pathOf(market, `min_grade=A&cursor=${cursor}`),
      pathOf(other, `cursor=${cursor}`),
    ]) {
      expect({ path, ...errorOf(await api.get(path)) }).toEqual({
        path,
        status: 400,
        reason: "invalid_query",
        param: "cursor",
      });
    }
  });

  test("a cursor beyond the end of a shorter list returns an empty last page", async () => {
    const { api, db, market } = await aRoster(4);
    const { body } = await api.get(pathOf(market, "limit=3"));
    await db.delete(marketHolders);
    expect((await api.get(pathOf(market, `cursor=${encodeURIComponent(body.next_cursor)}`))).body).toMatchObject({
      data: [],
      has_more: false,
      total: 0,
    });
  });

  test("a walk is not affected by changes of other markets and ungraded traders while the scan stays", async () => {
    const { api, db, market, holders } = await aRoster(9);
    const whole = (await api.get(pathOf(market, "limit=100"))).body.data.map((row: { address: string }) => row.address);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 9, maxLength: 9 }),
        fc.boolean(),
        async (sizes, sold) => {
          const walked: string[] = [];
          let cursor: string | null = null;
          for (const size of sizes) {
            const { body }: { body: any } = await api.get(
              pathOf(market, `limit=${size}${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`),
            );
            walked.push(...body.data.map((row: { address: string }) => row.address));
            cursor = body.next_cursor ?? null;
            if (cursor === null) break;
            // An ungraded trader in this market, and a graded one in another.
            await addHoldings(db, market, [{ trader: await aSeededTrader(db), shares: 999 }]);
            const wallet = holders[0]?.trader;
            if (sold && wallet !== undefined)
              await addHoldings(db, await aMarket(db), [{ trader: wallet, shares: 999 }]);
          }
          expect(walked).toEqual(cursor === null ? whole : whole.slice(0, walked.length));
        },
      ),
      { numRuns: 8 },
    );
  });

  test("a trader that loses its grade leaves the list at once", async () => {
    const { api, db, market, holders } = await aRoster(3);
    await db
      .update(traders)
      .set({ grade: "C" })
      .where(eq(traders.id, holders[0]?.trader.id ?? 0));
    expect((await api.get(pathOf(market))).body).toMatchObject({ total: 2, totals: { graded_count: 2 } });
  });
});

test("an unchanged scan keeps its ETag, and a new scan changes it", async () => {
  const { api, db } = await openFreshApi();
  const market = await aMarket(db);
  await aHolderScan(db, market, []);
  const etag = (await api.get(pathOf(market))).headers.get("etag") ?? "";
  expect((await api.get(pathOf(market), { "if-none-match": etag })).status).toBe(304);
  await db.update(holderScans).set({ walletCount: 3 });
  expect((await api.get(pathOf(market), { "if-none-match": etag })).status).toBe(200);
});
