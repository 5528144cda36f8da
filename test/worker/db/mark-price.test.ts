import { sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { outcomes } from "../../../src/db/schema.ts";
import { currentPrice } from "../../support/oracles/current-price.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { aMarket } from "../../support/seed/markets.ts";

/** A provider's price with up to four decimals, or none. */
const price = fc.option(
  fc.integer({ min: 0, max: 10_000 }).map((n) => n / 10_000),
  { nil: null },
);
/** A book near the largest spread that has a midpoint, on both sides of that limit. */
const nearBook = fc
  .record({ bid: fc.integer({ min: 0, max: 8_900 }), width: fc.integer({ min: 990, max: 1_010 }) })
  .map(({ bid, width }) => ({ bid: bid / 10_000, ask: (bid + width) / 10_000 }));
const book = fc.oneof(fc.record({ bid: price, ask: price }), nearBook);

test("the mark_price of an outcome in the database equals currentPrice", async () => {
  const { db } = await createTestDatabase();
  const market = await aMarket(db);
  const quotes = fc.sample(fc.record({ book, last: price }), { numRuns: 400, seed: 20_261_121 });
  await db.insert(outcomes).values(
    quotes.map(({ book: { bid, ask }, last }, n) => ({
      marketId: market.id,
      tokenId: `quote-${n}`,
      bestBid: bid === null ? null : String(bid),
      bestAsk: ask === null ? null : String(ask),
      lastTradePrice: last === null ? null : String(last),
    })),
  );
  const { rows } = await db.execute(
    sql`select mark_price::float8 as mark from outcomes where token_id like 'quote-%' order by substr(token_id, 7)::int`,
  );
  const expected = quotes.map(({ book: { bid, ask }, last }) => currentPrice(bid, ask, last));
  expect(rows.map(({ mark }) => (mark === null ? null : Number(Number(mark).toFixed(6))))).toEqual(
    expected.map((mark) => (mark === null ? null : Number(mark.toFixed(6)))),
  );
});
