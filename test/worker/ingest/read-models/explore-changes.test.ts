import type { Pool } from "@neondatabase/serverless";
import { beforeEach, describe, expect, test } from "vitest";
import { inTransaction, type Database } from "../../../../src/db/client.ts";
import { buildExplore, type ExploreStep } from "../../../../src/ingest/read-models/explore/build-explore.ts";
import { exploreMarkets } from "../../../../src/queries/explore.ts";
import { createTestDatabase } from "../../../support/database.ts";
import { exploreOf, generationsOf } from "../../../support/ingest/built-lists.ts";
import { aTakenTrade } from "../../../support/seed/fills.ts";
import { aMarket, anEvent, type Market } from "../../../support/seed/markets.ts";
import { aWallet } from "../../../support/seed/wallets.ts";

let db: Database;
let pool: Pool;

beforeEach(async () => {
  const database = await createTestDatabase();
  db = database.db;
  pool = database.openPool();
});

const build = (entriesAtOnce?: number) => inTransaction(pool, (session) => buildExplore(session, entriesAtOnce));

/** Builds to the end. @returns the last step, and how many there were */
async function buildAll(entriesAtOnce: number): Promise<{ step: ExploreStep; steps: number }> {
  for (let steps = 1; ; steps++) {
    const step = await build(entriesAtOnce);
    if (step !== "more") return { step, steps };
  }
}

const writtenIn = async (generation: number) =>
  Number((await pool.query("select count(*) as n from explore_entries where added_in = $1", [generation])).rows[0]?.n);
const newestId = async () => (await generationsOf(db, "explore"))[0]?.id ?? 0;

/** The markets of each entry that a reader of a generation sees, by volume. */
async function shownIn(generation: number | null): Promise<[string | null, number[]][] | null> {
  const filters = { status: "all", category: null, words: null, sort: "volume" } as const;
  const place = generation === null ? null : { generation, key: "1e30", id: 0 };
  const page = await exploreMarkets(db, filters, { place, limit: 48 }, new Date());
  return page?.rows.map((row) => [row.volume_usd, row.markets.map(({ id }) => id)]) ?? null;
}

describe("an entry is written again", () => {
  const cases: [string, (market: Market) => Promise<unknown>][] = [
    ["when its volume changes", ({ id }) => pool.query("update markets set volume_usd = 7 where id = $1", [id])],
    ["when its market closes", ({ id }) => pool.query("update markets set closed = true where id = $1", [id])],
    ["when its market resolves", ({ id }) => pool.query("update markets set payouts_ppm = '{0,1000000}' where id = $1", [id])],
    ["when its title changes", ({ id }) => pool.query("update markets set title = 'Another' where id = $1", [id])],
    ["when its category changes", ({ id }) => pool.query("update markets set category = 'Chess' where id = $1", [id])],
    ["when liquidity comes", ({ id }) => pool.query("update markets set liquidity_usd = 99 where id = $1", [id])],
    [
      "when a large trade comes",
      ({ id }) => pool.query("update markets set large_trade_count = 1, large_trade_last_at = now() where id = $1", [id]),
    ],
    ["when it gets its first price", ({ id }) => pool.query("update outcomes set last_trade_price = 0.5 where market_id = $1", [id])],
    [
      "when a wallet of its trades gets a grade",
      async (market) => {
        const wallet = await aWallet(db);
        await aTakenTrade(db, { wallet, market, shares: 20_000, price: "0.5", at: new Date(Date.now() - 60_000).toISOString() });
        await buildAll(100);
        await pool.query("update traders set grade = 'A'");
      },
    ],
    [
      "when its end passes",
      async ({ id }) => {
        await pool.query("update markets set end_at = now() + interval '200 milliseconds' where id = $1", [id]);
        await build();
        await pool.query("select pg_sleep(0.3)");
      },
    ],
    [
      "when it goes to another event",
      async ({ id }) => pool.query("update markets set event_id = $2 where id = $1", [id, await anEvent(db)]),
    ],
  ];

  test.each(cases)("%s, and no other is", async (_, change) => {
    const markets: Market[] = [];
    for (let volume = 1; volume <= 5; volume++) markets.push(await aMarket(db, { volumeUsd: String(volume) }));
    await build();
    const before = new Set((await exploreOf(db)).map(({ id, addedIn }) => `${id}:${addedIn}`));
    const [market] = markets;
    if (market === undefined) throw new Error("five markets");
    await change(market);
    expect(await build()).toBe("published");
    const fresh = (await exploreOf(db)).filter(({ id, addedIn }) => !before.has(`${id}:${addedIn}`));
    expect(fresh.map(({ representativeId }) => representativeId)).toEqual([market.id]);
    expect(await exploreOf(db)).toHaveLength(5);
    expect(await build()).toBe("unchanged");
  });

  test("when its event gets its name", async () => {
    const eventId = await anEvent(db, { title: null });
    for (const volumeUsd of ["1", "2"]) await aMarket(db, { eventId, volumeUsd, title: "Rain" });
    await build();
    await pool.query("update provider_events set title = 'Weather of Paris'");
    expect(await build()).toBe("published");
    expect((await exploreOf(db)).map(({ searchText }) => searchText)).toEqual(["weather of paris rain rain"]);
  });

  test("not for what nobody can see: another book, a figure read again, a liquidity a little different", async () => {
    const market = await aMarket(db, { volumeUsd: "9", liquidityUsd: "10000" }, [{ lastTradePrice: "0.4" }, {}]);
    await build();
    await pool.query("update outcomes set best_bid = 0.1, best_ask = 0.15, last_trade_price = 0.12, book_as_of = now()");
    await pool.query("update markets set figures_as_of = now(), liquidity_usd = 10100 where id = $1", [market.id]);
    expect(await build()).toBe("unchanged");
    await pool.query("update markets set liquidity_usd = 12000 where id = $1", [market.id]);
    expect(await build()).toBe("published");
  });

  test("when its recency has fallen by what can be seen, and not before", async () => {
    await aMarket(db, { volumeUsd: "9", largeTradeCount: 3, largeTradeLastAt: new Date() });
    await build();
    const { rows } = await pool.query("select extract(epoch from due_at - now())::float8 / 60 as minutes from explore_due");
    // A fall of 0.005 from 1: 24 hours x log2(1 / 0.995) are 10.41 minutes.
    expect(rows[0]?.minutes).toBeCloseTo(10.41, 0);
    await pool.query("update explore_due set due_at = now()");
    expect(await build()).toBe("unchanged");
    await pool.query(`update markets set large_trade_last_at = large_trade_last_at - interval '11 minutes'`);
    expect(await build()).toBe("published");
  });
});

test("a market that loses its title, and an entry without markets, are there no more", async () => {
  const [one, two] = [await aMarket(db, { volumeUsd: "2" }), await aMarket(db, { volumeUsd: "1" })];
  await build();
  await pool.query("update markets set title = '' where id = $1", [one.id]);
  expect(await build()).toBe("published");
  expect((await exploreOf(db)).map(({ representativeId }) => representativeId)).toEqual([two.id]);
  expect((await generationsOf(db, "explore"))[0]).toMatchObject({ rowCount: 1 });
});

describe("generations", () => {
  test("each shows its own entries while it is kept; rows that none shows are dropped", async () => {
    const market = await aMarket(db, { volumeUsd: "1" });
    const still = await aMarket(db, { volumeUsd: "0" });
    const generations: number[] = [];
    for (let volume = 1; volume <= 5; volume++) {
      await pool.query("update markets set volume_usd = $2 where id = $1", [market.id, volume]);
      expect(await build()).toBe("published");
      generations.push(await newestId());
    }
    const expected = (volume: number) => [
      [String(volume), [market.id]],
      ["0", [still.id]],
    ];
    expect(await Promise.all(generations.map(shownIn))).toEqual([null, null, expected(3), expected(4), expected(5)]);
    const { rows } = await pool.query("select count(*)::int as n from explore_entries");
    // Three of the market that changed, one of the other.
    expect(rows).toEqual([{ n: 4 }]);
  });

  test("one that is built in many steps is not seen before its end, and a change meanwhile is in it once", async () => {
    const markets: Market[] = [];
    for (let volume = 1; volume <= 6; volume++) markets.push(await aMarket(db, { volumeUsd: String(volume) }));
    await buildAll(100);
    const before = await shownIn(null);
    await pool.query("update markets set volume_usd = volume_usd + 10");
    expect([await build(2), await build(2)]).toEqual(["more", "more"]);
    expect(await shownIn(null)).toEqual(before);
    // Written in this generation already, and changed again.
    await pool.query("update markets set volume_usd = volume_usd + 100");
    expect((await buildAll(2)).step).toBe("published");
    expect(await shownIn(null)).toEqual(markets.toReversed().map(({ id }, index) => [String(116 - index), [id]]));
    expect(await writtenIn(await newestId())).toBe(6);
    const { rows } = await pool.query("select count(*)::int as n from explore_entries where removed_in is null");
    expect(rows).toEqual([{ n: 6 }]);
  });

  test("totals and facets are those of its rows, whatever has changed", async () => {
    const events = [await anEvent(db), await anEvent(db)];
    const categories = ["Chess", "Golf", null];
    const markets: Market[] = [];
    for (let n = 0; n < 12; n++) {
      markets.push(await aMarket(db, { eventId: events[n % 4] ?? null, volumeUsd: String(n), category: categories[n % 3] ?? null }));
    }
    for (let round = 0; round < 6; round++) {
      await buildAll(3);
      const rows = (await exploreOf(db)).map((row) => ({ category: row.category, has_active: row.hasActive, has_closed: row.hasClosed }));
      const [generation] = await generationsOf(db, "explore");
      if (generation === undefined) throw new Error("one was published");
      const { counts, categories: facets, platforms } = generation.detail as any;
      expect(counts.flatMap(({ count, ...group }: any) => Array.from({ length: count }, () => JSON.stringify(group))).toSorted()).toEqual(
        rows.map((row) => JSON.stringify(row)).toSorted(),
      );
      expect(facets.map(({ value, count }: any) => [value, count]).toSorted()).toEqual(
        [
          ...Map.groupBy(
            rows.filter(({ category }) => category !== null),
            ({ category }) => category,
          ),
        ]
          .map(([c, all]) => [c, all.length])
          .toSorted(),
      );
      expect([generation.rowCount, platforms[0].count]).toEqual([rows.length, rows.length]);
      const [a, b, c] = [markets[round], markets[round + 3], markets[round + 6]];
      await pool.query("update markets set closed = not closed where id = $1", [a?.id]);
      await pool.query("update markets set category = 'Tennis' where id = $1", [b?.id]);
      await pool.query("update markets set title = case when title = '' then 'back' else '' end where id = $1", [c?.id]);
    }
  });
});
