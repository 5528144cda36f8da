import type { Pool } from "@neondatabase/serverless";
import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { inTransaction, type Database } from "../../../../src/db/client.ts";
import { flowEntries, listGenerations, outcomes, traders } from "../../../../src/db/schema.ts";
import { FLOW_WINDOW_HOURS, FLOW_WINDOWS, type FlowWindow } from "../../../../src/domain/markets/flow-windows.ts";
import { GRADES, gradesFrom, type Grade } from "../../../../src/domain/traders/grades.ts";
import { buildFlows } from "../../../../src/ingest/signals/build-flows.ts";
import { listFlows, type FlowFilters, type FlowCursor } from "../../../../src/queries/trades/flows.ts";
import { findMarketFlow } from "../../../../src/queries/markets/market-flows.ts";
import { marketFlows, type FlowTrade } from "../../../support/oracles/market-flow.ts";
import { openTestDatabase } from "../../../support/database/database.ts";
import { aTakerTrade } from "../../../support/seed/fills.ts";
import { aMarket, type SeededMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";
import { HOUR_MS } from "../../../../src/scoring/utc-calendar.ts";

let db: Database;
let pool: Pool;

beforeEach(async () => {
  ({ db, pool } = await openTestDatabase());
});

const build = (window: FlowWindow) => inTransaction(pool, (session) => buildFlows(session, window));
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
const SHARP: FlowFilters = { window: "24h", grades: gradesFrom("B"), category: null, direction: null };
const list = (filters: Partial<FlowFilters> = {}, position: FlowCursor | null = null, limit = 20) =>
  listFlows(db, { ...SHARP, ...filters }, { cursor: position, limit });
const conditions = async (filters: Partial<FlowFilters> = {}) =>
  (await list(filters))?.rows.map((row) => row.condition_id);

test("a flow sums the large trades of graded traders and has the token of its side", async () => {
  const market = await aMarket(db, { title: "Rain", category: "Weather" });
  const [s, b, c] = [
    await aSeededTrader(db, { grade: "S" }),
    await aSeededTrader(db, { grade: "B" }),
    await aSeededTrader(db, { grade: "C" }),
  ];
  await aTakerTrade(db, { trader: s, market, shares: 20_000, at: ago(1) });
  await aTakerTrade(db, { trader: s, market, outcome: 1, side: "SELL", shares: 2_000, at: ago(2) });
  await aTakerTrade(db, { trader: b, market, outcome: 1, shares: 50_000, at: ago(3) });
  await aTakerTrade(db, { trader: c, market, shares: 1_000_000, at: ago(3) });
  await aTakerTrade(db, { trader: s, market, shares: 1_000_000, at: ago(25) });
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
  expect((await list({ grades: gradesFrom("C") }))?.rows[0]).toMatchObject({
    net_micro: 486_000_000_000n,
    direction: "YES",
  });
});

test("a generation is rebuilt only when trades arrive, leave the window or change their trader's grade", async () => {
  const [market, wallet] = [await aMarket(db), await aSeededTrader(db, { grade: "A" })];
  expect(await build("24h")).toBe(true);
  expect(await build("24h")).toBe(false);
  expect(await list()).toMatchObject({ rows: [], total: 0 });
  const id = await aTakerTrade(db, { trader: wallet, market, at: ago(1) });
  expect([await build("24h"), await build("24h")]).toEqual([true, false]);
  await db.update(traders).set({ grade: "D" }).where(eq(traders.id, wallet.id));
  expect([await build("24h"), await build("24h")]).toEqual([true, false]);
  // The window includes its end and excludes its start. now() is constant within a transaction.
  const buildWhenTradedAt = (time: string) =>
    inTransaction(pool, async (session) => {
      await session.execute(sql`update large_trades set traded_at = ${sql.raw(time)} where id = ${id}`);
      return buildFlows(session, "24h");
    });
  expect(await buildWhenTradedAt("now()")).toBe(false);
  expect(await buildWhenTradedAt("now() - interval '24 hours'")).toBe(true);
  expect(await build("24h")).toBe(false);
  expect(await db.select().from(listGenerations)).toHaveLength(3);
  expect(await list()).toMatchObject({ rows: [], total: 0 });
});

test("every window has its own list", async () => {
  const [market, wallet] = [await aMarket(db), await aSeededTrader(db, { grade: "A" })];
  for (const hours of [0.5, 3, 20, 160, 170]) await aTakerTrade(db, { trader: wallet, market, at: ago(hours) });
  const counts: (number | undefined)[] = [];
  for (const window of FLOW_WINDOWS) {
    await build(window);
    counts.push((await list({ window }))?.rows[0]?.trade_count);
  }
  expect(counts).toEqual([1, 2, 3, 4]);
});

test("flows are ranked by absolute net, filtered after summing, and each appears once in a walk", async () => {
  const wallet = await aSeededTrader(db, { grade: "A" });
  const markets: SeededMarket[] = [];
  for (const [shares, outcome, category] of [
    [500, 0, "Politics"],
    [900, 1, "politics"],
    [500, 1, "Crypto"],
    [100, 0, "Crypto"],
    [100, 1, null],
  ] as const) {
    const market = await aMarket(db, { category });
    markets.push(market);
    await aTakerTrade(db, { trader: wallet, market, shares, outcome, at: ago(1) });
  }
  await build("24h");
  const names = (...places: number[]) => places.map((position) => markets[position]?.conditionId);
  expect(await conditions()).toEqual(names(1, 0, 2, 3, 4));
  expect(await conditions({ category: "POLITICS" })).toEqual(names(1, 0));
  expect(await conditions({ direction: "NO" })).toEqual(names(1, 2, 4));
  expect(await conditions({ direction: "YES", category: "Crypto" })).toEqual(names(3));
  expect(await conditions({ grades: ["S"] })).toEqual([]);

  const walked: (string | undefined)[] = [];
  for (let position: FlowCursor | null = null; ;) {
    const page = await list({}, position, 2);
    expect(page?.total).toBe(5);
    const rows = page?.rows.slice(0, 2) ?? [];
    walked.push(...rows.map((row) => row.condition_id));
    const last = rows.at(-1);
    if (page === null || last === undefined || page.rows.length <= 2) break;
    const absNet = last.net_micro < 0n ? -last.net_micro : last.net_micro;
    position = { generation: page.generation.id, absNetMicro: String(absNet), conditionId: last.condition_id };
  }
  expect(walked).toEqual(names(1, 0, 2, 3, 4));
});

test("a list is null before the first build and for a deleted generation", async () => {
  expect(await list()).toBeNull();
  await build("24h");
  expect(await list({}, { generation: 999, absNetMicro: "0", conditionId: "" })).toBeNull();
});

test("one market's flow counts every trader's trades up to now and reports its data sources", async () => {
  const now = new Date("2026-11-20T12:00:00Z");
  const market = await aMarket(db);
  expect(await findMarketFlow(db, { id: market.id }, "24h", now)).toMatchObject({
    flow: { net_micro: 0n, direction: "YES", trade_count: 0, token_id: market.outcomes[0].tokenId },
    feedReadAt: null,
    completeFrom: null,
  });
  const wallet = await aSeededTrader(db);
  await aTakerTrade(db, { trader: wallet, market, outcome: 1, shares: 20_000, at: "2026-11-20T12:00:00Z" });
  await aTakerTrade(db, { trader: wallet, market, shares: 10_000, at: "2026-11-19T12:00:01Z" });
  await aTakerTrade(db, { trader: wallet, market, shares: 10_000, at: "2026-11-19T12:00:00Z" });
  await aTakerTrade(db, { trader: wallet, market, shares: 10_000, at: "2026-11-20T12:00:01Z" });
  expect(await findMarketFlow(db, { conditionId: market.conditionId }, "24h", now)).toMatchObject({
    flow: {
      net_micro: -5_000_000_000n,
      direction: "NO",
      token_id: market.outcomes[1].tokenId,
      buy_micro: 15_000_000_000n,
      trade_count: 2,
    },
    completeFrom: "2026-11-19T12:00:00.000Z",
  });
  expect(await findMarketFlow(db, { id: 999_999 }, "24h", now)).toBeNull();
});

/** A trade of the test in the form of the documented function. Ages in hours. */
type TestTrade = Omit<FlowTrade, "tradedAtMs"> & { readonly ageHours: number };

test("builds, lists and market flows equal marketFlows for any trades", async () => {
  const wallets: (SeededTrader & { grade: Grade | null })[] = [];
  for (const grade of [...GRADES, null, null]) wallets.push({ ...(await aSeededTrader(db, { grade })), grade });
  const markets = [await aMarket(db), await aMarket(db), await aMarket(db), await aMarket(db)];
  const [, , undescribed, threeOutcomes] = markets;
  if (undescribed === undefined || threeOutcomes === undefined) throw new Error("four markets");
  await db.update(outcomes).set({ outcomeIndex: null }).where(eq(outcomes.id, undescribed.outcomes[1].id));
  await db.insert(outcomes).values({ marketId: threeOutcomes.id, tokenId: "third", outcomeIndex: 2 });

  const anyTrade = fc.record({
    market: fc.integer({ min: 0, max: markets.length - 1 }),
    wallet: fc.integer({ min: 0, max: wallets.length - 1 }),
    outcome: fc.constantFrom(0 as const, 1 as const),
    side: fc.constantFrom("BUY" as const, "SELL" as const),
    shares: fc.constantFrom(0.000001, 5, 10, 123_456.789012, 5e11),
    ageHours: fc.constantFrom(0.5, 2, 5, 23, 25, 167, 169, -1),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyTrade, { maxLength: 12 }),
      fc.constantFrom(...FLOW_WINDOWS),
      async (trades, window) => {
        await db.execute(sql`delete from large_trades`);
        await db.execute(sql`delete from list_generations`);
        const testTrades: TestTrade[] = [];
        for (const trade of trades) {
          const [market, wallet] = [markets[trade.market], wallets[trade.wallet]];
          if (market === undefined || wallet === undefined) throw new Error("an unknown place");
          await aTakerTrade(db, { ...trade, market, trader: wallet, price: "1", at: ago(trade.ageHours) });
          const index =
            market === threeOutcomes || (market === undescribed && trade.outcome === 1) ? null : trade.outcome;
          const sizeUsdMicro = BigInt(Math.round(trade.shares * 1e6));
          const { side, ageHours } = trade;
          testTrades.push({
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
        const stamped = testTrades.map(({ ageHours, ...trade }) => ({
          ...trade,
          tradedAtMs: asOfMs - ageHours * HOUR_MS,
        }));
        const flowsOf = (grades: readonly Grade[] | null) =>
          marketFlows(stamped, { asOfMs, windowMs: FLOW_WINDOW_HOURS[window] * HOUR_MS, grades }).map((flow) => ({
            condition_id: flow.conditionId,
            net_micro: flow.netMicro,
            direction: flow.direction,
            buy_micro: flow.buyMicro,
            sell_micro: flow.sellMicro,
            trade_count: flow.tradeCount,
            wallet_count: flow.traderCount,
          }));
        const figures = ({
          market_id: _,
          token_id: __,
          title: ___,
          slug: ____,
          category: _____,
          ...rest
        }: Record<string, unknown>) => rest;

        await build(window);
        for (const minimum of GRADES) {
          const page = await list({ window, grades: gradesFrom(minimum) });
          expect(page?.rows.map(figures)).toEqual(flowsOf(gradesFrom(minimum)));
        }
        const allFlows = flowsOf(null);
        const { rows: sums } =
          await db.execute(sql`select m.condition_id, sum(f.net_micro)::text as net, sum(f.wallet_count)::int as wallets
        from ${flowEntries} f join markets m on m.id = f.market_id group by m.condition_id order by m.condition_id`);
        const expected = allFlows.map((flow) => ({
          condition_id: flow.condition_id,
          net: String(flow.net_micro),
          wallets: flow.wallet_count,
        }));
        expect(sums).toEqual(expected.toSorted((a, b) => (a.condition_id < b.condition_id ? -1 : 1)));
        for (const market of markets) {
          const marketFlow = await findMarketFlow(db, { id: market.id }, window, new Date(asOfMs));
          const flow = allFlows.find(({ condition_id }) => condition_id === market.conditionId);
          const none = {
            net_micro: 0n,
            direction: "YES",
            buy_micro: 0n,
            sell_micro: 0n,
            trade_count: 0,
            wallet_count: 0,
          };
          expect(figures(marketFlow?.flow ?? {})).toEqual(flow ?? { condition_id: market.conditionId, ...none });
        }
      },
    ),
    { numRuns: 12 },
  );
});
