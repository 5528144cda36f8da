import { describe, expect, test } from "vitest";
import { outcomes } from "../../../../src/db/schema.ts";
import { idsOf, openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { aLargeTrade, theFillFeedWasRead, theTradeFeedWasRead } from "../../../support/seed/large-trades.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const LIST = "/api/v1/large-trades";
const HISTORY = "/api/v1/large-trades/history";
const wt = (id: number) => `wt_${id}`;

describe("one large trade", () => {
  test.each([
    { path: LIST, object: "large_trade" },
    { path: "/api/v1/whale-trades", object: "whale_trade" },
  ])("$path/{id} accepts the id of a list row or its bare number and returns that row", async ({ path, object }) => {
    const { api, db } = await openFreshApi();
    const id = await aLargeTrade(db);
    const [row] = (await api.get(path)).body.data;
    for (const ref of [row.id, String(id)]) {
      const { body } = await api.get(`${path}/${ref}`);
      expect(body).toMatchObject({ object, data: row });
    }
  });

  test("a trade without counterparties has the reason", async () => {
    const { api, db } = await openFreshApi();
    const { body } = await api.get(`${LIST}/${await aLargeTrade(db)}`);
    expect(body.data.counterparty_analysis).toMatchObject({
      status: "unavailable",
      unavailable_reason: expect.stringMatching(/./),
    });
  });

  test.each(["1", "wt_1", "99999999999999999999"])("the unknown trade id %s returns 404", async (id) => {
    const { api } = await openFreshApi();
    expect(errorOf(await api.get(`${LIST}/${id}`))).toEqual({ status: 404, reason: undefined, param: "id" });
  });

  test.each(["trd_1", "mkt_1", "rf_1", "wt_", "wt_0", "0", "-1", "1.5", "wt_1x", "WT_1"])(
    "the invalid trade id %s returns invalid_path",
    async (id) => {
      const { api } = await openFreshApi();
      expect(errorOf(await api.get(`${LIST}/${id}`))).toEqual({ status: 400, reason: "invalid_path", param: "id" });
    },
  );
});

describe("large trade fields", () => {
  test("money and prices are truncated toward zero", async () => {
    const { api, db } = await openFreshApi();
    await aLargeTrade(db, { sizeUsdMicro: 12_345_999_999n, price: "0.45699996", marketVolumeShare: "0.12349999" });
    expect((await api.get(LIST)).body.data[0]).toMatchObject({
      size_usd: 12_345.99,
      price: 0.4569,
      market_volume_share: 0.1234,
    });
  });

  test("side, outcome and token are those of the traded leg", async () => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db);
    await aLargeTrade(db, { market, outcome: 1, side: "SELL" });
    expect((await api.get(LIST)).body.data[0]).toMatchObject({
      side: "SELL",
      outcome: "No",
      token_id: market.outcomes[1].tokenId,
    });
  });

  test("a trade in a market of three outcomes has a token but no outcome label", async () => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db);
    await db.insert(outcomes).values({ marketId: market.id, tokenId: "third", outcomeIndex: 2, label: "Other" });
    const id = await aLargeTrade(db, { market });
    const leg = { outcome: null, token_id: market.outcomes[0].tokenId };
    expect((await api.get(LIST)).body.data).toMatchObject([leg]);
    expect((await api.get(`${LIST}/${id}`)).body.data).toMatchObject(leg);
  });

  test.each([
    ["not_judged", {}, null],
    ["nothing_found", { judgedAt: new Date("2026-11-20T12:05:00Z") }, null],
    ["scored", { judgedAt: new Date("2026-11-20T12:05:00Z"), suspicionScore: 72, suspicionTrack: "whale" }, 72],
  ])(
    "a trade with suspicion_status %s has it in lists and on its own",
    async (suspicion_status, facts, suspicion_score) => {
      const { api, db } = await openFreshApi();
      const id = await aLargeTrade(db, facts);
      expect((await api.get(LIST)).body.data[0]).toMatchObject({ suspicion_status, suspicion_score });
      expect((await api.get(`${LIST}/${id}`)).body.data).toMatchObject({ suspicion_status, suspicion_score });
    },
  );

  test("the current grade and the grade at the trade are separate fields", async () => {
    const { api, db } = await openFreshApi();
    const wallet = await aSeededTrader(db, { grade: "A" });
    await aLargeTrade(db, { trader: wallet, gradeAtTrade: "C", gradeAtTradeStatus: "graded" });
    const { trader } = (await api.get(LIST)).body.data[0];
    expect(trader).toMatchObject({
      id: `trd_${wallet.id}`,
      grade: "A",
      grade_at_trade: "C",
      grade_at_trade_status: "graded",
    });
  });

  test("a score and its deprecated name have the same value, also the recorded ones", async () => {
    const { api, db } = await openFreshApi();
    await aLargeTrade(db, { reviewScore: 0.75, recordedReviewScore: 0.5 });
    expect((await api.get(LIST)).body.data[0]).toMatchObject({
      review_score: 0.75,
      signal_score: 0.75,
      recorded_review_score: 0.5,
      recorded_signal_score: 0.5,
    });
  });

  test("unknown values of a trade are null or absent", async () => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db, { title: null, slug: null }, [{ label: null }, {}]);
    await aLargeTrade(db, { market });
    const [row] = (await api.get(LIST)).body.data;
    expect(row).toMatchObject({
      outcome: null,
      recorded_review_score: null,
      suspicion_score: null,
      suspicion_track: null,
    });
    expect(row).not.toHaveProperty("market_volume_share");
    expect(row.trader).toEqual({
      id: expect.any(String),
      address: expect.any(String),
      grade_at_trade: null,
      grade_at_trade_status: "unknown",
    });
    // A title is required; the condition id is the only name that is known.
    expect(row.market).toEqual({ id: `mkt_${market.id}`, condition_id: market.conditionId, title: market.conditionId });
  });

  test("data_quality of an empty list tells an unread feed from filters without a match", async () => {
    const { api, db } = await openFreshApi();
    expect((await api.get(LIST)).body).toMatchObject({ data: [], data_quality: { status: "unavailable" } });
    await theTradeFeedWasRead(db, new Date("2026-11-20T12:00:00Z"));
    expect((await api.get(LIST)).body).toMatchObject({
      data: [],
      data_quality: { status: "fresh", as_of: "2026-11-20T12:00:00.000Z" },
    });
  });

  test("the as_of of large trades is that of the takers feed, not of the feed of all fills", async () => {
    const { api, db } = await openFreshApi();
    await theFillFeedWasRead(db, new Date("2026-11-20T15:00:00Z"));
    expect((await api.get(LIST)).body.data_quality).toMatchObject({ status: "unavailable" });
    await theTradeFeedWasRead(db, new Date("2026-11-20T12:00:00Z"));
    for (const path of [LIST, HISTORY])
      expect((await api.get(path)).body.data_quality).toMatchObject({ as_of: "2026-11-20T12:00:00.000Z" });
  });

  test("figures without a common time are untracked with a reason", async () => {
    const { api } = await openFreshApi();
    const groups: { group: string; status: string; reason?: string }[] = (await api.get(LIST)).body.data_quality
      .field_groups;
    for (const name of ["grades", "suspicion", "market_volume_share"]) {
      expect(groups.find(({ group }) => group === name)).toMatchObject({
        status: "untracked",
        reason: expect.stringMatching(/./),
      });
    }
  });

  test("the history declares its stored source and best-effort completeness", async () => {
    const { api } = await openFreshApi();
    expect((await api.get(HISTORY)).body.meta).toMatchObject({
      source: { kind: "local_replay", table: "whale_alerts", provider_fetch_at_request_time: false },
      completeness: { status: "best_effort", reason: expect.stringMatching(/./) },
    });
  });
});

describe("deprecated whale-trades spelling", () => {
  test.each([
    ["/api/v1/whale-trades", LIST],
    ["/api/v1/whale-trades/history", HISTORY],
  ] as const)("%s returns the rows of %s and accepts its cursors", async (old, current) => {
    const { api, db } = await openFreshApi();
    const [first, second] = [await aLargeTrade(db), await aLargeTrade(db)];
    const page = await api.get(`${current}?limit=1`);
    const rest = await api.get(`${old}?limit=1&cursor=${page.body.next_cursor}`);
    expect([page, rest].flatMap(idsOf)).toEqual([second, first].map(wt));
    expect((await api.get(old)).body.data).toEqual((await api.get(current)).body.data);
  });

  test("the deprecated spelling names its successor, for a record its own path", async () => {
    const { api, db } = await openFreshApi();
    const id = wt(await aLargeTrade(db));
    for (const [path, successor] of [
      ["/api/v1/whale-trades", LIST],
      ["/api/v1/whale-trades/history", HISTORY],
      [`/api/v1/whale-trades/${id}`, `${LIST}/${id}`],
    ] as const) {
      const { headers } = await api.get(path);
      expect(headers.get("link")).toContain(`<${successor}>; rel="successor-version"`);
      expect(headers.get("deprecation")).toMatch(/^@\d+$/);
      expect(new Date(headers.get("sunset") ?? "").getTime()).toBeGreaterThan(Date.now());
    }
  });
});
