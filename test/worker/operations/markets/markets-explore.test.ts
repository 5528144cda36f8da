import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { buildExplore } from "../../../../src/ingest/read-models/explore/build-explore.ts";
import type { TestApiResponse, ApiUnderTest } from "../../../support/api/api-under-test.ts";
import { openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { aLargeTrade } from "../../../support/seed/large-trades.ts";
import { aGeneration, anExploreEntry, type ExploreFacts } from "../../../support/seed/lists.ts";
import { aMarket, anEvent, type SeededMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const EXPLORE = "/api/v1/markets/explore";
const BUILT_AT = new Date("2026-11-20T12:00:00Z");
const NO_FACETS = { categories: [], platforms: [] };
const mkt = (market: SeededMarket | undefined) => `mkt_${market?.id}`;

/** The titles of a page's entries: of a group its event's, of a standalone entry its market's. */
const titlesOf = ({ body }: TestApiResponse): string[] =>
  body.data.map((entry: any) => entry.parent_title ?? entry.market.title);

describe("sorting and filtering", () => {
  let api: ApiUnderTest;
  const entries: readonly (Partial<ExploreFacts> & { title: string })[] = [
    {
      title: "a",
      trendingScore: 1,
      discoverScore: 3,
      volumeUsd: "200",
      largeTradeCount: 0,
      endAt: new Date("2026-12-25T00:00:00Z"),
      expiresAt: new Date("2026-12-25T00:00:00Z"),
      createdAt: new Date("2026-11-03T00:00:00Z"),
      category: "Politics",
    },
    {
      title: "b",
      trendingScore: 2,
      discoverScore: 2,
      volumeUsd: "1000",
      largeTradeCount: 7,
      // Ended before the list was built.
      endAt: new Date("2026-11-20T11:59:59Z"),
      createdAt: new Date("2026-11-01T00:00:00Z"),
      hasActive: false,
      hasClosed: true,
    },
    {
      title: "c",
      trendingScore: 3,
      discoverScore: 1,
      volumeUsd: "30",
      largeTradeCount: 9,
      // Ended after the build, which must not affect a walk.
      endAt: new Date("2026-11-20T12:00:01Z"),
      expiresAt: new Date("2026-11-20T12:00:01Z"),
      createdAt: new Date("2026-11-02T00:00:00Z"),
      category: "Basketball",
      hasClosed: true,
    },
    // Equal to "c" in every sort for which it has a value.
    { title: "d", trendingScore: 3, discoverScore: 1, largeTradeCount: 9 },
  ];

  beforeAll(async () => {
    const fresh = await openFreshApi();
    api = fresh.api;
    const { db } = fresh;
    const generation = await aGeneration(db, "explore", BUILT_AT, entries.length, NO_FACETS);
    for (const [index, { title, ...facts }] of entries.entries()) {
      const market = await aMarket(db, { title });
      await anExploreEntry(db, {
        generation,
        id: index + 1,
        markets: [market],
        searchText: `lakers entry ${title}`,
        ...facts,
      });
    }
  });

  test.each([
    ["", "cdba"],
    ["sort=trending", "cdba"],
    ["sort=hot", "abcd"],
    ["sort=volume", "bacd"],
    ["sort=large_trades", "cdba"],
    ["sort=whales", "cdba"],
    ["sort=newest", "acbd"],
    // Ended entries and those without an end come after those that are still to end.
    ["sort=expiring", "cabd"],
  ])('the sort "%s" has the order %s and each entry once over the pages', async (sort, expected) => {
    const pages = await api.walk(`${EXPLORE}?${sort}&limit=1`);
    expect(pages.flatMap(titlesOf).join("")).toBe(expected);
  });

  test.each([
    ["status=all", "abcd"],
    ["status=active", "acd"],
    ["status=closed", "bc"],
    ["category=politics", "a"],
    ["category=NBA", "c"],
    ["category=Nowhere", ""],
    ["platform=polymarket", "abcd"],
    ["q=LAKERS", "abcd"],
    ["q=entry+lak", "abcd"],
    ["q=lakers+nowhere", ""],
    ["q=", "abcd"],
    ["category=politics&status=closed", ""],
  ])('the filter %s selects "%s" and counts it', async (filter, expected) => {
    const response = await api.get(`${EXPLORE}?${filter}`);
    expect(titlesOf(response).toSorted().join("")).toBe(expected);
    expect(response.body.total).toBe(expected.length);
  });

  test("the total is on the first page only", async () => {
    const [first, ...rest] = await api.walk(`${EXPLORE}?limit=2&status=active`);
    expect(first?.body.total).toBe(3);
    expect(rest.map(({ body }) => Object.hasOwn(body, "total"))).toEqual([false]);
  });

  test.each([
    ["sort=best", "sort"],
    ["status=open", "status"],
    ["platform=kalshi", "platform"],
    [`q=${"a".repeat(65)}`, "q"],
  ])("the explore query %s is refused with its parameter", async (query, param) => {
    expect(errorOf(await api.get(`${EXPLORE}?${query}`))).toEqual({ status: 400, reason: "invalid_query", param });
  });

  test("an explore cursor is refused with another sort or filter", async () => {
    const cursor = (await api.get(`${EXPLORE}?limit=1`)).body.next_cursor;
    for (const query of ["sort=volume", "status=active", "q=lakers"]) {
      const refusal = errorOf(await api.get(`${EXPLORE}?${query}&cursor=${cursor}`));
      expect({ query, ...refusal }).toEqual({ query, status: 400, reason: "invalid_query", param: "cursor" });
    }
  });
});

test("an explore page has 24 entries by default and 48 at most", async () => {
  const { api, db } = await openFreshApi();
  const generation = await aGeneration(db, "explore", BUILT_AT, 49, NO_FACETS);
  const market = await aMarket(db);
  for (let id = 1; id <= 49; id++) await anExploreEntry(db, { generation, id, markets: [market] });
  expect((await api.get(EXPLORE)).body.data).toHaveLength(24);
  const largest = await api.get(`${EXPLORE}?limit=1000`);
  expect(largest.body.data).toHaveLength(48);
  expect(largest.headers.get("x-effective-query")).toBe("limit=48");
});

describe("rebuilds of explore", () => {
  test("an explore walk continues in its generation and expires when that is deleted", async () => {
    const { api, db, openPool } = await openFreshApi();
    const [one, two] = [await aMarket(db, { title: "one" }), await aMarket(db, { title: "two" })];
    const old = await aGeneration(db, "explore", BUILT_AT, 2, NO_FACETS);
    await anExploreEntry(db, { generation: old, id: 1, markets: [one], trendingScore: 2 });
    await anExploreEntry(db, { generation: old, id: 2, markets: [two], trendingScore: 1 });
    const first = await api.get(`${EXPLORE}?limit=1`);
    const rebuilt = await aGeneration(db, "explore", BUILT_AT, 1, NO_FACETS);
    await anExploreEntry(db, { generation: rebuilt, id: 1, markets: [two], trendingScore: 9 });
    const next = `${EXPLORE}?limit=1&cursor=${first.body.next_cursor}`;
    expect([first, await api.get(next)].flatMap(titlesOf)).toEqual(["one", "two"]);
    expect(titlesOf(await api.get(EXPLORE))).toEqual(["two"]);
    await openPool().query("delete from list_generations where id = $1", [old]);
    const expired = await api.get(next);
    expect(errorOf(expired)).toEqual({ status: 400, reason: "cursor_expired", param: "cursor" });
    expect(expired.headers.get("retry-after")).toBeNull();
  });

  test("an explore list without a generation returns 503 read_model_warming with Retry-After", async () => {
    const { api } = await openFreshApi();
    const response = await api.get(EXPLORE);
    expect(errorOf(response)).toMatchObject({ status: 503, reason: "read_model_warming" });
    expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  });

  test("computed_at and fresh_for_seconds are current and do not change the ETag", async () => {
    const { api, db } = await openFreshApi();
    const builtAt = new Date(Date.now() - 20_000);
    await aGeneration(db, "explore", builtAt, 0, NO_FACETS);
    const { body, headers } = await api.get(EXPLORE);
    expect(body.computed_at).toBe(builtAt.toISOString());
    // Sixty seconds from the build, less the ten for which the response may be cached, and up to fifteen for
    // a slow test.
    expect(body.fresh_for_seconds).toSatisfy((seconds: number) => seconds > 15 && seconds <= 30);
    await aGeneration(db, "explore", BUILT_AT, 0, NO_FACETS);
    expect((await api.get(EXPLORE)).body).toMatchObject({ computed_at: BUILT_AT.toISOString(), fresh_for_seconds: 0 });
    expect((await api.get(EXPLORE, { "if-none-match": headers.get("etag") ?? "" })).status).toBe(304);
  });
});

describe("market end after the build", () => {
  const hours = (from: number) => new Date(Date.now() + from * 3_600_000);
  const pageOf = async (api: ApiUnderTest, query: string) => {
    const { body } = await api.get(`${EXPLORE}?${query}`);
    const statuses = body.data.flatMap((entry: any) =>
      (entry.markets ?? [entry.market]).map((market: any) => market.status),
    );
    return { total: body.total, statuses };
  };

  test("a market that ends after the build moves from active to closed at once, in rows and totals", async () => {
    const { api, db, openPool } = await openFreshApi();
    const alone = await aMarket(db, { endAt: hours(1), volumeUsd: "3", category: "Politics" });
    const eventId = await anEvent(db);
    const first = await aMarket(db, { eventId, endAt: hours(1), volumeUsd: "2" });
    await aMarket(db, { eventId, endAt: hours(2), volumeUsd: "1" });
    await aMarket(db, { volumeUsd: "0.5" });
    await inTransaction(openPool(), buildExplore);
    expect(await pageOf(api, "status=active&sort=volume")).toEqual({
      total: 3,
      statuses: ["active", "active", "active", "active"],
    });
    expect(await pageOf(api, "status=closed")).toEqual({ total: 0, statuses: [] });
    // Equivalent to the passing of time: the entries end with their representatives.
    for (const { id } of [alone, first]) {
      await db.execute(sql`update markets set end_at = now() - interval '1 second' where id = ${id}`);
      await db.execute(
        sql`update explore_entries set expires_at = now() - interval '1 second' where representative_id = ${id}`,
      );
    }
    expect(await pageOf(api, "status=active&sort=volume")).toEqual({
      total: 2,
      statuses: ["closed", "active", "active"],
    });
    expect(await pageOf(api, "status=active&q=market&sort=volume")).toEqual({
      total: 2,
      statuses: ["closed", "active", "active"],
    });
    expect(await pageOf(api, "status=closed&sort=volume")).toEqual({
      total: 2,
      statuses: ["closed", "closed", "active"],
    });
    expect(await pageOf(api, "status=closed&category=Politics")).toEqual({ total: 1, statuses: ["closed"] });
    expect(await pageOf(api, "status=all")).toMatchObject({ total: 3 });
    // A market with a live book trades on after its end.
    await db.execute(
      sql`update outcomes set best_bid = 0.5, book_source = 'clob_book', book_as_of = now() where market_id = ${alone.id}`,
    );
    expect(await pageOf(api, "status=active&category=Politics")).toEqual({ total: 1, statuses: ["active"] });
  });
});

describe("grouping", () => {
  test("a group has an event's twelve largest titled markets by volume, then condition id", async () => {
    const { api, db, openPool } = await openFreshApi();
    const eventId = await anEvent(db, { slug: "who-wins", title: "Who wins?", image: "https://images.test/event.png" });
    const inEvent = (volumeUsd: string | null, facts: object = {}) =>
      aMarket(db, { eventId, volumeUsd, category: "Politics", ...facts });
    const ranked: SeededMarket[] = [];
    for (let volume = 10; volume > 0; volume--) ranked.push(await inEvent(String(volume)));
    const lastByCondition = await inEvent("0", { conditionId: `0x${"f".repeat(64)}` });
    ranked.push(await inEvent("0", { conditionId: `0x${"e".repeat(64)}` }), lastByCondition);
    await inEvent(null);
    await inEvent("99", { title: null });
    await aMarket(db, { title: "Alone", category: "Crypto", volumeUsd: "5" });
    await inTransaction(openPool(), (session) => buildExplore(session));
    const { body } = await api.get(`${EXPLORE}?sort=volume`);
    expect(body.data.map((entry: { type: string }) => entry.type)).toEqual(["group", "standalone"]);
    expect(body.data[0]).toMatchObject({
      event_slug: "who-wins",
      parent_title: "Who wins?",
      image: "https://images.test/event.png",
      rep_volume: 10,
    });
    expect(body.data[0].markets.map((market: { id: string }) => market.id)).toEqual(ranked.map(mkt));
    expect(body.facets).toEqual({
      categories: [
        { value: "Crypto", label: "Crypto", count: 1 },
        { value: "Politics", label: "Politics", count: 1 },
      ],
      platforms: [{ value: "polymarket", label: "Polymarket", count: 2 }],
    });
  });

  test("a group has its representative's large trades, and only that market has the score", async () => {
    const { api, db } = await openFreshApi();
    const [first, second] = [await aMarket(db, { largeTradeCount: 3 }), await aMarket(db, { largeTradeCount: 8 })];
    const generation = await aGeneration(db, "explore", BUILT_AT, 1, NO_FACETS);
    const facts = { eventId: await anEvent(db), largeTradeCount: 3, volumeUsd: "12.349", discoverScore: 0.29 };
    await anExploreEntry(db, { generation, id: 1, markets: [first, second], ...facts });
    const [group] = (await api.get(EXPLORE)).body.data;
    expect(group).toMatchObject({ rep_volume: 12.34, rep_large_trades: 3, rep_whales: 3 });
    expect(group.markets.map((market: { discover_score: number | null }) => market.discover_score)).toEqual([
      0.29,
      null,
    ]);
  });
});

describe("one explore market", () => {
  /** The only market of a list, as the API returns it. */
  async function exploreMarket(
    { api, db }: Pick<Awaited<ReturnType<typeof openFreshApi>>, "api" | "db">,
    market: SeededMarket,
  ): Promise<any> {
    const generation = await aGeneration(db, "explore", BUILT_AT, 1, NO_FACETS);
    await anExploreEntry(db, { generation, id: 1, markets: [market], discoverScore: 1.239 });
    return (await api.get(EXPLORE)).body.data[0].market;
  }

  test("explore figures are truncated toward zero, and large trades are counted per trader, under both spellings", async () => {
    const fresh = await openFreshApi();
    const figures = {
      volumeUsd: "1234.567",
      liquidityUsd: "9.999",
      largeTradeCount: 3,
      largeTradeUsdMicro: 30_123_456_789n,
    };
    const market = await aMarket(fresh.db, { ...figures, largeTradeLastAt: BUILT_AT });
    const wallet = await aSeededTrader(fresh.db);
    for (const trader of [wallet, wallet, await aSeededTrader(fresh.db)])
      await aLargeTrade(fresh.db, { market, trader: trader });
    expect(await exploreMarket(fresh, market)).toMatchObject({
      volume: 1234.56,
      liquidity: 9.99,
      large_trade_count: 3,
      whale_trade_count: 3,
      large_trade_distinct_wallets: 2,
      whale_distinct_wallets: 2,
      large_trade_total_usd: 30_123.45,
      whale_total_usd: 30_123.45,
      large_trade_last_at: "2026-11-20T12:00:00.000Z",
      whale_last_trade_at: "2026-11-20T12:00:00.000Z",
    });
  });

  test("each side has its label, token and price, and no price before the first quote or trade", async () => {
    const fresh = await openFreshApi();
    const market = await aMarket(fresh.db, { hydratedAt: BUILT_AT }, [
      { label: "Lakers", lastTradePrice: "0.54329" },
      { label: "Celtics" },
    ]);
    expect(await exploreMarket(fresh, market)).toMatchObject({
      outcome_yes: "Lakers",
      token_id_yes: market.outcomes[0].tokenId,
      last_price: 0.5432,
      outcome_no: "Celtics",
      token_id_no: market.outcomes[1].tokenId,
      // The provider's own price is not used.
      no_last_price: null,
      discover_score: 1.23,
      freshness: { enrichment_status: "available", price_status: "available" },
    });
  });

  test.each([
    { facts: {}, status: "active" },
    { facts: { closed: true }, status: "closed" },
    { facts: { payoutsPpm: [0, 1_000_000] }, status: "closed" },
  ])("a market is $status with $facts", async ({ facts, status }) => {
    const fresh = await openFreshApi();
    expect(await exploreMarket(fresh, await aMarket(fresh.db, facts))).toMatchObject({ status });
  });

  test("unknown fields of an explore market are null, and freshness reports them", async () => {
    const fresh = await openFreshApi();
    const market = await exploreMarket(
      fresh,
      await aMarket(fresh.db, { slug: null }, [{ label: null }, { label: null }]),
    );
    for (const name of [
      "volume",
      "liquidity",
      "last_price",
      "no_last_price",
      "end_date",
      "created_at",
      "outcome_yes",
      "category",
    ]) {
      expect(market).toHaveProperty(name, null);
    }
    for (const name of [
      "smart_score",
      "smart_count",
      "smart_label",
      "price_points",
      "open_interest",
      "change_pct_24h",
    ]) {
      expect(market).toHaveProperty(name, null);
    }
    expect(market.freshness).toEqual({ enrichment_status: "unavailable", price_status: "unavailable" });
  });
});
