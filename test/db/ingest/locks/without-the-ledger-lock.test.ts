import type { Pool } from "@neondatabase/serverless";
import { beforeEach, describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { applyBooks } from "../../../../src/ingest/markets/apply-books.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { applyResolutions } from "../../../../src/ingest/markets/apply-resolutions.ts";
import { checkResults } from "../../../../src/ingest/markets/results/check-results.ts";
import { buildTrending, writeTrendingList } from "../../../../src/ingest/read-models/build-trending.ts";
import type { ProviderBook } from "../../../../src/platform/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { joinIngest } from "../../../support/ingest/ingest-under-test.ts";
import { waitForLedgerWaiters, waitForRowWaiters, whileLedgerIsLocked } from "../../../support/ingest/ledger-lock.ts";
import { aPagedProvider } from "../../../support/ingest/provider/paged-provider.ts";
import { aProviderBoard } from "../../../support/ingest/provider/provider-boards.ts";
import { aProviderMarket, aResolution } from "../../../support/ingest/provider/provider-markets.ts";
import { aTrade, conditionOf, pageOf, tokenOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";
import { trendingOf } from "../../../support/ingest/worlds/built-lists.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const before = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);

let database: TestDatabase;
let pool: Pool;
let other: Pool;
beforeEach(async () => {
  database = await createTestDatabase();
  [pool, other] = [database.openPool(), database.openPool()];
});

const aBook = (market: number, facts: Partial<ProviderBook> = {}): ProviderBook => ({
  ...{ tokenId: tokenOf(market, 0), bestBid: "0.4", bestAsk: "0.42", bidDepthUsd: "10", askDepthUsd: "20" },
  ...{ lastTradePrice: null, asOf: NOW },
  ...facts,
});

const bidsOf = async () =>
  (await pool.query<{ bid: string | null }>(`select best_bid as bid from outcomes where outcome_index = 0 order by id`))
    .rows;

const applyBook = (through: Pool, book: ProviderBook) =>
  inTransaction(through, (session) => applyBooks(session, [book.tokenId], [book], [], NOW));

describe("while another transaction holds the ledger lock", () => {
  test("books are stored, with their unreadable rows", async () => {
    await applyMarkets(pool, [aProviderMarket(1)], [], before(600));
    const quarantined = [{ record: { token: "?" }, reason: "token" }];
    await whileLedgerIsLocked(other, () =>
      inTransaction(pool, (session) => applyBooks(session, [tokenOf(1, 0)], [aBook(1)], quarantined, NOW)),
    );
    expect(await bidsOf()).toEqual([{ bid: "0.4" }]);
    expect((await pool.query(`select feed from quarantined_records`)).rows).toEqual([{ feed: "books" }]);
  });

  test("the quotes of an ended market are cleared and its results get a new version", async () => {
    await applyMarkets(pool, [aProviderMarket(1, { endAt: before(60) })], [], before(600));
    await applyBook(pool, aBook(1, { asOf: before(120) }));
    await pool.query(`update outcomes set best_bid = 0.4, book_source = 'clob_book', book_as_of = $1`, [before(120)]);
    const provider = aPagedProvider({ takers: [], all: [], activity: {}, markets: [], resolutions: [] });
    // The results themselves are recorded under the ledger lock.
    const checked = whileLedgerIsLocked(other, async () => {
      const running = checkResults({
        ...{
          pool,
          provider,
          now: () => NOW.getTime(),
          enqueue: async () => undefined,
          scheduleWithin: () => undefined,
        },
      });
      running.catch(() => undefined);
      const watcher = database.openPool();
      await waitForLedgerWaiters(watcher);
      const { rows } = await watcher.query(`select best_bid as bid from outcomes where outcome_index = 0`);
      const { rows: versions } = await watcher.query(`select feed from ingest_checkpoints`);
      return { running, rows, versions };
    });
    const { running, rows, versions } = await checked;
    expect(rows).toEqual([{ bid: null }]);
    expect(versions).toEqual([{ feed: "results" }]);
    await running;
  });

  test("a trending list is built, and waits with the traders of its board", async () => {
    await joinIngest(pool).apply("all", pageOf([aTrade({ n: 1, wallet: 1 })]));
    const { rows } = await pool.query<{ id: string }>(`select id from traders`);
    const { rows: board } = aProviderBoard([walletOf(1)], [{ pnlUsd: "7" }]);
    const ids = new Map([[walletOf(1), Number(rows[0]?.id)]]);
    await whileLedgerIsLocked(other, () =>
      inTransaction(pool, (session) => writeTrendingList(session, "week", board, ids)),
    );
    expect((await trendingOf(database.db, "trending:7d")).map((row) => row.providerPnl)).toEqual(["7"]);
    const built = await whileLedgerIsLocked(other, async () => {
      const running = buildTrending(pool, "week", aProviderBoard([walletOf(2)]));
      await waitForLedgerWaiters(database.openPool());
      return { running };
    });
    await built.running;
    expect(await trendingOf(database.db, "trending:7d")).toHaveLength(1);
  });
});

/** Does the work on a stored market while another transaction holds a change, which commits once the work waits for it. */
async function workAfter(work: () => Promise<void>, change: string, values: readonly Date[] = []): Promise<void> {
  await applyMarkets(pool, [aProviderMarket(1)], [], before(600));
  const client = await other.connect();
  await client.query("begin");
  await client.query(change, [...values]);
  const done = work();
  await waitForRowWaiters(database.openPool());
  await client.query("commit");
  client.release();
  await done;
}

test("a market object that waits for a trade of its outcome sets the quotes and keeps the trade", async () => {
  const market = aProviderMarket(1);
  const outcomes = market.outcomes.map((outcome) => ({ ...outcome, bestBid: "0.3", lastTradePrice: "0.29" }));
  await workAfter(
    () => applyMarkets(pool, [{ ...market, outcomes }], [], NOW),
    "update outcomes set last_trade_price = 0.31, last_trade_at = $1 where outcome_index = 0",
    [before(1)],
  );
  const { rows } = await pool.query("select best_bid, last_trade_price from outcomes order by outcome_index");
  expect(rows).toEqual([
    { best_bid: "0.3", last_trade_price: "0.31" },
    { best_bid: "0.3", last_trade_price: "0.29" },
  ]);
});

describe("a book beside the end of its market", () => {
  const applyBookAfter = (change: string, values: readonly Date[] = []) =>
    workAfter(() => applyBook(pool, aBook(1)), change, values);

  test("a book that waits for the market's close is not stored", async () => {
    await applyBookAfter(`update markets set closed = true`);
    expect(await bidsOf()).toEqual([{ bid: null }]);
  });

  test("a book that waits for a newer book of its outcome does not replace it", async () => {
    await applyBookAfter(
      `update outcomes set best_bid = 0.9, best_ask = 0.91, book_source = 'clob_book', book_as_of = $1`,
      [new Date(NOW.getTime() + 1_000)],
    );
    expect(await bidsOf()).toEqual([{ bid: "0.9" }]);
  });

  test("a resolution that waits for a book clears its quote", async () => {
    await applyMarkets(pool, [aProviderMarket(1)], [], before(600));
    let resolved: Promise<number> | null = null;
    await inTransaction(other, async (session) => {
      await session.execute(`select from markets for share`);
      await session.execute(`update outcomes set best_bid = 0.4, book_source = 'clob_book', book_as_of = now()`);
      resolved = inTransaction(pool, (own) =>
        applyResolutions(own, [conditionOf(1)], [aResolution(1, 1_000_000)], [], NOW),
      );
      await waitForRowWaiters(database.openPool());
    });
    expect(await resolved).toBe(1);
    expect(await bidsOf()).toEqual([{ bid: null }]);
  });
});

test("versions of the results only increase, whichever transaction reads the clock first", async () => {
  const { recordResultsVersion } = await import("../../../../src/ingest/markets/results/record-results-version.ts");
  const versionOf = async () =>
    (await pool.query<{ since: string }>(`select state ->> 'since' as since from ingest_checkpoints`)).rows[0]?.since;
  await inTransaction(pool, recordResultsVersion);
  // A clock of another server that was ahead.
  await pool.query(
    `update ingest_checkpoints set state = jsonb_build_object('since', clock_timestamp() + interval '1 hour')`,
  );
  const ahead = await versionOf();
  await inTransaction(pool, recordResultsVersion);
  const next = await versionOf();
  expect(Date.parse(next ?? "")).toBeGreaterThanOrEqual(Date.parse(ahead ?? ""));
  expect(next).not.toBe(ahead);
});
