import { expect, test } from "vitest";
import { markets, skillDue, skillMarkets, traderProfiles } from "../../../../src/db/schema.ts";
import { StoredProfile } from "../../../../src/domain/traders/stored-profile.ts";
import { listDueProfiles } from "../../../../src/ingest/profiles/due-profiles.ts";
import { profileTraders } from "../../../../src/ingest/profiles/profile-traders.ts";
import { scoreMarket } from "../../../../src/ingest/skill/score-market.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aFill } from "../../../support/seed/fills.ts";
import { aMarket, anEvent } from "../../../support/seed/markets.ts";
import { aPosition } from "../../../support/seed/traders/positions.ts";
import { profileOf } from "../../../support/seed/traders/profiles.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const minutesAfterNow = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

/**
 * A trader with ten resolved Politics markets in nine events, bought at 0.4, of which six won; one open
 * Politics and one open Golf market; and one market without a category. 100 shares each.
 */
async function aBettor() {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  const wallet = await aSeededTrader(db, { completeAt: NOW, totals: { entryCount: 13 } });
  const shared = await anEvent(db);
  const buy = async (facts: Parameters<typeof aMarket>[1], at: string) => {
    const market = await aMarket(db, facts);
    await aFill(db, { trader: wallet, market, price: "0.4", at });
    const bought = {
      boughtSharesMicro: 100_000_000n,
      boughtUsdMicro: 40_000_000n,
      sharesMicro: 100_000_000n,
      costMicro: 40_000_000n,
    };
    const settled =
      facts?.payoutsPpm == null ? {} : { settledMicro: facts.payoutsPpm[0] === 0 ? -40_000_000n : 60_000_000n };
    await aPosition(db, { trader: wallet, market, ...bought, ...settled, firstAt: new Date(at), lastAt: new Date(at) });
    if (facts?.payoutsPpm != null) await db.insert(skillDue).values({ marketId: market.id });
    return market;
  };
  for (let n = 0; n < 10; n++) {
    const eventId = n < 2 ? shared : await anEvent(db);
    await buy(
      { category: "Politics", eventId, payoutsPpm: n < 6 ? [1_000_000, 0] : [0, 1_000_000], resolvedAt: NOW },
      `2026-11-0${1 + (n % 9)}T00:00:00Z`,
    );
  }
  await buy({ category: "Politics" }, "2026-11-10T00:00:00Z");
  await buy({ category: "Golf" }, "2026-11-11T00:00:00Z");
  await buy({ category: null, payoutsPpm: [1_000_000, 0], resolvedAt: NOW }, "2026-11-12T00:00:00Z");
  const score = async () => {
    for (const { id } of await db.select({ id: markets.id }).from(markets)) await scoreMarket(pool, id);
  };
  const profile = async (at: Date) => {
    const stored = await profileTraders(pool, [wallet.id], at);
    return { stored, skill: StoredProfile.parse((await profileOf(db, wallet.id))?.profile).category_skill };
  };
  return { db, pool, wallet, score, profile, buy };
}

const due = async (pool: Parameters<typeof listDueProfiles>[0], at: Date) =>
  (await listDueProfiles(pool, at)).flatMap((message) =>
    message.kind === "profile_traders" ? message.trader_ids : [],
  );

test("the skill by category comes from the scored bets", async () => {
  const { score, profile } = await aBettor();
  await score();
  const { skill } = await profile(NOW);
  expect(skill).toEqual([
    {
      category: "Golf",
      status: "insufficient",
      events: 0,
      resolved_markets: 0,
      unresolved_outcomes: 1,
      edge_mean: null,
      edge_sd: null,
      edge_se: null,
      edge_lower_95: null,
      brier: null,
      started_at: "2026-11-11T00:00:00.000Z",
      latest_at: "2026-11-11T00:00:00.000Z",
    },
    expect.objectContaining({
      category: "Politics",
      status: "insufficient",
      // Ten markets, but two of them share an event.
      events: 9,
      resolved_markets: 10,
      unresolved_outcomes: 1,
      edge_mean: null,
      started_at: "2026-11-01T00:00:00.000Z",
      latest_at: "2026-11-10T00:00:00.000Z",
    }),
  ]);
});

test("a tenth event makes the skill live", async () => {
  const { score, profile, buy } = await aBettor();
  await buy({ category: "Politics", payoutsPpm: [0, 1_000_000], resolvedAt: NOW }, "2026-11-13T00:00:00Z");
  await score();
  const { skill } = await profile(NOW);
  const politics = skill.find(({ category }) => category === "Politics");
  // Five events won 0.6 above the price and five lost 0.4: mean 0.1, each 0.5 away from it. Brier scores 0.36
  // and 0.16.
  expect(politics).toMatchObject({
    status: "live",
    events: 10,
    edge_mean: expect.closeTo(0.1, 9),
    brier: expect.closeTo(0.26, 9),
  });
  expect(politics?.edge_sd).toBeCloseTo(Math.sqrt(2.5 / 9), 9);
  expect(politics?.edge_lower_95).toBeCloseTo(0.1 - 2.262157 * Math.sqrt(2.5 / 90), 4);
});

test("an unscored settled market withholds the figures, and the profile is recomputed after ten minutes", async () => {
  const { db, pool, wallet, score, profile } = await aBettor();
  expect((await profile(NOW)).skill.map(({ status }) => status)).toEqual(["insufficient", "degraded"]);
  expect(await due(pool, minutesAfterNow(9))).toEqual([]);
  expect(await due(pool, minutesAfterNow(10))).toEqual([wallet.id]);
  await score();
  expect(await profile(minutesAfterNow(10))).toMatchObject({
    stored: 1,
    skill: [{ status: "insufficient" }, { status: "insufficient" }],
  });
  expect(await due(pool, minutesAfterNow(30))).toEqual([]);
  // Already scored, but a late fill makes the market due again.
  const [row] = await db.select({ marketId: skillMarkets.marketId }).from(skillMarkets);
  await db.insert(skillDue).values({ marketId: row?.marketId ?? 0 });
  await db.delete(traderProfiles);
  expect((await profile(minutesAfterNow(40))).skill.map(({ status }) => status)).toContain("degraded");
});
