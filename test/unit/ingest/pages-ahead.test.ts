import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { KnownIds } from "../../../src/ingest/known-ids.ts";
import { PagesAhead } from "../../../src/ingest/pages-ahead.ts";
import { walkTrades } from "../../../src/ingest/walk-trades.ts";
import { ProviderUnavailable, type Provider } from "../../../src/ports/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { emptyIngest } from "../../support/ingest/empty-ingest.ts";
import { readStoredState } from "../../support/ingest/stored-state.ts";
import { aTrade, pageOf } from "../../support/ingest/trades.ts";
import { aWrittenProvider } from "../../support/ingest/written-provider.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => emptyIngest(database.openPool()));

const NOW = 1_760_000_100_000;
const trade = (n: number) => aTrade({ n, wallet: n, atSeconds: 1_760_000_000 + n });
const PAGES = [pageOf([trade(9), trade(8)]), pageOf([trade(7), trade(6)]), pageOf([trade(5), trade(4)])];

function aWalk() {
  const written = aWrittenProvider({ takers: [], all: PAGES, activity: {}, markets: [], resolutions: [] });
  const listTrades = vi.fn<Provider["listTrades"]>(written.listTrades);
  const asked = () => listTrades.mock.calls.map(([, cursor]) => cursor);
  return { provider: { ...written, listTrades }, listTrades, asked };
}

const settings = (ahead: PagesAhead, now = NOW) => ({
  known: new KnownIds(),
  ahead,
  largeTradeMinUsd: 5_000,
  backfillDays: 0,
  now: () => now,
});

async function storedTrades(): Promise<number> {
  return (await readStoredState(database.openPool())).entries.length;
}

test("the next page is asked for while a page is applied, and each page once", async () => {
  const pool = database.openPool();
  const { provider, asked } = aWalk();
  const ahead = new PagesAhead();
  expect(await walkTrades(pool, provider, "all", settings(ahead))).toBe(true);
  expect(asked()).toEqual([null, "1"]);
  expect(await walkTrades(pool, provider, "all", settings(ahead))).toBe(true);
  expect(await walkTrades(pool, provider, "all", settings(ahead))).toBe(false);
  expect(asked()).toEqual([null, "1", "2"]);
  expect(await storedTrades()).toBe(6);
});

test("a walk that ends with its page asks for no other", async () => {
  const pool = database.openPool();
  const { provider, asked } = aWalk();
  const ahead = new PagesAhead();
  while (await walkTrades(pool, provider, "all", settings(ahead)));
  const before = asked().length;
  // Everything is older than the new walk goes back.
  await pool.query(
    `update ingest_checkpoints set state = state || jsonb_build_object('watermarkMs', ${NOW}, 'deepAtMs', ${NOW}) where feed = 'trades:all'`,
  );
  expect(await walkTrades(pool, provider, "all", settings(ahead))).toBe(false);
  expect(asked().slice(before)).toEqual([null]);
});

test("a page that was asked for long ago, or at another place, is read anew", async () => {
  const { provider, asked } = aWalk();
  const ahead = new PagesAhead();
  ahead.begin(provider, "all", "1", NOW);
  await ahead.take(provider, "all", "1", NOW + 10_000);
  expect(asked()).toEqual(["1", "1"]);
  ahead.begin(provider, "all", "1", NOW);
  expect(await ahead.take(provider, "all", "2", NOW)).toMatchObject({ rows: PAGES[2]?.rows });
  expect(asked()).toEqual(["1", "1", "1", "2"]);
  await ahead.take(provider, "all", "1", NOW);
  expect(asked()).toEqual(["1", "1", "1", "2", "1"]);
});

test("the feeds have pages of their own", async () => {
  const { provider, listTrades } = aWalk();
  const ahead = new PagesAhead();
  ahead.begin(provider, "all", "1", NOW);
  await ahead.take(provider, "takers", "1", NOW);
  await ahead.take(provider, "all", "1", NOW);
  expect(listTrades.mock.calls).toEqual([
    ["all", "1"],
    ["takers", "1"],
  ]);
});

test("a page that could not be read ahead fails the walk when its turn comes, and is asked for again after that", async () => {
  const pool = database.openPool();
  const { provider, listTrades } = aWalk();
  const ahead = new PagesAhead();
  listTrades.mockImplementationOnce(async () => ({ ...pageOf([trade(9), trade(8)]), nextCursor: "1" }));
  listTrades.mockImplementationOnce(async () => Promise.reject(new ProviderUnavailable("away", null)));
  expect(await walkTrades(pool, provider, "all", settings(ahead))).toBe(true);
  expect(await storedTrades()).toBe(2);
  await expect(walkTrades(pool, provider, "all", settings(ahead))).rejects.toThrow("away");
  expect(await walkTrades(pool, provider, "all", settings(ahead))).toBe(true);
  expect(await walkTrades(pool, provider, "all", settings(ahead))).toBe(false);
  expect(await storedTrades()).toBe(6);
});
