import type { Pool } from "@neondatabase/serverless";
import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { inTransaction, type Database } from "../../../../src/db/client.ts";
import { events, flowAlerts, largeTrades, listGenerations, traders } from "../../../../src/db/schema.ts";
import { FLOW_WINDOWS, type FlowWindow } from "../../../../src/domain/flow-windows.ts";
import { buildFlows } from "../../../../src/ingest/signals/build-flows.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import { Killed, MortalProcess } from "../../../support/ingest/mortal-process.ts";
import { aTakenTrade } from "../../../support/seed/fills.ts";
import { aMarket, type Market } from "../../../support/seed/markets.ts";
import { aWallet, type Wallet } from "../../../support/seed/wallets.ts";

let database: TestDatabase;
let db: Database;
let pool: Pool;
let market: Market;
let sharp: Wallet;

beforeEach(async () => {
  database = await createTestDatabase();
  ({ db } = database);
  pool = database.openPool();
  market = await aMarket(db);
  sharp = await aWallet(db, { grade: "A" });
});

const build = (window: FlowWindow = "1h", sessions = pool) => inTransaction(sessions, (session) => buildFlows(session, window));
const now = () => new Date(Date.now() - 10).toISOString();
/** So many dollars for YES, or for NO below 0, made just now unless said. */
const move = (usd: number, facts: { wallet?: Wallet; at?: string; market?: Market } = {}) =>
  aTakenTrade(db, { wallet: sharp, market, at: now(), ...facts, outcome: usd < 0 ? 1 : 0, shares: Math.abs(usd), price: "1" });
const announced = async () => (await db.select().from(events).orderBy(asc(events.id))).map(({ type, payload }) => ({ type, payload }));
const sides = async () => (await announced()).map(({ payload }) => Object(payload).dominant_side);

test("a flow of ranked wallets that reaches its window's threshold is announced, as the contract has it", async () => {
  await build();
  await move(-30_000.5, { wallet: await aWallet(db, { grade: "B" }) });
  await move(5_000.25);
  // Neither ungraded nor lower grades count.
  await move(-1_000_000, { wallet: await aWallet(db, { grade: "C" }) });
  await move(-1_000_000, { wallet: await aWallet(db) });
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

test("each window has a threshold of its own: 25, 50, 100 and 250 thousand dollars", async () => {
  for (const window of FLOW_WINDOWS) await build(window);
  for (const usd of [25_000, 25_000, 50_000, 150_000]) {
    await move(usd);
    for (const window of FLOW_WINDOWS) await build(window);
  }
  expect((await announced()).map(({ payload }) => Object(payload).window)).toEqual(["1h", "4h", "24h", "7d"]);
});

test("a crossing is announced once, however often it is looked at and however the flow moves above 80 % of the threshold", async () => {
  await build();
  await move(25_000);
  for (let n = 0; n < 2; n++) await build();
  await move(-5_000);
  await build();
  await move(9_000);
  await build();
  expect(await sides()).toEqual(["yes"]);
  // Below, then back: another crossing. Over to the other side: one more.
  await move(-10_000);
  await build();
  await move(6_000);
  await build();
  await move(-50_001);
  await build();
  expect(await sides()).toEqual(["yes", "yes", "no"]);
  expect(await db.select().from(flowAlerts)).toMatchObject([{ marketId: market.id, window: "1h", side: "no" }]);
});

test("a flow that has grown too old stands nowhere, and is news again when it comes back", async () => {
  await build();
  const id = await move(25_000);
  await build();
  await db
    .update(largeTrades)
    .set({ tradedAt: new Date(Date.now() - 7_200_000) })
    .where(eq(largeTrades.id, id));
  await build();
  expect(await db.select().from(flowAlerts)).toMatchObject([{ side: "none" }]);
  await move(25_000);
  await build();
  expect(await sides()).toEqual(["yes", "yes"]);
});

test("what was made before the first build is history: it sets where a flow stands and is not announced", async () => {
  await move(40_000);
  await build();
  expect(await announced()).toEqual([]);
  expect(await db.select().from(flowAlerts)).toMatchObject([{ side: "yes" }]);
  // Read late, made before: still history, on another market too, and after generations have been dropped.
  const other = await aMarket(db);
  await move(40_000, { market: other, at: new Date(Date.now() - 60_000).toISOString() });
  for (let n = 0; n < 5; n++) {
    await move(100);
    await build();
  }
  expect(await announced()).toEqual([]);
  expect(await db.select().from(listGenerations)).toHaveLength(3);
  // A trade for the other side does not make that money news; one for its own side does.
  const standNowhere = () => db.update(flowAlerts).set({ side: "none" }).where(eq(flowAlerts.marketId, other.id));
  await standNowhere();
  await move(-10, { market: other });
  await build();
  expect(await announced()).toEqual([]);
  await standNowhere();
  await move(10, { market: other });
  await build();
  expect((await announced()).map(({ payload }) => Object(payload).condition_id)).toEqual([other.conditionId]);
});

test("what was made during a standstill is announced once it is read, and so is a wallet that turns out to be sharp", async () => {
  await build();
  const made = now();
  const late = await aWallet(db);
  await build();
  await move(30_000, { at: made });
  await build();
  await move(-80_000, { wallet: late });
  await build();
  await db.update(traders).set({ grade: "S" }).where(eq(traders.id, late.id));
  await build();
  expect(await sides()).toEqual(["yes", "no"]);
});

test("a process killed after any of its steps announces every crossing once", async () => {
  const other = await aMarket(db);
  await build();
  await move(30_000);
  await move(-30_000, { market: other });
  const reset = async () => {
    await db.delete(events);
    await db.delete(flowAlerts);
    await db.execute(sql`delete from list_generations where id not in (select min(id) from list_generations)`);
  };
  const die = async (dieAfter: number) => {
    const life = new MortalProcess(dieAfter);
    await build("1h", life.pool(pool)).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    return life.steps;
  };
  const steps = await die(Infinity);
  const untroubled = await announced();
  expect(untroubled).toHaveLength(2);
  for (let dieAfter = 1; dieAfter <= steps; dieAfter++) {
    await reset();
    await die(dieAfter);
    await build();
    expect(await announced(), `killed after step ${dieAfter}`).toEqual(untroubled);
  }
});

test("two processes at once announce a crossing once: the second leaves it to the first", async () => {
  await build();
  await move(30_000);
  await inTransaction(database.openPool(), async (session) => {
    expect(await buildFlows(session, "1h")).toBe(true);
    expect(await build()).toBe(false);
  });
  await build();
  expect(await sides()).toEqual(["yes"]);
});
