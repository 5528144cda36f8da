import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { buildExplore } from "../../../../src/ingest/read-models/explore/build-explore.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { exploreOf } from "../../../support/ingest/worlds/built-lists.ts";
import { aMarket, anEvent } from "../../../support/seed/markets.ts";
import { HOUR_MS } from "../../../../src/scoring/utc-calendar.ts";

type Facts = Omit<NonNullable<Parameters<typeof aMarket>[1]>, "largeTradeLastAt"> & { lastLargeTradeHoursAgo?: number };

/**
 * The entries of these markets, which have a price and belong to one event or to none. All of it happens at
 * one instant of the database's clock.
 */
async function scored(markets: readonly Facts[], { grouped, priced = true }: { grouped: boolean; priced?: boolean }) {
  const { db, openPool } = await createTestDatabase();
  const eventId = grouped ? await anEvent(db) : null;
  await inTransaction(openPool(), async (session) => {
    const { rows } = await session.execute<{ now_ms: number }>(
      sql`select (extract(epoch from now()) * 1000)::float8 as now_ms`,
    );
    for (const { lastLargeTradeHoursAgo: hours, ...facts } of markets) {
      const largeTradeLastAt = hours === undefined ? null : new Date((rows[0]?.now_ms ?? Number.NaN) - hours * HOUR_MS);
      await aMarket(db, { eventId, ...facts, largeTradeLastAt }, [{ lastTradePrice: priced ? "0.5" : null }, {}]);
    }
    await buildExplore(session);
  });
  return exploreOf(db);
}

describe("scores of one market", () => {
  // By hand: a signal is ln(1 + x) / ln(full), so 999 dollars are 3/7 of ten million and 3/6 of a million, 99
  // are 2/6 of a million, and 9 large trades are ln 10 / ln 101 = 0.498922 of a hundred.
  test.each<[string, Facts, { trending: number; discover: number }]>([
    ["no known figure", {}, { trending: 0, discover: 0 }],
    ["999 dollars of volume", { volumeUsd: "999" }, { trending: 0, discover: 3 / 7 }],
    ["999 dollars in a day", { volume24hUsd: "999" }, { trending: 1 / 2, discover: 0 }],
    ["99 dollars of liquidity", { liquidityUsd: "99" }, { trending: 0, discover: 1 / 3 }],
    [
      "9 large trades, the last one now",
      { largeTradeCount: 9, lastLargeTradeHoursAgo: 0 },
      { trending: 0.498922, discover: 1.498922 },
    ],
    [
      "9 large trades, the last a day ago",
      { largeTradeCount: 9, lastLargeTradeHoursAgo: 24 },
      { trending: 0.249461, discover: 0.998922 },
    ],
    [
      "9 large trades, the last two days ago",
      { largeTradeCount: 9, lastLargeTradeHoursAgo: 48 },
      { trending: 0.124731, discover: 0.748922 },
    ],
    [
      "every signal above its maximum",
      { volumeUsd: "5e7", volume24hUsd: "5e6", liquidityUsd: "5e6", largeTradeCount: 500, lastLargeTradeHoursAgo: 0 },
      { trending: 2, discover: 4 },
    ],
  ])("a market with %s has the scores calculated by hand", async (_, facts, { trending, discover }) => {
    const [entry] = await scored([facts], { grouped: false });
    expect(entry?.trendingScore).toBeCloseTo(trending, 5);
    expect(entry?.discoverScore).toBeCloseTo(discover, 5);
  });
});

test("a market without a price loses half a point of discovery, but never falls below 0", async () => {
  const [entry] = await scored([{ volumeUsd: "999999", volume24hUsd: "999" }], { grouped: false, priced: false });
  // 6/7 less 1/2.
  expect(entry?.discoverScore).toBeCloseTo(5 / 14, 5);
  expect(entry?.trendingScore).toBeCloseTo(1 / 2, 5);
  const [poor] = await scored([{ volumeUsd: "999" }], { grouped: false, priced: false });
  expect(poor?.discoverScore).toBe(0);
});

test("a group is scored by its representative's volume and by the other signals of all its markets", async () => {
  const first = {
    volumeUsd: "999",
    volume24hUsd: "500",
    liquidityUsd: "50",
    largeTradeCount: 4,
    lastLargeTradeHoursAgo: 48,
  };
  const second = {
    volumeUsd: "998",
    volume24hUsd: "499",
    liquidityUsd: "49",
    largeTradeCount: 5,
    lastLargeTradeHoursAgo: 24,
  };
  const [entry] = await scored([first, second], { grouped: true });
  // 1/2 and half of 0.498922; 3/7, 0.498922, 1/3 and 1/2.
  expect(entry?.trendingScore).toBeCloseTo(0.749461, 5);
  expect(entry?.discoverScore).toBeCloseTo(1.760827, 5);
  expect(entry?.largeTradeCount).toBe(4);
});

test("markets beyond the twelve that are shown count for the score of their group", async () => {
  const shownMarkets = Array.from({ length: 12 }, (_, index): Facts => ({ volumeUsd: String(100 + index) }));
  const [entry] = await scored([...shownMarkets, { volumeUsd: "0", volume24hUsd: "999" }], { grouped: true });
  expect(entry?.marketIds).toHaveLength(12);
  expect(entry?.trendingScore).toBeCloseTo(1 / 2, 5);
});

test("a busy day leads the trending order, and a large total volume the discovery order", async () => {
  const busy = { title: "Busy", volumeUsd: "999", volume24hUsd: "999" };
  const grown = { title: "Grown", volumeUsd: "999999", volume24hUsd: "9" };
  const entries = await scored([busy, grown], { grouped: false });
  const titlesBy = (score: "trendingScore" | "discoverScore") =>
    entries.toSorted((a, b) => b[score] - a[score]).map((entry) => entry.searchText.trim());
  expect(titlesBy("trendingScore")).toEqual(["busy", "grown"]);
  expect(titlesBy("discoverScore")).toEqual(["grown", "busy"]);
});
