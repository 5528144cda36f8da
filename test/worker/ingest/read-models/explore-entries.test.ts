import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { buildExplore } from "../../../../src/ingest/read-models/explore/build-explore.ts";
import { exploreMarkets } from "../../../../src/queries/markets/explore.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { exploreOf, generationsOf } from "../../../support/ingest/worlds/built-lists.ts";
import { aMarket, anEvent, type SeededMarket } from "../../../support/seed/markets.ts";

const READ_AT = new Date("2026-11-20T12:00:00Z");
const condition = (digit: string) => ({ conditionId: `0x${digit.repeat(64)}` });

test("markets of one event form one entry, largest volume first, and other markets have their own", async () => {
  const { db, openPool } = await createTestDatabase();
  const [pair, single] = [await anEvent(db), await anEvent(db)];
  const [small, large] = [
    await aMarket(db, { eventId: pair, volumeUsd: "20" }),
    await aMarket(db, { eventId: pair, volumeUsd: "30" }),
  ];
  const only = await aMarket(db, { eventId: single, volumeUsd: "15" });
  const [free, freeToo] = [await aMarket(db, { volumeUsd: "12" }), await aMarket(db, { volumeUsd: "11" })];
  await inTransaction(openPool(), (session) => buildExplore(session));
  const entries = await exploreOf(db);
  expect(entries.map((entry) => [entry.eventId, entry.marketIds, entry.representativeId])).toEqual([
    [pair, [large.id, small.id], large.id],
    [null, [only.id], only.id],
    [null, [free.id], free.id],
    [null, [freeToo.id], freeToo.id],
  ]);
});

test("combos and markets without a title have no entry", async () => {
  const { db, openPool } = await createTestDatabase();
  const listed = await aMarket(db, { volumeUsd: "10" });
  await aMarket(db, { volumeUsd: "20", conditionId: `0x03${"c".repeat(60)}` });
  await aMarket(db, { volumeUsd: "30", title: null });
  await inTransaction(openPool(), (session) => buildExplore(session));
  expect((await exploreOf(db)).map((entry) => entry.marketIds)).toEqual([[listed.id]]);
});

test("a market with its own entry is not mixed with the event that has the same number", async () => {
  const { db, openPool } = await createTestDatabase();
  const [alone, eventId] = [await aMarket(db, { volumeUsd: "10" }), await anEvent(db)];
  const markets = [await aMarket(db, { eventId, volumeUsd: "30" }), await aMarket(db, { eventId, volumeUsd: "20" })];
  expect(alone.id).toBe(eventId);
  await inTransaction(openPool(), (session) => buildExplore(session));
  expect((await exploreOf(db)).map((entry) => entry.marketIds)).toEqual([markets.map(({ id }) => id), [alone.id]]);
});

test("the representative has the largest volume, then the lowest condition id, and unknown volumes come last", async () => {
  const { db, openPool } = await createTestDatabase();
  const eventId = await anEvent(db);
  const unknown = await aMarket(db, { eventId, volumeUsd: null, ...condition("0") });
  const second = await aMarket(db, { eventId, volumeUsd: "10", ...condition("b") });
  const first = await aMarket(db, {
    eventId,
    volumeUsd: "10",
    ...condition("a"),
    endAt: READ_AT,
    providerCreatedAt: READ_AT,
  });
  await inTransaction(openPool(), (session) => buildExplore(session));
  expect(await exploreOf(db)).toMatchObject([
    {
      representativeId: first.id,
      marketIds: [first.id, second.id, unknown.id],
      volumeUsd: "10",
      endAt: READ_AT,
      createdAt: READ_AT,
    },
  ]);
});

test.each([
  ["a minute from now", 60_000, true],
  ["a minute ago", -60_000, false],
])("an entry whose representative ends %s expires then: %j", async (_, ms, expires) => {
  const { db, openPool } = await createTestDatabase();
  const eventId = await anEvent(db);
  const endAt = new Date(Date.now() + ms);
  await aMarket(db, { eventId, volumeUsd: "2", endAt });
  await aMarket(db, { eventId, volumeUsd: "1", endAt: new Date(Date.now() + 30_000) });
  await aMarket(db, { volumeUsd: "0" });
  await inTransaction(openPool(), (session) => buildExplore(session));
  const expiries = (await exploreOf(db)).map((entry) => [entry.endAt, entry.expiresAt]);
  expect(expiries).toEqual([
    [endAt, expires ? endAt : null],
    [null, null],
  ]);
});

test("a list whose build version is older is rebuilt without newer figures", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  await aMarket(db, { figuresAsOf: READ_AT });
  const build = () => inTransaction(pool, (session) => buildExplore(session));
  await build();
  await pool.query(
    `update ingest_checkpoints set state = jsonb_set(state, '{content}', '"older"') where feed = 'lists:explore'`,
  );
  expect([await build(), await build()]).toEqual(["published", "unchanged"]);
  const [newest] = await generationsOf(db, "explore");
  expect((await exploreOf(db)).map((entry) => entry.addedIn)).toEqual([newest?.id]);
});

test("an entry shows the twelve markets of the largest volume", async () => {
  const { db, openPool } = await createTestDatabase();
  const eventId = await anEvent(db);
  const markets: SeededMarket[] = [];
  for (let volume = 1; volume <= 13; volume++)
    markets.push(await aMarket(db, { eventId, volumeUsd: String(volume), title: `m${volume}` }));
  await inTransaction(openPool(), (session) => buildExplore(session));
  const largest = markets.slice(1).toReversed();
  const [entry] = await exploreOf(db);
  expect(entry?.marketIds).toEqual(largest.map((market) => market.id));
  expect(entry?.searchText).not.toMatch(/\bm1\b/);
});

test("a market without a title has no entry and no effect on a group", async () => {
  const { db, openPool } = await createTestDatabase();
  const eventId = await anEvent(db);
  for (const title of [null, ""]) {
    await aMarket(db, { title, volumeUsd: "900" });
    await aMarket(db, { title, volumeUsd: "900", eventId, closed: true, largeTradeCount: 9 });
  }
  const titled = await aMarket(db, { eventId, volumeUsd: "1" });
  await inTransaction(openPool(), (session) => buildExplore(session));
  expect(await exploreOf(db)).toMatchObject([
    { eventId: null, marketIds: [titled.id], hasClosed: false, largeTradeCount: 0 },
  ]);
  expect((await generationsOf(db, "explore"))[0]?.rowCount).toBe(1);
});

test.each([
  ["open markets", [{}, {}], true, false],
  ["an open market and one closed", [{}, { closed: true }], true, true],
  ["an open market and one that has resolved", [{}, { payoutsPpm: [0, 1_000_000] }], true, true],
  ["closed and resolved markets", [{ closed: true }, { payoutsPpm: [0, 1_000_000] }], false, true],
])("an event of %s has the matching active and closed flags", async (_, markets, hasActive, hasClosed) => {
  const { db, openPool } = await createTestDatabase();
  const eventId = await anEvent(db);
  for (const facts of markets) await aMarket(db, { eventId, ...facts });
  await inTransaction(openPool(), (session) => buildExplore(session));
  expect(await exploreOf(db)).toMatchObject([{ eventId, hasActive, hasClosed }]);
});

test("facets count entries by the category of the representative or else of the event, largest first", async () => {
  const { db, openPool } = await createTestDatabase();
  const eventId = await anEvent(db, { category: "Weather" });
  const politics = await anEvent(db, { category: "Weather" });
  await aMarket(db, { eventId, volumeUsd: "9" });
  await aMarket(db, { eventId, volumeUsd: "8", category: "Golf" });
  for (const volumeUsd of ["7", "6"]) await aMarket(db, { eventId: politics, volumeUsd, category: "Politics" });
  await aMarket(db, { volumeUsd: "5", category: "Soccer" });
  await aMarket(db, { volumeUsd: "4", category: "Soccer" });
  await aMarket(db, { volumeUsd: "3", category: null });
  await inTransaction(openPool(), (session) => buildExplore(session));
  expect((await exploreOf(db)).map((entry) => entry.category)).toEqual([
    "Weather",
    "Politics",
    "Soccer",
    "Soccer",
    null,
  ]);
  expect((await generationsOf(db, "explore"))[0]?.detail).toMatchObject({
    categories: [
      { value: "Soccer", label: "Soccer", count: 2 },
      { value: "Politics", label: "Politics", count: 1 },
      { value: "Weather", label: "Weather", count: 1 },
    ],
    platforms: [{ value: "polymarket", label: "Polymarket", count: 5 }],
  });
});

test("the stored counts equal the number of entries under every status and category", async () => {
  const { db, openPool } = await createTestDatabase();
  const eventId = await anEvent(db, { category: "Golf" });
  await aMarket(db, { eventId, category: "Golf" });
  await aMarket(db, { eventId, category: "Golf", closed: true });
  await aMarket(db, { category: "Golf" });
  await aMarket(db, { category: "Soccer", payoutsPpm: [0, 1_000_000] });
  await aMarket(db, { category: null });
  await inTransaction(openPool(), (session) => buildExplore(session));
  const totals = async (status: "all" | "active" | "closed") => {
    const pages = [null, "golf", "soccer", "chess"].map((category) =>
      exploreMarkets(db, { status, category, words: null, sort: "volume" }, { cursor: null, limit: 1 }, READ_AT),
    );
    return (await Promise.all(pages)).map((page) => page?.total);
  };
  const expected = { all: [4, 2, 1, 0], active: [3, 2, 0, 0], closed: [2, 1, 1, 0] };
  const totalsByStatus = async () => ({
    all: await totals("all"),
    active: await totals("active"),
    closed: await totals("closed"),
  });
  expect(await totalsByStatus()).toEqual(expected);
  // Stored counts are read, not recomputed: changed entries do not change them, and a list without counts is
  // counted.
  await db.execute(sql`update explore_entries set category = 'Chess', has_active = true, has_closed = true`);
  expect(await totalsByStatus()).toEqual(expected);
  await db.execute(sql`update list_generations set detail = detail - 'counts'`);
  expect(await totals("closed")).toEqual([4, 0, 0, 4]);
});

test("an explore list without markets is published empty", async () => {
  const { db, openPool } = await createTestDatabase();
  expect(await inTransaction(openPool(), (session) => buildExplore(session))).toBe("published");
  expect(await exploreOf(db)).toEqual([]);
  expect(await generationsOf(db, "explore")).toMatchObject([{ rowCount: 0, detail: { categories: [] } }]);
});

test("new figures publish a new generation, and unchanged figures none", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  await aMarket(db, { volumeUsd: "1", figuresAsOf: READ_AT });
  const build = () => inTransaction(pool, (session) => buildExplore(session));
  expect([await build(), await build()]).toEqual(["published", "unchanged"]);
  await pool.query("update markets set volume_usd = 2, figures_as_of = figures_as_of + interval '1 minute'");
  expect(await build()).toBe("published");
  expect((await exploreOf(db)).map((entry) => entry.volumeUsd)).toEqual(["2"]);
  expect(await generationsOf(db, "explore")).toHaveLength(2);
});
