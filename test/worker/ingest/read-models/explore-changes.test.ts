import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { inTransaction, type Database } from "../../../../src/db/client.ts";
import { buildExplore, type ExploreStep } from "../../../../src/ingest/read-models/explore/build-explore.ts";
import { exploreMarkets } from "../../../../src/queries/markets/explore.ts";
import { openTestDatabase } from "../../../support/database/database.ts";
import { exploreOf, generationsOf } from "../../../support/ingest/worlds/built-lists.ts";
import { aTakerTrade } from "../../../support/seed/fills.ts";
import { aMarket, anEvent, type SeededMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

let db: Database;
let pool: Pool;

beforeEach(async () => {
  ({ db, pool } = await openTestDatabase());
});

const build = (entriesAtOnce?: number) => inTransaction(pool, (session) => buildExplore(session, entriesAtOnce));

/** Builds to the end. @returns the last result and the number of steps */
async function buildAll(entriesAtOnce: number): Promise<{ step: ExploreStep; steps: number }> {
  for (let steps = 1; ; steps++) {
    const step = await build(entriesAtOnce);
    if (step !== "more") return { step, steps };
  }
}

const writtenIn = async (generation: number) =>
  Number((await pool.query("select count(*) as n from explore_entries where added_in = $1", [generation])).rows[0]?.n);
const newestId = async () => (await generationsOf(db, "explore"))[0]?.id ?? 0;

/** The market ids of each entry in a generation, by volume. Null if the generation does not exist. */
async function entriesIn(generation: number | null): Promise<[string | null, number[]][] | null> {
  const filters = { status: "all", category: null, words: null, sort: "volume" } as const;
  const position = generation === null ? null : { generation, key: "1e30", id: 0 };
  const page = await exploreMarkets(db, filters, { cursor: position, limit: 48 }, new Date());
  return page?.rows.map((row) => [row.volume_usd, row.markets.map(({ id }) => id)]) ?? null;
}

describe("rewritten entries", () => {
  const cases: [string, (market: SeededMarket) => Promise<unknown>][] = [
    ["when its volume changes", ({ id }) => pool.query("update markets set volume_usd = 7 where id = $1", [id])],
    ["when its market closes", ({ id }) => pool.query("update markets set closed = true where id = $1", [id])],
    [
      "when its market resolves",
      ({ id }) => pool.query("update markets set payouts_ppm = '{0,1000000}' where id = $1", [id]),
    ],
    ["when its title changes", ({ id }) => pool.query("update markets set title = 'Another' where id = $1", [id])],
    ["when its category changes", ({ id }) => pool.query("update markets set category = 'Chess' where id = $1", [id])],
    ["when its liquidity rises", ({ id }) => pool.query("update markets set liquidity_usd = 99 where id = $1", [id])],
    [
      "when it gets a large trade",
      ({ id }) =>
        pool.query("update markets set large_trade_count = 1, large_trade_last_at = now() where id = $1", [id]),
    ],
    [
      "when it gets its first price",
      ({ id }) => pool.query("update outcomes set last_trade_price = 0.5 where market_id = $1", [id]),
    ],
    [
      "when a trader in it gets a grade",
      async (market) => {
        const wallet = await aSeededTrader(db);
        await aTakerTrade(db, {
          trader: wallet,
          market,
          shares: 20_000,
          price: "0.5",
          at: new Date(Date.now() - 60_000).toISOString(),
        });
        await buildAll(100);
        await pool.query("update traders set grade = 'A'");
      },
    ],
    [
      "when its end passes",
      // Within the transaction, now() is its begin: its build is before the end, and every later one is
      // after.
      ({ id }) =>
        inTransaction(pool, async (session) => {
          await session.execute(sql`update markets set end_at = now() + interval '1 microsecond' where id = ${id}`);
          await buildExplore(session);
        }),
    ],
    [
      "when it moves to another event",
      async ({ id }) => pool.query("update markets set event_id = $2 where id = $1", [id, await anEvent(db)]),
    ],
  ];

  test.each(cases)("an entry is rewritten %s, and no other entry is", async (_, change) => {
    const markets: SeededMarket[] = [];
    for (let volume = 1; volume <= 5; volume++) markets.push(await aMarket(db, { volumeUsd: String(volume) }));
    await build();
    const before = new Set((await exploreOf(db)).map(({ id, addedIn }) => `${id}:${addedIn}`));
    const [market] = markets;
    if (market === undefined) throw new Error("five markets");
    await change(market);
    expect(await build()).toBe("published");
    const rewritten = (await exploreOf(db)).filter(({ id, addedIn }) => !before.has(`${id}:${addedIn}`));
    expect(rewritten.map(({ representativeId }) => representativeId)).toEqual([market.id]);
    expect(await exploreOf(db)).toHaveLength(5);
    expect(await build()).toBe("unchanged");
  });

  test("an entry is rewritten when its event gets a title", async () => {
    const eventId = await anEvent(db, { title: null });
    for (const volumeUsd of ["1", "2"]) await aMarket(db, { eventId, volumeUsd, title: "Rain" });
    await build();
    await pool.query("update provider_events set title = 'Weather of Paris'");
    expect(await build()).toBe("published");
    expect((await exploreOf(db)).map(({ searchText }) => searchText)).toEqual(["weather of paris rain rain"]);
  });

  test("an entry is not rewritten for a new book, a repeated figure or a small change of liquidity", async () => {
    const market = await aMarket(db, { volumeUsd: "9", liquidityUsd: "10000" }, [{ lastTradePrice: "0.4" }, {}]);
    await build();
    await pool.query(
      "update outcomes set best_bid = 0.1, best_ask = 0.15, last_trade_price = 0.12, book_as_of = now()",
    );
    await pool.query("update markets set figures_as_of = now(), liquidity_usd = 10100 where id = $1", [market.id]);
    expect(await build()).toBe("unchanged");
    await pool.query("update markets set liquidity_usd = 12000 where id = $1", [market.id]);
    expect(await build()).toBe("published");
  });

  test("an entry is rewritten when its recency has fallen by 0.005, and not before", async () => {
    await aMarket(db, { volumeUsd: "9", largeTradeCount: 3, largeTradeLastAt: new Date() });
    await build();
    const { rows } = await pool.query(
      "select extract(epoch from due_at - now())::float8 / 60 as minutes from explore_due",
    );
    // A fall of 0.005 from 1: 24 hours x log2(1 / 0.995) = 10.41 minutes.
    expect(rows[0]?.minutes).toBeCloseTo(10.41, 0);
    await pool.query("update explore_due set due_at = now()");
    expect(await build()).toBe("unchanged");
    await pool.query(`update markets set large_trade_last_at = large_trade_last_at - interval '11 minutes'`);
    expect(await build()).toBe("published");
  });
});

test("a market that loses its title and an entry without markets are removed", async () => {
  const [one, two] = [await aMarket(db, { volumeUsd: "2" }), await aMarket(db, { volumeUsd: "1" })];
  await build();
  await pool.query("update markets set title = '' where id = $1", [one.id]);
  expect(await build()).toBe("published");
  expect((await exploreOf(db)).map(({ representativeId }) => representativeId)).toEqual([two.id]);
  expect((await generationsOf(db, "explore"))[0]).toMatchObject({ rowCount: 1 });
});

describe("explore generations", () => {
  test("a generation shows its own entries while it exists, and rows of deleted generations are dropped", async () => {
    const market = await aMarket(db, { volumeUsd: "1" });
    const unchanged = await aMarket(db, { volumeUsd: "0" });
    const generations: number[] = [];
    for (let volume = 1; volume <= 5; volume++) {
      await pool.query("update markets set volume_usd = $2 where id = $1", [market.id, volume]);
      expect(await build()).toBe("published");
      generations.push(await newestId());
    }
    const expected = (volume: number) => [
      [String(volume), [market.id]],
      ["0", [unchanged.id]],
    ];
    expect(await Promise.all(generations.map(entriesIn))).toEqual([null, null, expected(3), expected(4), expected(5)]);
    const { rows } = await pool.query("select count(*)::int as n from explore_entries");
    // Three rows of the market that changed, one of the other.
    expect(rows).toEqual([{ n: 4 }]);
  });

  test("rows that the release before ended are dropped once no generation shows them", async () => {
    const market = await aMarket(db, { volumeUsd: "1" });
    const next = async (volume: number) => {
      await pool.query("update markets set volume_usd = $2 where id = $1", [market.id, volume]);
      expect(await build()).toBe("published");
    };
    for (const volume of [2, 3, 4]) await next(volume);
    // That release knows neither the table nor the state of it.
    await pool.query("delete from explore_removals");
    await pool.query("update ingest_checkpoints set state = state - 'notes_removals' where feed = 'lists:explore'");
    for (const volume of [5, 6, 7]) await next(volume);
    const { rows } = await pool.query("select volume_usd from explore_entries order by volume_usd");
    expect(rows.map(({ volume_usd: volume }) => volume)).toEqual(["5", "6", "7"]);
  });

  test("the first build computes each entry once, the markets of an event in any steps", async () => {
    const eventId = await anEvent(db);
    const markets: SeededMarket[] = [];
    for (const grouped of [true, false, true, false, true])
      markets.push(await aMarket(db, { volumeUsd: String(markets.length), eventId: grouped ? eventId : null }));
    // Five markets in slices of two; the third slice is the last, and no change is left.
    expect(await buildAll(2)).toEqual({ step: "published", steps: 3 });
    const [first, second, third, fourth, fifth] = markets.map(({ id }) => id);
    expect(await entriesIn(null)).toEqual([
      ["4", [fifth, third, first]],
      ["3", [fourth]],
      ["1", [second]],
    ]);
    expect((await pool.query("select from explore_changes")).rows).toEqual([]);
    // The event's entry is of the first step, as that of the second market, and no later step has written it again.
    const { rows } = await pool.query(
      "select count(distinct xmin::text)::int as n from explore_entries where representative_id = any($1)",
      [[fifth, second]],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  test("no index has the generation in which a row ended, so that ending it writes to none", async () => {
    const { rows } = await pool.query(
      "select indexdef from pg_indexes where tablename = 'explore_entries' and indexdef ~ 'removed_in'",
    );
    expect(rows).toEqual([]);
    const { rows: options } = await pool.query("select reloptions from pg_class where relname = 'explore_entries'");
    expect(options).toEqual([{ reloptions: ["fillfactor=80"] }]);
  });

  test("a generation built in several steps is invisible until its end and contains a change made meanwhile once", async () => {
    const markets: SeededMarket[] = [];
    for (let volume = 1; volume <= 6; volume++) markets.push(await aMarket(db, { volumeUsd: String(volume) }));
    await buildAll(100);
    const before = await entriesIn(null);
    await pool.query("update markets set volume_usd = volume_usd + 10");
    expect([await build(2), await build(2)]).toEqual(["more", "more"]);
    expect(await entriesIn(null)).toEqual(before);
    // Already written in this generation, then changed again.
    await pool.query("update markets set volume_usd = volume_usd + 100");
    expect((await buildAll(2)).step).toBe("published");
    expect(await entriesIn(null)).toEqual(markets.toReversed().map(({ id }, index) => [String(116 - index), [id]]));
    expect(await writtenIn(await newestId())).toBe(6);
    const { rows } = await pool.query("select count(*)::int as n from explore_entries where removed_in is null");
    expect(rows).toEqual([{ n: 6 }]);
  });

  test("totals and facets match the rows after any change", async () => {
    const events = [await anEvent(db), await anEvent(db)];
    const categories = ["Chess", "Golf", null];
    const markets: SeededMarket[] = [];
    for (let n = 0; n < 12; n++) {
      markets.push(
        await aMarket(db, {
          eventId: events[n % 4] ?? null,
          volumeUsd: String(n),
          category: categories[n % 3] ?? null,
        }),
      );
    }
    for (let round = 0; round < 6; round++) {
      await buildAll(3);
      const rows = (await exploreOf(db)).map((row) => ({
        category: row.category,
        has_active: row.hasActive,
        has_closed: row.hasClosed,
      }));
      const [generation] = await generationsOf(db, "explore");
      if (generation === undefined) throw new Error("one was published");
      const { counts, categories: facets, platforms } = generation.detail as any;
      expect(
        counts
          .flatMap(({ count, ...group }: any) => Array.from({ length: count }, () => JSON.stringify(group)))
          .toSorted(),
      ).toEqual(rows.map((row) => JSON.stringify(row)).toSorted());
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
      await pool.query("update markets set title = case when title = '' then 'back' else '' end where id = $1", [
        c?.id,
      ]);
    }
  });
});
