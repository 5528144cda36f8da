import { describe, expect, test } from "vitest";
import type { Operation } from "../../../src/api/operation.ts";
import { jobHeartbeats } from "../../../src/db/schema.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import type { Answer } from "../../support/api-under-test.ts";
import { openFreshApi, type FreshApi } from "../../support/fresh-api.ts";
import { aCompletenessWorld, WALLETS, type WalletState } from "../../support/ingest/completeness-world.ts";
import { conditionOf, walletOf } from "../../support/ingest/trades.ts";
import { requestTo, type ValueOf } from "../../support/registry/requests.ts";
import { widest } from "../../support/registry/world-values.ts";
import { theFillFeedWasRead } from "../../support/seed/large-trades.ts";
import { aMarket } from "../../support/seed/markets.ts";
import { aPosition } from "../../support/seed/positions.ts";
import { aWallet } from "../../support/seed/wallets.ts";

/** Built by the first test that asks: the session it is built with ends with that test. */
let built: Promise<FreshApi["api"]> | null = null;
const theApi = (): Promise<FreshApi["api"]> => (built ??= build());

async function build(): Promise<FreshApi["api"]> {
  const { api, db, openPool } = await openFreshApi();
  await aCompletenessWorld(db, openPool());
  return api;
}

const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6));
const traderOf = async (state: WalletState) =>
  (await (await theApi()).get(`/api/v1/trader/${walletOf(WALLETS[state])}?expand=strategy,categories,quant_metrics,trust`)).body.data;

/** What each answer about such a wallet's profit has to say. */
const UNMATCHED = "profit and win rates leave out $60.00 received for shares that the wallet was never seen to acquire, in 1 position";
const COMBINING = "profit and win rates leave out 1 combination of markets ($11.00 bought and sold), whose results are not known";
const SAID: Partial<Record<WalletState, string>> = { unmatched: UNMATCHED, combining: COMBINING };

/** 5.00 won in market 1 and 2.00 lost in market 2; 60,000 for 50,000 held in market 3. */
const ORDINARY = { realized: 3, unrealized: 10_000, net_total: 10_003 };

describe("a wallet that sold 100 shares for 60 dollars which it was never seen to buy, after ordinary trades", () => {
  test("has the profit of its other trades, volume and counts, and says what profit leaves out", async () => {
    const trader = await traderOf("unmatched");
    // 5 + 2 + 50,000 bought, 60 sold; one of the two decided markets was won, and what market 4 made is not known.
    expect(trader).toMatchObject({
      pnl: ORDINARY,
      stats: { total_volume: 50_067, markets_traded: 4, win_rate: 50 },
      sync_status: "synced",
    });
    expect(trader.data_quality.status).toBe("partial");
    const groups = trader.data_quality.field_groups;
    expect(groups.find(({ group }: { group: string }) => group === "pnl")).toMatchObject({
      ...{ status: "partial", owner: "trader_totals.realized_micro", as_of: trader.synced_at, reason: expect.stringContaining(UNMATCHED) },
    });
    expect(groups.find(({ group }: { group: string }) => group === "volume")).toMatchObject({ status: "fresh" });
    for (const name of ["realized_pnl", "unrealized_pnl", "net_total_pnl", "win_rate", "daily_win_rate"]) {
      expect([name, trader.trust[name].completeness]).toEqual([name, { status: "partial", detail: expect.stringContaining(UNMATCHED) }]);
    }
    for (const name of ["total_volume", "markets_traded"])
      expect([name, trader.trust[name].completeness]).toEqual([name, { status: "complete" }]);
  });

  test("has a summary of positions that covers three of its four markets", async () => {
    const { data } = (await (await theApi()).get(`/api/v1/trader/${walletOf(WALLETS.unmatched)}/context`)).body;
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

describe("a wallet with one combination and three ordinary markets", () => {
  test("keeps its figures: volume and counts of all, and the profit of its ordinary markets", async () => {
    const trader = await traderOf("combining");
    // 5 + 2 + 50,000 in the ordinary markets, 10 + 1 in the combination, whose sale at a loss is no loss.
    expect(trader).toMatchObject({
      pnl: ORDINARY,
      stats: { total_volume: 50_018, markets_traded: 4, win_rate: 50 },
      rank: expect.any(Number),
    });
    expect(trader.data_quality.status).toBe("partial");
    expect(trader.trust.realized_pnl.completeness).toEqual({ status: "partial", detail: expect.stringContaining(COMBINING) });
    expect(trader.trust.total_volume.completeness).toEqual({ status: "complete" });
    const { quant_metrics, strategy: _ } = await traderOf("combining");
    expect(quant_metrics).toEqual((await traderOf("complete")).quant_metrics);
  });

  test("has a curve of its ordinary markets, whose volume is of all", async () => {
    const [combining, complete] = await Promise.all(
      (["combining", "complete"] as const).map(
        async (state) => (await (await theApi()).get(`/api/v1/trader/${walletOf(WALLETS[state])}/pnl`)).body.data,
      ),
    );
    expect(combining.completeness).toEqual({ status: "partial", detail: expect.stringContaining(COMBINING) });
    expect(combining.stats).toEqual(complete.stats);
    expect(combining.year_totals).toEqual(complete.year_totals);
    const volumes = combining.entries.map(({ total_volume }: { total_volume: number }) => total_volume);
    expect(volumes.reduce((sum: number, one: number) => sum + one, 0)).toBe(50_018);
    expect(combining.drawdown.at(-1).cumulative_profit).toBe(3);
  });

  test("stands on the boards with those figures", async () => {
    const row = async (path: string) =>
      (await (await theApi()).get(path)).body.data.find(({ address }: { address: string }) => address === walletOf(WALLETS.combining));
    const partial = { status: "partial", detail: expect.stringContaining(COMBINING) };
    expect(await row("/api/v1/leaderboard")).toMatchObject({
      realized_pnl: 3,
      volume: 50_018,
      markets_traded: 4,
      win_rate: 0.5,
      completeness: partial,
    });
    expect(await row("/api/v1/leaderboard/trending")).toMatchObject({ all_time_pnl_usd: 10_003, completeness: partial });
  });

  test("holds the combination, which is counted and not listed", async () => {
    const { body } = await (await theApi()).get(`/api/v1/positions?wallet=${walletOf(WALLETS.combining)}`);
    expect(body.data.map(({ market }: any) => market.condition_id)).toEqual([conditionOf(3)]);
    // Half of the 10 dollars is left in it.
    expect(body).toMatchObject({ total: 2, meta: { unlisted: { positions: 1, cost_usd: 5 } } });
  });
});

describe("50 open positions without a price, which cost 3,956.87 dollars", () => {
  async function aHolder(priced: number) {
    const { api, db } = await openFreshApi();
    await theFillFeedWasRead(db, new Date());
    await db.insert(jobHeartbeats).values({ job: "values", succeededAt: new Date() });
    const wallet = await aWallet(db, { completeAt: new Date(), totals: {} });
    const markets = await Promise.all(Array.from({ length: 50 }, () => aMarket(db, { category: "Politics" })));
    for (const [index, market] of markets.entries()) {
      const costMicro = index === 0 ? usd(85.87) : usd(79);
      await aPosition(db, { wallet, market, sharesMicro: usd(100), costMicro, valueMicro: null });
    }
    for (let one = 0; one < priced; one++) {
      await aPosition(db, { wallet, market: await aMarket(db), sharesMicro: usd(10), costMicro: usd(4), valueMicro: usd(5 + one) });
    }
    return {
      api,
      wallet,
      market: markets[0],
      read: async (query = "") => (await api.get(`/api/v1/positions?wallet=${wallet.address}${query}`)).body,
    };
  }

  test("are counted with what they cost, in total and in the quality of the answer", async () => {
    const { read } = await aHolder(0);
    const body = await read();
    expect(body).toMatchObject({ data: [], has_more: false, total: 50, meta: { unlisted: { positions: 50, cost_usd: 3956.87 } } });
    expect(body.data_quality.status).toBe("partial");
    const reason = body.data_quality.field_groups.find(({ group }: { group: string }) => group === "values").reason;
    expect(reason).toContain("50 open positions");
  });

  test("leave the pages, order and counts of those with a price as they are, live and frozen", async () => {
    const { api, wallet, read } = await aHolder(3);
    for (const mode of ["", "&consistency=snapshot"]) {
      const pages = await api.walk(`/api/v1/positions?wallet=${wallet.address}&limit=2${mode}`);
      expect(pages.map(({ body }) => body.data.map((row: any) => row.current_value_usd))).toEqual([[7, 6], [5]]);
      for (const { body } of pages) expect(body).toMatchObject({ total: 53, meta: { unlisted: { positions: 50, cost_usd: 3956.87 } } });
    }
    // Whether they reach a least value is not known.
    expect(await read("&min_size=6")).toMatchObject({ total: 2, meta: { unlisted: { positions: 50 } } });
  });

  test("follow the filters of the list, and are those of one market where it is asked for", async () => {
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

  test("have no cost in the answer while the wallet's whole activity is not known", async () => {
    const { api, db } = await openFreshApi();
    const wallet = await aWallet(db, { followed: true });
    await aPosition(db, { wallet, market: await aMarket(db), sharesMicro: usd(100), costMicro: usd(79), valueMicro: null });
    const { body } = await api.get(`/api/v1/positions?wallet=${wallet.address}`);
    expect(body.meta.unlisted).toEqual({ positions: 1, cost_usd: null });
  });
});

/*
 * Over the registry: whatever an answer shows of what a wallet made, it says beside it that this is partial and why, and nowhere that it is
 * complete.
 */
const RESULTS =
  /^(realized|unrealized|net_total|realized_pnl|total_realized_pnl|all_time_pnl_usd|win_rate|daily_win_rate|monthly|entries|streak_tier|quant_metrics|records)$/;
/** Values of a trader's trust that are results. */
const TRUSTED_RESULTS = ["realized_pnl", "unrealized_pnl", "net_total_pnl", "win_rate", "daily_win_rate", "streak_tier", "quant_metrics"];

/** Reads of nothing that concerns a wallet's results. */
const WITHOUT_RESULTS =
  /^(getApiDiscovery|redirectApiOpenapiSpec|getHealth|getCoverage|getPlatforms|getUsage|getAccountIdentity|searchContent)$/;
/** What these reads show of a wallet is no result of all it did. */
const NO_RESULTS =
  /Counterpart|LargeTrade|WhaleTrade|Suspicious|InsiderRadar|Report|Candles|Snapshot|Flow|Intel|EventReplay|searchMarkets|exploreMarkets|GradeAt|Timeline|MarketHolders|MarketContext/;

const READS = OPERATIONS.filter(
  ({ id, kind, scope }) =>
    kind !== "stream" && scope !== "webhooks" && scope !== "export" && !WITHOUT_RESULTS.test(id) && !NO_RESULTS.test(id),
);

function membersOf(value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] => [[name, inner], ...membersOf(inner)]);
}

async function ask(operation: Operation, state: WalletState): Promise<Answer> {
  const required: ValueOf = (name) =>
    ({ address: walletOf(WALLETS[state]), traders: [walletOf(WALLETS[state])], condition_id: conditionOf(3) })[name];
  const offered: ValueOf = (name, of) => (name === "wallet" && of.id === "listPositions" ? walletOf(WALLETS[state]) : widest(name, of));
  const { path, body } = requestTo(operation, required, offered);
  return body === undefined ? (await theApi()).get(path) : (await theApi()).post(path, body);
}

/** The parts of an answer that name the wallet. */
function partsOf({ body }: Answer, state: WalletState): any[] {
  const rows: unknown[] = Array.isArray(body.data) ? body.data : [body.data];
  return rows.filter((row) => JSON.stringify(row).includes(walletOf(WALLETS[state])) || !Array.isArray(body.data));
}

describe.each(["unmatched", "combining"] as const)("of a wallet that is %s", (state) => {
  const isText = ({ kind }: Operation) => kind === "text";

  test.each(READS.filter(isText).map((operation) => [operation.id, operation] as const))(
    "%s says what is left out",
    async (_, operation) => {
      const { text } = await ask(operation, state);
      expect(text).toContain(SAID[state]);
      expect(text).not.toContain("complete as of");
    },
  );

  test.each(READS.filter((operation) => !isText(operation)).map((operation) => [operation.id, operation] as const))(
    "%s calls no partial figure complete",
    async (id, operation) => {
      const answer = await ask(operation, state);
      expect({ id, status: answer.status }).toEqual({ id, status: 200 });
      const parts = partsOf(answer, state);
      // An answer that shows nothing of the wallet proves nothing.
      const shown = parts.flatMap((part) => membersOf(part).filter(([name]) => RESULTS.test(name)));
      expect({ id, shows: shown.length > 0 }).toEqual({ id, shows: true });
      for (const part of parts) {
        expect(JSON.stringify(part)).toContain(SAID[state]);
        const members = membersOf(part);
        const claims = members.filter(([name, value]) => name === "completeness" && (value as any).status === "complete");
        const trusts = members.filter(([name]) => name === "trust").map(([, value]) => value as any);
        // Of values that are no results it may be said.
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
] as const)("a wallet that is %s has no results, and says why", async (state, quality) => {
  const trader = await traderOf(state);
  expect(trader).toMatchObject({ pnl: {}, stats: {}, data_quality: { status: expect.not.stringMatching("fresh") } });
  expect(trader.data_quality.field_groups.find(({ group }: any) => group === "pnl")).toMatchObject({
    status: quality,
    reason: expect.stringMatching(/./),
  });
  const { data: pnl } = (await (await theApi()).get(`/api/v1/trader/${walletOf(WALLETS[state])}/pnl`)).body;
  expect(pnl).toMatchObject({ freshness_at: null, completeness: { status: "unavailable", detail: expect.stringMatching(/./) } });
});

test("a wallet of which everything is known is complete, everywhere", async () => {
  const trader = await traderOf("complete");
  expect(trader).toMatchObject({
    pnl: ORDINARY,
    stats: { total_volume: 50_007, markets_traded: 3, win_rate: 50 },
    data_quality: { status: "fresh" },
  });
  for (const name of TRUSTED_RESULTS.slice(0, 5)) expect([name, trader.trust[name].completeness]).toEqual([name, { status: "complete" }]);
  for (const path of ["/api/v1/leaderboard", "/api/v1/leaderboard/trending"]) {
    const row = (await (await theApi()).get(path)).body.data.find(
      ({ address }: { address: string }) => address === walletOf(WALLETS.complete),
    );
    expect(row.completeness).toEqual({ status: "complete" });
  }
});
