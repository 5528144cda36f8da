import { describe, expect, test } from "vitest";
import type { Database } from "../../../src/db/client.ts";
import { traderGrades, traders } from "../../../src/db/schema.ts";
import { openFreshApi } from "../../support/fresh-api.ts";
import { aBoard, aGeneration } from "../../support/seed/lists.ts";
import { aGradeObservation } from "../../support/seed/pnl.ts";
import { aWallet, type Wallet } from "../../support/seed/wallets.ts";

const TRADER = "/api/v1/trader";
const SYNCED_AT = new Date("2026-11-20T12:00:00Z");
const GRADED_AT = new Date("2026-11-19T06:00:00Z");
const BUILT_AT = new Date("2026-11-20T11:00:00Z");

interface Published {
  readonly grade: string | null;
  readonly score: number | null;
  readonly forecastScore: number | null;
  readonly forecastEvidence: number | null;
  readonly ungradedReason: string | null;
}

const GRADED: Published = { grade: "A", score: 65.43, forecastScore: 91.2, forecastEvidence: 0.4321, ungradedReason: null };
const UNGRADED: Published = { grade: null, score: null, forecastScore: null, forecastEvidence: 0.1234, ungradedReason: "too_few_markets" };

/** A wallet whose whole history is known, and what was published of its grade. */
async function published(db: Database, facts: Published): Promise<Wallet> {
  const totals = { realizedMicro: 1n };
  const wallet = await aWallet(db, { ...facts, gradedAt: GRADED_AT, completeAt: SYNCED_AT, totals });
  const { ungradedReason, ...figures } = facts;
  await db.update(traders).set(figures);
  const record = { methodVersion: "skill-1", inputHash: "", components: {} };
  await db.insert(traderGrades).values({ ...record, ...figures, ungradedReason, traderId: wallet.id, validFrom: GRADED_AT });
  return wallet;
}

const groupOf = (data: { data_quality: { field_groups: { group: string }[] } }, name: string) =>
  data.data_quality.field_groups.find(({ group }) => group === name);

describe("a graded wallet", () => {
  test("shows grade, score, forecast and evidence, with the clock of their last publication", async () => {
    const { api, db } = await openFreshApi();
    const { address } = await published(db, GRADED);
    const { data } = (await api.get(`${TRADER}/${address}?expand=trust`)).body;
    expect(data).toMatchObject({ grade: "A", score: 65.43, forecast_score: 91.2, forecast_evidence: 0.4321 });
    expect(groupOf(data, "ranking")).toEqual({ group: "ranking", owner: "traders.grade", status: "fresh", as_of: GRADED_AT.toISOString() });
    for (const name of ["grade", "score", "forecast_score", "forecast_evidence"]) {
      expect(data.trust[name]).toMatchObject({
        source: { kind: "computed", owner: `traders.${name}` },
        freshness: { status: "fresh", as_of: GRADED_AT.toISOString() },
      });
    }
  });

  test("explains its figures from what was stored with them", async () => {
    const { api, db } = await openFreshApi();
    const { address, id } = await published(db, GRADED);
    // The example of docs/methodology.md: 2.71 / 11.05 is 24.52 points, and a deviation of 0.093851 at 2.3957 / 11.05 is 2.0347.
    const estimate = { rawPoints: 24.5248869, expectedPoints: 0.2385844, deviationPoints: 2.0347434, ownShare: 0.0285603 };
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
          "Payout less price over 13 settled purchases in 12 events: 24.52 points. Drawn toward what all wallets do, 2.85 % being its own record, " +
          "the next is expected to pay 0.23 points over its price, with a deviation of 2.03. Method skill-2, input SHA-256 ab12.",
      });
    }
  });

  test("shows its place on the newest overall board, by that board's clock", async () => {
    const { api, db } = await openFreshApi();
    const wallet = await published(db, GRADED);
    const others = [await aWallet(db), await aWallet(db)];
    const old = await aGeneration(db, "leaderboard", BUILT_AT, 1);
    await aBoard(db, [wallet], { generation: old });
    const newest = await aGeneration(db, "leaderboard", BUILT_AT, 3);
    await aBoard(db, [...others, wallet], { generation: newest });
    await aBoard(db, [wallet, ...others], { generation: newest, category: "Politics" });
    const { data } = (await api.get(`${TRADER}/${wallet.address}?expand=trust`)).body;
    expect(data.rank).toBe(3);
    expect(groupOf(data, "leaderboard_rank")).toMatchObject({ status: "fresh", as_of: BUILT_AT.toISOString() });
    expect(data.trust.rank).toMatchObject({ source: { kind: "computed" }, freshness: { as_of: BUILT_AT.toISOString() } });
  });

  test.each([
    ["C", "only grades S, A and B are ranked"],
    ["A", "the leaderboard ranks its first thousand wallets whose history in ordinary markets is known"],
  ])("of grade %s that is on no board has no rank, and the reason why", async (grade, reason) => {
    const { api, db } = await openFreshApi();
    const { address } = await published(db, { ...GRADED, grade });
    await aBoard(db, [await aWallet(db)], { generation: await aGeneration(db, "leaderboard", BUILT_AT, 1) });
    const { data } = (await api.get(`${TRADER}/${address}?expand=trust`)).body;
    expect(data).not.toHaveProperty("rank");
    expect(groupOf(data, "leaderboard_rank")).toMatchObject({ status: "untracked", reason });
    expect(data.trust.rank).toMatchObject({ source: { kind: "unavailable" }, completeness: { status: "not_computed", detail: reason } });
  });

  test("that has fallen to C since the board was built has lost its rank", async () => {
    const { api, db } = await openFreshApi();
    const wallet = await published(db, { ...GRADED, grade: "C" });
    await aBoard(db, [wallet], { generation: await aGeneration(db, "leaderboard", BUILT_AT, 1) });
    expect((await api.get(`${TRADER}/${wallet.address}`)).body.data).not.toHaveProperty("rank");
  });
});

describe("a wallet without a grade", () => {
  test.each([
    ["too_few_markets", "the wallet has settled bets in too few events"],
    ["too_little_information", "the wallet's settled bets were too small or too sure to tell skill from luck"],
    ["population_unknown", "too few wallets have settled bets to compare with"],
  ])("says why: %s", async (ungradedReason, words) => {
    const { api, db } = await openFreshApi();
    const { address } = await published(db, { ...UNGRADED, ungradedReason });
    const { data } = (await api.get(`${TRADER}/${address}?expand=trust`)).body;
    for (const name of ["grade", "score", "forecast_score", "rank"]) {
      expect(data).not.toHaveProperty(name);
      expect(data.trust[name]).toMatchObject({ source: { kind: "unavailable" }, completeness: { detail: words } });
    }
    // How much is known is known.
    expect(data.forecast_evidence).toBe(0.1234);
    expect(groupOf(data, "ranking")).toMatchObject({ status: "fresh", as_of: GRADED_AT.toISOString() });
  });

  test("because no bet of its has settled: nothing of its ranking is there, and that does not count against the answer", async () => {
    const { api, db } = await openFreshApi();
    const { address } = await aWallet(db, { completeAt: SYNCED_AT, totals: { realizedMicro: 1n } });
    const { data } = (await api.get(`${TRADER}/${address}?expand=trust`)).body;
    const reason = "no settled bet of the wallet has been counted yet";
    for (const name of ["ranking", "leaderboard_rank"]) expect(groupOf(data, name)).toMatchObject({ status: "untracked", reason });
    expect(data.trust.grade).toMatchObject({ completeness: { status: "not_computed", detail: reason } });
    expect(data.data_quality.status).toBe("fresh");
  });
});
