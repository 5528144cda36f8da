import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { PagePrefetcher } from "../../../../src/ingest/feeds/page-prefetcher.ts";
import { RecentFills } from "../../../../src/ingest/feeds/recent-fills.ts";
import { walkTrades } from "../../../../src/ingest/feeds/walk-trades.ts";
import { ProviderUnavailable, type Provider } from "../../../../src/platform/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { emptyIngest } from "../../../support/ingest/empty-ingest.ts";
import { waitForLedgerWaiters, whileLedgerIsLocked } from "../../../support/ingest/ledger-lock.ts";
import { readStoredState } from "../../../support/ingest/stored-state.ts";
import { aTrade, pageOf } from "../../../support/ingest/provider/provider-trades.ts";
import { aPagedProvider } from "../../../support/ingest/provider/paged-provider.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => emptyIngest(database.openPool()));

const NOW = 1_760_000_100_000;
const trade = (n: number) => aTrade({ n, wallet: n, atSeconds: 1_760_000_000 + n });
const PAGES = [pageOf([trade(9), trade(8)]), pageOf([trade(7), trade(6)]), pageOf([trade(5), trade(4)])];

function aWalk() {
  const written = aPagedProvider({ takers: [], all: PAGES, activity: {}, markets: [], resolutions: [] });
  const listTrades = vi.fn<Provider["listTrades"]>(written.listTrades);
  const requested = () => listTrades.mock.calls.map(([, cursor]) => cursor);
  return { provider: { ...written, listTrades }, listTrades, requested };
}

const settings = (prefetcher: PagePrefetcher, now = NOW) => ({
  rowIds: new RowIdCache(),
  recentFills: new RecentFills(),
  prefetcher,
  largeTradeMinUsd: 5_000,
  backfillDays: 0,
  now: () => now,
  pollWithin: () => undefined,
});

async function storedTrades(): Promise<number> {
  return (await readStoredState(database.openPool())).entries.length;
}

test("the next page is requested while a page is written, and each page once", async () => {
  const pool = database.openPool();
  const { provider, requested } = aWalk();
  const prefetcher = new PagePrefetcher();
  expect(await walkTrades(pool, provider, "all", settings(prefetcher))).toBe(true);
  expect(requested()).toEqual([null, "1"]);
  expect(await walkTrades(pool, provider, "all", settings(prefetcher))).toBe(true);
  expect(await walkTrades(pool, provider, "all", settings(prefetcher))).toBe(false);
  expect(requested()).toEqual([null, "1", "2"]);
  expect(await storedTrades()).toBe(6);
});

test("the next page is not requested while a page waits for the ledger lock", async () => {
  const pool = database.openPool();
  const { provider, requested } = aWalk();
  const { walk } = await whileLedgerIsLocked(database.openPool(), async () => {
    const started = walkTrades(pool, provider, "all", settings(new PagePrefetcher()));
    await waitForLedgerWaiters(database.openPool());
    expect(requested()).toEqual([null]);
    return { walk: started };
  });
  expect(await walk).toBe(true);
  expect(requested()).toEqual([null, "1"]);
});

test("a walk that ends with its page requests no other page", async () => {
  const pool = database.openPool();
  const { provider, requested } = aWalk();
  const prefetcher = new PagePrefetcher();
  while (await walkTrades(pool, provider, "all", settings(prefetcher)));
  const before = requested().length;
  // Everything is older than the start of the new walk.
  await pool.query(
    `update ingest_checkpoints set state = state || jsonb_build_object('watermarkMs', ${NOW}, 'deepAtMs', ${NOW}) where feed = 'trades:all'`,
  );
  expect(await walkTrades(pool, provider, "all", settings(prefetcher))).toBe(false);
  expect(requested().slice(before)).toEqual([null]);
});

test("a prefetched page that is too old or at another cursor is read again", async () => {
  const { provider, requested } = aWalk();
  const prefetcher = new PagePrefetcher();
  prefetcher.prefetch(provider, "all", "1", NOW);
  await prefetcher.take(provider, "all", "1", NOW + 10_000);
  expect(requested()).toEqual(["1", "1"]);
  prefetcher.prefetch(provider, "all", "1", NOW);
  expect(await prefetcher.take(provider, "all", "2", NOW)).toMatchObject({ rows: PAGES[2]?.rows });
  expect(requested()).toEqual(["1", "1", "1", "2"]);
  await prefetcher.take(provider, "all", "1", NOW);
  expect(requested()).toEqual(["1", "1", "1", "2", "1"]);
});

test("each feed has its own prefetched page", async () => {
  const { provider, listTrades } = aWalk();
  const prefetcher = new PagePrefetcher();
  prefetcher.prefetch(provider, "all", "1", NOW);
  await prefetcher.take(provider, "takers", "1", NOW);
  await prefetcher.take(provider, "all", "1", NOW);
  expect(listTrades.mock.calls).toEqual([
    ["all", "1"],
    ["takers", "1"],
  ]);
});

test("a page whose prefetch failed fails the walk at its own step and is requested again afterwards", async () => {
  const pool = database.openPool();
  const { provider, listTrades } = aWalk();
  const prefetcher = new PagePrefetcher();
  listTrades.mockImplementationOnce(async () => ({ ...pageOf([trade(9), trade(8)]), nextCursor: "1" }));
  listTrades.mockImplementationOnce(async () => Promise.reject(new ProviderUnavailable("down", null)));
  expect(await walkTrades(pool, provider, "all", settings(prefetcher))).toBe(true);
  expect(await storedTrades()).toBe(2);
  await expect(walkTrades(pool, provider, "all", settings(prefetcher))).rejects.toThrow("down");
  expect(await walkTrades(pool, provider, "all", settings(prefetcher))).toBe(true);
  expect(await walkTrades(pool, provider, "all", settings(prefetcher))).toBe(false);
  expect(await storedTrades()).toBe(6);
});
