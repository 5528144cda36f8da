import { describe, expect, test } from "vitest";
import { traderDays } from "../../../src/db/schema.ts";
import { openFreshApi } from "../../support/fresh-api.ts";
import { aBoard, aGeneration, aTrendingRow } from "../../support/seed/lists.ts";
import { aProfile, CATEGORY_SKILL, type ProfileFacts } from "../../support/seed/profiles.ts";
import { aWallet, type WalletFacts } from "../../support/seed/wallets.ts";

const SYNCED_AT = new Date("2026-11-20T12:00:00Z");
const ALL = "expand=strategy,categories,quant_metrics";
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

const METRICS = {
  smart_score: 71.518_859,
  copy_score: 0,
  sharpe_30d: -1.234_567,
  sharpe_7d: null,
  profit_factor: 1000,
  edge_consistency: 19 / 30,
  sharpe_percentile: 54,
  pf_percentile: 0.29,
  consistency_percentile: 100,
};
const STRENGTH = {
  category: "Politics",
  wins: 2,
  decided: 6,
  win_rate: 1 / 3,
  expected_win_rate: 0.5,
  pnl_micro: "-12345678",
  cost_micro: "100000000",
  return_on_cost: -0.123_456_78,
};
const UNMEASURED = { ...STRENGTH, category: "Crypto", wins: 1, decided: 1, win_rate: null, expected_win_rate: null, return_on_cost: null };
const PROFILE: ProfileFacts = {
  strategy: "two_sided",
  streakTier: "rising",
  profile: { metrics: METRICS, category_strengths: [STRENGTH, UNMEASURED] },
};

async function aTrader(profile: ProfileFacts | null = PROFILE, facts: Partial<WalletFacts> = {}) {
  const { api, db } = await openFreshApi();
  const wallet = await aWallet(db, { completeAt: SYNCED_AT, ...facts });
  if (profile !== null) await aProfile(db, wallet, profile);
  const read = async (query: string) => (await api.get(`/api/v1/trader/${wallet.address}?${query}`)).body.data;
  return { api, db, wallet, read };
}

describe("expand", () => {
  test("quant_metrics has all nine keys: scores and percentiles cut at two decimals, ratios at four, too little history null", async () => {
    const { read } = await aTrader();
    expect((await read("expand=quant_metrics")).quant_metrics).toEqual({
      smart_score: 71.51,
      copy_score: 0,
      sharpe_30d: -1.2345,
      sharpe_7d: null,
      profit_factor: 1000,
      edge_consistency: 0.6333,
      sharpe_percentile: 54,
      pf_percentile: 0.29,
      consistency_percentile: 100,
    });
  });

  test("strategy names the type and says what it means", async () => {
    const { read } = await aTrader();
    expect((await read("expand=strategy")).strategy).toEqual({
      strategy_type: "two_sided",
      description: expect.stringContaining("both outcomes"),
    });
  });

  test("categories has the strengths; one with too few decided markets has no rates", async () => {
    const { read } = await aTrader();
    expect((await read("expand=categories")).category_strengths).toEqual({
      Politics: {
        wins: 2,
        decided: 6,
        win_rate: 0.3333,
        expected_win_rate: 0.5,
        pnl: -12.34,
        cost: 100,
        return_on_cost: -0.1234,
        status: "measured",
      },
      Crypto: {
        wins: 1,
        decided: 1,
        win_rate: null,
        expected_win_rate: null,
        pnl: -12.34,
        cost: 100,
        return_on_cost: null,
        status: "not_enough_data",
      },
    });
  });

  test("categories has the records of skill too, with how ready they are", async () => {
    const computedAt = hoursAgo(1);
    const { read } = await aTrader({ ...PROFILE, computedAt, profile: { ...PROFILE.profile, category_skill: CATEGORY_SKILL } });
    const { category_records: records, category_skill_model: model, trust } = await read("expand=categories,trust");
    expect(records.map((record: { canonical_category: string }) => record.canonical_category)).toEqual(
      CATEGORY_SKILL.map(({ category }) => category),
    );
    expect(model).toMatchObject({ as_of: computedAt.toISOString(), source_last_success_at: SYNCED_AT.toISOString() });
    for (const name of ["category_records", "category_skill_model"]) {
      expect(trust[name]).toMatchObject({ source: { kind: "computed" }, freshness: { status: "fresh", as_of: computedAt.toISOString() } });
    }
  });

  test("records of skill are served beyond six hours, as stale; of a wallet without any there are none, and a reason", async () => {
    const old = await aTrader({ ...PROFILE, computedAt: hoursAgo(7), profile: { ...PROFILE.profile, category_skill: CATEGORY_SKILL } });
    expect((await old.read("expand=categories,trust")).trust.category_records.freshness.status).toBe("stale");
    for (const profile of [PROFILE, null]) {
      const data = await (await aTrader(profile)).read("expand=categories,trust");
      expect(data).not.toHaveProperty("category_records");
      expect(data).not.toHaveProperty("category_skill_model");
      expect(data.trust.category_records).toMatchObject({
        source: { kind: "unavailable" },
        completeness: { detail: expect.stringMatching(/./) },
      });
    }
  });

  test("what is not asked for is left out; the streak needs no asking", async () => {
    const { read } = await aTrader();
    const data = await read("");
    expect(data.streak_tier).toBe("rising");
    for (const name of ["strategy", "category_strengths", "quant_metrics", "category_records"]) expect(data).not.toHaveProperty(name);
  });

  test("a wallet without a type, strengths or a streak has none of them, and its metrics are null", async () => {
    const { read } = await aTrader({});
    const data = await read(ALL);
    for (const name of ["strategy", "category_strengths", "streak_tier"]) expect(data).not.toHaveProperty(name);
    expect(new Set(Object.values(data.quant_metrics))).toEqual(new Set([null]));
    expect(Object.keys(data.quant_metrics)).toHaveLength(9);
  });
});

describe("a profile that may not be served", () => {
  const PARTS = ["streak_tier", "strategy", "category_strengths", "quant_metrics"];

  test("one almost six hours old is served, one of six hours is not", async () => {
    const young = await aTrader({ ...PROFILE, computedAt: hoursAgo(5.9) });
    expect(await young.read(ALL)).toMatchObject({ streak_tier: "rising", quant_metrics: { sharpe_percentile: 54 } });
    const old = await aTrader({ ...PROFILE, computedAt: hoursAgo(6) });
    const data = await old.read(`${ALL},trust`);
    for (const name of PARTS) {
      expect(data).not.toHaveProperty(name);
      expect(data.trust[name]).toMatchObject({ completeness: { status: "not_computed", detail: expect.stringContaining("six hours") } });
    }
  });

  test.each([
    { is: "not followed", facts: { completeAt: null, followed: false }, why: "not captured" },
    { is: "not yet read to its end", facts: { completeAt: null, followed: true }, why: "still being read" },
    { is: "with activity that positions do not follow", facts: { gaps: ["conversion"] }, why: "conversions" },
  ])("a wallet $is shows none, and says why", async ({ facts, why }) => {
    const { read, db, wallet } = await aTrader(PROFILE, facts);
    await db.insert(traderDays).values(aDay(wallet.id, "2026-11-01", 5n));
    const data = await read(`${ALL},trust`);
    for (const name of [...PARTS, "daily_win_rate"]) {
      expect(data.trust[name]).toMatchObject({ completeness: { status: "unavailable", detail: expect.stringContaining(why) } });
    }
    for (const name of PARTS) expect(data).not.toHaveProperty(name);
    expect(data.stats).not.toHaveProperty("daily_win_rate");
  });
});

describe("trust", () => {
  test("the parts of a profile carry its clock", async () => {
    const computedAt = hoursAgo(1);
    const { read } = await aTrader({ ...PROFILE, computedAt });
    const { trust } = await read("expand=trust");
    for (const name of ["streak_tier", "strategy", "category_strengths", "quant_metrics"]) {
      expect(trust[name]).toMatchObject({
        source: { kind: "computed" },
        freshness: { status: "fresh", as_of: computedAt.toISOString() },
        completeness: { status: "complete" },
      });
    }
  });

  test("parts that the history is too short for say so", async () => {
    const { read } = await aTrader({});
    const { trust } = await read("expand=trust");
    for (const name of ["streak_tier", "strategy", "category_strengths"]) {
      expect(trust[name]).toMatchObject({ completeness: { status: "unavailable", detail: expect.stringMatching(/./) } });
    }
    expect(trust.quant_metrics).toMatchObject({ completeness: { status: "complete" } });
  });
});

const aDay = (traderId: number, day: string, realizedMicro: bigint, feesMicro = 0n) => ({
  traderId,
  day,
  realizedMicro,
  feesMicro,
  settledMicro: 0n,
  rebatesMicro: 0n,
  rewardsMicro: 9n,
  volumeMicro: 0n,
  entryCount: 1,
});

describe("daily_win_rate", () => {
  test("is the percentage of days with a result that made money, fees counted and rewards not", async () => {
    const { db, wallet, read } = await aTrader(null);
    await db.insert(traderDays).values([
      aDay(wallet.id, "2026-11-01", 5n),
      aDay(wallet.id, "2026-11-02", 5n, 4n),
      // Lost by its fee; then neither won nor lost.
      aDay(wallet.id, "2026-11-03", 5n, 6n),
      aDay(wallet.id, "2026-11-04", 5n, 5n),
      aDay(wallet.id, "2026-11-05", 0n),
    ]);
    expect((await read("")).stats.daily_win_rate).toBe(66.66);
  });

  test("is left out while no day has a result", async () => {
    const { db, wallet, read } = await aTrader(null);
    await db.insert(traderDays).values(aDay(wallet.id, "2026-11-05", 0n));
    const data = await read("expand=trust");
    expect(data.stats).not.toHaveProperty("daily_win_rate");
    expect(data.trust.daily_win_rate).toMatchObject({ completeness: { status: "unavailable", detail: "no day has a result yet" } });
  });
});

describe("lists", () => {
  /** A board of four: a young profile of each of two types, one too old, and one of a wallet whose history is not whole any more. */
  async function fourOnABoard() {
    const { api, db } = await openFreshApi();
    const wallets = [];
    for (const [strategy, computedAt, gaps] of [
      ["two_sided", hoursAgo(1), []],
      ["mixed", hoursAgo(1), []],
      ["two_sided", hoursAgo(6), []],
      ["two_sided", hoursAgo(1), ["conversion"]],
    ] as const) {
      const wallet = await aWallet(db, { completeAt: SYNCED_AT, gaps: [...gaps], grade: "A", score: 80 });
      await aProfile(db, wallet, { strategy, computedAt, streakTier: "hot" });
      wallets.push(wallet);
    }
    await aBoard(db, wallets, { generation: await aGeneration(db, "leaderboard", SYNCED_AT, 4) });
    const generation = await aGeneration(db, "trending:7d", SYNCED_AT, 4);
    for (const [index, { id: traderId }] of wallets.entries()) {
      const rest = { providerPnl: "1", windowMarketsTraded: 0, windowTradeDays: 0, dailyPnl: [] };
      await aTrendingRow(db, { generation, rank: index + 1, traderId, ...rest });
    }
    return api;
  }

  test("leaderboard rows carry strategy and streak while those are young and the wallet's history is whole", async () => {
    const { body } = await (await fourOnABoard()).get("/api/v1/leaderboard");
    const rows: Record<string, unknown>[] = body.data;
    expect(rows.map(({ strategy_type, streak_tier }) => [strategy_type, streak_tier])).toEqual([
      ["two_sided", "hot"],
      ["mixed", "hot"],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test("strategy keeps the wallets of that type, from page to page", async () => {
    const api = await fourOnABoard();
    const { body } = await api.get("/api/v1/leaderboard?strategy=mixed");
    expect(body).toMatchObject({ data: [{ strategy_type: "mixed" }], total: 1, has_more: false });
    expect((await api.get("/api/v1/leaderboard?strategy=momentum")).body).toMatchObject({ data: [], total: 0 });
    expect((await api.walk("/api/v1/leaderboard?strategy=two_sided&limit=1")).map(({ body: page }) => page.data.length)).toEqual([1]);
  });

  test("trending rows carry the streak", async () => {
    const { body } = await (await fourOnABoard()).get("/api/v1/leaderboard/trending");
    expect(body.data.map((row: { streak_tier?: string }) => row.streak_tier)).toEqual(["hot", "hot", undefined, undefined]);
  });
});
