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
const BUSY = [aPage(400, 150), aPage(250, 100)];
const QUIET = [aPage(400, 99)];

test.each([
  {
    job: "read_taker_trades",
    feed: "takers",
    pages: BUSY,
    asked: ["read_taker_trades 100000", "read_all_trades 0"],
  },
  { job: "read_all_trades", feed: "all", pages: BUSY, asked: ["read_taker_trades 100000"] },
  { job: "read_taker_trades", feed: "takers", pages: QUIET, asked: ["read_all_trades 0"] },
  { job: "read_all_trades", feed: "all", pages: QUIET, asked: [] },
] as const)("the end of a walk of $job makes these due: $asked", async ({ job, feed, pages, asked }) => {
  const pool = (await createTestDatabase()).openPool();
  const none = { takers: [], all: [], activity: {}, markets: [], resolutions: [] };
  const scheduled: string[] = [];
  const context = openJobContext({
    ...{ pool, provider: aPagedProvider({ ...none, [feed]: pages }), now: () => NOW, sealing: TEST_SEALING },
    enqueue: () => Promise.resolve(),
    scheduleWithin: (name, withinMs) => void scheduled.push(`${name} ${withinMs}`),
  });
  for (let left = pages.length; left > 0; left--) {
    expect(scheduled).toEqual([]);
    expect(await runJob(job, context)).toBe(left > 1);
  }
  expect(scheduled).toEqual(asked);
});
