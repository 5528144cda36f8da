import { describe, expect, test } from "vitest";
import { jobHeartbeats } from "../../../../src/db/schema.ts";
import { openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { aPosition } from "../../../support/seed/traders/positions.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const TRADER = "/api/v1/trader";
const UNSEEN = `0x${"e".repeat(40)}`;
const SYNCED_AT = new Date("2026-11-20T12:00:00Z");
const usd = (dollars: number) => BigInt(Math.round(dollars * 1_000_000));

/** Some profit, so that absent figures are detected. */
const TOTALS = { realizedMicro: usd(10), volumeMicro: usd(500) };

describe("trader reference", () => {
  test("a trader is found by address, trd_ id and username in any letter case", async () => {
    const { api, db } = await openFreshApi();
    const { id, address } = await aSeededTrader(db, { username: "Theo4" });
    for (const ref of [address, `0x${address.slice(2).toUpperCase()}`, `trd_${id}`, `TRD_${id}`, "Theo4", "tHEO4"]) {
      const { body } = await api.get(`${TRADER}/${ref}`);
      expect({ ref, ...body.data }).toMatchObject({ ref, id: `trd_${id}`, address, username: "Theo4" });
    }
  });

  test("a username of two traders means the one seen first", async () => {
    const { api, db } = await openFreshApi();
    const first = await aSeededTrader(db, { username: "twin" });
    await aSeededTrader(db, { username: "twin" });
    expect((await api.get(`${TRADER}/twin`)).body.data.id).toBe(`trd_${first.id}`);
  });

  test("an unseen address returns 200 with sync_status unknown and an id that can be requested again", async () => {
    const { api } = await openFreshApi();
    const { status, body } = await api.get(`${TRADER}/${UNSEEN}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      address: UNSEEN,
      pnl: {},
      stats: {},
      sync_status: "unknown",
      data_quality: { status: "unavailable" },
    });
    expect((await api.get(`${TRADER}/${body.data.id}`)).body.data).toEqual(body.data);
  });

  test.each(["nobody", "trd_999999", `0x${"e".repeat(39)}`])("the unknown trader %s returns 404", async (ref) => {
    const { api } = await openFreshApi();
    expect(errorOf(await api.get(`${TRADER}/${ref}`))).toEqual({ status: 404, reason: undefined, param: "address" });
  });

  test.each(["mkt_1", "wt_1", "rf_1", "trd_x"])("the reference %s is not a trader's id and is refused", async (ref) => {
    const { api } = await openFreshApi();
    expect(errorOf(await api.get(`${TRADER}/${ref}`))).toEqual({ status: 400, reason: undefined, param: "address" });
  });
});

describe("figures of a complete history", () => {
  // By hand: 100.50 - 20.25 - 1.001001 + 0.25 = 79.498999.
  const parts = {
    settledMicro: usd(-20.25),
    feesMicro: usd(1.001001),
    rebatesMicro: usd(0.25),
    volumeMicro: usd(1234.567899),
  };

  test.each([
    { realizedMicro: usd(100.5), displayed: 79.49, exact: "79.498999" },
    // 200 dollars less: -120.501001.
    { realizedMicro: usd(-99.5), displayed: -120.5, exact: "-120.501001" },
  ])(
    "realized profit includes fees and rebates and is truncated toward zero: $exact",
    async ({ realizedMicro, displayed, exact }) => {
      const { api, db } = await openFreshApi();
      const { address } = await aSeededTrader(db, { completeAt: SYNCED_AT, totals: { ...parts, realizedMicro } });
      const { pnl } = (await api.get(`${TRADER}/${address}`)).body.data;
      expect(pnl).toMatchObject({
        realized: displayed,
        exact: { realized: { value: exact, unit: "USD", scale: 6, basis: expect.any(String) } },
      });
    },
  );

  test("volume is truncated to cents and exact in a separate field", async () => {
    const { api, db } = await openFreshApi();
    const { address } = await aSeededTrader(db, { completeAt: SYNCED_AT, totals: { ...parts, realizedMicro: 0n } });
    const { stats } = (await api.get(`${TRADER}/${address}`)).body.data;
    expect(stats).toMatchObject({
      total_volume: 1234.56,
      exact: { total_volume: { value: "1234.567899", unit: "USD", scale: 6 } },
    });
  });

  test("win_rate is the percentage of decided markets with a profit over both outcomes after fees", async () => {
    const { api, db } = await openFreshApi();
    const wallet = await aSeededTrader(db, { completeAt: SYNCED_AT, totals: TOTALS });
    const positionIn = async (facts: object, market?: Awaited<ReturnType<typeof aMarket>>) =>
      aPosition(db, { trader: wallet, market: market ?? (await aMarket(db)), ...facts });
    await positionIn({ settledMicro: usd(10) });
    await positionIn({ settledMicro: usd(0), realizedMicro: usd(0.01) });
    // 5 - 4 - 1.50 in fees: a loss.
    const hedged = await aMarket(db);
    await positionIn({ settledMicro: usd(5), feesMicro: usd(1.5) }, hedged);
    await positionIn({ settledMicro: usd(-4), outcome: 1 }, hedged);
    // One that breaks even, and one that is not decided.
    await positionIn({ settledMicro: usd(0) });
    await positionIn({ realizedMicro: usd(100) });
    // Two of three, truncated to two decimals.
    expect((await api.get(`${TRADER}/${wallet.address}`)).body.data.stats).toMatchObject({
      markets_traded: 5,
      win_rate: 66.66,
    });
  });

  test("win_rate is absent while no market is decided", async () => {
    const { api, db } = await openFreshApi();
    const wallet = await aSeededTrader(db, { completeAt: SYNCED_AT, totals: TOTALS });
    await aPosition(db, { trader: wallet, market: await aMarket(db), realizedMicro: usd(5) });
    const { stats } = (await api.get(`${TRADER}/${wallet.address}`)).body.data;
    expect(stats).toMatchObject({ markets_traded: 1 });
    expect(stats).not.toHaveProperty("win_rate");
  });

  test("a trader has the times of its sync and its last activity", async () => {
    const { api, db } = await openFreshApi();
    const lastAt = new Date("2026-11-19T08:30:00Z");
    const { address } = await aSeededTrader(db, { completeAt: SYNCED_AT, grade: "B", totals: { ...TOTALS, lastAt } });
    expect((await api.get(`${TRADER}/${address}`)).body.data).toMatchObject({
      grade: "B",
      sync_status: "synced",
      synced_at: "2026-11-20T12:00:00.000Z",
      last_active: "2026-11-19T08:30:00.000Z",
      data_quality: { status: "fresh", as_of: "2026-11-20T12:00:00.000Z" },
    });
  });
});

describe("trader with an incomplete history", () => {
  test.each([
    { is: "that is not followed", facts: { totals: TOTALS }, sync_status: "unknown", quality: "unavailable" },
    {
      is: "that is still being read",
      facts: { isFollowed: true, totals: TOTALS },
      sync_status: "pending",
      quality: "unavailable",
    },
    {
      is: "with a gap in its history",
      facts: { completeAt: SYNCED_AT, gaps: ["CONVERSION"], totals: TOTALS },
      sync_status: "synced",
      quality: "partial",
    },
  ])("a trader $is has no figures, and a reason", async ({ facts, sync_status, quality }) => {
    const { api, db } = await openFreshApi();
    const { address } = await aSeededTrader(db, facts);
    const { data } = (await api.get(`${TRADER}/${address}`)).body;
    expect(data).toMatchObject({ sync_status, data_quality: { status: quality } });
    expect({ pnl: data.pnl, stats: data.stats }).toEqual({ pnl: {}, stats: {} });
    const groups: { group: string; status: string; reason?: string }[] = data.data_quality.field_groups;
    for (const name of ["sync", "volume", "positions"]) {
      expect(groups.find(({ group }) => group === name)).toMatchObject({
        status: quality,
        reason: expect.stringMatching(/./),
      });
    }
  });

  test("unknown fields of a trader are absent", async () => {
    const { api, db } = await openFreshApi();
    const { address } = await aSeededTrader(db);
    const { data } = (await api.get(`${TRADER}/${address}`)).body;
    expect(Object.keys(data).toSorted()).toEqual(["address", "data_quality", "id", "pnl", "stats", "sync_status"]);
  });
});

describe("max_age_s", () => {
  test("data younger than max_age_s is returned", async () => {
    const { api, db } = await openFreshApi();
    const { address } = await aSeededTrader(db, { completeAt: new Date(Date.now() - 60_000), totals: TOTALS });
    expect((await api.get(`${TRADER}/${address}?max_age_s=3600`)).status).toBe(200);
  });

  test("data older than max_age_s returns 409 with its age and time", async () => {
    const { api, db } = await openFreshApi();
    const completeAt = new Date(Date.now() - 60_000);
    const { address } = await aSeededTrader(db, { completeAt, totals: TOTALS });
    const response = await api.get(`${TRADER}/${address}?max_age_s=59`);
    expect(errorOf(response)).toEqual({ status: 409, reason: "freshness_ceiling_unsatisfied", param: "max_age_s" });
    expect(response.body.error.freshness).toEqual({
      max_age_s: 59,
      data_quality_status: "fresh",
      actual_age_s: expect.toSatisfy((age: number) => age >= 60 && age < 75),
      as_of: completeAt.toISOString(),
    });
  });

  test.each([
    { is: "that was never synced", facts: {}, quality: "unavailable" },
    {
      is: "that is synced now but partial",
      facts: { completeAt: new Date(), gaps: ["CONVERSION"] },
      quality: "partial",
    },
  ])("a trader $is satisfies no max_age_s", async ({ facts, quality }) => {
    const { api, db } = await openFreshApi();
    const { address } = await aSeededTrader(db, facts);
    const response = await api.get(`${TRADER}/${address}?max_age_s=1000000000`);
    expect(errorOf(response)).toMatchObject({ status: 409, reason: "freshness_ceiling_unsatisfied" });
    expect(response.body.error.freshness).toEqual({ max_age_s: 1_000_000_000, data_quality_status: quality });
  });

  test.each(["-1", "1.5", "soon"])("the max_age_s %s is refused", async (age) => {
    const { api } = await openFreshApi();
    const refusal = errorOf(await api.get(`${TRADER}/${UNSEEN}?max_age_s=${age}`));
    expect(refusal).toEqual({ status: 400, reason: "invalid_query", param: "max_age_s" });
  });
});

describe("the expanded trader", () => {
  test.each(["expand=trust", "expand[]=trust", "expand=strategy,trust", "expand=everything&expand=trust"])(
    "the query %s adds trust",
    async (query) => {
      const { api } = await openFreshApi();
      expect((await api.get(`${TRADER}/${UNSEEN}?${query}`)).body.data).toHaveProperty("trust");
    },
  );

  test.each(["", "expand=", "expand=everything", "expand=strategy,categories,quant_metrics"])(
    'the query "%s" adds nothing',
    async (query) => {
      const { api, db } = await openFreshApi();
      const { address } = await aSeededTrader(db, { completeAt: SYNCED_AT, totals: TOTALS });
      const plain = (await api.get(`${TRADER}/${address}`)).body.data;
      expect((await api.get(`${TRADER}/${address}?${query}`)).body.data).toEqual(plain);
      expect(plain).not.toHaveProperty("trust");
    },
  );

  test("trust tells computed, stored and missing values apart", async () => {
    const { api, db } = await openFreshApi();
    const completeAt = new Date(Date.now() - 60_000);
    const { address } = await aSeededTrader(db, { completeAt, totals: TOTALS });
    const { trust } = (await api.get(`${TRADER}/${address}?expand=trust`)).body.data;
    const fresh = { status: "fresh", as_of: completeAt.toISOString() };
    expect(trust.realized_pnl).toMatchObject({
      source: { kind: "computed" },
      freshness: fresh,
      completeness: { status: "complete" },
    });
    expect(trust.synced_at).toMatchObject({ source: { kind: "database" }, reconciliation: { status: "db_mirror" } });
    expect(trust.grade).toMatchObject({ source: { kind: "unavailable" }, completeness: { status: "not_computed" } });
  });

  test.each([
    { valuedAgo: 30, readAgo: 60, status: "fresh", asOfAgo: 60 },
    { valuedAgo: 90, readAgo: 60, status: "fresh", asOfAgo: 90 },
    { valuedAgo: 301, readAgo: 60, status: "stale", asOfAgo: 301 },
    { valuedAgo: null, readAgo: 60, status: "unknown", asOfAgo: null },
  ])(
    "trust in sums of positions has the older time of $valuedAgo and $readAgo seconds ago",
    async ({ valuedAgo, readAgo, status, asOfAgo }) => {
      const { api, db } = await openFreshApi();
      const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
      const [completeAt, succeededAt] = [ago(readAgo), valuedAgo === null ? null : ago(valuedAgo)];
      const { address } = await aSeededTrader(db, { completeAt, totals: TOTALS });
      if (succeededAt !== null) await db.insert(jobHeartbeats).values({ job: "value_positions", succeededAt });
      const { trust } = (await api.get(`${TRADER}/${address}?expand=trust`)).body.data;
      const asOf = asOfAgo === null ? {} : { as_of: (asOfAgo === readAgo ? completeAt : succeededAt)?.toISOString() };
      for (const name of ["unrealized_pnl", "net_total_pnl"])
        expect(trust[name].freshness).toEqual({ status, ...asOf });
    },
  );

  test("trust in a win rate without decided markets is unavailable", async () => {
    const { api, db } = await openFreshApi();
    const { address } = await aSeededTrader(db, { completeAt: SYNCED_AT, totals: TOTALS });
    const { trust } = (await api.get(`${TRADER}/${address}?expand=trust`)).body.data;
    expect(trust.win_rate).toMatchObject({ source: { kind: "unavailable" }, completeness: { status: "unavailable" } });
  });

  test("trust in absent figures is unavailable", async () => {
    const { api, db } = await openFreshApi();
    const { address } = await aSeededTrader(db, { isFollowed: true, totals: TOTALS });
    const { trust } = (await api.get(`${TRADER}/${address}?expand=trust`)).body.data;
    for (const name of ["realized_pnl", "win_rate", "total_volume", "markets_traded", "synced_at"]) {
      expect(trust[name]).toMatchObject({ source: { kind: "unavailable" }, completeness: { status: "unavailable" } });
    }
  });
});
