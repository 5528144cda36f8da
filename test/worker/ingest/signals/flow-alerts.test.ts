import type { Pool } from "@neondatabase/serverless";
import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { inTransaction, type Database } from "../../../../src/db/client.ts";
import {
  events,
  flowAlerts,
  largeTrades,
  listGenerations,
  outcomes,
  publishedFlowAlerts,
  traders,
} from "../../../../src/db/schema.ts";
import { FLOW_WINDOWS, type FlowWindow } from "../../../../src/domain/markets/flow-windows.ts";
import { buildFlows } from "../../../../src/ingest/signals/build-flows.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { ProcessKilled, KillableProcess } from "../../../support/ingest/killable-process.ts";
import { aTakerTrade } from "../../../support/seed/fills.ts";
import { aMarket, type SeededMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

let database: TestDatabase;
let db: Database;
let pool: Pool;
let market: SeededMarket;
let sharp: SeededTrader;

beforeEach(async () => {
  database = await createTestDatabase();
  ({ db } = database);
  pool = database.openPool();
  market = await aMarket(db);
  sharp = await aSeededTrader(db, { grade: "A" });
});

const build = (window: FlowWindow = "1h", sessions = pool) =>
  inTransaction(sessions, (session) => buildFlows(session, window));
const now = () => new Date(Date.now() - 10).toISOString();
/** A large trade of this many dollars for YES, or for NO if negative, traded now by default. */
const trade = (usd: number, facts: { trader?: SeededTrader; at?: string; market?: SeededMarket } = {}) =>
  aTakerTrade(db, {
    trader: sharp,
    market,
    at: now(),
    ...facts,
    outcome: usd < 0 ? 1 : 0,
    shares: Math.abs(usd),
    price: "1",
  });
const announced = async () =>
  (await db.select().from(events).orderBy(asc(events.id))).map(({ type, payload }) => ({ type, payload }));
const sides = async () => (await announced()).map(({ payload }) => Object(payload).dominant_side);

test("a flow of ranked traders that reaches its window's threshold is announced in the contract's form", async () => {
  await build();
  await trade(-30_000.5, { trader: await aSeededTrader(db, { grade: "B" }) });
  await trade(5_000.25);
  // Neither ungraded traders nor grades below B count.
  await trade(-1_000_000, { trader: await aSeededTrader(db, { grade: "C" }) });
  await trade(-1_000_000, { trader: await aSeededTrader(db) });
  await build();
  expect(await announced()).toEqual([
    {
      type: "sharp_money_flow_detected",
      payload: {
        condition_id: market.conditionId,
        net_flow_usd: -25_000.25,
        abs_net_flow_usd: 25_000.25,
        dominant_side: "no",
        grade_floor: "B",
        whale_trade_count: 2,
        window: "1h",
      },
    },
  ]);
});

test("the windows have thresholds of 25, 50, 100 and 250 thousand dollars", async () => {
  for (const window of FLOW_WINDOWS) await build(window);
  for (const usd of [25_000, 25_000, 50_000, 150_000]) {
    await trade(usd);
    for (const window of FLOW_WINDOWS) await build(window);
  }
  expect((await announced()).map(({ payload }) => Object(payload).window)).toEqual(["1h", "4h", "24h", "7d"]);
});

test("a crossing is announced once while the flow stays above 80 % of the threshold", async () => {
  await build();
  await trade(25_000);
  for (let n = 0; n < 2; n++) await build();
  await trade(-5_000);
  await build();
  await trade(9_000);
  await build();
  expect(await sides()).toEqual(["yes"]);
  // Below 80 % and back is another crossing; so is a change to the other side.
  await trade(-10_000);
  await build();
  await trade(6_000);
  await build();
  await trade(-50_001);
  await build();
  expect(await sides()).toEqual(["yes", "yes", "no"]);
  expect(await db.select().from(flowAlerts)).toMatchObject([{ marketId: market.id, window: "1h", side: "no" }]);
});

test("a flow that has left its window is announced again when it returns", async () => {
  await build();
  const id = await trade(25_000);
  await build();
  await db
    .update(largeTrades)
    .set({ tradedAt: new Date(Date.now() - 7_200_000) })
    .where(eq(largeTrades.id, id));
  await build();
  expect(await db.select().from(flowAlerts)).toMatchObject([{ side: "none" }]);
  await trade(25_000);
  await build();
  expect(await sides()).toEqual(["yes", "yes"]);
});

test("trades from before the first build set the side of a flow and are not announced", async () => {
  await trade(40_000);
  await build();
  expect(await announced()).toEqual([]);
  expect(await db.select().from(flowAlerts)).toMatchObject([{ side: "yes" }]);
  // Read late but traded earlier: not announced, in another market either, nor after generations are deleted.
  const other = await aMarket(db);
  await trade(40_000, { market: other, at: new Date(Date.now() - 60_000).toISOString() });
  for (let n = 0; n < 5; n++) {
    await trade(100);
    await build();
  }
  expect(await announced()).toEqual([]);
  expect(await db.select().from(listGenerations)).toHaveLength(3);
  // A trade for the other side does not announce the old flow; a trade for its own side does.
  const clearSide = () => db.update(flowAlerts).set({ side: "none" }).where(eq(flowAlerts.marketId, other.id));
  await clearSide();
  await trade(-10, { market: other });
  await build();
  expect(await announced()).toEqual([]);
  await clearSide();
  await trade(10, { market: other });
  await build();
  expect((await announced()).map(({ payload }) => Object(payload).condition_id)).toEqual([other.conditionId]);
});

test("trades made during an ingest outage are announced when read, and so is a trader who gets a grade", async () => {
  await build();
  const tradedAt = now();
  const late = await aSeededTrader(db);
  await build();
  await trade(30_000, { at: tradedAt });
  await build();
  await trade(-80_000, { trader: late });
  await build();
  await db.update(traders).set({ grade: "S" }).where(eq(traders.id, late.id));
  await build();
  expect(await sides()).toEqual(["yes", "no"]);
});

test("a build killed after any step announces every crossing once", async () => {
  const other = await aMarket(db);
  await build();
  await trade(30_000);
  await trade(-30_000, { market: other });
  const reset = async () => {
    await db.delete(events);
    await db.delete(flowAlerts);
    await db.execute(sql`delete from list_generations where id not in (select min(id) from list_generations)`);
  };
  const buildUntilKilled = async (dieAfter: number) => {
    const process = new KillableProcess(dieAfter);
    await build("1h", process.pool(pool)).catch((error: unknown) => {
      if (!(error instanceof ProcessKilled)) throw error;
    });
    return process.steps;
  };
  const steps = await buildUntilKilled(Infinity);
  const reference = await announced();
  expect(reference).toHaveLength(2);
  for (let dieAfter = 1; dieAfter <= steps; dieAfter++) {
    await reset();
    await buildUntilKilled(dieAfter);
    await build();
    expect(await announced(), `killed after step ${dieAfter}`).toEqual(reference);
  }
});

test("two concurrent builds announce a crossing once", async () => {
  await build();
  await trade(30_000);
  await inTransaction(database.openPool(), async (session) => {
    expect(await buildFlows(session, "1h")).toBe(true);
    expect(await build()).toBe(false);
  });
  await build();
  expect(await sides()).toEqual(["yes"]);
});

test("each published alert is stored once with the price of its side at that time, for the public record", async () => {
  const priceOf = (index: 0 | 1, lastTradePrice: string | null) =>
    db.update(outcomes).set({ lastTradePrice }).where(eq(outcomes.id, market.outcomes[index].id));
  await build();
  await priceOf(0, "0.62");
  await priceOf(1, "0.38");
  await trade(-30_000);
  await build();
  await build();
  // A later price does not change the stored one.
  await priceOf(1, "0.91");
  await trade(60_000);
  await build();
  const stored = await db.select().from(publishedFlowAlerts).orderBy(asc(publishedFlowAlerts.id));
  expect(stored).toMatchObject([
    { marketId: market.id, window: "1h", side: "no", price: "0.38" },
    { marketId: market.id, window: "1h", side: "yes", price: "0.62" },
  ]);
  expect(await sides()).toEqual(["no", "yes"]);
});

test("an alert for a side without a price is stored without one", async () => {
  await build();
  await trade(30_000);
  await build();
  expect(await db.select().from(publishedFlowAlerts)).toMatchObject([{ side: "yes", price: null }]);
});
