import { describe, expect, test } from "vitest";
import type { outcomes } from "../../../../src/db/schema.ts";
import { outcomes as outcomeTable } from "../../../../src/db/schema.ts";
import { openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { aMarket, anEvent } from "../../../support/seed/markets.ts";

const snapshotOf = (ref: string | number) => `/api/v1/market/${typeof ref === "number" ? `mkt_${ref}` : ref}/snapshot`;
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);

type OutcomeFacts = Partial<typeof outcomes.$inferInsert>;

/** A book that was read just now. */
const quoted = (
  bestBid: string | null,
  bestAsk: string | null,
  lastTradePrice: string | null = null,
): OutcomeFacts => ({
  bestBid,
  bestAsk,
  lastTradePrice,
  bookSource: "clob_book",
  bookAsOf: secondsAgo(1),
});

/** Quotes of a market object, which are as old as the market's figures. */
const LISTED: OutcomeFacts = { bookSource: "gamma_market", bookAsOf: null };

describe("market reference", () => {
  test("a market is found by mkt_ id and by condition id in any letter case", async () => {
    const { api, db } = await openFreshApi();
    const { id, conditionId } = await aMarket(db, { conditionId: `0x${"ab".repeat(32)}` });
    for (const ref of [`mkt_${id}`, conditionId, `0x${"AB".repeat(32)}`]) {
      const { body } = await api.get(snapshotOf(ref));
      expect({ ref, ...body.data.market }).toMatchObject({ ref, id: `mkt_${id}`, condition_id: conditionId });
    }
  });

  test.each(["mkt_999999", `0x${"9".repeat(64)}`])("the unknown market %s returns 404", async (ref) => {
    const { api } = await openFreshApi();
    expect(errorOf(await api.get(snapshotOf(ref)))).toEqual({
      status: 404,
      reason: undefined,
      param: "condition_id",
    });
  });

  test.each(["trd_1", "wt_1", "rf_1", "mkt_x", "1", "a-slug", `0x${"9".repeat(63)}`])(
    "the reference %s is not a market's id and returns bad_request",
    async (ref) => {
      const { api } = await openFreshApi();
      const { status, body } = await api.get(snapshotOf(ref));
      expect({ status, ...body.error }).toMatchObject({ status: 400, code: "bad_request", param: "condition_id" });
    },
  );
});

describe("current_price", () => {
  test.each([
    { bid: "0.54", ask: "0.56", last: "0.50", price: 0.55, because: "the midpoint of a narrow book" },
    { bid: "0.45", ask: "0.55", last: "0.40", price: 0.5, because: "a spread of 0.10 is still narrow" },
    { bid: "0.44", ask: "0.55", last: "0.40", price: 0.4, because: "the book is wide and the last trade counts" },
    { bid: "0.44", ask: null, last: "0.40", price: 0.4, because: "a one-sided book has no midpoint" },
    { bid: null, ask: null, last: "0.40", price: 0.4, because: "there are no quotes" },
    { bid: "0.44", ask: "0.55", last: null, price: undefined, because: "the book is wide and there is no trade" },
    { bid: null, ask: null, last: null, price: undefined, because: "there is neither quote nor trade" },
    { bid: "0.5411", ask: "0.5414", last: null, price: 0.5412, because: "0.54125 is truncated to four decimals" },
    { bid: "0.33", ask: "0.35", last: null, price: 0.34, because: "floating point does not lose a decimal" },
  ])("quotes $bid / $ask and last trade $last give $price, because $because", async ({ bid, ask, last, price }) => {
    const { api, db } = await openFreshApi();
    const { id } = await aMarket(db, {}, [quoted(bid, ask, last), {}]);
    const [yes] = (await api.get(snapshotOf(id))).body.data.outcomes;
    expect(yes.current_price).toBe(price);
    expect("current_price" in yes).toBe(price !== undefined);
  });
});

describe("price decimals", () => {
  test.each([
    { price: "0.1234996", served: 0.1234, because: "decimals after the fourth are truncated" },
    { price: "0.1234999999", served: 0.1234, because: "ten provider decimals are truncated" },
    { price: "0.29", served: 0.29, because: "up to four decimals are unchanged" },
    { price: "0.0029", served: 0.0029, because: "0.0029 * 10,000 is a little less than 29 in floating point" },
    { price: "1", served: 1, because: "the price of a certain outcome is one dollar" },
  ])("the price $price is returned as $served: $because", async ({ price, served }) => {
    const { api, db } = await openFreshApi();
    const { id } = await aMarket(db, {}, [quoted(null, null, price), quoted(price, price)]);
    const [traded, booked] = (await api.get(snapshotOf(id))).body.data.outcomes;
    expect(traded.current_price).toBe(served);
    expect(booked).toMatchObject({ current_price: served, top_of_book: { best_bid: served, best_ask: served } });
  });
});

describe("top of book", () => {
  test("each outcome has its own side, label, token, quotes and depths", async () => {
    const { api, db } = await openFreshApi();
    const depths = { bidDepthUsd: "100.999", askDepthUsd: "50" };
    const market = await aMarket(db, {}, [
      { ...quoted("0.54", "0.56"), ...depths, label: "Lakers" },
      { ...quoted("0.44", "0.46"), label: "Celtics" },
    ]);
    // By hand: 0.02 / 0.55 is 363.6 basis points, 0.02 / 0.45 is 444.4.
    expect((await api.get(snapshotOf(market.id))).body.data.outcomes).toEqual([
      {
        side: "yes",
        label: "Lakers",
        token_id: market.outcomes[0].tokenId,
        current_price: 0.55,
        top_of_book: {
          status: "available",
          source: "clob_book",
          best_bid: 0.54,
          best_ask: 0.56,
          spread_bps: 364,
          bid_depth_usdc: 100.99,
          ask_depth_usdc: 50,
        },
      },
      {
        side: "no",
        label: "Celtics",
        token_id: market.outcomes[1].tokenId,
        current_price: 0.45,
        top_of_book: { status: "available", source: "clob_book", best_bid: 0.44, best_ask: 0.46, spread_bps: 444 },
      },
    ]);
  });

  test("a one-sided book is shown without a spread", async () => {
    const { api, db } = await openFreshApi();
    const { id } = await aMarket(db, {}, [quoted("0.54", null), quoted(null, "0.46")]);
    const [yes, no] = (await api.get(snapshotOf(id))).body.data.outcomes;
    expect(yes.top_of_book).toEqual({ status: "available", source: "clob_book", best_bid: 0.54 });
    expect(no.top_of_book).toEqual({ status: "available", source: "clob_book", best_ask: 0.46 });
  });

  test("a missing book is unavailable with a reason, for the outcome and the market", async () => {
    const { api, db } = await openFreshApi();
    const { id } = await aMarket(db);
    const { outcomes: sides, freshness } = (await api.get(snapshotOf(id))).body.data;
    const unavailable = { status: "unavailable", source: "clob_book", reason: expect.stringMatching(/./) };
    expect(sides.map((side: { top_of_book: unknown }) => side.top_of_book)).toEqual([unavailable, unavailable]);
    expect(freshness.top_of_book).toEqual(unavailable);
  });

  test("the snapshot has no outcomes for markets of three outcomes and for undescribed markets", async () => {
    const { api, db } = await openFreshApi();
    const three = await aMarket(db);
    await db.insert(outcomeTable).values({ marketId: three.id, tokenId: "3", outcomeIndex: 2, label: "Draw" });
    const unsynced = await aMarket(db, {}, [{ outcomeIndex: null }, { outcomeIndex: null }]);
    expect((await api.get(snapshotOf(three.id))).body.data.outcomes).toEqual([]);
    expect((await api.get(snapshotOf(unsynced.id))).body.data.outcomes).toEqual([]);
  });
});

describe("ended market", () => {
  const AWAITED = "trading is over, and the result is awaited";
  const FINAL = expect.stringContaining("final");
  const HOUR = 3_600;

  test.each([
    { by: "the provider's flag", facts: { closed: true }, result: null, prices: [0.98, undefined], reason: AWAITED },
    { by: "its end", facts: { endAt: secondsAgo(HOUR) }, result: null, prices: [0.98, undefined], reason: AWAITED },
    { by: "a payout", facts: { payoutsPpm: [0, 1_000_000] }, result: "No", prices: [0, 1], reason: FINAL },
    { by: "both", facts: { closed: true, payoutsPpm: [1_000_000, 0] }, result: "Yes", prices: [1, 0], reason: FINAL },
    {
      by: "a split payout",
      facts: { payoutsPpm: [500_000, 500_000] },
      result: "split: Yes 50 %, No 50 %",
      prices: [0.5, 0.5],
      reason: FINAL,
    },
  ])(
    "a market closed by $by has its payout or last trade as price and no old quotes",
    async ({ facts, result, prices, reason }) => {
      const { api, db } = await openFreshApi();
      const before = { ...quoted("0.54", "0.56", "0.98"), bookAsOf: secondsAgo(2 * HOUR) };
      const { id } = await aMarket(db, { ...facts, figuresAsOf: secondsAgo(HOUR) }, [before, {}]);
      const { market, outcomes: sides, freshness } = (await api.get(snapshotOf(id))).body.data;
      const over = { status: "unavailable", source: "clob_book", reason };
      expect(market).toMatchObject({ status: "closed", market_result: result });
      expect(sides.map((side: { current_price?: number }) => side.current_price)).toEqual(prices);
      expect(sides[0].top_of_book).toEqual(over);
      expect(freshness.top_of_book).toEqual(over);
      // Data of a resolved market cannot be late; data of an unresolved one is not fresh.
      expect(freshness.market_data).toEqual({
        status: result === null ? "stale" : "not_live",
        source: "gamma_market",
        as_of: expect.any(String),
        reason,
      });
    },
  );

  test("a market past its end is closed only if no book is newer than the end", async () => {
    const { api, db } = await openFreshApi();
    const endAt = secondsAgo(400);
    const at = (seconds: number) => ({ ...quoted("0.54", "0.56", "0.2"), bookAsOf: secondsAgo(seconds) });
    const listed = { ...quoted("0.54", "0.56", "0.2"), ...LISTED };
    for (const { book, figuresAsOf, status, price } of [
      { book: at(399), status: "active", price: 0.55 },
      { book: at(401), status: "closed", price: 0.2 },
      // The provider's market object may be five minutes older than its read.
      { book: listed, figuresAsOf: secondsAgo(99), status: "active", price: 0.55 },
      { book: listed, figuresAsOf: secondsAgo(101), status: "closed", price: 0.2 },
      { book: { ...at(399), bestBid: null, bestAsk: null }, status: "closed", price: 0.2 },
    ]) {
      const { id } = await aMarket(db, { endAt, figuresAsOf: figuresAsOf ?? secondsAgo(300) }, [book, {}]);
      const { market, outcomes: sides } = (await api.get(snapshotOf(id))).body.data;
      expect({ book, status: market.status, price: sides[0].current_price }).toEqual({ book, status, price });
    }
  });
});

test("displayed prices of both outcomes add up to 1 if the exact ones do", async () => {
  const { api, db } = await openFreshApi();
  for (const [first, second, displayed] of [
    ["0.27555", "0.72445", [0.2755, 0.7245]],
    // Not a dollar together: each is truncated on its own.
    ["0.27555", "0.72449", [0.2755, 0.7244]],
    ["0.2750008313", "0.7249991687", [0.275, 0.725]],
  ] as const) {
    const { id } = await aMarket(db, { closed: true }, [{ lastTradePrice: first }, { lastTradePrice: second }]);
    const { outcomes: sides } = (await api.get(snapshotOf(id))).body.data;
    expect(sides.map((side: { current_price: number }) => side.current_price)).toEqual(displayed);
  }
});

describe("snapshot freshness", () => {
  test.each([
    { book: 60, figures: 240, status: "fresh", source: "clob_book" },
    { book: 180, figures: 60, status: "stale", source: "clob_book" },
    { book: null, figures: 180, status: "fresh", source: "gamma_market" },
    { book: null, figures: 660, status: "stale", source: "gamma_market" },
  ])("a $source quote is $status: read $book s ago, the market's figures $figures s", async (quote) => {
    const { status, source } = quote;
    const { api, db } = await openFreshApi();
    const figuresAsOf = secondsAgo(quote.figures);
    const bookAsOf = quote.book === null ? null : secondsAgo(quote.book);
    const { id } = await aMarket(db, { figuresAsOf }, [{ ...quoted("0.5", "0.6"), bookSource: source, bookAsOf }, {}]);
    const { top_of_book } = (await api.get(snapshotOf(id))).body.data.freshness;
    expect(top_of_book).toMatchObject({
      status,
      source,
      as_of: (bookAsOf ?? figuresAsOf).toISOString(),
      stale_after_s: expect.any(Number),
    });
  });

  test("the book that becomes stale first determines the market's freshness", async () => {
    const { api, db } = await openFreshApi();
    const old = { ...quoted("0.5", "0.6"), bookAsOf: secondsAgo(180) };
    // Read earlier, but fresh for ten minutes.
    const listed = { ...quoted("0.5", "0.6"), ...LISTED };
    const facts = { figuresAsOf: secondsAgo(240) };
    const bookOf = async (id: number) => (await api.get(snapshotOf(id))).body.data.freshness.top_of_book;
    expect(await bookOf((await aMarket(db, {}, [quoted("0.5", "0.6"), old])).id)).toMatchObject({
      status: "stale",
      source: "clob_book",
    });
    expect(await bookOf((await aMarket(db, facts, [listed, old])).id)).toMatchObject({
      status: "stale",
      source: "clob_book",
    });
    expect(await bookOf((await aMarket(db, facts, [listed, quoted("0.5", "0.6")])).id)).toMatchObject({
      status: "fresh",
      source: "clob_book",
    });
  });

  test("market figures have the time of their read or are unavailable", async () => {
    const { api, db } = await openFreshApi();
    const figuresAsOf = secondsAgo(60);
    const read = await aMarket(db, { figuresAsOf });
    const neverRead = await aMarket(db);
    const marketData = async (id: number) => (await api.get(snapshotOf(id))).body.data.freshness.market_data;
    expect(await marketData(read.id)).toMatchObject({ status: "fresh", as_of: figuresAsOf.toISOString() });
    expect(await marketData(neverRead.id)).toEqual({
      status: "unavailable",
      source: "gamma_market",
      reason: expect.stringMatching(/./),
    });
  });
});

describe("snapshot fields", () => {
  test("figures are truncated to cents, and last_price is always null", async () => {
    const { api, db } = await openFreshApi();
    const { id } = await aMarket(db, { volumeUsd: "1234.567", volume24hUsd: "0.999", liquidityUsd: "10" }, [
      quoted(null, null, "0.5"),
      {},
    ]);
    expect((await api.get(snapshotOf(id))).body.data.liquidity).toEqual({
      source: "gamma_market",
      volume_usd: 1234.56,
      liquidity_usd: 10,
      volume_24h_usd: 0.99,
      last_price: null,
    });
  });

  test("unknown fields of a snapshot are null", async () => {
    const { api, db } = await openFreshApi();
    const { id, conditionId } = await aMarket(db, { title: null, slug: null });
    const { market, liquidity } = (await api.get(snapshotOf(id))).body.data;
    const { id: _, condition_id, provider, status, ...rest } = market;
    expect({ condition_id, provider, status }).toEqual({
      condition_id: conditionId,
      provider: "polymarket",
      status: "active",
    });
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
    expect(liquidity).toMatchObject({ volume_usd: null, liquidity_usd: null, volume_24h_usd: null });
  });

  test("a snapshot has the event's slug and the market's slug", async () => {
    const { api, db } = await openFreshApi();
    const { id } = await aMarket(db, { slug: "lakers-win", eventId: await anEvent(db, { slug: "nba-finals" }) });
    expect((await api.get(snapshotOf(id))).body.data.market).toMatchObject({
      slug: "lakers-win",
      event_slug: "nba-finals",
    });
  });
});

describe("expand=trust", () => {
  test("trust is absent by default", async () => {
    const { api, db } = await openFreshApi();
    const { id } = await aMarket(db);
    expect((await api.get(snapshotOf(id))).body.data).not.toHaveProperty("trust");
  });

  const trustOf = async (facts: Parameters<typeof aMarket>[1], sides: Parameters<typeof aMarket>[2]) => {
    const { api, db } = await openFreshApi();
    const { id } = await aMarket(db, facts, sides);
    return (await api.get(`${snapshotOf(id)}?expand[]=trust`)).body.data.trust;
  };
  const complete = { completeness: { status: "complete" } };

  test("trust of a price and spread from both books is computed and as fresh as the older book", async () => {
    const older = secondsAgo(60);
    const trust = await trustOf({}, [quoted("0.54", "0.56"), { ...quoted("0.44", "0.46"), bookAsOf: older }]);
    const computed = {
      source: { kind: "computed" },
      freshness: { status: "fresh", as_of: older.toISOString(), max_age_s: 120 },
      ...complete,
    };
    expect(trust).toMatchObject({ current_price: computed, spread_bps: computed });
  });

  test("trust of a price and spread from one book is partial", async () => {
    const partial = { completeness: { status: "partial", detail: expect.stringMatching(/./) } };
    expect(await trustOf({}, [quoted("0.54", "0.56"), {}])).toMatchObject({
      current_price: partial,
      spread_bps: partial,
    });
  });

  test("trust of a book that was not read in time is stale", async () => {
    const stale = { freshness: { status: "stale", as_of: expect.any(String), max_age_s: 120 } };
    const old = { ...quoted("0.54", "0.56"), bookAsOf: secondsAgo(180) };
    expect(await trustOf({}, [quoted("0.44", "0.46"), old])).toMatchObject({ current_price: stale, spread_bps: stale });
  });

  test("trust of a price from the last trade is database, and its spread is unavailable", async () => {
    const { current_price, spread_bps } = await trustOf({}, [quoted("0.4", null, "0.5"), quoted(null, "0.7", "0.5")]);
    expect(current_price).toMatchObject({
      source: { kind: "database", owner: "outcomes.last_trade_price" },
      reconciliation: { status: "db_mirror" },
      freshness: { status: "fresh" },
      ...complete,
    });
    expect(spread_bps).toMatchObject({ source: { kind: "unavailable" }, completeness: { status: "unavailable" } });
  });

  test("trust of an awaited result's price is stale with the time of the last trade", async () => {
    const older = secondsAgo(500);
    const side = { ...quoted("0.54", "0.56", "0.98"), lastTradeAt: older };
    expect(await trustOf({ closed: true }, [side, { ...side, lastTradeAt: secondsAgo(400) }])).toMatchObject({
      current_price: {
        source: { kind: "database", owner: "outcomes.last_trade_price" },
        freshness: { status: "stale", as_of: older.toISOString() },
        reconciliation: { status: "db_mirror", detail: expect.stringContaining("awaited") },
        ...complete,
      },
      spread_bps: { completeness: { status: "unavailable", detail: "trading is over" } },
    });
  });

  test("trust of a payout is provider and final", async () => {
    const resolvedAt = secondsAgo(86_400);
    const side = quoted("0.54", "0.56", "0.98");
    expect(await trustOf({ closed: true, payoutsPpm: [0, 1_000_000], resolvedAt }, [side, side])).toMatchObject({
      current_price: {
        source: { kind: "provider", owner: "markets.payouts_ppm" },
        freshness: { status: "not_live", as_of: resolvedAt.toISOString() },
        reconciliation: { status: "provider_backed" },
        ...complete,
      },
      spread_bps: { completeness: { status: "unavailable", detail: "trading is over" } },
    });
  });

  test("trust reports a missing trade only if no trade is known", async () => {
    expect(await trustOf({ closed: true }, [{}, {}])).toMatchObject({
      current_price: {
        source: { kind: "unavailable" },
        completeness: { detail: "trading is over, and no trade is known" },
      },
    });
    expect(await trustOf({}, [{ outcomeIndex: null }, { outcomeIndex: null }])).toMatchObject({
      current_price: { completeness: { detail: expect.stringContaining("outcomes are not known") } },
    });
  });

  test("trust is unavailable in a market without YES and NO", async () => {
    const missing = { source: { kind: "unavailable" }, completeness: { status: "unavailable" } };
    const unsynced = { ...quoted("0.54", "0.56"), outcomeIndex: null };
    expect(await trustOf({}, [unsynced, unsynced])).toMatchObject({ current_price: missing, spread_bps: missing });
  });

  test.each([
    { when: "there are no quotes", facts: {}, sides: {} },
    { when: "there is only a bid", facts: {}, sides: quoted("0.54", null) },
    { when: "the market is closed", facts: { closed: true }, sides: quoted("0.54", "0.56") },
  ])("trust of price and spread is unavailable when $when", async ({ facts, sides }) => {
    const { api, db } = await openFreshApi();
    const { id } = await aMarket(db, facts, [sides, {}]);
    const { trust } = (await api.get(`${snapshotOf(id)}?expand=trust`)).body.data;
    const missing = {
      source: { kind: "unavailable" },
      completeness: { status: "unavailable", detail: expect.stringMatching(/./) },
    };
    expect(trust).toMatchObject({ current_price: missing, spread_bps: missing });
  });
});
