import type { Pool } from "@neondatabase/serverless";
import { beforeEach, expect, test } from "vitest";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { walkMarkets } from "../../../../src/ingest/markets/walk-markets.ts";
import type { ProviderMarket } from "../../../../src/platform/provider.ts";
import { countMessages } from "../../../support/database/count-messages.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { aGameEvent } from "../../../support/ingest/provider/provider-games.ts";
import { aPagedProvider } from "../../../support/ingest/provider/paged-provider.ts";
import { aProviderMarket } from "../../../support/ingest/provider/provider-markets.ts";
import { pageOf } from "../../../support/ingest/provider/provider-trades.ts";

/*
 * A walk over the open markets reads most of them as they were five minutes before. An update that changes a column of an
 * index writes to all indexes of its table; Postgres counts the others as "heap-only".
 */

const secondsOf = (date: Date) => date.getTime() / 1_000;
const inSeconds = (column: string) => `extract(epoch from ${column})::int as ${column}`;
const FIRST = new Date("2026-11-20T12:00:00Z");
const SECOND = new Date("2026-11-20T12:05:00Z");
const END = new Date("2026-12-01T00:00:00Z");
const NUMBERS = [1, 2, 3];

const NO_PAGES = { takers: [], all: [], activity: {}, markets: [], resolutions: [] };

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});

const { event } = aGameEvent(1, { slug: "event-1" });

const quoted = (n: number): ProviderMarket => {
  const market = aProviderMarket(n, { event, category: "Sports", tags: ["Sports"], volumeUsd: "12.50", endAt: END });
  const outcomes = market.outcomes.map((outcome) => ({
    ...outcome,
    lastTradePrice: "0.4",
    bestBid: "0.3",
    bestAsk: "0.5",
  }));
  return { ...market, outcomes };
};

/** Updated rows of a table so far, and those of them without a write to an index. */
async function countUpdates(pool: Pool): Promise<Record<string, readonly [all: number, heapOnly: number]>> {
  await pool.query("select pg_stat_force_next_flush()");
  const { rows } = await pool.query<{ relname: string; all: number; heap_only: number }>(
    `select relname, n_tup_upd::int as all, n_tup_hot_upd::int as heap_only from pg_stat_user_tables
     where relname in ('markets', 'outcomes', 'provider_events')`,
  );
  return Object.fromEntries(rows.map((row) => [row.relname, [row.all, row.heap_only]]));
}

test("markets that are read again unchanged write to no index; their outcomes are neither written nor locked, their events not written", async () => {
  const pool = database.openPool();
  const markets = NUMBERS.map(quoted);
  await applyMarkets(pool, markets, [], FIRST);
  const before = await countUpdates(pool);
  // A row lock leaves the id of its transaction.
  const locks = async () => (await pool.query("select id, xmax::text as locked_by from outcomes order by id")).rows;
  const unlocked = await locks();
  await applyMarkets(pool, markets, [], SECOND);
  const after = await countUpdates(pool);
  const added = (table: string) => after[table]?.map((count, n) => count - (before[table]?.[n] ?? 0));
  expect(["markets", "outcomes", "provider_events"].map(added)).toEqual([
    [3, 3],
    [0, 0],
    [0, 0],
  ]);
  expect(await locks()).toEqual(unlocked);
  const { rows } = await pool.query(`select ${inSeconds("figures_as_of")}, ${inSeconds("hydrated_at")} from markets`);
  expect(rows).toHaveLength(3);
  for (const row of rows) expect(row).toEqual({ figures_as_of: secondsOf(SECOND), hydrated_at: secondsOf(FIRST) });
});

test("a page of unchanged markets takes two round trips, one of new markets four, one of both five", async () => {
  const pool = database.openPool();
  await applyMarkets(pool, [quoted(9)], [], FIRST);
  const apply = (count: number, readAt: Date) => {
    const markets = Array.from({ length: count }, (_, index) => quoted(index + 1));
    return countMessages(() => applyMarkets(pool, markets, [], readAt));
  };
  expect(await apply(3, FIRST)).toBe(4);
  expect(await apply(3, SECOND)).toBe(2);
  expect(await apply(8, SECOND)).toBe(5);
});

test("a page of a walk takes two round trips more, for the checkpoint", async () => {
  const pool = database.openPool();
  const provider = { ...aPagedProvider(NO_PAGES), listMarkets: async () => pageOf(NUMBERS.map(quoted)) };
  const walk = (readAt: Date) => walkMarkets(pool, provider, false, () => readAt);
  expect(await walk(FIRST)).toBe(false);
  expect(await countMessages(() => walk(SECOND))).toBe(4);
  const { rows } = await pool.query(`select state ->> 'walks' as walks from ingest_checkpoints where feed = 'markets'`);
  expect(rows).toEqual([{ walks: "2" }]);
});

test.each<[string, Partial<ProviderMarket>, string, unknown]>([
  ["title", { title: "Another" }, "title", "Another"],
  ["volume", { volumeUsd: "13" }, "volume_usd", "13"],
  ["tags", { tags: ["Sports", "NBA"] }, "tags", ["Sports", "NBA"]],
  ["close", { closed: true }, "closed", true],
  ["end", { endAt: null }, "end_at", null],
  ["event", { event: null }, "event_id", null],
  ["resolution status", { resolutionStatus: "proposed" }, "resolution_status", "proposed"],
])("a market whose %s has changed is written", async (_, facts, column, value) => {
  const pool = database.openPool();
  await applyMarkets(pool, NUMBERS.map(quoted), [], FIRST);
  const changed = NUMBERS.map((n) => (n === 2 ? { ...quoted(n), ...facts } : quoted(n)));
  await applyMarkets(pool, changed, [], SECOND);
  const { rows } = await pool.query(
    `select ${column} as value, ${inSeconds("figures_as_of")}, ${inSeconds("hydrated_at")} from markets where provider_market_id = '2'`,
  );
  expect(rows).toEqual([{ value, figures_as_of: secondsOf(SECOND), hydrated_at: secondsOf(FIRST) }]);
});

test("an event that has changed is written with the market that names it", async () => {
  const pool = database.openPool();
  await applyMarkets(pool, NUMBERS.map(quoted), [], FIRST);
  if (event === null) throw new Error("the market has no event");
  const renamed = { ...quoted(1), event: { ...event, title: "Another" } };
  await applyMarkets(pool, [renamed], [], SECOND);
  const { rows } = await pool.query(`select title, ${inSeconds("hydrated_at")} from provider_events`);
  expect(rows).toEqual([{ title: "Another", hydrated_at: secondsOf(SECOND) }]);
});
