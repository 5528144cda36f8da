import { expect, test } from "vitest";
import { inTransaction } from "../../../src/db/client.ts";
import { applyBooks } from "../../../src/ingest/markets/apply-books.ts";
import { applyMarkets } from "../../../src/ingest/markets/apply-markets.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { aProviderMarket } from "../../support/ingest/provider/provider-markets.ts";
import { tokenOf } from "../../support/ingest/provider/provider-trades.ts";

const READ_AT = new Date("2026-11-20T12:00:00Z");
const TOKEN = tokenOf(1, 0);

interface Quote {
  readonly bestBid: string | null;
  readonly bestAsk: string | null;
  readonly lastTradePrice: string | null;
}

const OF_BOOK: Quote = { bestBid: "0.6", bestAsk: "0.62", lastTradePrice: "0.61" };
const OF_LISTING: Quote = { bestBid: "0.4", bestAsk: "0.44", lastTradePrice: "0.41" };

async function aMarketRead() {
  const pool = (await createTestDatabase()).openPool();
  const list = (quote: Quote, readAt: Date, closed = false) => {
    const market = aProviderMarket(1, { closed });
    const outcomes = market.outcomes.map((outcome) =>
      outcome.tokenId === TOKEN ? { ...outcome, ...quote, price: quote.bestBid } : outcome,
    );
    return applyMarkets(pool, [{ ...market, outcomes }], [], readAt);
  };
  const readBook = (quote: Quote, asOf: Date) =>
    inTransaction(pool, (session) =>
      applyBooks(
        session,
        [TOKEN],
        [{ tokenId: TOKEN, ...quote, bidDepthUsd: "70", askDepthUsd: "80", asOf }],
        [],
        asOf,
      ),
    );
  const stored = async () => {
    const { rows } = await pool.query<Record<string, string | number | null>>(
      `select best_bid::text as bid, best_ask::text as ask, bid_depth_usd::text as bid_depth, ask_depth_usd::text as ask_depth,
         last_trade_price::text as last, mark_price::float8 as mark, price::text as price, book_source as source,
         extract(epoch from case book_source when 'gamma_market' then figures_as_of else book_as_of end)::float8 as as_of
       from outcomes join markets on markets.id = market_id where token_id = $1`,
      [TOKEN],
    );
    return rows[0];
  };
  await list({ bestBid: "0.5", bestAsk: "0.52", lastTradePrice: null }, new Date(READ_AT.getTime() - 3_600_000));
  const lastTrade = async () => {
    const { rows } = await pool.query(
      `select last_trade_price::text as price, extract(epoch from last_trade_at)::float8 as at from outcomes
       where token_id = $1`,
      [TOKEN],
    );
    return rows[0];
  };
  return { pool, list, readBook, stored, lastTrade };
}

const before = (seconds: number) => new Date(READ_AT.getTime() - seconds * 1_000);
const FROM_LISTING = {
  bid: "0.4",
  ask: "0.44",
  bid_depth: null,
  ask_depth: null,
  last: "0.41",
  mark: 0.42,
  source: "gamma_market",
  as_of: READ_AT.getTime() / 1_000,
};
const FROM_BOOK = {
  bid: "0.6",
  ask: "0.62",
  bid_depth: "70",
  ask_depth: "80",
  last: "0.61",
  mark: 0.61,
  source: "clob_book",
};

test.each([
  ["a moment", 1],
  ["just under five minutes", 299],
])(
  "a market object read %s after a book keeps the book's quote and time, because the object may be older",
  async (_, seconds) => {
    const { list, readBook, stored } = await aMarketRead();
    await readBook(OF_BOOK, before(seconds));
    await list(OF_LISTING, READ_AT);
    expect(await stored()).toEqual({ ...FROM_BOOK, as_of: before(seconds).getTime() / 1_000, price: "0.4" });
  },
);

test("a market object read five minutes after a book, or without an earlier book, sets the quote", async () => {
  const { list, readBook, stored } = await aMarketRead();
  await readBook(OF_BOOK, before(300));
  await list(OF_LISTING, READ_AT);
  // The object's last trade has the same time as the book's, and only a newer one replaces it.
  expect(await stored()).toEqual({ ...FROM_LISTING, last: "0.61", price: "0.4" });
  await list({ ...OF_LISTING, bestBid: "0.42" }, READ_AT);
  expect(await stored()).toMatchObject({ bid: "0.42", mark: 0.43, source: "gamma_market" });
});

test("a market object sets the last trade when a newer book has none", async () => {
  const { list, readBook, stored } = await aMarketRead();
  await readBook({ ...OF_BOOK, lastTradePrice: null }, before(1));
  await list(OF_LISTING, READ_AT);
  expect(await stored()).toMatchObject({ bid: "0.6", last: "0.41", source: "clob_book" });
});

test("a closed market's object removes the quote at once and keeps the newer last trade", async () => {
  const { list, readBook, stored } = await aMarketRead();
  await readBook(OF_BOOK, before(1));
  await list({ bestBid: null, bestAsk: null, lastTradePrice: "0.99" }, READ_AT, true);
  expect(await stored()).toMatchObject({
    bid: null,
    ask: null,
    bid_depth: null,
    last: "0.61",
    mark: 0.61,
    source: null,
    as_of: null,
  });
});

test("a market object that repeats its quotes makes them as new as itself", async () => {
  const { list, stored } = await aMarketRead();
  await list(OF_LISTING, before(300));
  await list(OF_LISTING, READ_AT);
  expect(await stored()).toEqual({ ...FROM_LISTING, price: "0.4" });
});

test("a book older than the last market object that repeated the quotes does not replace them", async () => {
  const { list, readBook, stored } = await aMarketRead();
  await list(OF_LISTING, before(300));
  await list(OF_LISTING, READ_AT);
  await readBook({ ...OF_BOOK, lastTradePrice: null }, before(1));
  expect(await stored()).toMatchObject({ bid: "0.4", source: "gamma_market" });
  await readBook({ ...OF_BOOK, lastTradePrice: null }, READ_AT);
  expect(await stored()).toMatchObject({ bid: "0.6", source: "clob_book" });
});

test("the provider's last price keeps the time of the first response that has it", async () => {
  const { list, readBook, lastTrade } = await aMarketRead();
  await list(OF_LISTING, before(600));
  const first = { price: "0.41", at: before(900).getTime() / 1_000 };
  expect(await lastTrade()).toEqual(first);
  await list({ ...OF_LISTING, bestBid: "0.42" }, before(300));
  await readBook({ ...OF_BOOK, lastTradePrice: "0.41" }, before(100));
  expect(await lastTrade()).toEqual(first);
  await readBook(OF_BOOK, before(50));
  expect(await lastTrade()).toEqual({ price: "0.61", at: before(50).getTime() / 1_000 });
});

test.each([
  ["alone", {}],
  ["with another title", { title: "Another" }],
])("a market object %s that no longer lists a token removes the quotes of its earlier object", async (_, facts) => {
  const { pool, list, readBook, stored } = await aMarketRead();
  await list(OF_LISTING, before(600));
  const market = { ...aProviderMarket(1), ...facts };
  const others = market.outcomes.filter(({ tokenId }) => tokenId !== TOKEN);
  await applyMarkets(pool, [{ ...market, outcomes: others }], [], READ_AT);
  expect(await stored()).toMatchObject({ bid: null, ask: null, source: null, as_of: null, last: "0.41" });
  // The token's own book has its own time.
  await readBook(OF_BOOK, READ_AT);
  await applyMarkets(pool, [{ ...market, outcomes: others }], [], before(-600));
  expect(await stored()).toMatchObject({ bid: "0.6", source: "clob_book", as_of: READ_AT.getTime() / 1_000 });
});
