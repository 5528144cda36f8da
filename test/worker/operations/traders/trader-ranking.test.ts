import { describe, expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { traderGrades, traders } from "../../../../src/db/schema.ts";
import { openFreshApi } from "../../../support/api/fresh-api.ts";
import { aBoard, aGeneration } from "../../../support/seed/lists.ts";
import { aGradeObservation } from "../../../support/seed/traders/pnl.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

const TRADER = "/api/v1/trader";
const SYNCED_AT = new Date("2026-11-20T12:00:00Z");
const GRADED_AT = new Date("2026-11-19T06:00:00Z");
const BUILT_AT = new Date("2026-11-20T11:00:00Z");

interface PublishedGrade {
  readonly grade: string | null;
  readonly score: number | null;
  readonly forecastScore: number | null;
  readonly forecastEvidence: number | null;
  readonly ungradedReason: string | null;
}

const GRADED: PublishedGrade = {
  grade: "A",
  score: 65.43,
  forecastScore: 91.2,
  forecastEvidence: 0.4321,
  ungradedReason: null,
};
const UNGRADED: PublishedGrade = {
  grade: null,
  score: null,
  forecastScore: null,
  forecastEvidence: 0.1234,
  ungradedReason: "too_few_markets",
};

/** A trader with a complete history and this published grade. */
async function aTraderWith(db: Database, facts: PublishedGrade): Promise<SeededTrader> {
  const totals = { realizedMicro: 1n };
  const wallet = await aSeededTrader(db, { ...facts, gradedAt: GRADED_AT, completeAt: SYNCED_AT, totals });
  const { ungradedReason, ...figures } = facts;
  await db.update(traders).set(figures);
  const record = { methodVersion: "skill-1", inputHash: "", components: {} };
  await db
    .insert(traderGrades)
    .values({ ...record, ...figures, ungradedReason, traderId: wallet.id, validFrom: GRADED_AT });
  return wallet;
}

const groupOf = (data: { data_quality: { field_groups: { group: string }[] } }, name: string) =>
  data.data_quality.field_groups.find(({ group }) => group === name);

describe("graded trader", () => {
  test("a graded trader has grade, score, forecast and evidence with their publication time", async () => {
    const { api, db } = await openFreshApi();
    const { address } = await aTraderWith(db, GRADED);
    const { data } = (await api.get(`${TRADER}/${address}?expand=trust`)).body;
    expect(data).toMatchObject({ grade: "A", score: 65.43, forecast_score: 91.2, forecast_evidence: 0.4321 });
    expect(groupOf(data, "ranking")).toEqual({
      group: "ranking",
      owner: "traders.grade",
      status: "fresh",
      as_of: GRADED_AT.toISOString(),
    });
    for (const name of ["grade", "score", "forecast_score", "forecast_evidence"]) {
      expect(data.trust[name]).toMatchObject({
        source: { kind: "computed", owner: `traders.${name}` },
        freshness: { status: "fresh", as_of: GRADED_AT.toISOString() },
      });
    }
  });

  test("trust explains the figures from the observation that was stored with them", async () => {
    const { api, db } = await openFreshApi();
    const { address, id } = await aTraderWith(db, GRADED);
    // The example of docs/methodology.md: 2.71 / 11.05 is 24.52 points, and a deviation of 0.093851 at 2.3957
    // / 11.05 is 2.0347.
    const estimate = {
      rawPoints: 24.5248869,
      expectedPoints: 0.2385844,
      deviationPoints: 2.0347434,
      ownShare: 0.0285603,
    };
    await aGradeObservation(
      db,
      { id, address },
      {
        validFrom: new Date(GRADED_AT.getTime() + 1000),
        publishedAt: new Date(GRADED_AT.getTime() + 1001),
        methodVersion: "skill-2",
        inputHash: "ab12",
        components: { evidence: { bets: 13, clusters: 12 }, population: {}, estimate },
      },
    );
    const { trust } = (await api.get(`${TRADER}/${address}?expand=trust`)).body.data;
    for (const name of ["grade", "score", "forecast_score", "forecast_evidence"]) {
      expect(trust[name].reconciliation).toEqual({
        status: "computed",
        detail:
          "Payout minus price over 13 settled purchases in 12 events: 24.52 points. " +
          "Shrunk toward the mean of all traders, with a weight of 2.85 % on the trader's own record: " +
          "the next purchase is expected to pay 0.23 points more than its price, " +
          "with a standard deviation of 2.03. Method skill-2, input SHA-256 ab12.",
      });
    }
  });

  test("a graded trader has its rank on the newest overall leaderboard, with that one's time", async () => {
    const { api, db } = await openFreshApi();
    const wallet = await aTraderWith(db, GRADED);
    const others = [await aSeededTrader(db), await aSeededTrader(db)];
    const old = await aGeneration(db, "leaderboard", BUILT_AT, 1);
    await aBoard(db, [wallet], { generation: old });
    const newest = await aGeneration(db, "leaderboard", BUILT_AT, 3);
    await aBoard(db, [...others, wallet], { generation: newest });
    await aBoard(db, [wallet, ...others], { generation: newest, category: "Politics" });
    const { data } = (await api.get(`${TRADER}/${wallet.address}?expand=trust`)).body;
    expect(data.rank).toBe(3);
    expect(groupOf(data, "leaderboard_rank")).toMatchObject({ status: "fresh", as_of: BUILT_AT.toISOString() });
    expect(data.trust.rank).toMatchObject({
      source: { kind: "computed" },
      freshness: { as_of: BUILT_AT.toISOString() },
    });
  });

  test.each([
    ["C", "only grades S, A and B are ranked"],
    ["A", "the leaderboard ranks only the first thousand traders whose history in ordinary markets is known"],
  ])("a trader of grade %s on no leaderboard has no rank, and the reason: %s", async (grade, reason) => {
    const { api, db } = await openFreshApi();
    const { address } = await aTraderWith(db, { ...GRADED, grade });
    await aBoard(db, [await aSeededTrader(db)], { generation: await aGeneration(db, "leaderboard", BUILT_AT, 1) });
    const { data } = (await api.get(`${TRADER}/${address}?expand=trust`)).body;
    expect(data).not.toHaveProperty("rank");
    expect(groupOf(data, "leaderboard_rank")).toMatchObject({ status: "untracked", reason });
    expect(data.trust.rank).toMatchObject({
      source: { kind: "unavailable" },
      completeness: { status: "not_computed", detail: reason },
    });
  });

  test("a trader whose grade fell to C after the build has no rank", async () => {
    const { api, db } = await openFreshApi();
    const wallet = await aTraderWith(db, { ...GRADED, grade: "C" });
    await aBoard(db, [wallet], { generation: await aGeneration(db, "leaderboard", BUILT_AT, 1) });
    expect((await api.get(`${TRADER}/${wallet.address}`)).body.data).not.toHaveProperty("rank");
  });
});

describe("trader without a grade", () => {
  test.each([
    ["too_few_markets", "the trader has settled bets in too few events"],
    ["too_little_information", "the trader's settled bets were too small or too certain to separate skill from luck"],
    ["population_unknown", "too few traders have settled bets to compare with"],
  ])("an ungraded trader has the reason %s", async (ungradedReason, detail) => {
    const { api, db } = await openFreshApi();
    const { address } = await aTraderWith(db, { ...UNGRADED, ungradedReason });
    const { data } = (await api.get(`${TRADER}/${address}?expand=trust`)).body;
    for (const name of ["grade", "score", "forecast_score", "rank"]) {
      expect(data).not.toHaveProperty(name);
      expect(data.trust[name]).toMatchObject({ source: { kind: "unavailable" }, completeness: { detail } });
    }
    // The amount of evidence is known.
    expect(data.forecast_evidence).toBe(0.1234);
    expect(groupOf(data, "ranking")).toMatchObject({ status: "fresh", as_of: GRADED_AT.toISOString() });
  });

  test("a trader without a settled bet has no ranking, and its data_quality stays fresh", async () => {
    const { api, db } = await openFreshApi();
    const { address } = await aSeededTrader(db, { completeAt: SYNCED_AT, totals: { realizedMicro: 1n } });
    const { data } = (await api.get(`${TRADER}/${address}?expand=trust`)).body;
    const reason = "no settled bet of the trader has been counted yet";
    for (const name of ["ranking", "leaderboard_rank"])
      expect(groupOf(data, name)).toMatchObject({ status: "untracked", reason });
    expect(data.trust.grade).toMatchObject({ completeness: { status: "not_computed", detail: reason } });
    expect(data.data_quality.status).toBe("fresh");
  });
});
