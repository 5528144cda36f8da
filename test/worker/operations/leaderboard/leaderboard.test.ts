import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { listGenerations, traders } from "../../../../src/db/schema.ts";
import { STRATEGIES } from "../../../../src/domain/traders/strategies.ts";
import { closeGeneration, openGeneration } from "../../../../src/ingest/read-models/generation.ts";
import { buildLeaderboard } from "../../../../src/ingest/read-models/build-leaderboard.ts";
import { idsOf, openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { aBoard, aGeneration } from "../../../support/seed/lists.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { someProviderFigures } from "../../../support/seed/traders/pnl.ts";
import { aPosition } from "../../../support/seed/traders/positions.ts";
import { aProfile } from "../../../support/seed/traders/profiles.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

const BOARD = "/api/v1/leaderboard";
const BUILT_AT = new Date("2026-11-20T12:00:00Z");
const trd = (wallet: SeededTrader) => `trd_${wallet.id}`;

describe("leaderboard order", () => {
  test("traders with complete histories and grades S, A or B are ranked by score, then by order of first sight", async () => {
    const { api, db, openPool } = await openFreshApi();
    const market = await aMarket(db);
    const scored = async (score: number, facts: object = {}) => {
      const wallet = await aSeededTrader(db, { completeAt: BUILT_AT, grade: "A", score, ...facts });
      await aPosition(db, { trader: wallet, market, realizedMicro: BigInt(Math.round(100 - score) * 1_000_000) });
      return wallet;
    };
    const [last, first, second, best] = [
      await scored(54, { grade: "B" }),
      await scored(64),
      await scored(64),
      await scored(80, { grade: "S" }),
    ];
    await scored(99, { completeAt: null, isFollowed: true });
    await scored(99, { gaps: ["CONVERSION"] });
    await scored(53, { grade: "C" });
    await inTransaction(openPool(), buildLeaderboard);
    const pages = await api.walk(`${BOARD}?limit=2`);
    expect(pages.flatMap(idsOf)).toEqual([best, first, second, last].map(trd));
    expect(pages.map(({ body }) => body.total)).toEqual([4, 4]);
  });

  test("a walk keeps the grades and scores of its generation and includes traders that have lost their grade", async () => {
    const { api, db } = await openFreshApi();
    const wallets = [await aSeededTrader(db), await aSeededTrader(db), await aSeededTrader(db)];
    const generation = await aGeneration(db, "leaderboard", BUILT_AT, 3);
    await aBoard(db, wallets, { generation, grade: "S", score: 80.5 });
    const first = await api.get(`${BOARD}?limit=1`);
    await db.update(traders).set({ grade: "F", score: 1 });
    const rest = await api.get(`${BOARD}?limit=2&cursor=${first.body.next_cursor}`);
    expect([first, rest].flatMap(idsOf)).toEqual(wallets.map(trd));
    expect([first, rest].flatMap(({ body }) => body.data)).toMatchObject(
      wallets.map(() => ({ grade: "S", score: 80.5 })),
    );
    expect([first, rest].map(({ body }) => body.total)).toEqual([3, 3]);
    expect(rest.body.has_more).toBe(false);
  });

  test("a generation without stored grades leaves out traders whose grade is now below B", async () => {
    const { api, db } = await openFreshApi();
    const [fallen, a, s] = [
      await aSeededTrader(db, { grade: "C" }),
      await aSeededTrader(db),
      await aSeededTrader(db, { grade: "S", score: 75.25 }),
    ];
    await aBoard(db, [fallen, a, s], { generation: await aGeneration(db, "leaderboard", BUILT_AT, 3) });
    const { body } = await api.get(`${BOARD}?limit=2`);
    expect(body.data).toMatchObject([
      { id: trd(a), grade: "A", score: 70 },
      { id: trd(s), grade: "S", score: 75.25 },
    ]);
    expect(body).toMatchObject({ has_more: false, total: 2 });
  });

  test("a leaderboard without graded traders returns an empty list of a generation", async () => {
    const { api, db, openPool } = await openFreshApi();
    await aPosition(db, {
      trader: await aSeededTrader(db, { completeAt: BUILT_AT }),
      market: await aMarket(db),
      realizedMicro: 1n,
    });
    await inTransaction(openPool(), buildLeaderboard);
    const { status, body } = await api.get(BOARD);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: [],
      total: 0,
      has_more: false,
      meta: { ranking_generation: expect.any(Number) },
    });
  });

  test("the leaderboard names its generation and the time when it was built", async () => {
    const { api, db } = await openFreshApi();
    const generation = await aGeneration(db, "leaderboard", BUILT_AT, 0);
    expect((await api.get(BOARD)).body.meta).toMatchObject({
      ranking_generation: generation,
      ranking_as_of: "2026-11-20T12:00:00.000Z",
    });
  });
});

describe("leaderboard filters", () => {
  test.each([
    ["", ["overall"]],
    ["category=Politics", ["political"]],
    ["category=politics", ["political"]],
    ["category=elections", ["political"]],
    ["category=US+Politics", ["political"]],
    ["category=Basketball", ["sporty"]],
    ["category=basketball", []],
    ["category=NBA", []],
    ["category=Curling", []],
    // No trader has a recorded style yet.
    ["strategy=momentum", []],
  ])('the query "%s" lists %j', async (query, expected) => {
    const { api, db } = await openFreshApi();
    const generation = await aGeneration(db, "leaderboard", BUILT_AT, 1);
    for (const [username, category] of [
      ["overall", ""],
      ["political", "Politics"],
      ["sporty", "Basketball"],
    ] as const) {
      await aBoard(db, [await aSeededTrader(db, { username })], { generation, category });
    }
    const { body } = await api.get(`${BOARD}?${query}`);
    expect(body.data.map((row: { username: string }) => row.username)).toEqual(expected);
    expect(body.total).toBe(expected.length);
  });

  test("each of the sixteen strategies lists exactly its traders on exact pages", async () => {
    const { api, db } = await openFreshApi();
    const generation = await aGeneration(db, "leaderboard", BUILT_AT, 6);
    const wallets: SeededTrader[] = [];
    for (const strategy of ["scalper", "mixed", null, "mixed", "diversified", "mixed"]) {
      const wallet = await aSeededTrader(db, { completeAt: BUILT_AT });
      if (strategy !== null) await aProfile(db, wallet, { strategy });
      wallets.push(wallet);
    }
    await aBoard(db, wallets, { generation });
    const indexesOf = async (strategy: string, limit: number) => {
      const pages = await api.walk(`${BOARD}?strategy=${strategy}&limit=${limit}`);
      const ids = pages.map(idsOf).map((page) => page.map((id) => wallets.findIndex((wallet) => trd(wallet) === id)));
      return { ids, total: pages[0]?.body.total };
    };
    expect(await indexesOf("mixed", 2)).toEqual({ ids: [[1, 3], [5]], total: 3 });
    expect(await indexesOf("mixed", 3)).toEqual({ ids: [[1, 3, 5]], total: 3 });
    for (const strategy of STRATEGIES) {
      const expected =
        strategy === "mixed" ? [1, 3, 5] : strategy === "scalper" ? [0] : strategy === "diversified" ? [4] : [];
      expect({ strategy, ...(await indexesOf(strategy, 20)) }).toEqual({
        strategy,
        ids: [expected],
        total: expected.length,
      });
    }
  });

  test("an unknown strategy is refused", async () => {
    const { api } = await openFreshApi();
    const refusal = errorOf(await api.get(`${BOARD}?strategy=lucky`));
    expect(refusal).toEqual({ status: 400, reason: "invalid_query", param: "strategy" });
  });

  test("a cursor of one category's leaderboard is refused for another", async () => {
    const { api, db } = await openFreshApi();
    const generation = await aGeneration(db, "leaderboard", BUILT_AT, 2);
    await aBoard(db, [await aSeededTrader(db), await aSeededTrader(db)], { generation });
    const cursor = (await api.get(`${BOARD}?limit=1`)).body.next_cursor;
    const refusal = errorOf(await api.get(`${BOARD}?category=Politics&cursor=${cursor}`));
    expect(refusal).toEqual({ status: 400, reason: "invalid_query", param: "cursor" });
  });
});

describe("leaderboard rebuilds", () => {
  test("a walk continues in its generation after a rebuild, and a new walk starts in the newest one", async () => {
    const { api, db } = await openFreshApi();
    const [a, b, c] = [await aSeededTrader(db), await aSeededTrader(db), await aSeededTrader(db)];
    const old = await aGeneration(db, "leaderboard", BUILT_AT, 3);
    await aBoard(db, [a, b, c], { generation: old });
    const first = await api.get(`${BOARD}?limit=1`);
    const rebuilt = await aGeneration(db, "leaderboard", BUILT_AT, 3);
    await aBoard(db, [c, b, a], { generation: rebuilt });
    const rest = await api.get(`${BOARD}?limit=2&cursor=${first.body.next_cursor}`);
    expect([first, rest].flatMap(idsOf)).toEqual([a, b, c].map(trd));
    expect(rest.body).toMatchObject({ has_more: false, meta: { ranking_generation: old } });
    expect(idsOf(await api.get(BOARD))).toEqual([c, b, a].map(trd));
  });

  test("a cursor survives two rebuilds and returns cursor_expired after the third", async () => {
    const { api, db, openPool } = await openFreshApi();
    const [a, b] = [await aSeededTrader(db), await aSeededTrader(db)];
    await aBoard(db, [a, b], { generation: await aGeneration(db, "leaderboard", BUILT_AT, 2) });
    const cursor = (await api.get(`${BOARD}?limit=1`)).body.next_cursor;
    const pool = openPool();
    const rebuild = () =>
      inTransaction(pool, async (session) =>
        closeGeneration(session, "leaderboard", await openGeneration(session, "leaderboard", {}), 0),
      );
    await rebuild();
    await rebuild();
    expect(idsOf(await api.get(`${BOARD}?limit=1&cursor=${cursor}`))).toEqual([trd(b)]);
    await rebuild();
    const expired = await api.get(`${BOARD}?limit=1&cursor=${cursor}`);
    expect(errorOf(expired)).toEqual({ status: 400, reason: "cursor_expired", param: "cursor" });
    expect(expired.headers.get("retry-after")).toBeNull();
  });

  test("a leaderboard without a generation returns 503 read_model_warming with Retry-After", async () => {
    const { api, db } = await openFreshApi();
    await aGeneration(db, "explore", BUILT_AT, 0);
    const response = await api.get(BOARD);
    expect(errorOf(response)).toMatchObject({ status: 503, reason: "read_model_warming" });
    expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  });

  test("a cursor returns cursor_expired when all generations are deleted", async () => {
    const { api, db } = await openFreshApi();
    await aBoard(db, [await aSeededTrader(db), await aSeededTrader(db)], {
      generation: await aGeneration(db, "leaderboard", BUILT_AT, 2),
    });
    const cursor = (await api.get(`${BOARD}?limit=1`)).body.next_cursor;
    await db.delete(listGenerations).where(eq(listGenerations.list, "leaderboard"));
    expect(errorOf(await api.get(`${BOARD}?cursor=${cursor}`))).toMatchObject({
      status: 400,
      reason: "cursor_expired",
    });
  });
});

describe("leaderboard fields", () => {
  test.each([
    { marketsWon: 2, marketsDecided: 3, shown: { win_rate: 0.6666 } },
    { marketsWon: 0, marketsDecided: 1, shown: { win_rate: 0 } },
    { marketsWon: 0, marketsDecided: 0, shown: {} },
  ])("$marketsWon of $marketsDecided decided markets won gives $shown", async ({ shown, ...facts }) => {
    const { api, db } = await openFreshApi();
    await aBoard(db, [await aSeededTrader(db)], {
      generation: await aGeneration(db, "leaderboard", BUILT_AT, 1),
      ...facts,
    });
    const [{ win_rate, ...row }] = (await api.get(BOARD)).body.data;
    expect(row).toMatchObject({ markets_traded: 4, platform: "polymarket" });
    expect(win_rate === undefined ? {} : { win_rate }).toEqual(shown);
  });

  test("a category's leaderboard has no win_rate if its generation counted only that category", async () => {
    const { api, db } = await openFreshApi();
    const generation = await aGeneration(db, "leaderboard", BUILT_AT, 2);
    await aBoard(db, [await aSeededTrader(db)], { generation, category: "Politics", marketsWon: 1, marketsDecided: 1 });
    expect((await api.get(`${BOARD}?category=Politics`)).body.data[0]).not.toHaveProperty("win_rate");
  });

  test("the provider's all-time profit and correction are separate fields and absent when unknown", async () => {
    const { api, db } = await openFreshApi();
    const [corrected, agreed, unknown] = [await aSeededTrader(db), await aSeededTrader(db), await aSeededTrader(db)];
    const measured = {
      measuredAt: BUILT_AT,
      marketsMeasured: 3,
      marketsExcluded: 1,
      realizedMicro: 50_000_000n,
      netMicro: 60_000_000n,
    };
    await someProviderFigures(db, corrected, { ...measured, allTimePnlUsd: "1234.5678", correctionMicro: -9_999_999n });
    await someProviderFigures(db, agreed, { ...measured, allTimePnlUsd: null });
    await aBoard(db, [corrected, agreed, unknown], { generation: await aGeneration(db, "leaderboard", BUILT_AT, 3) });
    const [first, ...others] = (await api.get(BOARD)).body.data;
    expect(first).toMatchObject({
      pnl: 1234.56,
      pnl_correction: {
        basis: "realized_by_market_v1",
        amount: -9.99,
        realized: 50,
        as_of: "2026-11-20T12:00:00.000Z",
        markets_measured: 3,
        markets_excluded: 1,
      },
    });
    expect(first.pnl_correction).not.toHaveProperty("net_total");
    for (const row of others) for (const name of ["pnl", "pnl_correction"]) expect(row).not.toHaveProperty(name);
  });

  test("profit and volume are truncated toward zero at the cent", async () => {
    const { api, db } = await openFreshApi();
    const amounts = { realizedMicro: -12_345_999n, volumeMicro: 9_999_999n };
    await aBoard(db, [await aSeededTrader(db)], {
      generation: await aGeneration(db, "leaderboard", BUILT_AT, 1),
      ...amounts,
    });
    expect((await api.get(BOARD)).body.data[0]).toMatchObject({ realized_pnl: -12.34, volume: 9.99 });
  });

  test("unknown fields of a trader are absent", async () => {
    const { api, db } = await openFreshApi();
    await aBoard(db, [await aSeededTrader(db)], { generation: await aGeneration(db, "leaderboard", BUILT_AT, 1) });
    const [row] = (await api.get(BOARD)).body.data;
    for (const name of ["username", "pnl", "pnl_correction", "streak_tier", "strategy_type", "last_active"]) {
      expect(row).not.toHaveProperty(name);
    }
  });
});
