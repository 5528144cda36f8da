import { describe, expect, test } from "vitest";
import type { Operation } from "../../../src/api/operation.ts";
import { jobHeartbeats } from "../../../src/db/schema.ts";
import { API_OPERATIONS } from "../../../src/operations/index.ts";
import type { TestApiResponse } from "../../support/api/api-under-test.ts";
import { openFreshApi, type FreshApi } from "../../support/api/fresh-api.ts";
import {
  aCompletenessWorld,
  COMPLETENESS_TRADERS,
  type CompletenessCase,
} from "../../support/ingest/worlds/completeness-world.ts";
import { conditionOf, walletOf } from "../../support/ingest/provider/provider-trades.ts";
import { registryRequestTo, type ValueOf } from "../../support/registry/registry-requests.ts";
import { widestValues } from "../../support/registry/world-values.ts";
import { theFillFeedWasRead } from "../../support/seed/large-trades.ts";
import { aMarket } from "../../support/seed/markets.ts";
import { aPosition } from "../../support/seed/traders/positions.ts";
import { aSeededTrader } from "../../support/seed/traders/traders.ts";

/** Built by the first test that needs it: the database session ends with that test. */
let apiPromise: Promise<FreshApi["api"]> | null = null;
const theApi = (): Promise<FreshApi["api"]> => (apiPromise ??= build());

async function build(): Promise<FreshApi["api"]> {
  const { api, db, openPool } = await openFreshApi();
  await aCompletenessWorld(db, openPool());
  return api;
}

const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6));
const traderOf = async (state: CompletenessCase) =>
  (
    await (
      await theApi()
    ).get(`/api/v1/trader/${walletOf(COMPLETENESS_TRADERS[state])}?expand=strategy,categories,quant_metrics,trust`)
  ).body.data;

/** The reason that every response about such a trader's profit must contain. */
const UNMATCHED =
  "profit and win rates exclude $60.00 received for shares without a recorded acquisition, in 1 position";
const COMBINING =
  "profit and win rates exclude 1 combination of markets ($11.00 bought and sold), whose legs are not known";
const UNPROVEN = "profit and win rates exclude activity in combinations of markets that is not read or not proven";
const REASONS: Partial<Record<CompletenessCase, string>> = {
  unmatched: UNMATCHED,
  combining: COMBINING,
  unproven: UNPROVEN,
};

/** 5.00 won in market 1, 2.00 lost in market 2; open shares worth 60,000 that cost 50,000 in market 3. */
const ORDINARY = { realized: 3, unrealized: 10_000, net_total: 10_003 };

describe("trader with sales of shares that it never bought", () => {
  test("an unmatched trader has the profit of its other trades and the reason for what profit leaves out", async () => {
    const trader = await traderOf("unmatched");
    // 5 + 2 + 50,000 bought, 60 sold. One of two decided markets was won; the profit of market 4 is unknown.
    expect(trader).toMatchObject({
      pnl: ORDINARY,
      stats: { total_volume: 50_067, markets_traded: 4, win_rate: 50 },
      sync_status: "synced",
    });
    expect(trader.data_quality.status).toBe("partial");
    const groups = trader.data_quality.field_groups;
    expect(groups.find(({ group }: { group: string }) => group === "pnl")).toMatchObject({
      ...{
        status: "partial",
        owner: "trader_totals.realized_micro",
        as_of: trader.synced_at,
        reason: expect.stringContaining(UNMATCHED),
      },
    });
    expect(groups.find(({ group }: { group: string }) => group === "volume")).toMatchObject({ status: "fresh" });
    for (const name of ["realized_pnl", "unrealized_pnl", "net_total_pnl", "win_rate", "daily_win_rate"]) {
      expect([name, trader.trust[name].completeness]).toEqual([
        name,
        { status: "partial", detail: expect.stringContaining(UNMATCHED) },
      ]);
    }
    for (const name of ["total_volume", "markets_traded"])
      expect([name, trader.trust[name].completeness]).toEqual([name, { status: "complete" }]);
  });

  test("an unmatched trader's position summary covers three of its four markets", async () => {
    const { data } = (await (await theApi()).get(`/api/v1/trader/${walletOf(COMPLETENESS_TRADERS.unmatched)}/context`))
      .body;
    expect(data.position_summary).toMatchObject({
      markets_synced: 4,
      sync_coverage: 0.75,
      total_realized_pnl: 3,
      resolved_wins: 1,
      resolved_decided: 2,
    });
    expect(data.freshness_note).toContain(UNMATCHED);
  });
});

describe("trader with one combination", () => {
  test("a trader with a combination has volume and counts of all markets and the profit of ordinary ones", async () => {
    const trader = await traderOf("combining");
    // 5 + 2 + 50,000 in the ordinary markets, 10 + 1 in the combination, whose sale below cost does not count
    // as a loss.
    expect(trader).toMatchObject({
      pnl: ORDINARY,
      stats: { total_volume: 50_018, markets_traded: 4, win_rate: 50 },
      rank: expect.any(Number),
    });
    expect(trader.data_quality.status).toBe("partial");
    expect(trader.trust.realized_pnl.completeness).toEqual({
      status: "partial",
      detail: expect.stringContaining(COMBINING),
    });
    expect(trader.trust.total_volume.completeness).toEqual({ status: "complete" });
    const { quant_metrics, strategy: _ } = await traderOf("combining");
    expect(quant_metrics).toEqual((await traderOf("complete")).quant_metrics);
  });

  test("a trader with a combination has a profit curve of ordinary markets and the volume of all", async () => {
    const [combining, complete] = await Promise.all(
      (["combining", "complete"] as const).map(
        async (state) =>
          (await (await theApi()).get(`/api/v1/trader/${walletOf(COMPLETENESS_TRADERS[state])}/pnl`)).body.data,
      ),
    );
    expect(combining.completeness).toEqual({ status: "partial", detail: expect.stringContaining(COMBINING) });
    expect(combining.stats).toEqual(complete.stats);
    expect(combining.year_totals).toEqual(complete.year_totals);
    const volumes = combining.entries.map(({ total_volume }: { total_volume: number }) => total_volume);
    expect(volumes.reduce((sum: number, one: number) => sum + one, 0)).toBe(50_018);
    expect(combining.drawdown.at(-1).cumulative_profit).toBe(3);
  });

  test("a trader with a combination is on the leaderboards with partial figures", async () => {
    const row = async (path: string) =>
      (await (await theApi()).get(path)).body.data.find(
        ({ address }: { address: string }) => address === walletOf(COMPLETENESS_TRADERS.combining),
      );
    const partial = { status: "partial", detail: expect.stringContaining(COMBINING) };
    expect(await row("/api/v1/leaderboard")).toMatchObject({
      realized_pnl: 3,
      volume: 50_018,
      markets_traded: 4,
      win_rate: 0.5,
      completeness: partial,
    });
    expect(await row("/api/v1/leaderboard/trending")).toMatchObject({
      all_time_pnl_usd: 10_003,
      completeness: partial,
    });
  });

  test("a combination counts in the total of a trader's positions but is not listed", async () => {
    const { body } = await (await theApi()).get(`/api/v1/positions?wallet=${walletOf(COMPLETENESS_TRADERS.combining)}`);
    expect(body.data.map(({ market }: any) => market.condition_id)).toEqual([conditionOf(3)]);
    // Half of the 10 dollars remains in it.
    expect(body).toMatchObject({ total: 2, meta: { unlisted: { positions: 1, cost_usd: 5 } } });
  });
});

describe("fifty open positions without a price", () => {
  async function aHolder(priced: number) {
    const { api, db } = await openFreshApi();
    await theFillFeedWasRead(db, new Date());
    await db.insert(jobHeartbeats).values({ job: "value_positions", succeededAt: new Date() });
    const wallet = await aSeededTrader(db, { completeAt: new Date(), totals: {} });
    const markets = await Promise.all(Array.from({ length: 50 }, () => aMarket(db, { category: "Politics" })));
    for (const [index, market] of markets.entries()) {
      const costMicro = index === 0 ? usd(85.87) : usd(79);
      await aPosition(db, { trader: wallet, market, sharesMicro: usd(100), costMicro, valueMicro: null });
    }
    for (let one = 0; one < priced; one++) {
      await aPosition(db, {
        trader: wallet,
        market: await aMarket(db),
        sharesMicro: usd(10),
        costMicro: usd(4),
        valueMicro: usd(5 + one),
      });
    }
    return {
      api,
      wallet,
      market: markets[0],
      read: async (query = "") => (await api.get(`/api/v1/positions?wallet=${wallet.address}${query}`)).body,
    };
  }

  test("positions without a price are counted with their cost in total, meta and data_quality", async () => {
    const { read } = await aHolder(0);
    const body = await read();
    expect(body).toMatchObject({
      data: [],
      has_more: false,
      total: 50,
      meta: { unlisted: { positions: 50, cost_usd: 3956.87 } },
    });
    expect(body.data_quality.status).toBe("partial");
    const reason = body.data_quality.field_groups.find(({ group }: { group: string }) => group === "values").reason;
    expect(reason).toContain("50 open positions");
  });

  test("positions without a price leave the pages, order and total of priced ones unchanged, live and in a snapshot", async () => {
    const { api, wallet, read } = await aHolder(3);
    for (const mode of ["", "&consistency=snapshot"]) {
      const pages = await api.walk(`/api/v1/positions?wallet=${wallet.address}&limit=2${mode}`);
      expect(pages.map(({ body }) => body.data.map((row: any) => row.current_value_usd))).toEqual([[7, 6], [5]]);
      for (const { body } of pages)
        expect(body).toMatchObject({ total: 53, meta: { unlisted: { positions: 50, cost_usd: 3956.87 } } });
    }
    // Whether they reach a minimum value is unknown.
    expect(await read("&min_size=6")).toMatchObject({ total: 2, meta: { unlisted: { positions: 50 } } });
  });

  test("positions without a price follow the list's filters and the requested market", async () => {
    const { api, market, read } = await aHolder(1);
    expect(await read("&category=Sports")).toMatchObject({ total: 0 });
    expect((await read("&category=Sports")).meta).not.toHaveProperty("unlisted");
    expect(await read("&side=no")).toMatchObject({ total: 0 });
    expect(await read(`&condition_id=mkt_${market?.id}`)).toMatchObject({
      total: 1,
      meta: { unlisted: { positions: 1, cost_usd: 85.87 } },
    });
    const { body } = await api.get(`/api/v1/positions?condition_id=mkt_${market?.id}&min_size=0`);
    expect(body).toMatchObject({ data: [], total: 1, meta: { unlisted: { positions: 1, cost_usd: 85.87 } } });
  });

  test("positions without a price have a null cost while the trader's history is incomplete", async () => {
    const { api, db } = await openFreshApi();
    const wallet = await aSeededTrader(db, { isFollowed: true });
    await aPosition(db, {
      trader: wallet,
      market: await aMarket(db),
      sharesMicro: usd(100),
      costMicro: usd(79),
      valueMicro: null,
    });
    const { body } = await api.get(`/api/v1/positions?wallet=${wallet.address}`);
    expect(body.meta.unlisted).toEqual({ positions: 1, cost_usd: null });
  });
});

/*
 * Over the registry: a response that shows a trader's partial results has the reason beside them and does not
 * call them complete anywhere.
 */
const RESULTS =
  /^(realized|unrealized|net_total|realized_pnl|total_realized_pnl|all_time_pnl_usd|win_rate|daily_win_rate|monthly|entries|streak_tier|quant_metrics|records)$/;
/** Values of a trader's trust object that are results. */
const TRUSTED_RESULTS = [
  "realized_pnl",
  "unrealized_pnl",
  "net_total_pnl",
  "win_rate",
  "daily_win_rate",
  "streak_tier",
  "quant_metrics",
];

/** Reads without any trader's results. */
const WITHOUT_RESULTS =
  /^(getApiDiscovery|redirectApiOpenapiSpec|getHealth|getCoverage|getPlatforms|registerAgent|getUsage|getAccountIdentity|searchContent|getRecord|\w+Watchlists?)$/;
/** These reads show figures of a trader that do not depend on its complete history. */
const NO_RESULTS =
  /Counterpart|LargeTrade|WhaleTrade|Suspicious|InsiderRadar|Report|Candles|Snapshot|Flow|Intel|EventReplay|searchMarkets|exploreMarkets|GradeAt|Timeline|MarketHolders|MarketContext|PreGame|Edge|Game|PickOfTheDay|Combo|Proof/;

const READS = API_OPERATIONS.filter(
  ({ id, kind, scope }) =>
    kind !== "stream" &&
    scope !== "webhooks" &&
    scope !== "export" &&
    !WITHOUT_RESULTS.test(id) &&
    !NO_RESULTS.test(id),
);

function membersOf(value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] => [[name, inner], ...membersOf(inner)]);
}

async function send(operation: Operation, state: CompletenessCase): Promise<TestApiResponse> {
  const required: ValueOf = (name) =>
    ({
      address: walletOf(COMPLETENESS_TRADERS[state]),
      traders: [walletOf(COMPLETENESS_TRADERS[state])],
      condition_id: conditionOf(3),
    })[name];
  const optionalValue: ValueOf = (name, of) =>
    name === "wallet" && of.id === "listPositions" ? walletOf(COMPLETENESS_TRADERS[state]) : widestValues(name, of);
  const { path, body } = registryRequestTo(operation, required, optionalValue);
  return body === undefined ? (await theApi()).get(path) : (await theApi()).post(path, body);
}

/** The parts of a response that name the trader. */
function partsOf({ body }: TestApiResponse, state: CompletenessCase): any[] {
  const rows: unknown[] = Array.isArray(body.data) ? body.data : [body.data];
  return rows.filter(
    (row) => JSON.stringify(row).includes(walletOf(COMPLETENESS_TRADERS[state])) || !Array.isArray(body.data),
  );
}

describe.each(["unmatched", "combining", "unproven"] as const)("trader that is %s", (state) => {
  const isText = ({ kind }: Operation) => kind === "text";

  test.each(READS.filter(isText).map((operation) => [operation.id, operation] as const))(
    "%s contains the reason why its text is partial",
    async (_, operation) => {
      const { text } = await send(operation, state);
      expect(text).toContain(REASONS[state]);
      expect(text).not.toContain("complete as of");
    },
  );

  test.each(READS.filter((operation) => !isText(operation)).map((operation) => [operation.id, operation] as const))(
    "%s calls no partial figure complete",
    async (id, operation) => {
      const response = await send(operation, state);
      expect({ id, status: response.status }).toEqual({ id, status: 200 });
      const parts = partsOf(response, state);
      // Without any result in the response the test would prove nothing.
      const results = parts.flatMap((part) => membersOf(part).filter(([name]) => RESULTS.test(name)));
      expect({ id, shows: results.length > 0 }).toEqual({ id, shows: true });
      for (const part of parts) {
        expect(JSON.stringify(part)).toContain(REASONS[state]);
        const members = membersOf(part);
        const claims = members.filter(
          ([name, value]) => name === "completeness" && (value as any).status === "complete",
        );
        const trusts = members.filter(([name]) => name === "trust").map(([, value]) => value as any);
        // Values that are not results may be complete.
        const trusted = trusts.flatMap((trust) =>
          Object.entries(trust).filter(([, value]: any) => value.completeness.status === "complete"),
        );
        expect(trusted.filter(([name]) => TRUSTED_RESULTS.includes(name)).map(([name]) => name)).toEqual([]);
        expect(claims.length).toBe(trusted.length);
        const qualities = members.filter(([name]) => name === "data_quality").map(([, value]) => (value as any).status);
        expect(qualities).not.toContain("fresh");
      }
    },
  );
});

test.each([
  ["gapped", "partial"],
  ["pending", "unavailable"],
] as const)("a trader that is %s has no results and has a reason", async (state, quality) => {
  const trader = await traderOf(state);
  expect(trader).toMatchObject({ pnl: {}, stats: {}, data_quality: { status: expect.not.stringMatching("fresh") } });
  expect(trader.data_quality.field_groups.find(({ group }: any) => group === "pnl")).toMatchObject({
    status: quality,
    reason: expect.stringMatching(/./),
  });
  const { data: pnl } = (await (await theApi()).get(`/api/v1/trader/${walletOf(COMPLETENESS_TRADERS[state])}/pnl`))
    .body;
  expect(pnl).toMatchObject({
    freshness_at: null,
    completeness: { status: "unavailable", detail: expect.stringMatching(/./) },
  });
});

test("a trader with a complete history is marked complete in every response", async () => {
  const trader = await traderOf("complete");
  expect(trader).toMatchObject({
    pnl: ORDINARY,
    stats: { total_volume: 50_007, markets_traded: 3, win_rate: 50 },
    data_quality: { status: "fresh" },
  });
  for (const name of TRUSTED_RESULTS.slice(0, 5))
    expect([name, trader.trust[name].completeness]).toEqual([name, { status: "complete" }]);
  for (const path of ["/api/v1/leaderboard", "/api/v1/leaderboard/trending"]) {
    const row = (await (await theApi()).get(path)).body.data.find(
      ({ address }: { address: string }) => address === walletOf(COMPLETENESS_TRADERS.complete),
    );
    expect(row.completeness).toEqual({ status: "complete" });
  }
});
