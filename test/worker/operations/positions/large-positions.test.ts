import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { inTransaction, type Database } from "../../../../src/db/client.ts";
import { applyResolutions } from "../../../../src/ingest/markets/apply-resolutions.ts";
import { buildLargePositions } from "../../../../src/ingest/read-models/build-large-positions.ts";
import { departures } from "../../../contract/contract.ts";
import { idsOf, openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { aMarket, anEvent, type SeededMarket } from "../../../support/seed/markets.ts";
import { aPosition } from "../../../support/seed/traders/positions.ts";
import { aProfile } from "../../../support/seed/traders/profiles.ts";
import { aSeededTrader, type SeededTrader, type SeededTraderFacts } from "../../../support/seed/traders/traders.ts";

const LIST = "/api/v1/large-positions";
const shares = (count: number) => BigInt(Math.round(count * 1e6));

async function open() {
  const fresh = await openFreshApi();
  const pool = fresh.openPool();
  const build = () => inTransaction(pool, buildLargePositions);
  const announced = async () => {
    const { rows } = await pool.query<{ payload: unknown }>(
      `select payload from events where type = 'large_positions_updated' order by id`,
    );
    return rows.map(({ payload }) => payload);
  };
  return { ...fresh, pool, build, announced };
}

const aGraded = (db: Database, facts: Partial<SeededTraderFacts> = {}) =>
  aSeededTrader(db, { grade: "A", completeAt: new Date(), totals: {}, ...facts });

/** Stores open shares with the price and value that the job value_positions would have stored. */
async function holds(
  db: Database,
  wallet: SeededTrader,
  market: SeededMarket,
  count: number,
  price: string | null,
  facts: { outcome?: 0 | 1; cost?: number } = {},
) {
  const { outcome = 0, cost = 0 } = facts;
  await db.execute(
    sql`update outcomes set last_trade_price = ${price}::numeric, valued_price = ${price}::numeric where id = ${market.outcomes[outcome].id}`,
  );
  const valueMicro = price === null ? null : BigInt(Math.round(count * Number(price) * 1e6));
  await aPosition(db, {
    trader: wallet,
    market,
    outcome,
    sharesMicro: shares(count),
    costMicro: shares(cost),
    valueMicro,
  });
}

const idOf = (wallet: SeededTrader, market: SeededMarket, outcome: 0 | 1 = 0) =>
  `pos_${wallet.address}:${market.conditionId}:${outcome}`;

describe("listed positions", () => {
  test("a graded trader's position in one market is listed from 50,000 dollars on, with both outcomes together", async () => {
    const { api, db, build } = await open();
    const eventId = await anEvent(db, { slug: "the-event" });
    const market = await aMarket(db, { title: "Will it rain?", slug: "rain", category: "Politics", eventId });
    const wallet = await aGraded(db, {
      username: "Known",
      totals: { realizedMicro: 1_000_000_000n, feesMicro: 2_000_000n },
    });
    await aProfile(db, wallet, { profile: { record: { wins: 2, decided: 3, win_rate: 0.6667 } } });
    await holds(db, wallet, market, 20_000.000001, "0.25", { cost: 6_000 });
    await holds(db, wallet, market, 60_000, "0.75", { outcome: 1, cost: 20_000 });
    expect(await build()).toBe(true);
    const { status, body } = await api.get(LIST);
    expect(status).toBe(200);
    expect(departures("LargePositionsResponse", body)).toEqual([]);
    const no = {
      token_id: market.outcomes[1].tokenId,
      outcome_label: "No",
      share_count: 60_000,
      avg_entry_price: 0.3333,
      current_price: 0.75,
    };
    expect(body).toMatchObject({ object: "list", total: 1, has_more: false });
    expect(body.data).toEqual([
      {
        id: idOf(wallet, market, 1),
        platform: "polymarket",
        total_size_usd: 45_000,
        position_unrealized_pnl: 25_000,
        combined_value_usd: 50_000,
        combined_unrealized_pnl: 24_000,
        is_two_sided: true,
        ...no,
        holdings: [
          { outcome_index: 1, ...no, value_usd: 45_000, unrealized_pnl: 25_000 },
          {
            outcome_index: 0,
            token_id: market.outcomes[0].tokenId,
            outcome_label: "Yes",
            share_count: 20_000.000001,
            avg_entry_price: 0.2999,
            current_price: 0.25,
            value_usd: 5_000,
            unrealized_pnl: -1_000,
          },
        ],
        event_leg_count: 1,
        event_total_value_usd: 50_000,
        first_seen_at: expect.any(String),
        last_updated_at: expect.any(String),
        trader: {
          id: `trd_${wallet.id}`,
          address: wallet.address,
          username: "Known",
          completeness: { status: "complete" },
          grade: "A",
          win_rate: 0.6666,
          // 1,000 realized, less 2 of fees, plus 24,000 unrealized.
          pnl: 24_998,
          markets_traded: 1,
        },
        market: {
          id: `mkt_${market.id}`,
          condition_id: market.conditionId,
          title: "Will it rain?",
          slug: "rain",
          event_slug: "the-event",
          category: "Politics",
        },
      },
    ]);
  });

  test.each<[string, Partial<SeededTraderFacts>]>([
    ["without a grade", { grade: null }],
    ["with an incomplete history", { completeAt: null, isFollowed: true }],
    ["with a gap in its history", { gaps: ["CONVERSION"] }],
  ])("a position of a trader %s is not listed", async (_, facts) => {
    const { api, db, build } = await open();
    await holds(db, await aGraded(db, facts), await aMarket(db), 100_000, "0.9");
    await build();
    expect((await api.get(LIST)).body).toMatchObject({ data: [], total: 0 });
  });

  test("a position that is below the floor, settled, sold or without outcome indexes is not listed", async () => {
    const { api, db, build } = await open();
    const wallet = await aGraded(db);
    await holds(db, wallet, await aMarket(db), 49_999.994999, "1");
    await aPosition(db, { trader: wallet, market: await aMarket(db), sharesMicro: shares(90_000), settledMicro: 5n });
    await holds(db, wallet, await aMarket(db, {}, [{ outcomeIndex: null }, {}]), 90_000, "1");
    const exactly = await aMarket(db);
    await holds(db, wallet, exactly, 50_000, "1");
    // Below the floor by less than a cent, which is the precision of the comparison.
    const nearly = await aMarket(db);
    await holds(db, wallet, nearly, 49_999.999999, "1");
    await build();
    expect(idsOf(await api.get(LIST))).toEqual([idOf(wallet, exactly), idOf(wallet, nearly)]);
  });

  test("a position is one-sided when the other outcome was sold or has settled", async () => {
    const { api, db, build } = await open();
    const [wallet, sold, settled] = [await aGraded(db), await aMarket(db), await aMarket(db)];
    await holds(db, wallet, sold, 100_000, "0.9");
    await aPosition(db, { trader: wallet, market: sold, outcome: 1, sharesMicro: 0n, valueMicro: 0n });
    await holds(db, wallet, settled, 100_000, "0.8");
    await aPosition(db, {
      trader: wallet,
      market: settled,
      outcome: 1,
      sharesMicro: shares(90_000),
      settledMicro: -5n,
    });
    await build();
    const { body } = await api.get(LIST);
    expect(body.data).toMatchObject([
      { id: idOf(wallet, sold), is_two_sided: false, combined_value_usd: 90_000 },
      { id: idOf(wallet, settled), is_two_sided: false, combined_value_usd: 80_000 },
    ]);
    expect(body.data.map(({ holdings }: { holdings: unknown[] }) => holdings.length)).toEqual([1, 1]);
  });

  test("large positions are ordered by value, then by trader and market in order of first sight", async () => {
    const { api, db, build } = await open();
    const [first, second] = [await aGraded(db), await aGraded(db)];
    const [one, two] = [await aMarket(db), await aMarket(db)];
    for (const market of [two, one])
      for (const wallet of [second, first]) await holds(db, wallet, market, 100_000, "0.9");
    await holds(db, second, await aMarket(db), 100_000, "0.8");
    const best = await aMarket(db);
    await holds(db, second, best, 100_000, "0.99");
    await build();
    expect(idsOf(await api.get(`${LIST}?limit=5`))).toEqual(
      [
        [second, best],
        [first, one],
        [first, two],
        [second, one],
        [second, two],
      ].map(([wallet, market]) => idOf(wallet as SeededTrader, market as SeededMarket)),
    );
  });

  test("a holding without a price makes the combined value and profit unknown", async () => {
    const { api, db, build } = await open();
    const [wallet, market] = [await aGraded(db), await aMarket(db, { title: null, slug: null }, [{}, { label: null }])];
    await holds(db, wallet, market, 80_000, "0.75");
    await holds(db, wallet, market, 1_000, null, { outcome: 1, cost: 10 });
    await build();
    const { body } = await api.get(LIST);
    expect(departures("LargePositionsResponse", body)).toEqual([]);
    const [row] = body.data;
    expect(row).toMatchObject({ total_size_usd: 60_000, is_two_sided: true, event_leg_count: 1 });
    expect(row.holdings[1]).toEqual({
      outcome_index: 1,
      token_id: market.outcomes[1].tokenId,
      share_count: 1_000,
      avg_entry_price: 0.01,
    });
    for (const unknown of ["combined_value_usd", "combined_unrealized_pnl", "event_total_value_usd"])
      expect(row).not.toHaveProperty(unknown);
    expect(row.trader).not.toHaveProperty("pnl");
  });

  test("a large position has the snapshot's prices, which add up to 1, and is not listed after settlement", async () => {
    const { api, db, pool, build } = await open();
    const [wallet, market] = [await aGraded(db), await aMarket(db, {}, [{ lastTradePrice: "0.27555" }, {}])];
    await holds(db, wallet, market, 100_000, "0.72445", { outcome: 1 });
    await build();
    const listed = await api.get(LIST);
    expect(listed.body.data).toMatchObject([
      { current_price: 0.7245, total_size_usd: 72_445, holdings: [{ current_price: 0.7245 }] },
    ]);
    const { outcomes } = (await api.get(`/api/v1/market/mkt_${market.id}/snapshot`)).body.data;
    expect(outcomes).toMatchObject([{ current_price: 0.2755 }, { current_price: 0.7245 }]);
    const resolution = {
      conditionId: market.conditionId,
      status: "resolved",
      payoutsPpm: [0, 1_000_000],
      resolvedAt: null,
      expectedAt: null,
    };
    await inTransaction(pool, (session) =>
      applyResolutions(session, [market.conditionId], [resolution], [], new Date()),
    );
    expect((await api.get(LIST)).body).toMatchObject({ data: [], total: 0 });
  });

  test("event legs are the trader's large positions in the same event on the same side", async () => {
    const { api, db, build } = await open();
    const [wallet, other, eventId] = [await aGraded(db), await aGraded(db), await anEvent(db)];
    const markets = [
      await aMarket(db, { eventId }),
      await aMarket(db, { eventId }),
      await aMarket(db, { eventId }),
      await aMarket(db),
    ];
    const [first, second, third, outside] = markets as [SeededMarket, SeededMarket, SeededMarket, SeededMarket];
    await holds(db, wallet, first, 100_000, "0.9");
    await holds(db, wallet, second, 100_000, "0.8");
    await holds(db, wallet, third, 100_000, "0.7", { outcome: 1 });
    await holds(db, wallet, outside, 100_000, "0.6");
    await holds(db, other, first, 100_000, "0.9");
    await build();
    const { body } = await api.get(LIST);
    const legs = Object.fromEntries(
      body.data.map((row: { id: string; event_leg_count: number; event_total_value_usd: number }) => [
        row.id,
        [row.event_leg_count, row.event_total_value_usd],
      ]),
    );
    expect(legs).toEqual({
      [idOf(wallet, first)]: [2, 170_000],
      [idOf(wallet, second)]: [2, 170_000],
      [idOf(wallet, third, 1)]: [1, 70_000],
      [idOf(wallet, outside)]: [1, 60_000],
      [idOf(other, first)]: [1, 90_000],
    });
  });

  test("a position that the scan has not seen for a day is not listed", async () => {
    const { api, db, build } = await open();
    await holds(db, await aGraded(db), await aMarket(db), 100_000, "0.9");
    await build();
    await db.execute(sql`update large_position_entries set last_seen_at = now() - interval '23 hours 59 minutes'`);
    expect((await api.get(LIST)).body.total).toBe(1);
    await db.execute(sql`update large_position_entries set last_seen_at = now() - interval '24 hours 1 minute'`);
    expect((await api.get(LIST)).body).toMatchObject({ data: [], total: 0 });
  });
});

describe("large position filters", () => {
  test("filters raise the floor and select CSV categories, grades and a market", async () => {
    const { api, db, build } = await open();
    const [s, c] = [await aGraded(db, { grade: "S" }), await aGraded(db, { grade: "C" })];
    const [politics, tech, plain] = [
      await aMarket(db, { category: "Politics" }),
      await aMarket(db, { category: 'Science, "hard"' }),
      await aMarket(db),
    ];
    await holds(db, s, politics, 90_000, "1");
    await holds(db, c, tech, 80_000, "1");
    await holds(db, c, plain, 70_000, "1");
    await build();
    const list = async (query: string) => {
      const response = await api.get(`${LIST}?${query}`);
      const conditionIds = idsOf(response).map((id) => id.split(":")[1]);
      expect(response.body.total).toBe(conditionIds.length);
      return conditionIds.map((condition) =>
        [politics, tech, plain].findIndex(({ conditionId }) => conditionId === condition),
      );
    };
    const csv = (text: string) => `category=${encodeURIComponent(text)}`;
    expect(await list("")).toEqual([0, 1, 2]);
    expect(await list("min_size=10")).toEqual([0, 1, 2]);
    expect(await list("min_size=80000")).toEqual([0, 1]);
    expect(await list("min_size=80000.01")).toEqual([0]);
    expect(await list("min_size=1e300")).toEqual([]);
    expect(await list("min_grade=B")).toEqual([0]);
    expect(await list("min_grade=C")).toEqual([0, 1, 2]);
    expect(await list(csv("POLITICS"))).toEqual([0]);
    expect(await list(csv('politics,"science, ""HARD"""'))).toEqual([0, 1]);
    expect(await list(csv('"politics'))).toEqual([]);
    expect(await list(csv('politics,"x"y'))).toEqual([]);
    expect(await list(`condition_id=mkt_${plain.id}`)).toEqual([2]);
    expect(await list(`condition_id=${tech.conditionId}`)).toEqual([1]);
    expect(await list("condition_id=nonsense")).toEqual([]);
    expect(errorOf(await api.get(`${LIST}?min_size=-1`))).toEqual({
      status: 400,
      reason: "invalid_query",
      param: "min_size",
    });
  });
});

describe("generations of large positions", () => {
  async function aBuiltList() {
    const opened = await open();
    const { db, build } = opened;
    const [wallet, market] = [await aGraded(db), await aMarket(db)];
    await holds(db, wallet, market, 100_000, "0.9");
    await build();
    const rowOf = async (of: SeededTrader) => {
      const { body } = await opened.api.get(LIST);
      return body.data.find(({ trader }: { trader: { address: string } }) => trader.address === of.address);
    };
    /** Makes the last generation look this much older. */
    const age = (interval: string) =>
      db.execute(
        sql`update large_position_entries set first_seen_at = first_seen_at - ${interval}::interval, updated_at = updated_at - ${interval}::interval`,
      );
    return { ...opened, wallet, market, rowOf, age };
  }

  test("an unchanged list is rebuilt only once an hour, with the same rows", async () => {
    const { db, build, wallet, rowOf, age } = await aBuiltList();
    expect(await build()).toBe(false);
    await age("1 day");
    const before = await rowOf(wallet);
    await db.execute(
      sql`update list_generations set detail = jsonb_set(detail, '{input}', to_jsonb(replace(detail ->> 'input', ':00:00', ':00:01')))`,
    );
    expect(await build()).toBe(true);
    expect(await rowOf(wallet)).toEqual(before);
  });

  test("a rebuild keeps the first sighting of a position and dates changed shares or prices", async () => {
    const { db, build, wallet, market, rowOf, age } = await aBuiltList();
    await age("1 day");
    const before = await rowOf(wallet);
    await db.execute(sql`update outcomes set last_trade_price = 0.8 where id = ${market.outcomes[0].id}`);
    // Prices are current; the list's order and values change with the job value_positions.
    expect(await rowOf(wallet)).toEqual({
      ...before,
      ...{ current_price: 0.8, total_size_usd: 80_000, combined_value_usd: 80_000, event_total_value_usd: 80_000 },
      ...{
        position_unrealized_pnl: 80_000,
        combined_unrealized_pnl: 80_000,
        holdings: [expect.objectContaining({ value_usd: 80_000 })],
      },
    });
    await db.execute(sql`update outcomes set valued_price = 0.8 where id = ${market.outcomes[0].id}`);
    expect(await build()).toBe(true);
    const after = await rowOf(wallet);
    expect(after).toMatchObject({ combined_value_usd: 80_000, first_seen_at: before.first_seen_at });
    expect(Date.parse(after.last_updated_at)).toBeGreaterThan(Date.parse(before.last_updated_at));
  });

  test("a rebuild announces the number of new positions, and the first build none", async () => {
    const { db, build, wallet, market, announced } = await aBuiltList();
    expect(await announced()).toEqual([]);
    await holds(db, await aGraded(db), market, 100_000, "0.9");
    await holds(db, wallet, await aMarket(db), 100_000, "0.9");
    await build();
    expect(await announced()).toEqual([{ count: 2 }]);
    // One position is sold: none is new.
    await db.execute(sql`delete from positions where trader_id = ${wallet.id} and market_id = ${market.id}`);
    expect(await build()).toBe(true);
    expect(await announced()).toEqual([{ count: 2 }]);
    // It is bought back and counts as new.
    await holds(db, wallet, market, 100_000, "0.9");
    await build();
    expect(await announced()).toEqual([{ count: 2 }, { count: 1 }]);
  });

  test("two concurrent builds announce new positions once", async () => {
    const { openPool, db, build, market, announced } = await aBuiltList();
    await holds(db, await aGraded(db), market, 100_000, "0.9");
    await inTransaction(openPool(), async (session) => {
      expect(await buildLargePositions(session)).toBe(true);
      expect(await build()).toBe(false);
    });
    expect(await build()).toBe(false);
    expect(await announced()).toEqual([{ count: 1 }]);
  });

  test("a walk continues in its generation and expires when that generation is deleted", async () => {
    const { api, db, build, market, wallet } = await aBuiltList();
    const [second, third] = [await aGraded(db), await aGraded(db)];
    await holds(db, second, market, 90_000, "0.9");
    await holds(db, third, market, 80_000, "0.9");
    await build();
    const first = await api.get(`${LIST}?limit=1`);
    expect(idsOf(first)).toEqual([idOf(wallet, market)]);
    const next = `${LIST}?limit=1&cursor=${encodeURIComponent(first.body.next_cursor)}`;
    // One position has fallen below the floor since, and one is new.
    await db.execute(sql`update positions set value_micro = 1 where trader_id = ${second.id}`);
    await holds(db, await aGraded(db), market, 70_000, "0.9");
    await build();
    const page = await api.get(next);
    expect(idsOf(page)).toEqual([idOf(second, market)]);
    expect(page.body).toMatchObject({ has_more: true, total: 3 });
    // A position that is sold or settled since is no longer shown in any generation.
    await db.execute(sql`update positions set shares_micro = 0, value_micro = 0 where trader_id = ${second.id}`);
    const nextPage = await api.get(next);
    expect(idsOf(nextPage)).toEqual([idOf(third, market)]);
    expect(nextPage.body).toMatchObject({ has_more: false, total: 2 });
    for (const price of ["0.91", "0.92", "0.93"]) {
      await db.execute(sql`update outcomes set valued_price = ${price}::numeric where id = ${market.outcomes[0].id}`);
      await build();
    }
    expect(errorOf(await api.get(next))).toEqual({ status: 400, reason: "cursor_expired", param: "cursor" });
    expect(errorOf(await api.get(`${next}&min_grade=S`))).toEqual({
      status: 400,
      reason: "invalid_query",
      param: "cursor",
    });
  });

  test("the list is warming up before its first build and empty after a build without positions", async () => {
    const { api, build } = await open();
    expect(errorOf(await api.get(LIST))).toMatchObject({ status: 503, reason: "read_model_warming" });
    await build();
    expect((await api.get(LIST)).body).toMatchObject({ data: [], has_more: false, total: 0 });
  });

  test("an unchanged list returns 304 for its ETag", async () => {
    const { api } = await aBuiltList();
    const { headers } = await api.get(LIST);
    expect((await api.get(LIST, { "if-none-match": headers.get("etag") ?? "" })).status).toBe(304);
  });
});
