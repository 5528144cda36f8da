import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { listGenerations } from "../../../../src/db/schema.ts";
import { OPERATIONS } from "../../../../src/operations/index.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { expectApiError } from "../../../support/kernel/api-error.ts";
import { aKey } from "../../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Kernel } from "../../../support/kernel/open-kernel.ts";
import { aLargeTrade } from "../../../support/seed/large-trades.ts";
import { aBoard, aGeneration } from "../../../support/seed/lists.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const BUILT_AT = new Date("2026-11-20T12:00:00Z");
const MANGLED = { status: 400, code: "bad_request", reason: "invalid_query", param: "cursor" };

let db: Database;
let api: Kernel;

beforeEach(async () => {
  const database = await createTestDatabase();
  db = database.db;
  api = openKernel(openTestRuntime(database.databaseUrl), OPERATIONS, await aKey(db));
});

async function cursorOf(path: string): Promise<string> {
  const { body } = await api.send(path);
  expect(body.has_more).toBe(true);
  return encodeURIComponent(body.next_cursor);
}

describe("large trades", () => {
  beforeEach(async () => {
    // All at the same instant: only the id orders them.
    for (let i = 0; i < 5; i++) await aLargeTrade(db);
  });

  test.for(["/api/v1/large-trades", "/api/v1/large-trades/history", "/api/v1/whale-trades"])(
    "pages of %s have no gap and no repetition",
    async (path) => {
      const ids: string[] = [];
      let response = await api.send(`${path}?limit=2`);
      for (;;) {
        ids.push(...response.body.data.map(({ id }: { id: string }) => id));
        if (response.body.has_more === false) break;
        response = await api.send(`${path}?limit=2&cursor=${encodeURIComponent(response.body.next_cursor)}`);
      }
      expect(ids).toHaveLength(5);
      expect(new Set(ids).size).toBe(5);
    },
  );

  test("a cursor of large trades is refused by the history and with other filters", async () => {
    const cursor = await cursorOf("/api/v1/large-trades?limit=2");
    expect((await api.send(`/api/v1/large-trades?cursor=${cursor}`)).status).toBe(200);
    expectApiError(await api.send(`/api/v1/large-trades/history?cursor=${cursor}`), MANGLED);
    expectApiError(await api.send(`/api/v1/large-trades?min_size=6000&cursor=${cursor}`), MANGLED);
  });
});

describe("leaderboard", () => {
  let generation: number;

  beforeEach(async () => {
    const traders = [await aSeededTrader(db), await aSeededTrader(db), await aSeededTrader(db)];
    generation = await aGeneration(db, "leaderboard", BUILT_AT, traders.length);
    await aBoard(db, traders, { generation });
  });

  test("a leaderboard cursor continues in the generation it was issued for", async () => {
    const first = await api.send("/api/v1/leaderboard?limit=2");
    await aGeneration(db, "leaderboard", new Date(BUILT_AT.getTime() + 60_000), 0);
    const second = await api.send(`/api/v1/leaderboard?limit=2&cursor=${encodeURIComponent(first.body.next_cursor)}`);
    expect(second.body.data).toHaveLength(1);
    expect(second.body.meta.ranking_generation).toBe(first.body.meta.ranking_generation);
  });

  test("a leaderboard cursor of a deleted generation returns cursor_expired", async () => {
    const cursor = await cursorOf("/api/v1/leaderboard?limit=2");
    await db.delete(listGenerations).where(eq(listGenerations.id, generation));
    await aGeneration(db, "leaderboard", new Date(BUILT_AT.getTime() + 60_000), 0);
    const response = await api.send(`/api/v1/leaderboard?limit=2&cursor=${cursor}`);
    expectApiError(response, { status: 400, code: "bad_request", reason: "cursor_expired", param: "cursor" });
    expect(response.headers.has("retry-after")).toBe(false);
  });
});

test("a list without a generation returns read_model_warming with a retry time", async () => {
  const response = await api.send("/api/v1/leaderboard");
  expectApiError(response, { status: 503, code: "rate_limit_unavailable", reason: "read_model_warming", param: null });
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(Date.parse(response.body.error.retry_at)).toBeGreaterThan(Date.now() - 1_000);
});
