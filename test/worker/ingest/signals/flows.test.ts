import type { Pool } from "@neondatabase/serverless";
import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { inTransaction, type Database } from "../../../../src/db/client.ts";
import { flowEntries, listGenerations, outcomes, traders } from "../../../../src/db/schema.ts";
import { FLOW_WINDOW_HOURS, FLOW_WINDOWS, type FlowWindow } from "../../../../src/domain/flow-windows.ts";
import { GRADES, gradesFrom, type Grade } from "../../../../src/domain/grades.ts";
import { buildFlows } from "../../../../src/ingest/signals/build-flows.ts";
import { listFlows, type FlowFilters, type FlowPlace } from "../../../../src/queries/flows.ts";
import { findMarketFlow } from "../../../../src/queries/market-flow.ts";
import { marketFlows, type FlowTrade } from "../../../../src/scoring/signals/market-flow.ts";
import { createTestDatabase } from "../../../support/database.ts";
import { aTakenTrade } from "../../../support/seed/fills.ts";
import { aMarket, type Market } from "../../../support/seed/markets.ts";
import { aWallet, type Wallet } from "../../../support/seed/wallets.ts";

const HOUR_MS = 3_600_000;

let db: Database;
let pool: Pool;

beforeEach(async () => {
  const database = await createTestDatabase();
  ({ db } = database);
  pool = database.openPool();
});

const build = (window: FlowWindow) => inTransaction(pool, (session) => buildFlows(session, window));
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
const SHARP: FlowFilters = { window: "24h", grades: gradesFrom("B"), category: null, direction: null };
const list = (filters: Partial<FlowFilters> = {}, place: FlowPlace | null = null, limit = 20) =>
  listFlows(db, { ...SHARP, ...filters }, { place, limit });
const conditions = async (filters: Partial<FlowFilters> = {}) => (await list(filters))?.rows.map((row) => row.condition_id);

test("flows are sums of what graded wallets moved, told with the side's token", async () => {
  const market = await aMarket(db, { title: "Rain", category: "Weather" });
  const [s, b, c] = [await aWallet(db, { grade: "S" }), await aWallet(db, { grade: "B" }), await aWallet(db, { grade: "C" })];
  await aTakenTrade(db, { wallet: s, market, shares: 20_000, at: ago(1) });
  await aTakenTrade(db, { wallet: s, market, outcome: 1, side: "SELL", shares: 2_000, at: ago(2) });
  await aTakenTrade(db, { wallet: b, market, outcome: 1, shares: 50_000, at: ago(3) });
  await aTakenTrade(db, { wallet: c, market, shares: 1_000_000, at: ago(3) });
  await aTakenTrade(db, { wallet: s, market, shares: 1_000_000, at: ago(25) });
  expect(await build("24h")).toBe(true);
  expect(await list()).toMatchObject({
    total: 1,
    rows: [
      {
        condition_id: market.conditionId,
        title: "Rain",
        category: "Weather",
        net_micro: -14_000_000_000n,
        direction: "NO",
        token_id: market.outcomes[1].tokenId,
        buy_micro: 35_000_000_000n,
        sell_micro: 1_000_000_000n,
        trade_count: 3,
        wallet_count: 2,
      },
    ],
  });
  expect((await list({ grades: gradesFrom("C") }))?.rows[0]).toMatchObject({ net_micro: 486_000_000_000n, direction: "YES" });
});

test("a generation stands until trades come, grow too old or change their wallet's grade", async () => {
  const [market, wallet] = [await aMarket(db), await aWallet(db, { grade: "A" })];
  expect(await build("24h")).toBe(true);
  expect(await build("24h")).toBe(false);
  expect(await list()).toMatchObject({ rows: [], total: 0 });
  const id = await aTakenTrade(db, { wallet, market, at: ago(1) });
  expect([await build("24h"), await build("24h")]).toEqual([true, false]);
  await db.update(traders).set({ grade: "D" }).where(eq(traders.id, wallet.id));
  expect([await build("24h"), await build("24h")]).toEqual([true, false]);
  // The window's end is a part of it, its start is not; a transaction's clock stands still.
  const buildWhenTradedAt = (time: string) =>
    inTransaction(pool, async (session) => {
      await session.query(`update large_trades set traded_at = ${time} where id = $1`, [id]);
      return buildFlows(session, "24h");
    });
  expect(await buildWhenTradedAt("now()")).toBe(false);
  expect(await buildWhenTradedAt("now() - interval '24 hours'")).toBe(true);
  expect(await build("24h")).toBe(false);
  expect(await db.select().from(listGenerations)).toHaveLength(3);
  expect(await list()).toMatchObject({ rows: [], total: 0 });
});

test("windows are lists of their own", async () => {
  const [market, wallet] = [await aMarket(db), await aWallet(db, { grade: "A" })];
  for (const hours of [0.5, 3, 20, 160, 170]) await aTakenTrade(db, { wallet, market, at: ago(hours) });
  const counts: (number | undefined)[] = [];
  for (const window of FLOW_WINDOWS) {
    await build(window);
    counts.push((await list({ window }))?.rows[0]?.trade_count);
  }
  expect(counts).toEqual([1, 2, 3, 4]);
});

test("markets are ranked by the size of their net, filtered after it is summed, and walked once each", async () => {
  const wallet = await aWallet(db, { grade: "A" });
  const markets: Market[] = [];
  for (const [shares, outcome, category] of [
    [500, 0, "Politics"],
    [900, 1, "politics"],
    [500, 1, "Crypto"],
    [100, 0, "Crypto"],
    [100, 1, null],
  ] as const) {
    const market = await aMarket(db, { category });
    markets.push(market);
    await aTakenTrade(db, { wallet, market, shares, outcome, at: ago(1) });
  }
  await build("24h");
  const names = (...places: number[]) => places.map((place) => markets[place]?.conditionId);
  expect(await conditions()).toEqual(names(1, 0, 2, 3, 4));
  expect(await conditions({ category: "POLITICS" })).toEqual(names(1, 0));
  expect(await conditions({ direction: "NO" })).toEqual(names(1, 2, 4));
  expect(await conditions({ direction: "YES", category: "Crypto" })).toEqual(names(3));
  expect(await conditions({ grades: ["S"] })).toEqual([]);

  const walked: (string | undefined)[] = [];
  for (let place: FlowPlace | null = null; ;) {
    const page = await list({}, place, 2);
    expect(page?.total).toBe(5);
    const rows = page?.rows.slice(0, 2) ?? [];
    walked.push(...rows.map((row) => row.condition_id));
    const last = rows.at(-1);
    if (page === null || last === undefined || page.rows.length <= 2) break;
    const absNet = last.net_micro < 0n ? -last.net_micro : last.net_micro;
    place = { generation: page.generation.id, absNetMicro: String(absNet), conditionId: last.condition_id };
  }
  expect(walked).toEqual(names(1, 0, 2, 3, 4));
});

test("no list before the first build, and none of a generation that has been dropped", async () => {
  expect(await list()).toBeNull();
  await build("24h");
  expect(await list({}, { generation: 999, absNetMicro: "0", conditionId: "" })).toBeNull();
});

test("one market's flow counts everybody's trades up to now, and says what it rests on", async () => {
  const now = new Date("2026-11-20T12:00:00Z");
  const market = await aMarket(db);
  expect(await findMarketFlow(db, { id: market.id }, "24h", now)).toMatchObject({
    flow: { net_micro: 0n, direction: "YES", trade_count: 0, token_id: market.outcomes[0].tokenId },
    feedReadAt: null,
    completeFrom: null,
  });
  const wallet = await aWallet(db);
  await aTakenTrade(db, { wallet, market, outcome: 1, shares: 20_000, at: "2026-11-20T12:00:00Z" });
  await aTakenTrade(db, { wallet, market, shares: 10_000, at: "2026-11-19T12:00:01Z" });
  await aTakenTrade(db, { wallet, market, shares: 10_000, at: "2026-11-19T12:00:00Z" });
  await aTakenTrade(db, { wallet, market, shares: 10_000, at: "2026-11-20T12:00:01Z" });
  expect(await findMarketFlow(db, { conditionId: market.conditionId }, "24h", now)).toMatchObject({
    flow: { net_micro: -5_000_000_000n, direction: "NO", token_id: market.outcomes[1].tokenId, buy_micro: 15_000_000_000n, trade_count: 2 },
    completeFrom: "2026-11-19T12:00:00.000Z",
  });
  expect(await findMarketFlow(db, { id: 999_999 }, "24h", now)).toBeNull();
});

/** What a test told the database, as the documented function takes it. Ages in hours. */
type Told = Omit<FlowTrade, "tradedAtMs"> & { readonly ageHours: number };

test("for any trades, a build, the ranked list and a market's flow say what marketFlows says", async () => {
  const wallets: (Wallet & { grade: Grade | null })[] = [];
  for (const grade of [...GRADES, null, null]) wallets.push({ ...(await aWallet(db, { grade })), grade });
  const markets = [await aMarket(db), await aMarket(db), await aMarket(db), await aMarket(db)];
  const [, , unread, wide] = markets;
  if (unread === undefined || wide === undefined) throw new Error("four markets");
  await db.update(outcomes).set({ outcomeIndex: null }).where(eq(outcomes.id, unread.outcomes[1].id));
  await db.insert(outcomes).values({ marketId: wide.id, tokenId: "third", outcomeIndex: 2 });

  const anyTrade = fc.record({
    market: fc.integer({ min: 0, max: markets.length - 1 }),
    wallet: fc.integer({ min: 0, max: wallets.length - 1 }),
    outcome: fc.constantFrom(0 as const, 1 as const),
    side: fc.constantFrom("BUY" as const, "SELL" as const),
    shares: fc.constantFrom(0.000001, 5, 10, 123_456.789012, 5e11),
    ageHours: fc.constantFrom(0.5, 2, 5, 23, 25, 167, 169, -1),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyTrade, { maxLength: 12 }), fc.constantFrom(...FLOW_WINDOWS), async (trades, window) => {
      await db.execute(sql`delete from large_trades`);
      await db.execute(sql`delete from list_generations`);
      const told: Told[] = [];
      for (const trade of trades) {
        const [market, wallet] = [markets[trade.market], wallets[trade.wallet]];
        if (market === undefined || wallet === undefined) throw new Error("an unknown place");
        await aTakenTrade(db, { ...trade, market, wallet, price: "1", at: ago(trade.ageHours) });
        const index = market === wide || (market === unread && trade.outcome === 1) ? null : trade.outcome;
        const sizeUsdMicro = BigInt(Math.round(trade.shares * 1e6));
        const { side, ageHours } = trade;
        told.push({
          conditionId: market.conditionId,
          wallet: wallet.address,
          grade: wallet.grade,
          side,
          outcomeIndex: index,
          sizeUsdMicro,
          ageHours,
        });
      }
      const asOfMs = Date.now();
      const stamped = told.map(({ ageHours, ...trade }) => ({ ...trade, tradedAtMs: asOfMs - ageHours * HOUR_MS }));
      const flowsOf = (grades: readonly Grade[] | null) =>
        marketFlows(stamped, { asOfMs, windowMs: FLOW_WINDOW_HOURS[window] * HOUR_MS, grades }).map((flow) => ({
          condition_id: flow.conditionId,
          net_micro: flow.netMicro,
          direction: flow.direction,
          buy_micro: flow.buyMicro,
          sell_micro: flow.sellMicro,
          trade_count: flow.tradeCount,
          wallet_count: flow.walletCount,
        }));
      const figures = ({ market_id: _, token_id: __, title: ___, slug: ____, category: _____, ...rest }: Record<string, unknown>) => rest;

      await build(window);
      for (const minimum of GRADES) {
        const page = await list({ window, grades: gradesFrom(minimum) });
        expect(page?.rows.map(figures)).toEqual(flowsOf(gradesFrom(minimum)));
      }
      const everybody = flowsOf(null);
      const { rows: sums } = await db.execute(sql`select m.condition_id, sum(f.net_micro)::text as net, sum(f.wallet_count)::int as wallets
        from ${flowEntries} f join markets m on m.id = f.market_id group by m.condition_id order by m.condition_id`);
      const expected = everybody.map((flow) => ({
        condition_id: flow.condition_id,
        net: String(flow.net_micro),
        wallets: flow.wallet_count,
      }));
      expect(sums).toEqual(expected.toSorted((a, b) => (a.condition_id < b.condition_id ? -1 : 1)));
      for (const market of markets) {
        const found = await findMarketFlow(db, { id: market.id }, window, new Date(asOfMs));
        const flow = everybody.find(({ condition_id }) => condition_id === market.conditionId);
        const none = { net_micro: 0n, direction: "YES", buy_micro: 0n, sell_micro: 0n, trade_count: 0, wallet_count: 0 };
        expect(figures(found?.flow ?? {})).toEqual(flow ?? { condition_id: market.conditionId, ...none });
      }
    }),
    { numRuns: 12 },
  );
}, 180_000);
