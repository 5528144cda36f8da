import { expect, test } from "vitest";
import { PagePrefetcher } from "../../../../src/ingest/feeds/page-prefetcher.ts";
import { RecentFills } from "../../../../src/ingest/feeds/recent-fills.ts";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { walkTrades } from "../../../../src/ingest/feeds/walk-trades.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aPagedProvider } from "../../../support/ingest/provider/paged-provider.ts";
import { aTrade, pageOf } from "../../../support/ingest/provider/provider-trades.ts";

const NOW = 1_760_000_100_000;

/** A page of so many rows, five a second, that ends at row `newest`. */
const aPage = (newest: number, rows: number) =>
  pageOf(
    Array.from({ length: rows }, (_, index) => {
      const n = newest - index;
      return aTrade({ n, wallet: 1, atSeconds: 1_760_000_000 + Math.floor(n / 5) });
    }),
  );

test.each([
  // 100 rows over 20 seconds: 500 take 100.
  { pages: [aPage(400, 150), aPage(250, 100)], pauses: [100_000] },
  { pages: [aPage(400, 99)], pauses: [] },
])(
  "a walk that ends makes its feed due when half a page of new rows is expected: $pauses",
  async ({ pages, pauses }) => {
    const pool = (await createTestDatabase()).openPool();
    const provider = aPagedProvider({ takers: [], all: pages, activity: {}, markets: [], resolutions: [] });
    const asked: number[] = [];
    const settings = {
      ...{ rowIds: new RowIdCache(), recentFills: new RecentFills(), prefetcher: new PagePrefetcher() },
      ...{ largeTradeMinUsd: 5_000, backfillDays: 0, now: () => NOW, pollWithin: (ms: number) => void asked.push(ms) },
    };
    for (let left = pages.length; left > 0; left--) {
      expect(asked).toEqual([]);
      expect(await walkTrades(pool, provider, "all", settings)).toBe(left > 1);
    }
    expect(asked).toEqual(pauses);
  },
);
