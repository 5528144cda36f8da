import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { listGenerations } from "../../../src/db/schema.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import { createTestDatabase } from "../../support/database.ts";
import { expectApiError } from "../../support/kernel/api-error.ts";
import { aKey } from "../../support/kernel/keys.ts";
import { openKernel, openTestRuntime, type Kernel } from "../../support/kernel/open-kernel.ts";
import { aLargeTrade } from "../../support/seed/large-trades.ts";
import { aBoard, aGeneration } from "../../support/seed/lists.ts";
import { aWallet } from "../../support/seed/wallets.ts";

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
    // All at one instant: only the id tells them apart.
    for (let i = 0; i < 5; i++) await aLargeTrade(db);
  });

  test.for(["/api/v1/large-trades", "/api/v1/large-trades/history", "/api/v1/whale-trades"])(
    "of %s are walked without gap or repeat",
    async (path) => {
      const ids: string[] = [];
      let answer = await api.send(`${path}?limit=2`);
      for (;;) {
        ids.push(...answer.body.data.map(({ id }: { id: string }) => id));
        if (answer.body.has_more === false) break;
        answer = await api.send(`${path}?limit=2&cursor=${encodeURIComponent(answer.body.next_cursor)}`);
      }
      expect(ids).toHaveLength(5);
      expect(new Set(ids).size).toBe(5);
    },
  );

  test("have cursors that neither the history nor other filters take", async () => {
    const cursor = await cursorOf("/api/v1/large-trades?limit=2");
    expect((await api.send(`/api/v1/large-trades?cursor=${cursor}`)).status).toBe(200);
    expectApiError(await api.send(`/api/v1/large-trades/history?cursor=${cursor}`), MANGLED);
    expectApiError(await api.send(`/api/v1/large-trades?min_size=6000&cursor=${cursor}`), MANGLED);
  });
});

describe("the leaderboard", () => {
  let generation: number;

  beforeEach(async () => {
    const wallets = [await aWallet(db), await aWallet(db), await aWallet(db)];
    generation = await aGeneration(db, "leaderboard", BUILT_AT, wallets.length);
    await aBoard(db, wallets, { generation });
  });

  test("goes on in the generation a cursor was given out for", async () => {
    const first = await api.send("/api/v1/leaderboard?limit=2");
    await aGeneration(db, "leaderboard", new Date(BUILT_AT.getTime() + 60_000), 0);
    const second = await api.send(`/api/v1/leaderboard?limit=2&cursor=${encodeURIComponent(first.body.next_cursor)}`);
    expect(second.body.data).toHaveLength(1);
    expect(second.body.meta.ranking_generation).toBe(first.body.meta.ranking_generation);
  });

  test("has been rebuilt once that generation is gone", async () => {
    const cursor = await cursorOf("/api/v1/leaderboard?limit=2");
    await db.delete(listGenerations).where(eq(listGenerations.id, generation));
    await aGeneration(db, "leaderboard", new Date(BUILT_AT.getTime() + 60_000), 0);
    const answer = await api.send(`/api/v1/leaderboard?limit=2&cursor=${cursor}`);
    expectApiError(answer, { status: 400, code: "bad_request", reason: "cursor_expired", param: "cursor" });
    expect(answer.headers.has("retry-after")).toBe(false);
  });
});

test("a list that was never built is warming up and says when to come back", async () => {
  const answer = await api.send("/api/v1/leaderboard");
  expectApiError(answer, { status: 503, code: "rate_limit_unavailable", reason: "read_model_warming", param: null });
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(Date.parse(answer.body.error.retry_at)).toBeGreaterThan(Date.now() - 1_000);
});
