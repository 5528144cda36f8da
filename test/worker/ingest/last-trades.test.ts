import type { Pool } from "@neondatabase/serverless";
import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "../../../src/db/client.ts";
import { applyBooks } from "../../../src/ingest/markets/apply-books.ts";
import { applyMarkets } from "../../../src/ingest/markets/apply-markets.ts";
import { chunk } from "../../../src/lib/chunk.ts";
import type { ProviderTrade } from "../../../src/platform/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";
import { openIngest } from "../../support/ingest/ingest-under-test.ts";
import { aProviderMarket } from "../../support/ingest/provider/provider-markets.ts";
import {
  aTrade,
  anActivity,
  asActivity,
  pageOf,
  tokenOf,
  walletOf,
  type TradeFacts,
} from "../../support/ingest/provider/provider-trades.ts";

const TOKEN = tokenOf(1, 0);
const AT = 1_760_000_000;
const at = (seconds: number) => new Date((AT + seconds) * 1000);
const NOW = at(86_400);

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => {
  pool = database.openPool();
});

interface LastTrade {
  readonly price: string | null;
  readonly at: number | null;
  readonly tx: string | null;
}

async function lastTrade(token = TOKEN): Promise<LastTrade | undefined> {
  const { rows } = await pool.query<LastTrade>(
    `select last_trade_price::text as price, (extract(epoch from last_trade_at) - ${AT})::float8 as at, encode(last_trade_tx, 'hex') as tx
     from outcomes where token_id = $1`,
    [token],
  );
  return rows[0];
}

const txOf = (n: number) => n.toString(16).padStart(64, "0");
const fillAt = (seconds: number, facts: Partial<TradeFacts> = {}) => aTrade({ atSeconds: AT + seconds, ...facts });

const readBook = (lastTradePrice: string | null, seconds: number) =>
  inTransaction(pool, (session) => {
    const book = {
      tokenId: TOKEN,
      bestBid: null,
      bestAsk: null,
      bidDepthUsd: null,
      askDepthUsd: null,
      lastTradePrice,
      asOf: at(seconds),
    };
    return applyBooks(session, [TOKEN], [book], [], NOW);
  });

function list(lastTradePrice: string | null, readSeconds: number, closedSeconds: number | null = null): Promise<void> {
  const market = aProviderMarket(1, {
    closed: closedSeconds !== null,
    closedAt: closedSeconds === null ? null : at(closedSeconds),
  });
  const outcomes = market.outcomes.map((outcome) => ({ ...outcome, lastTradePrice }));
  return applyMarkets(pool, [{ ...market, outcomes }], [], at(readSeconds));
}

describe("last trade of an outcome", () => {
  test("the last trade of an outcome is its newest fill from trades or from a trader's activity", async () => {
    const ingest = await openIngest(pool);
    await ingest.apply("all", pageOf([fillAt(5, { n: 2, price: "0.4" }), fillAt(0, { n: 1, price: "0.6" })]));
    expect(await lastTrade()).toEqual({ price: "0.4", at: 5, tx: txOf(2) });
    await ingest.applyActivity(walletOf(1), pageOf([asActivity(fillAt(9, { n: 3, price: "0.3", side: "SELL" }))]));
    expect(await lastTrade()).toEqual({ price: "0.3", at: 9, tx: txOf(3) });
  });

  test("the last trade ignores splits, merges and dust", async () => {
    const ingest = await openIngest(pool);
    await list(null, 0);
    await ingest.apply(
      "all",
      pageOf([fillAt(0, { n: 1, price: "0.6" }), fillAt(9, { n: 2, price: "0.1", sharesMicro: 9_999n })]),
    );
    await ingest.applyActivity(
      walletOf(1),
      pageOf([anActivity("SPLIT", { n: 3, atSeconds: AT + 10 }), anActivity("MERGE", { n: 4, atSeconds: AT + 11 })]),
    );
    expect(await lastTrade()).toEqual({ price: "0.6", at: 0, tx: txOf(1) });
    expect(await lastTrade(tokenOf(1, 1))).toEqual({ price: null, at: null, tx: null });
  });

  test("the last trade is the same whatever the order and repetition of pages", async () => {
    // Few seconds and few prices, so that many fills share an instant.
    const fill = fc.record({
      n: fc.integer({ min: 1, max: 6 }),
      second: fc.integer({ min: 0, max: 3 }),
      tenths: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fill, { minLength: 1, maxLength: 12 }),
        fc.infiniteStream(fc.nat()),
        async (facts, draws) => {
          // All fills of a transaction have the same second.
          const seconds = new Map(facts.map(({ n, second }) => [n, second]));
          const fills = facts.map(({ n, tenths }, wallet): ProviderTrade => {
            const price = `0.${tenths}`;
            return fillAt(seconds.get(n) ?? 0, { n, price, wallet: wallet + 1 });
          });
          const rank = (trade: ProviderTrade) => `${trade.tradedAt.toISOString()} ${trade.txHash} ${trade.price}`;
          const newest = fills.reduce((best, one) => (rank(one) > rank(best) ? one : best));
          const expected = {
            price: newest.price,
            at: newest.tradedAt.getTime() / 1000 - AT,
            tx: newest.txHash.slice(2),
          };
          const ingest = await openIngest(pool);
          const shuffled = [...fills, ...fills]
            .map((one) => ({ one, draw: draws.next().value ?? 0 }))
            .sort((a, b) => a.draw - b.draw);
          for (const group of chunk(shuffled, 5)) {
            const page = group.map(({ one }) => one);
            await ingest.apply("all", pageOf(page));
          }
          expect(await lastTrade()).toEqual(expected);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe("provider's last price", () => {
  const FILL = { price: "0.6", at: 1_000, tx: txOf(1) };
  const aFill = async () => {
    const ingest = await openIngest(pool);
    await list(null, 0);
    await ingest.apply("all", pageOf([fillAt(FILL.at, { n: 1, price: FILL.price })]));
    return ingest;
  };

  test("a last price in a book has the book's time", async () => {
    await aFill();
    await readBook("0.5", 1_001);
    expect(await lastTrade()).toEqual({ price: "0.5", at: 1_001, tx: null });
  });

  test.each([999, 1_000])(
    "a last price in a book of second %d does not replace a fill of second 1,000",
    async (seconds) => {
      await aFill();
      await readBook("0.5", seconds);
      expect(await lastTrade()).toEqual(FILL);
    },
  );

  test("a last price is replaced by a fill of the same time or later, not by an older one", async () => {
    const ingest = await aFill();
    await readBook("0.5", 1_010);
    await ingest.apply("all", pageOf([fillAt(1_009, { n: 2, price: "0.7" })]));
    expect(await lastTrade()).toEqual({ price: "0.5", at: 1_010, tx: null });
    await ingest.apply("all", pageOf([fillAt(1_010, { n: 3, price: "0.8" })]));
    expect(await lastTrade()).toEqual({ price: "0.8", at: 1_010, tx: txOf(3) });
  });

  test("a last price in a market object counts as five minutes old, the provider's cache time", async () => {
    await aFill();
    await list("0.5", 1_300);
    expect(await lastTrade()).toEqual(FILL);
    await list("0.5", 1_301);
    expect(await lastTrade()).toEqual({ price: "0.5", at: 1_001, tx: null });
  });

  test("a closed market's last price is dated no later than the close and used where no fill is known", async () => {
    await aFill();
    await list("0.5", 9_000, 900);
    expect(await lastTrade()).toEqual(FILL);
    expect(await lastTrade(tokenOf(1, 1))).toEqual({ price: "0.5", at: 900, tx: null });
  });

  test("a missing last price does not remove a stored one", async () => {
    await aFill();
    await list("0.5", 2_000);
    await readBook(null, 3_000);
    await list(null, 4_000);
    expect(await lastTrade()).toEqual({ price: "0.5", at: 1_700, tx: null });
  });
});
