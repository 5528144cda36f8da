import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { games } from "../../../../src/db/schema.ts";
import { readLiveGames, walkGames } from "../../../../src/ingest/games/read-games.ts";
import {
  ProviderRefused,
  type GameEventList,
  type Provider,
  type ProviderGameEvent,
} from "../../../../src/platform/provider.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { aPagedProvider } from "../../../support/ingest/provider/paged-provider.ts";
import { aGameEvent, KICKOFF } from "../../../support/ingest/provider/provider-games.ts";
import { pageOf } from "../../../support/ingest/provider/provider-trades.ts";

let database: TestDatabase;
let pool: Pool;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = database.openPool();
});

const NOTHING = { takers: [], all: [], activity: {}, markets: [], resolutions: [] };
const now = () => KICKOFF;

/** A provider with these games, one in a page; the requests are recorded. */
function aProviderOf(lists: Partial<Record<GameEventList, readonly ProviderGameEvent[]>>) {
  const asked: unknown[] = [];
  const found: ProviderGameEvent[] = [];
  const provider: Provider = {
    ...aPagedProvider(NOTHING),
    async listGameEvents(list, since, cursor) {
      asked.push([list, cursor, ...(list === "closed" ? [since.toISOString()] : [])]);
      const [page, rows] = [Number(cursor ?? 0), lists[list] ?? []];
      return { ...pageOf(rows.slice(page, page + 1)), nextCursor: page + 1 < rows.length ? String(page + 1) : null };
    },
    async findGameEvents(gameIds) {
      asked.push(gameIds);
      return pageOf(found.filter(({ gameId }) => gameIds.includes(gameId)));
    },
  };
  return { provider, asked, found };
}

async function checkpoint(feed: string) {
  const { rows } = await database.db.execute(sql`select state from ingest_checkpoints where feed = ${feed}`);
  return rows[0]?.["state"];
}

test("the walk reads the open games, then those that closed in the last two days, page by page", async () => {
  const { provider, asked } = aProviderOf({
    open: [aGameEvent(1), aGameEvent(2, { category: "Soccer", league: null })],
    closed: [aGameEvent(3, { isClosed: true })],
  });
  const more: boolean[] = [];
  do more.push(await walkGames(pool, provider, now));
  while (more.at(-1));
  expect(more).toEqual([true, true, false]);
  expect(asked).toEqual([
    ["open", null],
    ["open", "1"],
    ["closed", null, "2026-11-18T18:00:00.000Z"],
  ]);
  expect(await database.db.$count(games)).toBe(3);
  expect(await checkpoint("games:upcoming")).toMatchObject({
    list: "open",
    cursor: null,
    readAtMs: KICKOFF.getTime(),
    sports: ["Basketball", "Soccer"],
    leagues: ["nba"],
  });
});

test("a cursor that the provider refuses starts the walk again, and the last complete read stays known", async () => {
  const { provider } = aProviderOf({ open: [aGameEvent(1), aGameEvent(2)] });
  while (await walkGames(pool, provider, now));
  await walkGames(pool, provider, now);
  const refusing: Provider = {
    ...provider,
    listGameEvents: () => Promise.reject(new ProviderRefused("cursor")),
  };
  await expect(walkGames(pool, refusing, now)).rejects.toThrow(ProviderRefused);
  expect(await checkpoint("games:upcoming")).toMatchObject({ list: "open", cursor: null, readAtMs: KICKOFF.getTime() });
});

test("a game in play that is no longer listed is requested by its id, so its end is not missed", async () => {
  const inPlay = { live: true, ended: false, score: "4-0" };
  const { provider, asked, found } = aProviderOf({ live: [aGameEvent(1, { state: inPlay })] });
  await readLiveGames(pool, provider, now);
  expect(asked).toEqual([["live", null], []]);
  found.push(aGameEvent(1, { isClosed: true, state: { live: false, ended: true, score: "6-5" } }));
  const later = new Date(KICKOFF.getTime() + 10_000);
  const silent: Provider = { ...provider, listGameEvents: async () => pageOf([]) };
  await readLiveGames(pool, silent, () => later);
  expect(asked.at(-1)).toEqual(["70001"]);
  const [game] = await database.db.select().from(games);
  expect(game).toMatchObject({ state: "ended", score: "6-5" });
  expect(await checkpoint("games:live")).toEqual({ readAtMs: later.getTime() });
});

test("a failed read of the games in play leaves the time of the last read", async () => {
  const { provider } = aProviderOf({});
  await readLiveGames(pool, provider, now);
  const failing: Provider = { ...provider, listGameEvents: () => Promise.reject(new Error("unavailable")) };
  await expect(readLiveGames(pool, failing, () => new Date(0))).rejects.toThrow("unavailable");
  expect(await checkpoint("games:live")).toEqual({ readAtMs: KICKOFF.getTime() });
});
