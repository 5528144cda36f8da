import { expect, test } from "vitest";
import { openJobContext } from "../../../../scripts/bench/job-context.ts";
import { runJob } from "../../../../src/jobs/registry.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aPagedProvider } from "../../../support/ingest/provider/paged-provider.ts";
import { aTrade, pageOf } from "../../../support/ingest/provider/provider-trades.ts";
import { TEST_SEALING } from "../../../support/ingest/test-sealing.ts";

const NOW = 1_760_000_100_000;

/** A page of so many rows, five a second, that ends at row `newest`. */
const aPage = (newest: number, rows: number) =>
  pageOf(
    Array.from({ length: rows }, (_, index) => {
      const n = newest - index;
      return aTrade({ n, wallet: 1, atSeconds: 1_760_000_000 + Math.floor(n / 5) });
    }),
  );

// 100 rows over 20 seconds: 500 take 100.
const BUSY = { pages: [aPage(400, 150), aPage(250, 100)], pauses: [100_000] };
const QUIET = { pages: [aPage(400, 99)], pauses: [] };

test.each([
  { job: "read_all_trades", feed: "all", ...BUSY },
  { job: "read_taker_trades", feed: "takers", ...BUSY },
  { job: "read_all_trades", feed: "all", ...QUIET },
] as const)(
  "$job is due when half a page of new rows is expected, from the end of its walk: $pauses",
  async (given) => {
    const pool = (await createTestDatabase()).openPool();
    const none = { takers: [], all: [], activity: {}, markets: [], resolutions: [] };
    const asked: [string, number][] = [];
    const context = openJobContext({
      ...{
        pool,
        provider: aPagedProvider({ ...none, [given.feed]: given.pages }),
        now: () => NOW,
        sealing: TEST_SEALING,
      },
      enqueue: () => Promise.resolve(),
      scheduleWithin: (job, withinMs) => void asked.push([job, withinMs]),
    });
    for (let left = given.pages.length; left > 0; left--) {
      expect(asked).toEqual([]);
      expect(await runJob(given.job, context)).toBe(left > 1);
    }
    expect(asked).toEqual(given.pauses.map((pauseMs) => [given.job, pauseMs]));
  },
);
