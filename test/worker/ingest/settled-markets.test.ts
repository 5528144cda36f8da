import { describe, expect, test } from "vitest";
import { inTransaction } from "../../../src/db/client.ts";
import { applyMarkets } from "../../../src/ingest/apply-markets.ts";
import { createTestDatabase } from "../../support/database.ts";
import { joinIngest } from "../../support/ingest/ingest-under-test.ts";
import { aProviderMarket, aResolution } from "../../support/ingest/markets.ts";
import { letAnHourPass, runOneJob } from "../../support/ingest/run-one-job.ts";
import { aTrade, pageOf } from "../../support/ingest/trades.ts";
import { aWrittenProvider } from "../../support/ingest/written-provider.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Ten shares of the first outcome at half a dollar, in a market that was settled so long ago and last asked for so long ago. */
async function aSettledMarket({ settledDaysAgo, checkedHoursAgo }: { settledDaysAgo: number; checkedHoursAgo: number }) {
  const { openPool } = await createTestDatabase();
  const pool = openPool();
  await joinIngest(pool).apply("all", pageOf([aTrade()]));
  const resolvedAt = new Date(Date.now() - settledDaysAgo * DAY_MS);
  const firstAskedAt = Date.now() - checkedHoursAgo * HOUR_MS;
  const tell = async (firstPpm: number | null, title: string, now = Date.now()) => {
    const provider = aWrittenProvider({
      takers: [],
      all: [],
      activity: {},
      markets: [aProviderMarket(1, { closed: true, closedAt: resolvedAt, title })],
      resolutions: [aResolution(1, firstPpm, resolvedAt)],
    });
    await runOneJob("resolutions", { pool, provider, queue: [], now });
    const { rows } = await pool.query<{ title: string; settled: string | null }>(
      `select m.title, p.settled_micro::text as settled from positions p join markets m on m.id = p.market_id`,
    );
    return rows[0];
  };
  const market = aProviderMarket(1, { closed: true, closedAt: resolvedAt });
  await inTransaction(pool, (session) => applyMarkets(session, [market], [], new Date(firstAskedAt)));
  await tell(1_000_000, "Market 1", firstAskedAt);
  await letAnHourPass(pool);
  return tell;
}

describe("a market that has settled", () => {
  test("is asked for again within a week: a reversal settles anew, and a new title is taken", async () => {
    const tell = await aSettledMarket({ settledDaysAgo: 2, checkedHoursAgo: 7 });
    // Ten shares that cost five dollars pay nothing.
    expect(await tell(0, "As it is")).toEqual({ title: "As it is", settled: "-5000000" });
  });

  test("may turn out not to have settled", async () => {
    const tell = await aSettledMarket({ settledDaysAgo: 2, checkedHoursAgo: 7 });
    expect(await tell(null, "As it is")).toEqual({ title: "As it is", settled: null });
  });

  test.each([
    { when: "just asked for", settledDaysAgo: 2, checkedHoursAgo: 5 },
    { when: "settled long ago", settledDaysAgo: 11, checkedHoursAgo: 48 },
  ])("is left alone when it was $when", async (facts) => {
    const tell = await aSettledMarket(facts);
    expect(await tell(0, "As it is")).toEqual({ title: "Market 1", settled: "5000000" });
  });
});

describe("a market that closes before its end", () => {
  const NOW = Date.now();

  /** Ten shares at half a dollar in an open market. Every hour the open markets are listed, and payouts are asked for where they are due. */
  async function anOpenMarket(endAt: Date | null) {
    const pool = (await createTestDatabase()).openPool();
    await joinIngest(pool).apply("all", pageOf([aTrade()]));
    return async (hour: number, told: { isListed: boolean; isClosed: boolean }) => {
      const at = NOW + hour * HOUR_MS;
      const market = aProviderMarket(1, { endAt, closed: told.isClosed, closedAt: told.isClosed ? new Date(at) : null });
      const written = aWrittenProvider({ takers: [], all: [], activity: {}, markets: [market], resolutions: [aResolution(1, 1_000_000)] });
      const provider = { ...written, listMarkets: async () => pageOf(told.isListed ? [market] : []) };
      for (const job of ["market_walk", "resolutions"] as const) await runOneJob(job, { pool, provider, queue: [], now: at });
      await pool.query(`update markets set hydrate_enqueued_at = hydrate_enqueued_at - interval '1 hour'`);
      const { rows } = await pool.query<{ closed: boolean; settled: string | null }>(
        `select m.closed, p.settled_micro::text as settled from positions p join markets m on m.id = p.market_id`,
      );
      return rows[0];
    };
  }

  test.each([
    { end: "half a year away", endAt: new Date(NOW + 200 * DAY_MS) },
    { end: "not known", endAt: null },
  ])("which is $end, is settled once the list of open markets has dropped it", async ({ endAt }) => {
    const pass = await anOpenMarket(endAt);
    expect(await pass(0, { isListed: true, isClosed: false })).toEqual({ closed: false, settled: null });
    expect(await pass(1, { isListed: true, isClosed: false })).toEqual({ closed: false, settled: null });
    expect(await pass(2, { isListed: false, isClosed: true })).toEqual({ closed: true, settled: "5000000" });
  });

  test("is not taken for closed because a list has left it out", async () => {
    const pass = await anOpenMarket(null);
    await pass(0, { isListed: true, isClosed: false });
    expect(await pass(1, { isListed: false, isClosed: false })).toEqual({ closed: false, settled: null });
    expect(await pass(2, { isListed: false, isClosed: true })).toEqual({ closed: true, settled: "5000000" });
  });
});
