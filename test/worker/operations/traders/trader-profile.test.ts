import { describe, expect, test } from "vitest";
import { traderDays } from "../../../../src/db/schema.ts";
import { openFreshApi } from "../../../support/api/fresh-api.ts";
import { aBoard, aGeneration, aTrendingRow } from "../../../support/seed/lists.ts";
import { aProfile, CATEGORY_SKILL, type ProfileFacts } from "../../../support/seed/traders/profiles.ts";
import { aSeededTrader, type SeededTraderFacts } from "../../../support/seed/traders/traders.ts";

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
const UNMEASURED = {
  ...STRENGTH,
  category: "Crypto",
  wins: 1,
  decided: 1,
  win_rate: null,
  expected_win_rate: null,
  return_on_cost: null,
};
const PROFILE: ProfileFacts = {
  strategy: "two_sided",
  streakTier: "rising",
  profile: { metrics: METRICS, category_strengths: [STRENGTH, UNMEASURED] },
};

async function aTrader(profile: ProfileFacts | null = PROFILE, facts: Partial<SeededTraderFacts> = {}) {
  const { api, db } = await openFreshApi();
  const wallet = await aSeededTrader(db, { completeAt: SYNCED_AT, ...facts });
  if (profile !== null) await aProfile(db, wallet, profile);
  const read = async (query: string) => (await api.get(`/api/v1/trader/${wallet.address}?${query}`)).body.data;
  return { api, db, wallet, read };
}

describe("the expanded profile", () => {
  test("quant_metrics has nine keys: scores to two decimals, ratios to four, and null for too little history", async () => {
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

  test("strategy has its type and a description", async () => {
    const { read } = await aTrader();
    expect((await read("expand=strategy")).strategy).toEqual({
      strategy_type: "two_sided",
      description: expect.stringContaining("both outcomes"),
    });
  });

  test("categories has the strengths, without rates when too few markets are decided", async () => {
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

  test("categories has the skill records with their status", async () => {
    const computedAt = hoursAgo(1);
    const { read } = await aTrader({
      ...PROFILE,
      computedAt,
      profile: { ...PROFILE.profile, category_skill: CATEGORY_SKILL },
    });
    const { category_records: records, category_skill_model: model, trust } = await read("expand=categories,trust");
    expect(records.map((record: { canonical_category: string }) => record.canonical_category)).toEqual(
      CATEGORY_SKILL.map(({ category }) => category),
    );
    expect(model).toMatchObject({ as_of: computedAt.toISOString(), source_last_success_at: SYNCED_AT.toISOString() });
    for (const name of ["category_records", "category_skill_model"]) {
      expect(trust[name]).toMatchObject({
        source: { kind: "computed" },
        freshness: { status: "fresh", as_of: computedAt.toISOString() },
      });
    }
  });

  test("skill records are stale after six hours, and absent with a reason for a trader without any", async () => {
    const old = await aTrader({
      ...PROFILE,
      computedAt: hoursAgo(7),
      profile: { ...PROFILE.profile, category_skill: CATEGORY_SKILL },
    });
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

  test("parts of a profile are absent by default, except for the streak", async () => {
    const { read } = await aTrader();
    const data = await read("");
    expect(data.streak_tier).toBe("rising");
    for (const name of ["strategy", "category_strengths", "quant_metrics", "category_records"])
      expect(data).not.toHaveProperty(name);
  });

  test("a trader without strategy, strengths and streak has none of them, and its metrics are null", async () => {
    const { read } = await aTrader({});
    const data = await read(ALL);
    for (const name of ["strategy", "category_strengths", "streak_tier"]) expect(data).not.toHaveProperty(name);
    expect(new Set(Object.values(data.quant_metrics))).toEqual(new Set([null]));
    expect(Object.keys(data.quant_metrics)).toHaveLength(9);
  });
});

describe("profiles that are not served", () => {
  const PARTS = ["streak_tier", "strategy", "category_strengths", "quant_metrics"];

  test("a profile is served until it is six hours old", async () => {
    const young = await aTrader({ ...PROFILE, computedAt: hoursAgo(5.9) });
    expect(await young.read(ALL)).toMatchObject({ streak_tier: "rising", quant_metrics: { sharpe_percentile: 54 } });
    const old = await aTrader({ ...PROFILE, computedAt: hoursAgo(6) });
    const data = await old.read(`${ALL},trust`);
    for (const name of PARTS) {
      expect(data).not.toHaveProperty(name);
      expect(data.trust[name]).toMatchObject({
        completeness: { status: "not_computed", detail: expect.stringContaining("six hours") },
      });
    }
  });

  test.each([
    { is: "that is not followed", facts: { completeAt: null, isFollowed: false }, why: "not captured" },
    { is: "with an incomplete history", facts: { completeAt: null, isFollowed: true }, why: "still being read" },
    { is: "with a gap in its history", facts: { gaps: ["conversion"] }, why: "conversions" },
  ])("a trader $is has no profile, and a reason", async ({ facts, why }) => {
    const { read, db, wallet } = await aTrader(PROFILE, facts);
    await db.insert(traderDays).values(aDay(wallet.id, "2026-11-01", 5n));
    const data = await read(`${ALL},trust`);
    for (const name of [...PARTS, "daily_win_rate"]) {
      expect(data.trust[name]).toMatchObject({
        completeness: { status: "unavailable", detail: expect.stringContaining(why) },
      });
    }
    for (const name of PARTS) expect(data).not.toHaveProperty(name);
    expect(data.stats).not.toHaveProperty("daily_win_rate");
  });
});

describe("trust in a profile", () => {
  test("the parts of a profile have its time", async () => {
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

  test("parts for which the history is too short have a reason", async () => {
    const { read } = await aTrader({});
    const { trust } = await read("expand=trust");
    for (const name of ["streak_tier", "strategy", "category_strengths"]) {
      expect(trust[name]).toMatchObject({
        completeness: { status: "unavailable", detail: expect.stringMatching(/./) },
      });
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
  test("daily_win_rate is the percentage of days with a result that had a profit after fees, without rewards", async () => {
    const { db, wallet, read } = await aTrader(null);
    await db.insert(traderDays).values([
      aDay(wallet.id, "2026-11-01", 5n),
      aDay(wallet.id, "2026-11-02", 5n, 4n),
      // A loss by its fee; then break-even.
      aDay(wallet.id, "2026-11-03", 5n, 6n),
      aDay(wallet.id, "2026-11-04", 5n, 5n),
      aDay(wallet.id, "2026-11-05", 0n),
    ]);
    expect((await read("")).stats.daily_win_rate).toBe(66.66);
  });

  test("daily_win_rate is absent while no day has a result", async () => {
    const { db, wallet, read } = await aTrader(null);
    await db.insert(traderDays).values(aDay(wallet.id, "2026-11-05", 0n));
    const data = await read("expand=trust");
    expect(data.stats).not.toHaveProperty("daily_win_rate");
    expect(data.trust.daily_win_rate).toMatchObject({
      completeness: { status: "unavailable", detail: "no day of the trader has a result yet" },
    });
  });
});

describe("profiles in lists", () => {
  /**
   * A leaderboard of four: two recent profiles of different types, one that is too old, and one of a trader
   * with a gap.
   */
  async function setUpLeaderboard() {
    const { api, db } = await openFreshApi();
    const traders = [];
    for (const [strategy, computedAt, gaps] of [
      ["two_sided", hoursAgo(1), []],
      ["mixed", hoursAgo(1), []],
      ["two_sided", hoursAgo(6), []],
      ["two_sided", hoursAgo(1), ["conversion"]],
    ] as const) {
      const wallet = await aSeededTrader(db, { completeAt: SYNCED_AT, gaps: [...gaps], grade: "A", score: 80 });
      await aProfile(db, wallet, { strategy, computedAt, streakTier: "hot" });
      traders.push(wallet);
    }
    await aBoard(db, traders, { generation: await aGeneration(db, "leaderboard", SYNCED_AT, 4) });
    const generation = await aGeneration(db, "trending:7d", SYNCED_AT, 4);
    for (const [index, { id: traderId }] of traders.entries()) {
      const rest = { providerPnl: "1", windowMarketsTraded: 0, windowTradeDays: 0, dailyPnl: [] };
      await aTrendingRow(db, { generation, rank: index + 1, traderId, ...rest });
    }
    return api;
  }

  test("leaderboard rows have strategy and streak if the profile is recent and the history complete", async () => {
    const { body } = await (await setUpLeaderboard()).get("/api/v1/leaderboard");
    const rows: Record<string, unknown>[] = body.data;
    expect(rows.map(({ strategy_type, streak_tier }) => [strategy_type, streak_tier])).toEqual([
      ["two_sided", "hot"],
      ["mixed", "hot"],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test("the strategy filter selects the traders of that type over all pages", async () => {
    const api = await setUpLeaderboard();
    const { body } = await api.get("/api/v1/leaderboard?strategy=mixed");
    expect(body).toMatchObject({ data: [{ strategy_type: "mixed" }], total: 1, has_more: false });
    expect((await api.get("/api/v1/leaderboard?strategy=momentum")).body).toMatchObject({ data: [], total: 0 });
    expect(
      (await api.walk("/api/v1/leaderboard?strategy=two_sided&limit=1")).map(({ body: page }) => page.data.length),
    ).toEqual([1]);
  });

  test("trending rows have the streak", async () => {
    const { body } = await (await setUpLeaderboard()).get("/api/v1/leaderboard/trending");
    expect(body.data.map((row: { streak_tier?: string }) => row.streak_tier)).toEqual([
      "hot",
      "hot",
      undefined,
      undefined,
    ]);
  });
});
