import { beforeEach, expect, test, vi } from "vitest";
import type { Pool } from "@neondatabase/serverless";
import { PagePrefetcher } from "../../../../src/ingest/feeds/page-prefetcher.ts";
import { RecentFills } from "../../../../src/ingest/feeds/recent-fills.ts";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { walkTrades } from "../../../../src/ingest/feeds/walk-trades.ts";
import {
  ProviderRefused,
  ProviderUnavailable,
  type Provider,
  type ProviderTrade,
} from "../../../../src/platform/provider.ts";
import { countMessages } from "../../../support/database/count-messages.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aPagedProvider } from "../../../support/ingest/provider/paged-provider.ts";
import { aTrade, pageOf } from "../../../support/ingest/provider/provider-trades.ts";
import { readStoredState } from "../../../support/ingest/stored-state.ts";

const NOW = 1_760_000_100_000;
const PAGE_ROWS = 3;
/** A row a second. A walk overlaps the one before by 20 seconds. */
const trade = (n: number) => aTrade({ n, wallet: n % 3, atSeconds: 1_760_000_000 + n });

/** The feed up to a row, newest first. */
const pagesUpTo = (newest: number, change: (row: ProviderTrade) => ProviderTrade = (row) => row) =>
  Array.from({ length: Math.ceil(newest / PAGE_ROWS) }, (_, page) =>
    pageOf(
      Array.from({ length: PAGE_ROWS }, (_row, index) => newest - page * PAGE_ROWS - index)
        .filter((n) => n > 0)
        .map((n) => change(trade(n))),
    ),
  );

let pool: Pool;
let rowIds: RowIdCache;
let recentFills: RecentFills;
let prefetcher: PagePrefetcher;
let nowMs: number;
/** A walk has read 30 rows, and the next one reads its overlap of 20 seconds. */
beforeEach(async () => {
  pool = (await createTestDatabase()).openPool();
  [rowIds, recentFills, prefetcher] = [new RowIdCache(), new RecentFills(), new PagePrefetcher()];
  nowMs = NOW;
  await walkToEnd(pagesUpTo(30));
  nowMs += 10_000;
});

const run = (provider: Provider) =>
  walkTrades(pool, provider, "all", {
    ...{ rowIds, recentFills, prefetcher, largeTradeMinUsd: 5_000, backfillDays: 0 },
    now: () => nowMs,
    pollWithin: () => undefined,
  });

const aFeed = (pages: ReturnType<typeof pagesUpTo>) => {
  const provider = aPagedProvider({ takers: [], all: pages, activity: {}, markets: [], resolutions: [] });
  const listTrades = vi.fn<Provider["listTrades"]>(provider.listTrades);
  return { provider: { ...provider, listTrades }, requested: () => listTrades.mock.calls.map(([, cursor]) => cursor) };
};

async function walkToEnd(pages: ReturnType<typeof pagesUpTo>): Promise<void> {
  const { provider } = aFeed(pages);
  while (await run(provider));
}

const countEntries = async () => (await readStoredState(pool)).entries.length;
const readCheckpoint = async (): Promise<unknown> =>
  (await pool.query("select state from ingest_checkpoints where feed = 'trades:all'")).rows[0]?.state;

test("pages of recent fills are passed in one run, without a statement for each", async () => {
  const { provider, requested } = aFeed(pagesUpTo(33));
  expect(await run(provider)).toBe(true);
  let more = true;
  // The checkpoint is read, and saved with the last page.
  expect(await countMessages(async () => void (more = await run(provider)))).toBe(2);
  expect(more).toBe(false);
  // Row 10 is 20 seconds older than the newest row of the walk before; the page that ends the walk is below it.
  expect(requested()).toEqual([null, "1", "2", "3", "4", "5", "6", "7", "8"]);
  expect(await readCheckpoint()).toMatchObject({ watermarkMs: 1_760_000_033_000, walk: null, stored: 33 });
  expect(await countEntries()).toBe(33);
});

test("a late row among recent fills is recorded, and the pages around it are passed", async () => {
  const late = pagesUpTo(33).map((page, index) =>
    index === 4 ? pageOf([...page.rows, aTrade({ n: 500, wallet: 1, atSeconds: 1_760_000_018 })]) : page,
  );
  const { provider } = aFeed(late);
  expect(await run(provider)).toBe(true);
  expect(await run(provider)).toBe(true);
  expect(await countEntries()).toBe(34);
  expect(await run(provider)).toBe(false);
});

test("a row that equals the last one of a passed page is another fill of its transaction", async () => {
  const pages = pagesUpTo(30);
  const equal = pages[3]?.rows.at(-1);
  if (equal === undefined) throw new Error("the feed has no fourth page");
  await walkToEnd(pages.map((page, index) => (index === 4 ? pageOf([equal, ...page.rows]) : page)));
  expect(await countEntries()).toBe(31);
});

test("a page with an unreadable record is applied", async () => {
  const pages = pagesUpTo(30).map((page, index) =>
    index === 2 ? pageOf(page.rows, [{ record: { size: "?" }, reason: "size" }]) : page,
  );
  await walkToEnd(pages);
  expect((await pool.query("select count(*)::int as n from quarantined_records")).rows).toEqual([{ n: 1 }]);
});

test("a page whose rows have fees is applied: the fills may be recorded without them", async () => {
  await walkToEnd(pagesUpTo(30, (row) => ({ ...row, feeMicro: 5n })));
  const { rows } = await pool.query("select count(*)::int as n from ledger_entries where fee_micro = 5");
  // Eight pages, as above.
  expect(rows).toEqual([{ n: 24 }]);
});

test("pages that were passed before the provider failed are not read again", async () => {
  const { provider, requested } = aFeed(pagesUpTo(30));
  const failing: Provider = {
    ...provider,
    listTrades: async (feed, cursor) =>
      cursor === "3" ? Promise.reject(new ProviderUnavailable("down", null)) : provider.listTrades(feed, cursor),
  };
  await expect(run(failing)).rejects.toThrow("down");
  expect(requested()).toEqual([null, "1", "2"]);
  expect(await run(provider)).toBe(false);
  expect(requested()).toEqual([null, "1", "2", "3", "4", "5", "6", "7"]);
});

test("a provider that fails at once changes nothing, and its fills stay known", async () => {
  const { provider } = aFeed(pagesUpTo(30));
  const before = await readCheckpoint();
  const failing: Provider = { ...provider, listTrades: () => Promise.reject(new ProviderUnavailable("down", null)) };
  // Only the checkpoint is read.
  expect(await countMessages(() => expect(run(failing)).rejects.toThrow("down"))).toBe(1);
  expect(await readCheckpoint()).toEqual(before);
  expect(await countMessages(() => run(provider))).toBe(2);
});

test("a walk whose cursor is refused after pages without news begins at the newest row", async () => {
  const { provider, requested } = aFeed(pagesUpTo(30));
  const refusing: Provider = {
    ...provider,
    listTrades: async (feed, cursor) =>
      cursor === "2" ? Promise.reject(new ProviderRefused("cursor")) : provider.listTrades(feed, cursor),
  };
  await expect(run(refusing)).rejects.toThrow("cursor");
  expect(await readCheckpoint()).toMatchObject({ walk: null });
  expect(await run(provider)).toBe(false);
  expect(requested().slice(0, 3)).toEqual([null, "1", null]);
});

test("a run passes pages for three seconds, and the next one continues behind them", async () => {
  const { provider, requested } = aFeed(pagesUpTo(30));
  const slow: Provider = {
    ...provider,
    listTrades: async (feed, cursor) => {
      nowMs += 1_500;
      return provider.listTrades(feed, cursor);
    },
  };
  expect(await run(slow)).toBe(true);
  const read = requested().length;
  expect(read).toBeLessThan(8);
  expect(await run(slow)).toBe(true);
  expect(requested().slice(read)[0]).toBe(String(read));
});
