import { describe, expect, test } from "vitest";
import { StoredProfile } from "../../../../src/domain/traders/stored-profile.ts";
import { profileTraders } from "../../../../src/ingest/profiles/profile-traders.ts";
import { rankProfiles } from "../../../../src/ingest/profiles/rank-profiles.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aProfile, profileOf } from "../../../support/seed/traders/profiles.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";
import { expectedProfile } from "./expected-profile.ts";
import { STORY_BETS, ingestStory, STORY_LAST_NOON } from "./profile-story.ts";

/** The 24 other traders: their measures lie on both sides of the story's. */
const RANGE = Array.from({ length: 24 }, (_, index) => index);
const others = {
  sharpe: RANGE.map((index) => index - 6),
  profitFactor: RANGE.map((index) => index / 8),
  consistency: RANGE.map((index) => index / 30),
  form: RANGE.map((index) => (index - 12) / 12),
};

const expected = expectedProfile(STORY_BETS, others);
/** Computed once, by the first test that needs it. */
let story: ReturnType<typeof computeStory> | null = null;
const theStory = () => (story ??= computeStory());

async function computeStory() {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  for (const index of RANGE) {
    await aProfile(db, await aSeededTrader(db, { completeAt: STORY_LAST_NOON }), {
      computedAt: STORY_LAST_NOON,
      sharpe30d: others.sharpe[index] ?? null,
      profitFactor: others.profitFactor[index] ?? null,
      edgeConsistency: others.consistency[index] ?? null,
      form: others.form[index] ?? null,
    });
  }
  const traderId = await ingestStory(pool, 5_000);
  expect(await profileTraders(pool, [traderId], STORY_LAST_NOON)).toBe(1);
  await rankProfiles(pool, STORY_LAST_NOON);
  const row = await profileOf(db, traderId);
  return { row, profile: StoredProfile.parse(row?.profile) };
}

describe("profile of forty days against an independent calculation", () => {
  test.each(Object.entries(expected.metrics))(
    "the metric %s equals the independent calculation",
    async (name, value) => {
      const { profile } = await theStory();
      expect(profile.metrics[name as keyof typeof profile.metrics]).toBeCloseTo(value, 9);
    },
  );

  test("the expected metrics differ from each other, from 0 and from their bounds", () => {
    const values = Object.values(expected.metrics);
    expect(new Set(values).size).toBe(9);
    for (const value of values) expect(Math.abs(value)).toBeGreaterThan(0.01);
    expect(expected.metrics.smart_score).toBeLessThan(99);
  });

  test("the columns that lists read equal the stored profile", async () => {
    const { row, profile } = await theStory();
    const { smart_score: smartScore, copy_score: copyScore, sharpe_30d: sharpe30d } = profile.metrics;
    const { profit_factor: profitFactor, edge_consistency: edgeConsistency } = profile.metrics;
    expect(row).toMatchObject({ smartScore, copyScore, sharpe30d, profitFactor, edgeConsistency });
  });

  test("the form and its tier equal the independent calculation", async () => {
    const { row } = await theStory();
    expect(row?.form).toBeCloseTo(expected.form, 9);
    expect(expected.formPercentile).toBeGreaterThan(65);
    expect(expected.formPercentile).toBeLessThan(90);
    expect(row?.streakTier).toBe("rising");
  });

  test("the won markets and days equal the independent calculation", async () => {
    const { profile } = await theStory();
    const { wins, decided } = expected.record;
    expect(profile.record).toEqual({ wins, decided, win_rate: wins / decided });
    expect(profile.days).toMatchObject({ ...expected.days, win_rate: expected.days.wins / expected.days.decided });
  });

  test("the deepest and current drawdown equal the independent calculation", async () => {
    const { profile } = await theStory();
    expect(Number(profile.drawdown.deepest.amount_micro) / 1e6).toBeCloseTo(expected.drawdown.deepest, 6);
    expect(Number(profile.drawdown.current.amount_micro) / 1e6).toBeCloseTo(expected.drawdown.current, 6);
    expect(expected.drawdown.deepest).toBeLessThan(-50);
  });

  test("category records are ordered by decided markets and include the Esports titles", async () => {
    const { profile } = await theStory();
    expect(profile.category_records.map(({ category }) => category)).toEqual(["Politics", "Crypto", "Esports"]);
    for (const { category, wins, decided, win_rate: rate } of profile.category_records) {
      expect({ wins, decided }).toEqual(expected.recordOf(category));
      expect(rate).toBeCloseTo(wins / decided, 12);
    }
    const esports = profile.category_records.find(({ category }) => category === "Esports");
    expect(esports?.games).toMatchObject([{ game: "Dota 2", series_slug: "dota-2", ...expected.recordOf("Esports") }]);
  });

  test("the category strengths equal the independent calculation", async () => {
    const { profile } = await theStory();
    expect(profile.category_strengths).toHaveLength(3);
    for (const strength of profile.category_strengths) {
      const { decided, expected: price, pnl, cost } = expected.strengthOf(strength.category);
      expect(strength.decided).toBe(decided);
      expect(strength.expected_win_rate).toBeCloseTo(price, 9);
      expect(Number(strength.pnl_micro) / 1e6).toBeCloseTo(pnl, 6);
      expect(Number(strength.cost_micro) / 1e6).toBeCloseTo(cost, 6);
      expect(strength.return_on_cost).toBeCloseTo(pnl / cost, 9);
    }
  });

  test("forty one-sided markets over several categories give no strategy trait", async () => {
    const { row, profile } = await theStory();
    expect(row?.strategy).toBe("unclassified");
    expect(profile.strategy).toMatchObject({
      two_sided_share: 0,
      fills_per_active_day: 50 / 40,
      leading_category: "Politics",
    });
  });
});
