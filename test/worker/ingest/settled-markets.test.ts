import { describe, expect, test } from "vitest";
import { openJobContext } from "../../../scripts/bench/job-context.ts";
import { runJob } from "../../../src/jobs/registry.ts";
import { TEST_SEALING } from "../../support/ingest/test-sealing.ts";
import { applyMarkets } from "../../../src/ingest/markets/apply-markets.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { joinIngest } from "../../support/ingest/ingest-under-test.ts";
import { aProviderMarket, aResolution } from "../../support/ingest/provider/provider-markets.ts";
import { letAnHourPass, runOneJob } from "../../support/ingest/run-one-job.ts";
import { aTrade, conditionOf, pageOf } from "../../support/ingest/provider/provider-trades.ts";
import { aPagedProvider } from "../../support/ingest/provider/paged-provider.ts";
import { DAY_MS, HOUR_MS } from "../../../src/scoring/utc-calendar.ts";

/**
 * Ten shares of the first outcome bought at 0.5, in a market that settled and was last checked this long ago.
 */
async function aSettledMarket({
  settledDaysAgo,
  checkedHoursAgo,
}: {
  settledDaysAgo: number;
  checkedHoursAgo: number;
}) {
  const { openPool } = await createTestDatabase();
  const pool = openPool();
  await joinIngest(pool).apply("all", pageOf([aTrade()]));
  const resolvedAt = new Date(Date.now() - settledDaysAgo * DAY_MS);
  const firstAskedAt = Date.now() - checkedHoursAgo * HOUR_MS;
  const report = async (firstPpm: number | null, title: string, now = Date.now()) => {
    const provider = aPagedProvider({
      takers: [],
      all: [],
      activity: {},
      markets: [aProviderMarket(1, { closed: true, closedAt: resolvedAt, title })],
      resolutions: [aResolution(1, firstPpm, resolvedAt)],
    });
    await runOneJob("check_results", { pool, provider, queue: [], now });
    const { rows } = await pool.query<{ title: string; settled: string | null }>(
      `select m.title, p.settled_micro::text as settled from positions p join markets m on m.id = p.market_id`,
    );
    return rows[0];
  };
  const market = aProviderMarket(1, { closed: true, closedAt: resolvedAt });
  await applyMarkets(pool, [market], [], new Date(firstAskedAt));
  await report(1_000_000, "Market 1", firstAskedAt);
  await letAnHourPass(pool);
  return report;
}

describe("settled market", () => {
  test("a settled market is checked again within a week, and a reversal and a new title are applied", async () => {
    const report = await aSettledMarket({ settledDaysAgo: 2, checkedHoursAgo: 7 });
    // Ten shares that cost five dollars pay nothing.
    expect(await report(0, "As it is")).toEqual({ title: "As it is", settled: "-5000000" });
  });

  test("a settled market can become unresolved again", async () => {
    const report = await aSettledMarket({ settledDaysAgo: 2, checkedHoursAgo: 7 });
    expect(await report(null, "As it is")).toEqual({ title: "As it is", settled: null });
  });

  test.each([
    { when: "just checked", settledDaysAgo: 2, checkedHoursAgo: 5 },
    { when: "settled long ago", settledDaysAgo: 11, checkedHoursAgo: 48 },
  ])("a market that was $when is not checked again", async (facts) => {
    const report = await aSettledMarket(facts);
    expect(await report(0, "As it is")).toEqual({ title: "Market 1", settled: "5000000" });
  });
});

describe("market that closes before its end", () => {
  const NOW = Date.now();

  /**
   * Ten shares at 0.5 in an open market. Each pass lists the open markets and requests the results that are
   * due.
   */
  async function anOpenMarket(endAt: Date | null) {
    const pool = (await createTestDatabase()).openPool();
    await joinIngest(pool).apply("all", pageOf([aTrade()]));
    return async (hour: number, listing: { isListed: boolean; isClosed: boolean }) => {
      const at = NOW + hour * HOUR_MS;
      const market = aProviderMarket(1, {
        endAt,
        closed: listing.isClosed,
        closedAt: listing.isClosed ? new Date(at) : null,
      });
      const written = aPagedProvider({
        takers: [],
        all: [],
        activity: {},
        markets: [market],
        resolutions: [aResolution(1, 1_000_000)],
      });
      const provider = { ...written, listMarkets: async () => pageOf(listing.isListed ? [market] : []) };
      for (const job of ["walk_markets", "check_results"] as const)
        await runOneJob(job, { pool, provider, queue: [], now: at });
      await pool.query(`update markets set hydrate_enqueued_at = hydrate_enqueued_at - interval '1 hour'`);
      const { rows } = await pool.query<{ closed: boolean; settled: string | null }>(
        `select m.closed, p.settled_micro::text as settled from positions p join markets m on m.id = p.market_id`,
      );
      return rows[0];
    };
  }

  test.each([
    { end: "half a year away", endAt: new Date(NOW + 200 * DAY_MS) },
    { end: "unknown", endAt: null },
  ])("an open market whose end is $end settles after the list of open markets has dropped it", async ({ endAt }) => {
    const runPass = await anOpenMarket(endAt);
    expect(await runPass(0, { isListed: true, isClosed: false })).toEqual({ closed: false, settled: null });
    expect(await runPass(1, { isListed: true, isClosed: false })).toEqual({ closed: false, settled: null });
    expect(await runPass(2, { isListed: false, isClosed: true })).toEqual({ closed: true, settled: "5000000" });
  });

  test("a market is not closed only because one list has left it out", async () => {
    const runPass = await anOpenMarket(null);
    await runPass(0, { isListed: true, isClosed: false });
    expect(await runPass(1, { isListed: false, isClosed: false })).toEqual({ closed: false, settled: null });
    expect(await runPass(2, { isListed: false, isClosed: true })).toEqual({ closed: true, settled: "5000000" });
  });
});

test.each([
  { unresolved: 1, settled: 100, more: false, left: 60 },
  { unresolved: 0, settled: 1, more: false, left: 0 },
  { unresolved: 160, settled: 0, more: true, left: 0 },
])(
  "a run with $unresolved unresolved and $settled settled markets due goes on: $more",
  async ({ unresolved, settled, more, left }) => {
    const pool = (await createTestDatabase()).openPool();
    const numbers = Array.from({ length: unresolved + settled }, (_, index) => index + 1);
    const described = numbers.map((n) =>
      aProviderMarket(n, { closed: true, closedAt: new Date(Date.now() - HOUR_MS) }),
    );
    await applyMarkets(pool, described, [], new Date());
    await pool.query(
      `update markets set result_due_at = now() - interval '1 hour',
         payouts_ppm = case when condition_id = any($1) then '{1000000,0}'::int[] end`,
      [numbers.slice(unresolved).map(conditionOf)],
    );
    const provider = aPagedProvider({
      ...{ takers: [], all: [], activity: {}, markets: described },
      resolutions: numbers.map((n) => aResolution(n, 1_000_000)),
    });
    const context = openJobContext({ pool, provider, enqueue: async () => undefined, sealing: TEST_SEALING });
    expect(await runJob("check_results", context)).toBe(more);
    const { rows } = await pool.query(
      `select count(*) filter (where result_due_at <= now())::int as left, count(*) filter (where payouts_ppm is null)::int as open from markets`,
    );
    expect(rows).toEqual([{ left, open: 0 }]);
  },
);
