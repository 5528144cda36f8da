import type { Pool } from "@neondatabase/serverless";
import { beforeAll, expect, test, vi } from "vitest";
import { PagePrefetcher } from "../../../../src/ingest/feeds/page-prefetcher.ts";
import { RecentFills } from "../../../../src/ingest/feeds/recent-fills.ts";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { walkTrades } from "../../../../src/ingest/feeds/walk-trades.ts";
import type { ProviderTrade, TradeFeed } from "../../../../src/platform/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { emptyIngest } from "../../../support/ingest/empty-ingest.ts";
import { aPagedProvider } from "../../../support/ingest/provider/paged-provider.ts";
import { aTrade, pageOf } from "../../../support/ingest/provider/provider-trades.ts";
import { readStoredState, type StoredState } from "../../../support/ingest/stored-state.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

const NOW = 1_760_000_100_000;
const trade = (n: number) =>
  aTrade({ n, wallet: n % 3, side: n % 4 === 0 ? "SELL" : "BUY", atSeconds: 1_760_000_000 + n });
const newestFirst = (...numbers: number[]) => numbers.toSorted((a, b) => b - a).map(trade);

type Rows = Readonly<Record<TradeFeed, readonly ProviderTrade[]>>;
interface Process {
  readonly rowIds: RowIdCache;
  readonly recentFills: RecentFills;
}

const aProcess = (): Process => ({ rowIds: new RowIdCache(), recentFills: new RecentFills() });

async function walk(pool: Pool, process: Process, feed: TradeFeed, rows: Rows): Promise<void> {
  const pages = { takers: [pageOf(rows.takers)], all: [pageOf(rows.all)] };
  const provider = aPagedProvider({ ...pages, activity: {}, markets: [], resolutions: [] });
  const settings = { ...process, prefetcher: new PagePrefetcher(), largeTradeMinUsd: 5_000, backfillDays: 0 };
  await walkTrades(pool, provider, feed, { ...settings, now: () => NOW, pollWithin: () => undefined });
}

/** What two walks of each feed store when every walk is of a new process, which knows no recent fill. */
async function storedWithoutMemory(pool: Pool, polls: readonly Rows[]): Promise<StoredState> {
  await emptyIngest(pool);
  for (const rows of polls) for (const feed of ["all", "takers"] as const) await walk(pool, aProcess(), feed, rows);
  return readStoredState(pool);
}

const POLLS: readonly Rows[] = [
  { all: newestFirst(1, 2, 3, 4, 5), takers: newestFirst(2, 4) },
  // Later rows, one that arrives late (6), and all rows of the poll before.
  { all: newestFirst(1, 2, 3, 4, 5, 6, 8, 9), takers: newestFirst(2, 4, 6, 9) },
];

test("a process that knows its recent fills stores what processes without that knowledge store", async () => {
  const pool = database.openPool();
  const expected = await storedWithoutMemory(pool, POLLS);
  expect(expected.entries.filter(({ role }) => role === "taker")).toHaveLength(4);
  for (const feeds of [
    ["all", "takers"],
    ["takers", "all"],
  ] as const) {
    await emptyIngest(pool);
    const process = aProcess();
    for (const rows of POLLS) for (const feed of feeds) await walk(pool, process, feed, rows);
    expect(await readStoredState(pool)).toEqual(expected);
  }
});

test("a page of recent fills takes the read of the checkpoint and one more round trip", async () => {
  const pool = database.openPool();
  await emptyIngest(pool);
  const process = aProcess();
  const rows = { all: newestFirst(1, 2, 3), takers: newestFirst(1, 2, 3) };
  await walk(pool, process, "takers", rows);
  const spy = vi.spyOn(WebSocket.prototype, "send");
  await walk(pool, process, "all", rows);
  expect(spy.mock.calls).toHaveLength(2);
  spy.mockRestore();
});

test("a database that was restored to a time before the recent fills gets them again", async () => {
  const pool = database.openPool();
  const expected = await storedWithoutMemory(pool, POLLS);
  await emptyIngest(pool);
  const process = aProcess();
  for (const rows of POLLS) for (const feed of ["all", "takers"] as const) await walk(pool, process, feed, rows);
  // The restored database has neither the fills nor the checkpoints of this process.
  await emptyIngest(pool);
  const restored = { ...process, rowIds: new RowIdCache() };
  for (const rows of POLLS) for (const feed of ["takers", "all"] as const) await walk(pool, restored, feed, rows);
  expect(await readStoredState(pool)).toEqual(expected);
});

test("a fill whose page was not committed is recorded by the next page", async () => {
  const pool = database.openPool();
  await emptyIngest(pool);
  const process = aProcess();
  const rows = { all: newestFirst(1, 2), takers: [] };
  await pool.query("alter table ingest_checkpoints add constraint refused check (feed <> 'trades:all')");
  await expect(walk(pool, process, "all", rows)).rejects.toThrow("refused");
  await pool.query("alter table ingest_checkpoints drop constraint refused");
  await walk(pool, process, "all", rows);
  expect((await readStoredState(pool)).entries).toHaveLength(2);
});
