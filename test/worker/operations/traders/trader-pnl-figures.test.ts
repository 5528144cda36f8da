import { describe, expect, test } from "vitest";
import { providerFigures } from "../../../../src/db/schema.ts";
import { openFreshApi } from "../../../support/api/fresh-api.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { aPosition, type PositionFacts } from "../../../support/seed/traders/positions.ts";
import { aSeededTrader, type SeededTraderFacts } from "../../../support/seed/traders/traders.ts";

const usd = (dollars: number) => BigInt(Math.round(dollars * 1_000_000));
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const HELD = { sharesMicro: usd(100) };

/** A trader with a complete history and a realized profit of 79.498999. */
async function aTrader(facts: Partial<SeededTraderFacts> = {}) {
  const { api, db } = await openFreshApi();
  const trader = await aSeededTrader(db, {
    completeAt: minutesAgo(1),
    totals: { realizedMicro: usd(79.498999) },
    ...facts,
  });
  return {
    db,
    trader,
    addPosition: async (position: Omit<PositionFacts, "trader" | "market">) =>
      aPosition(db, { trader, market: await aMarket(db), ...HELD, ...position }),
    figures: (row: Partial<typeof providerFigures.$inferInsert>) =>
      db.insert(providerFigures).values({ traderId: trader.id, ...row }),
    read: async () => (await api.get(`/api/v1/trader/${trader.address}?expand=trust`)).body.data,
  };
}

const groupOf = (data: { data_quality: { field_groups: { group: string }[] } }, name: string) =>
  data.data_quality.field_groups.find(({ group }) => group === name);

describe("unrealized profit", () => {
  test("unrealized profit is the value less the cost of open positions only", async () => {
    const { addPosition, read } = await aTrader();
    // By hand: 120.005 + 30 - 100 - 45.5 = 4.505, and 79.498999 + 4.505 = 84.003999.
    await addPosition({ valueMicro: usd(120.005), costMicro: usd(100) });
    await addPosition({ valueMicro: usd(30), costMicro: usd(45.5), outcome: 1 });
    await addPosition({ sharesMicro: 0n, costMicro: 0n });
    await addPosition({ settledMicro: usd(-10), costMicro: usd(10) });
    expect((await read()).pnl).toMatchObject({ realized: 79.49, unrealized: 4.5, net_total: 84 });
  });

  test("an unrealized loss is truncated toward zero", async () => {
    const { addPosition, read } = await aTrader();
    await addPosition({ valueMicro: 0n, costMicro: usd(0.009999) });
    await addPosition({ valueMicro: usd(1), costMicro: usd(90.005) });
    // -89.014999, and 79.498999 less that is -9.516.
    expect((await read()).pnl).toMatchObject({ unrealized: -89.01, net_total: -9.51 });
  });

  test("unrealized profit is 0 for a trader without positions", async () => {
    const { read } = await aTrader();
    expect((await read()).pnl).toMatchObject({ unrealized: 0, net_total: 79.49 });
  });

  test("unrealized profit and net_total are absent with a reason when one position has no price", async () => {
    const { addPosition, read } = await aTrader();
    await addPosition({ valueMicro: usd(120), costMicro: usd(100) });
    await addPosition({ valueMicro: null, costMicro: usd(1) });
    const data = await read();
    expect(data.pnl).toMatchObject({ realized: 79.49 });
    for (const [value, trust] of [
      ["unrealized", "unrealized_pnl"],
      ["net_total", "net_total_pnl"],
    ] as const) {
      expect(data.pnl).not.toHaveProperty(value);
      expect(data.trust[trust]).toMatchObject({
        source: { kind: "unavailable" },
        completeness: { status: "unavailable", detail: expect.stringContaining("no price") },
      });
    }
    expect(groupOf(data, "positions")).toMatchObject({
      status: "partial",
      reason: expect.stringContaining("no price"),
    });
    expect(data.data_quality.status).toBe("partial");
  });

  test("unrealized profit is computed, with the unknown freshness of its prices", async () => {
    const { trust } = await (await aTrader()).read();
    for (const name of ["unrealized_pnl", "net_total_pnl"]) {
      expect(trust[name]).toMatchObject({
        source: { kind: "computed" },
        freshness: { status: "unknown" },
        completeness: { status: "complete" },
      });
    }
  });

  test.each([
    { is: "with an incomplete history", facts: { completeAt: null, isFollowed: true } },
    { is: "with a gap in its history", facts: { gaps: ["CONVERSION"] } },
    { is: "that is not followed", facts: { completeAt: null } },
  ])("unrealized profit of a trader $is is absent", async ({ facts }) => {
    const { addPosition, read } = await aTrader(facts);
    await addPosition({ valueMicro: usd(120), costMicro: usd(100) });
    expect((await read()).pnl).toEqual({});
  });
});

describe("provider's profit", () => {
  const CORRECTION = {
    correctionMicro: usd(-12.345678),
    realizedMicro: usd(50),
    netMicro: usd(60),
    marketsMeasured: 3,
    marketsExcluded: 1,
  };

  test("the provider's profit is truncated to cents and separate from ours, with its own time", async () => {
    const { figures, read } = await aTrader();
    const boardAsOf = minutesAgo(30);
    await figures({ allTimePnlUsd: "-1234.567", boardAsOf });
    const { pnl, trust } = await read();
    expect(pnl).toMatchObject({ total: -1234.56, realized: 79.49 });
    expect(pnl).not.toHaveProperty("correction");
    expect(trust.total_pnl).toMatchObject({
      source: { kind: "provider", owner: "provider_figures.all_time_pnl_usd" },
      freshness: { status: "fresh", as_of: boardAsOf.toISOString() },
      reconciliation: { status: "provider_backed" },
      completeness: { status: "complete" },
    });
  });

  test("the provider's profit is shown when ours is absent", async () => {
    const { figures, read } = await aTrader({ gaps: ["CONVERSION"] });
    await figures({ allTimePnlUsd: "10", boardAsOf: minutesAgo(30) });
    expect((await read()).pnl).toEqual({ total: 10 });
  });

  test("the provider's profit has its measured correction", async () => {
    const { figures, read } = await aTrader();
    const measuredAt = minutesAgo(40);
    await figures({ allTimePnlUsd: "100", boardAsOf: minutesAgo(30), ...CORRECTION, measuredAt });
    expect((await read()).pnl.correction).toMatchObject({
      amount: -12.34,
      realized: 50,
      net_total: 60,
      as_of: measuredAt.toISOString(),
      markets_measured: 3,
      markets_excluded: 1,
    });
  });

  test.each([
    { is: "was never read", row: null, status: "not_computed", why: "have not been read" },
    {
      is: "is not on the provider's board",
      row: { boardAsOf: minutesAgo(1) },
      status: "unavailable",
      why: "does not rank this trader",
    },
  ])("a provider's profit that $is is absent with a reason", async ({ row, status, why }) => {
    const { figures, read } = await aTrader();
    if (row !== null) await figures(row);
    const { pnl, trust } = await read();
    expect(pnl).not.toHaveProperty("total");
    expect(trust.total_pnl).toMatchObject({
      source: { kind: "unavailable" },
      completeness: { status, detail: expect.stringContaining(why) },
    });
  });
});

describe("trust in profit", () => {
  test.each([
    { tier: "hot", minutes: 55, status: "fresh" },
    { tier: "hot", minutes: 65, status: "refreshing" },
    { tier: "warm", minutes: 65, status: "refreshing" },
    { tier: "cold", minutes: 55, status: "fresh" },
    { tier: "cold", minutes: 65, status: "stale" },
  ])(
    "trust in the figures of a $tier trader read $minutes minutes ago is $status",
    async ({ tier, minutes, status }) => {
      const completeAt = minutesAgo(minutes);
      const { read } = await aTrader({ completeAt, tier });
      const { trust } = await read();
      for (const name of ["realized_pnl", "markets_traded", "total_volume"]) {
        expect(trust[name].freshness).toMatchObject({ status, as_of: completeAt.toISOString() });
      }
    },
  );

  test("trust in a provider's profit older than a day is stale", async () => {
    const { figures, read } = await aTrader();
    await figures({ allTimePnlUsd: "1", boardAsOf: minutesAgo(1440 + 1) });
    expect((await read()).trust.total_pnl.freshness.status).toBe("stale");
  });
});
