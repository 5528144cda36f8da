import { sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { buildExplore } from "../../../../src/ingest/read-models/explore/build-explore.ts";
import { discoverScore, exploreSignals, trendingScore } from "../../../support/oracles/explore-score.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { exploreOf, generationsOf } from "../../../support/ingest/worlds/built-lists.ts";
import { aTakerTrade } from "../../../support/seed/fills.ts";
import { theTradeFeedWasRead } from "../../../support/seed/large-trades.ts";
import { aMarket, anEvent } from "../../../support/seed/markets.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";
import { HOUR_MS } from "../../../../src/scoring/utc-calendar.ts";

const rounded = (values: readonly (number | null)[]) =>
  values.map((value) => (value === null ? "null" : value.toFixed(2))).join(" ");
const amount = fc.option(fc.constantFrom<number[]>(0, 0.000001, 1, 999.99, 123_456, 1e7, 1e12));

const anyMarket = fc.record({
  volume: amount,
  dayVolume: amount,
  liquidity: amount,
  largeTrades: fc.constantFrom(0, 1, 9, 100, 100_000),
  hoursAgo: fc.option(fc.constantFrom(-5, 0, 1, 24, 100, 1e5)),
  lastTradePrice: fc.option(fc.constantFrom("0", "1")),
  trades: fc.array(
    fc.record({
      grade: fc.constantFrom("S", "B", "C", null),
      outcome: fc.constantFrom(0 as const, 1 as const),
      side: fc.constantFrom("BUY" as const, "SELL" as const),
      shares: fc.constantFrom(5_000, 70_000, 3_000_000),
      hoursAgo: fc.constantFrom(1, 23, 25),
    }),
    { maxLength: 3 },
  ),
});

type Facts = typeof anyMarket extends fc.Arbitrary<infer Market> ? Market : never;

/**
 * The documented functions applied to the markets of one entry; the first market has the largest volume.
 *
 * @param covered whether every trade of the last day is recorded
 */
function documented(markets: readonly Facts[], covered: boolean) {
  const [first] = markets;
  if (first === undefined) throw new Error("an entry has at least one market");
  const sum = (values: readonly (number | null)[]) =>
    values.every((value) => value === null) ? null : values.reduce<number>((total, value) => total + (value ?? 0), 0);
  const hours = markets.flatMap((market) => market.hoursAgo ?? []);
  const nets = markets.map(({ trades }) =>
    Math.abs(
      trades
        .filter(({ grade, hoursAgo }) => (grade === "S" || grade === "B") && hoursAgo < 24)
        .reduce(
          (net, trade) => net + ((trade.side === "BUY") === (trade.outcome === 0) ? trade.shares : -trade.shares),
          0,
        ),
    ),
  );
  const signals = exploreSignals({
    volumeUsd: first.volume,
    volume24hUsd: sum(markets.map((market) => market.dayVolume)),
    largeTradeCount: sum(markets.map((market) => market.largeTrades)),
    hoursSinceLargeTrade: hours.length === 0 ? null : Math.min(...hours),
    liquidityUsd: sum(markets.map((market) => market.liquidity)),
    sharpNetUsd: sum(nets),
    price: first.lastTradePrice === null ? null : Number(first.lastTradePrice),
    // Every trade in this test has a price of 1.
    price24hAgo: first.trades.some((trade) => trade.outcome === 0 && trade.hoursAgo > 24) ? 1 : null,
  });
  const isSharp = ({ grade, hoursAgo }: Facts["trades"][number]) => (grade === "S" || grade === "B") && hoursAgo < 24;
  return {
    trending: trendingScore(signals) ?? 0,
    discover: discoverScore(signals),
    components: [
      signals.volumeSignal,
      signals.largeTradeSignal,
      signals.liquiditySignal,
      signals.recencySignal,
      covered || markets.some((market) => market.trades.some(isSharp)) ? signals.sharpMoneySignal : null,
      signals.missingPricePenalty,
    ],
  };
}

/**
 * Stored components in the order above. Absent sharp money is 0 where the generation covers the whole day.
 */
function componentsOf(stored: unknown, isDayKnown: boolean): (number | null)[] {
  const { volume, large_trades, liquidity, recency, sharp_money, missing_price_penalty } = stored as Record<
    string,
    number | null
  >;
  return [volume, large_trades, liquidity, recency, sharp_money ?? (isDayKnown ? 0 : null), missing_price_penalty].map(
    (value) => value ?? null,
  );
}

test("the scores of any entry equal the documented functions", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  await theTradeFeedWasRead(db, new Date());
  const traders = new Map(
    await Promise.all(
      (["S", "B", "C", null] as const).map(async (grade) => [grade, await aSeededTrader(db, { grade })] as const),
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anyMarket, { minLength: 1, maxLength: 3 }), fc.boolean(), async (drawn, grouped) => {
      const built = ["list_generations", "explore_entries", "explore_changes", "explore_due", "graded_markets"];
      for (const table of [...built, "large_trades", "outcomes", "markets"])
        await db.execute(sql.raw(`delete from ${table}`));
      await db.execute(sql`delete from ingest_checkpoints where feed = 'lists:explore'`);
      // Distinct volumes make the order in a group unambiguous; unknown volumes come last.
      const marketFacts = drawn
        .map((market, index) => ({ ...market, volume: market.volume === null ? null : market.volume + index }))
        .toSorted((a, b) => (b.volume ?? -1) - (a.volume ?? -1))
        .filter((market, index, all) => !grouped || index === 0 || all[index - 1]?.volume !== market.volume);
      const eventId = grouped ? await anEvent(db) : null;
      const now = Date.now();
      for (const facts of marketFacts) {
        const market = await aMarket(
          db,
          {
            eventId,
            volumeUsd: facts.volume === null ? null : String(facts.volume),
            volume24hUsd: facts.dayVolume === null ? null : String(facts.dayVolume),
            liquidityUsd: facts.liquidity === null ? null : String(facts.liquidity),
            largeTradeCount: facts.largeTrades,
            largeTradeLastAt: facts.hoursAgo === null ? null : new Date(now - facts.hoursAgo * HOUR_MS),
          },
          [{ lastTradePrice: facts.lastTradePrice }, {}],
        );
        for (const { grade, hoursAgo, ...trade } of facts.trades) {
          const wallet = traders.get(grade);
          if (wallet === undefined) throw new Error("a wallet of each grade");
          await aTakerTrade(db, {
            ...trade,
            trader: wallet,
            market,
            price: "1",
            at: new Date(now - hoursAgo * HOUR_MS).toISOString(),
          });
        }
      }
      await inTransaction(pool, (session) => buildExplore(session));
      const [newest] = await generationsOf(db, "explore");
      const isDayKnown = (newest?.detail as { day_known?: unknown } | undefined)?.day_known === true;
      const scores = (await exploreOf(db)).map((entry) => ({
        trending: entry.trendingScore,
        discover: entry.discoverScore,
        components: componentsOf(entry.scoreComponents, isDayKnown),
      }));
      const covered = marketFacts.some(({ trades }) => trades.some(({ hoursAgo }) => hoursAgo > 24));
      const expected = grouped
        ? [documented(marketFacts, covered)]
        : marketFacts.map((market) => documented([market], covered));
      expect(scores).toHaveLength(expected.length);
      const byScore = (a: { trending: number; discover: number | null; components: (number | null)[] }, b: typeof a) =>
        Math.round((a.discover ?? 0) * 1e3) - Math.round((b.discover ?? 0) * 1e3) ||
        Math.round(a.trending * 1e3) - Math.round(b.trending * 1e3) ||
        rounded(a.components).localeCompare(rounded(b.components));
      const [left, right] = [scores.toSorted(byScore), expected.toSorted(byScore)];
      for (const [index, score] of left.entries()) {
        // Seconds pass between the inserts and the build; recency falls by about 1e-5 a second.
        expect(score.trending).toBeCloseTo(right[index]?.trending ?? Number.NaN, 3);
        expect(score.discover).toBeCloseTo(right[index]?.discover ?? Number.NaN, 3);
        expect(rounded(score.components)).toBe(rounded(right[index]?.components ?? []));
      }
    }),
    { numRuns: 40 },
  );
});
