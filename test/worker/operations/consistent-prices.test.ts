import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Operation } from "../../../src/api/operation.ts";
import { inTransaction, type Database } from "../../../src/db/client.ts";
import { jobHeartbeats, type outcomes } from "../../../src/db/schema.ts";
import { applyBooks } from "../../../src/ingest/markets/apply-books.ts";
import { applyResolutions } from "../../../src/ingest/markets/apply-resolutions.ts";
import { buildExplore } from "../../../src/ingest/read-models/explore/build-explore.ts";
import { buildLargePositions } from "../../../src/ingest/read-models/build-large-positions.ts";
import { buildLeaderboard } from "../../../src/ingest/read-models/build-leaderboard.ts";
import { buildFlows } from "../../../src/ingest/signals/build-flows.ts";
import { valuePositions } from "../../../src/ingest/ledger/value-positions.ts";
import { OPERATIONS } from "../../../src/operations/index.ts";
import type { ApiUnderTest } from "../../support/api/api-under-test.ts";
import { openFreshApi, type FreshApi } from "../../support/api/fresh-api.ts";
import { aTakerTrade } from "../../support/seed/fills.ts";
import { aHolderScan } from "../../support/seed/traders/holders.ts";
import { theTradeFeedWasRead } from "../../support/seed/large-trades.ts";
import { aMarket, type SeededMarket } from "../../support/seed/markets.ts";
import { aPosition } from "../../support/seed/traders/positions.ts";
import { aSeededTrader, type SeededTrader } from "../../support/seed/traders/traders.ts";

/*
 * One market in each state, and one trader with 200,000 open shares of each market's first outcome, which
 * cost 50,000 dollars. Every price, value or status in a response must equal this table, which is calculated
 * by hand. Other stored values are misleading on purpose.
 */

const SHARES = 200_000;
const COST = 50_000;

interface State {
  /** Prices of both outcomes, value of the open shares in dollars, and whether the market trades. */
  readonly shown: {
    readonly yes: number;
    readonly no: number;
    readonly value: number;
    readonly status: "active" | "closed";
  };
  readonly market: () => Parameters<typeof aMarket>[1];
  readonly sides: () => readonly [Side, Side];
  /** Payouts that the provider reports, in order. */
  readonly reportedPayouts?: readonly (readonly number[] | null)[];
}

type Side = Partial<typeof outcomes.$inferInsert>;

const minutes = (from: number) => new Date(Date.now() + from * 60_000);

/** Quotes of both outcomes read at this offset in minutes, and their last trades. */
function quotes(
  yes: readonly [string, string],
  no: readonly [string, string],
  last: readonly [string, string],
  readAt: number,
): [Side, Side] {
  const side = ([bestBid, bestAsk]: readonly [string, string], lastTradePrice: string): Side => ({
    ...{
      bestBid,
      bestAsk,
      lastTradePrice,
      price: "0.99",
      bookSource: "clob_book",
      bookAsOf: minutes(readAt),
      lastTradeAt: minutes(-7),
    },
  });
  return [side(yes, last[0]), side(no, last[1])];
}

const STATES = {
  open_tight: {
    shown: { yes: 0.55, no: 0.45, value: 110_000, status: "active" },
    market: () => ({ endAt: minutes(60) }),
    sides: () => quotes(["0.54", "0.56"], ["0.44", "0.46"], ["0.5", "0.5"], 0),
  },
  open_wide: {
    shown: { yes: 0.52, no: 0.47, value: 104_000, status: "active" },
    market: () => ({ endAt: null }),
    sides: () => quotes(["0.4", "0.6"], ["0.4", "0.6"], ["0.52", "0.47"], 0),
  },
  ended: {
    shown: { yes: 0.62, no: 0.37, value: 124_000, status: "closed" },
    market: () => ({ endAt: minutes(-1) }),
    sides: () => quotes(["0.3", "0.32"], ["0.68", "0.7"], ["0.62", "0.37"], -2),
  },
  ended_and_traded_on: {
    shown: { yes: 0.72, no: 0.28, value: 144_000, status: "active" },
    market: () => ({ endAt: minutes(-10) }),
    sides: () => quotes(["0.7", "0.74"], ["0.26", "0.3"], ["0.9", "0.1"], 0),
  },
  closed: {
    shown: { yes: 0.81, no: 0.18, value: 162_000, status: "closed" },
    market: () => ({ closed: true, endAt: minutes(30) }),
    sides: () => quotes(["0.44", "0.46"], ["0.54", "0.56"], ["0.81", "0.18"], 0),
  },
  resolved: {
    shown: { yes: 1, no: 0, value: 200_000, status: "closed" },
    market: () => ({ closed: true, endAt: minutes(-60) }),
    sides: () => quotes(["0.26", "0.28"], ["0.72", "0.74"], ["0.275", "0.7249"], -61),
    reportedPayouts: [[1_000_000, 0]],
  },
  voided: {
    shown: { yes: 0.5, no: 0.5, value: 100_000, status: "closed" },
    market: () => ({ closed: true, endAt: minutes(-60) }),
    sides: () => quotes(["0.8", "0.82"], ["0.18", "0.2"], ["0.81", "0.2"], -61),
    reportedPayouts: [[500_000, 500_000]],
  },
  reopened: {
    shown: { yes: 0.6355, no: 0.3645, value: 127_110, status: "active" },
    market: () => ({ endAt: minutes(60) }),
    // 0.63555 and 0.36445: one dollar together, exactly and as displayed.
    sides: () => quotes(["0.6255", "0.6456"], ["0.3544", "0.3745"], ["0.9", "0.1"], 0),
    reportedPayouts: [[1_000_000, 0], null],
  },
} as const satisfies Record<string, State>;

type Name = keyof typeof STATES;
const NAMES = Object.keys(STATES) as Name[];
/** A resolved market is settled and has no open shares. */
const OPEN = NAMES.filter((name) => name !== "resolved" && name !== "voided");

/** Fields of any operation with a current price or a value at it. */
const CURRENT = new Set(
  `current_price last_price no_last_price current_value_usd value_usd total_size_usd combined_value_usd event_total_value_usd size_usd yes_usd no_usd
   cash_pnl unrealized_pnl position_unrealized_pnl combined_unrealized_pnl unrealized net_total unrealized_mtm`.split(
    /\s+/,
  ),
);

/** Other fields with a similar name, and what they are. Every such field must be in one of the two lists. */
const OTHER: Readonly<Record<string, string>> = {
  prices: "the pair of prices of a game's moneyline, with source and time",
  price_provenance: "the source of such a price",
  entry_value_usd: "shares at the price that is frozen with a pick",
  clv_entry_price: "the price that is frozen with a pick",
  clv_close_price: "the last price before the kickoff of a pick",
  avg_price: "of the purchases",
  unpriced: "a count of claims",
  backed_price: "of a snapshot, which states its time",
  avg_entry_price: "of the purchases",
  price: "of a trade",
  price_yes: "of a trade",
  last_fill_price_yes: "of a trade",
  pick_price_daily: "of a day",
  pick_price_as_of: "a time",
  pick_price_age_days: "a number of days",
  price_move_signal: "0 to 1",
  missing_price_penalty: "points",
  initial_value_usd: "the cost",
  first_pnl_date: "a day",
  last_pnl_date: "a day",
  pnl_days: "a number of days",
  status_values: "the names of statuses",
  cost_basis_usd: "the cost",
  realized_pnl: "of what was sold",
  synced_realized_pnl: "of what has settled",
  total_realized_pnl: "of what was sold and has settled",
  cash_pnl_usd: "of a day",
  running_avg_price: "of the purchases",
  price_points: "of days",
  no_price_points: "of days",
  price_status: "a word",
  value: "of an exact amount, beside the field that it is of; of a facet",
  total_pnl: "the provider's, or realized",
  pnl_correction: "of the provider's figures",
  trending_pnl_usd: "the provider's",
  all_time_pnl_usd: "the provider's",
  all_time_pnl_as_of: "the time at which open shares in all_time_pnl_usd were valued",
  daily_pnl_series: "of days",
  pnl_usd: "of a day",
  pnl: "the provider's, realized, or of a wallet: see the sums of the wallet",
};

/** Operations with such a field that show none of this trader's positions or markets, with the reason. */
const EXCLUDED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      "listLargeTrades",
      "listLargeTradeHistory",
      "getLargeTrade",
      "listWhaleTrades",
      "listWhaleTradeHistory",
      "getWhaleTrade",
    ].map((id) => [id, "size_usd is of a trade"]),
  ),
  getEventReplaySince: "size_usd is of a trade",
  listTrendingWallets: "net_total is of the provider's figures, when they were last measured",
};

let api: ApiUnderTest;
let db: Database;
let openPool: FreshApi["openPool"];
let wallet: SeededTrader;
let markets: Record<Name, SeededMarket>;

async function reportPayouts(
  pool: Parameters<typeof valuePositions>[0],
  name: Name,
  payoutsPpm: readonly number[] | null,
) {
  const { conditionId } = markets[name];
  const status = payoutsPpm === null ? "disputed" : "resolved";
  const resolution = {
    conditionId,
    status,
    payoutsPpm,
    resolvedAt: payoutsPpm === null ? null : minutes(-30),
    expectedAt: null,
  };
  await inTransaction(pool, (session) => applyResolutions(session, [conditionId], [resolution], [], new Date()));
}

/** A result clears its market's books; when the result is withdrawn, the books are read again. */
async function readBooksAgain(pool: Parameters<typeof valuePositions>[0], name: Name) {
  const books = STATES[name].sides().map(({ bestBid = null, bestAsk = null, lastTradePrice = null }, index) => ({
    tokenId: markets[name].outcomes[index === 0 ? 0 : 1].tokenId,
    ...{ bestBid, bestAsk, lastTradePrice, bidDepthUsd: null, askDepthUsd: null, asOf: new Date() },
  }));
  const tokenIds = books.map(({ tokenId }) => tokenId);
  await inTransaction(pool, (session) => applyBooks(session, tokenIds, books, [], new Date()));
}

beforeAll(async () => {
  const fresh = await openFreshApi();
  ({ api, db, openPool } = fresh);
  let end = async () => {};
  const pool = fresh.openPool((ends) => void (end = ends));
  const recently = minutes(-2);
  wallet = await aSeededTrader(db, { username: "Known", grade: "A", tier: "hot", completeAt: recently, totals: {} });
  const createdMarkets: Partial<Record<Name, SeededMarket>> = {};
  for (const name of NAMES) {
    const state: State = STATES[name];
    const market = await aMarket(
      db,
      { title: `State ${name}`, hydratedAt: recently, figuresAsOf: recently, ...state.market() },
      state.sides(),
    );
    createdMarkets[name] = market;
    const openShares = { sharesMicro: BigInt(SHARES) * 1_000_000n, costMicro: BigInt(COST) * 1_000_000n };
    await aPosition(db, { trader: wallet, market, ...openShares, firstAt: minutes(-5), lastAt: minutes(-5) });
    // The provider reports a value of one dollar a share.
    await aHolderScan(db, market, [{ trader: wallet, shares: SHARES }]);
    await aTakerTrade(db, { trader: wallet, market, shares: SHARES, price: "0.25", at: minutes(-5).toISOString() });
  }
  markets = createdMarkets as Record<Name, SeededMarket>;
  await theTradeFeedWasRead(db, new Date());
  for (const name of ["reopened"] as const)
    for (const payouts of STATES[name].reportedPayouts) await reportPayouts(pool, name, payouts);
  await readBooksAgain(pool, "reopened");
  while (await valuePositions(pool));
  await db.insert(jobHeartbeats).values({ job: "value_positions", succeededAt: new Date() });
  await inTransaction(pool, (session) => buildExplore(session));
  for (const build of [buildLargePositions, buildLeaderboard]) await inTransaction(pool, build);
  await inTransaction(pool, (session) => buildFlows(session, "24h"));
  // Settled after the lists were built.
  for (const name of ["resolved", "voided"] as const)
    for (const payouts of STATES[name].reportedPayouts) await reportPayouts(pool, name, payouts);
  return end;
});

/** What a response shows of one market. Fields that it does not show are absent. */
type ShownState = Partial<Record<"yes" | "no" | "value" | "unrealized" | "status", unknown>>;

const byMarket = (
  rows: readonly (readonly [conditionId: string, shown: ShownState])[],
): Partial<Record<Name, ShownState>> =>
  Object.fromEntries(
    rows.flatMap(([conditionId, shown]) => {
      const name = NAMES.find((candidate) => markets[candidate].conditionId === conditionId);
      return name === undefined ? [] : [[name, shown]];
    }),
  );

const snapshotShows = ({ market, outcomes: sides }: any): [string, ShownState] => [
  market.condition_id,
  { yes: sides[0].current_price, no: sides[1].current_price, status: market.status },
];

const holderShows = (row: any, { totals, market }: any): ShownState => {
  expect(totals).toMatchObject({ yes_usd: row.current_value_usd, no_usd: 0 });
  return {
    value: row.current_value_usd,
    ...(market === undefined ? {} : { status: market.status === "open" ? "active" : "closed" }),
  };
};

const flowShows = ({ market, sharp_money, smart_money }: any): [string, ShownState] => {
  expect(smart_money).toEqual(sharp_money);
  const [top] = sharp_money.top_positions;
  return [market.condition_id, top === undefined ? {} : { value: top.size_usd }];
};

const positionShows = (row: any): [string, ShownState] => {
  expect(row.exact).toMatchObject({
    current_value_usd: { value: row.current_value_usd.toFixed(6) },
    cash_pnl: { value: row.cash_pnl.toFixed(6) },
  });
  return [row.market.condition_id, { value: row.current_value_usd, unrealized: row.cash_pnl }];
};

/** JSON blocks of a Markdown document, which are indented. */
const blocksOf = (text: string): any[] => (text.match(/(?:^ {4}.*\n?)+/gm) ?? []).map((json) => JSON.parse(json));

const eachMarket = async (path: (id: number) => string, read: (response: any) => [string, ShownState]) => {
  const rows: [string, ShownState][] = [];
  for (const name of NAMES) rows.push(read(await api.get(path(markets[name].id))));
  return byMarket(rows);
};

const flowBatch = async (path: string) => {
  const { body } = await api.post(path, { condition_ids: NAMES.map((name) => markets[name].conditionId) });
  return byMarket(body.data.map(({ data }: any) => flowShows(data)));
};

/** The reader of each operation that shows prices, values or statuses. */
const READ: Readonly<Record<string, () => Promise<Partial<Record<Name, ShownState>>>>> = {
  getMarketSnapshot: () =>
    eachMarket(
      (id) => `/api/v1/market/mkt_${id}/snapshot`,
      ({ body }) => snapshotShows(body.data),
    ),
  exploreMarkets: async () => {
    const { body } = await api.get("/api/v1/markets/explore?limit=48");
    return byMarket(
      body.data.map(({ market: row }: any) => [
        row.condition_id,
        { yes: row.last_price, no: row.no_last_price, status: row.status },
      ]),
    );
  },
  searchMarkets: async () => {
    const { body } = await api.get("/api/v1/markets/search?q=state");
    return byMarket(body.data.map((row: any) => [row.condition_id, { status: row.status }]));
  },
  listPositions: async () =>
    byMarket((await api.get(`/api/v1/positions?wallet=trd_${wallet.id}`)).body.data.map(positionShows)),
  listLargePositions: async () =>
    byMarket(
      (await api.get("/api/v1/large-positions")).body.data.map((row: any) => {
        expect(row).toMatchObject({
          combined_value_usd: row.total_size_usd,
          event_total_value_usd: row.total_size_usd,
        });
        expect(row.holdings).toMatchObject([{ current_price: row.current_price, value_usd: row.total_size_usd }]);
        const { position_unrealized_pnl: unrealized } = row;
        expect(row).toMatchObject({ combined_unrealized_pnl: unrealized, holdings: [{ unrealized_pnl: unrealized }] });
        return [row.market.condition_id, { yes: row.current_price, value: row.total_size_usd, unrealized }];
      }),
    ),
  getMarketHolders: () =>
    eachMarket(
      (id) => `/api/v1/market/mkt_${id}/holders`,
      ({ body }) => [body.market.condition_id, holderShows(body.data[0], body)],
    ),
  getMarketFlow: () =>
    eachMarket(
      (id) => `/api/v1/market/mkt_${id}/flow`,
      ({ body }) => flowShows(body.data),
    ),
  getMarketIntel: () =>
    eachMarket(
      (id) => `/api/v1/market/mkt_${id}/intel`,
      ({ body }) => flowShows(body.data),
    ),
  batchGetMarketFlow: () => flowBatch("/api/v1/markets/flow/batch"),
  batchGetMarketIntel: () => flowBatch("/api/v1/markets/intel/batch"),
  getMarketContextMarkdown: () =>
    eachMarket(
      (id) => `/api/v1/market/mkt_${id}/context.md`,
      ({ text }) => {
        const [snapshot, flow, holders] = blocksOf(text);
        const [conditionId, shown] = snapshotShows(snapshot);
        const { value } = holderShows(holders.top[0], holders);
        const [, { value: flowing = value }] = flowShows({ ...flow, smart_money: flow.sharp_money });
        expect(flowing).toBe(value);
        return [conditionId, { ...shown, value }];
      },
    ),
};

/** Operations that show sums over all positions of the trader. */
const SUMS: Readonly<Record<string, () => Promise<{ unrealized?: unknown; net?: unknown }>>> = {
  getTrader: async () => sumsOf((await api.get(`/api/v1/trader/${wallet.address}`)).body.data),
  batchGetTraders: async () =>
    sumsOf((await api.post("/api/v1/traders/batch", { traders: [wallet.address] })).body.data[0].data),
  getTraderContext: async () => {
    const { trader, position_summary: summary } = (await api.get(`/api/v1/trader/${wallet.address}/context`)).body.data;
    expect(summary.unrealized_mtm).toBe(trader.pnl.unrealized);
    return sumsOf(trader);
  },
  getTraderContextMarkdown: async () => {
    const { text } = await api.get(`/api/v1/trader/${wallet.address}/context.md`);
    const line = (label: string) => Number(new RegExp(`- ${label}: (.*)`).exec(text)?.[1]);
    return { unrealized: line("Unrealized"), net: line("Realized and unrealized") };
  },
  listPositions: async () => ({
    net: (await api.get(`/api/v1/positions?wallet=trd_${wallet.id}`)).body.data[0].trader.pnl,
  }),
  listLargePositions: async () => ({ net: (await api.get("/api/v1/large-positions")).body.data[0].trader.pnl }),
};

const sumsOf = ({ pnl }: any) => ({ unrealized: pnl.unrealized, net: pnl.net_total });

/** The expected fields of a state. */
const expected = (name: Name, fields: readonly string[]): ShownState => {
  const { shown } = STATES[name];
  return Object.fromEntries(
    Object.entries({ ...shown, unrealized: shown.value - COST }).filter(([field]) => fields.includes(field)),
  );
};

describe("same price, value and status everywhere", () => {
  test.for([
    ["getMarketSnapshot", NAMES, ["yes", "no", "status"]],
    ["exploreMarkets", NAMES, ["yes", "no", "status"]],
    ["searchMarkets", NAMES, ["status"]],
    ["getMarketHolders", NAMES, ["value", "status"]],
    ["getMarketContextMarkdown", NAMES, ["yes", "no", "status", "value"]],
    ["listPositions", OPEN, ["value", "unrealized"]],
    ["listLargePositions", OPEN, ["yes", "value", "unrealized"]],
    ["getMarketFlow", OPEN, ["value"]],
    ["getMarketIntel", OPEN, ["value"]],
    ["batchGetMarketFlow", OPEN, ["value"]],
    ["batchGetMarketIntel", OPEN, ["value"]],
  ] as const)("%s shows the prices, values and statuses of the table", async ([id, names, fields]) => {
    const shown = Object.entries((await READ[id]?.()) ?? {}).filter(([, row]) => Object.keys(row).length > 0);
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(names.map((name) => [name, expected(name, fields)])));
  });

  test("lists are ordered by the values that they show", async () => {
    const values = async (path: string, field: string) => (await api.get(path)).body.data.map((row: any) => row[field]);
    const inOrder = OPEN.map((name) => STATES[name].shown.value).toSorted((a, b) => b - a);
    expect(await values("/api/v1/positions", "current_value_usd")).toEqual(inOrder);
    expect(await values(`/api/v1/positions?wallet=trd_${wallet.id}&consistency=snapshot`, "current_value_usd")).toEqual(
      inOrder,
    );
    expect(await values("/api/v1/large-positions", "combined_value_usd")).toEqual(inOrder);
  });

  test("a position that awaits its result is never fresh and has the reason", async () => {
    const { body } = await api.get(`/api/v1/positions?wallet=trd_${wallet.id}`);
    const freshness = byMarket(body.data.map((row: any) => [row.market.condition_id, { status: row.freshness }]));
    for (const name of OPEN) {
      expect({ name, ...freshness[name] }).toEqual({
        name,
        status: name === "ended" || name === "closed" ? "stale" : "fresh",
      });
    }
    expect(body.data_quality.field_groups).toContainEqual(
      expect.objectContaining({ group: "values", status: "partial", reason: expect.stringContaining("pending") }),
    );
    const { trust } = (await api.get(`/api/v1/trader/${wallet.address}?expand=trust`)).body.data;
    for (const value of ["unrealized_pnl", "net_total_pnl"]) {
      expect(trust[value]).toMatchObject({
        freshness: { status: "stale", as_of: expect.any(String) },
        reconciliation: { detail: expect.stringContaining("pending") },
        completeness: { status: "complete" },
      });
    }
    expect(trust.realized_pnl.freshness.status).toBe("fresh");
    const { freshness_note: note } = (await api.get(`/api/v1/trader/${wallet.address}/context`)).body.data;
    expect(note).toMatch(/valued at current prices as of .*pending/);
  });

  test("no timestamp is older than the data that it describes", async () => {
    const opened = minutes(-5).getTime() - 60_000;
    const { body } = await api.get(`/api/v1/positions?wallet=trd_${wallet.id}`);
    for (const { last_reconciled_at: at } of body.data) expect(Date.parse(at)).toBeGreaterThan(opened);
    const { sharp_money } = (await api.get(`/api/v1/market/mkt_${markets.open_tight.id}/flow`)).body.data;
    expect(Date.parse(sharp_money.oldest_snapshot_as_of)).toBeGreaterThan(opened);
  });

  test("a trader's sums use the same values after old books are removed and positions are revalued", async () => {
    const pool = openPool();
    await db.execute(sql`update outcomes set best_bid = null, best_ask = null
      where market_id in (${markets.ended.id}, ${markets.closed.id}, ${markets.resolved.id}, ${markets.voided.id})`);
    while (await valuePositions(pool));
    const unrealized = OPEN.reduce((sum, name) => sum + STATES[name].shown.value - COST, 0);
    // The resolved market pays 200,000 and the voided one 100,000, for a cost of 50,000 each.
    const sums = { unrealized, net: unrealized + 150_000 + 50_000 };
    for (const [id, read] of Object.entries(SUMS))
      expect({ id, ...(await read()) }).toMatchObject({ id, net: sums.net });
    for (const id of ["getTrader", "batchGetTraders", "getTraderContext", "getTraderContextMarkdown"]) {
      expect({ id, ...(await SUMS[id]?.()) }).toEqual({ id, ...sums });
    }
  });
});

describe("coverage of prices and values", () => {
  const schemasOf = (operation: Operation): z.ZodType[] =>
    operation.kind === "single" || operation.kind === "list"
      ? [operation.kind === "single" ? operation.data : operation.item, ...Object.values(operation.topLevel ?? {})]
      : [];

  /** Names of all fields in a schema. */
  function namesIn(node: unknown, names = new Set<string>()): Set<string> {
    if (typeof node !== "object" || node === null) return names;
    if ("properties" in node) for (const name of Object.keys(node.properties as object)) names.add(name);
    for (const part of Object.values(node)) namesIn(part, names);
    return names;
  }
  const operationNames = OPERATIONS.map((operation) => {
    const schemas = schemasOf(operation).map((schema) =>
      z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }),
    );
    return {
      id: operation.id,
      kind: operation.kind,
      names: [...schemas.reduce((names, schema) => namesIn(schema, names), new Set<string>())],
    };
  });

  test("every operation that shows a current price or value is compared in this file", () => {
    const showing = operationNames.filter(({ names }) => names.some((name) => CURRENT.has(name))).map(({ id }) => id);
    const missing = showing.filter((id) => !(id in READ) && !(id in SUMS) && !(id in EXCLUDED));
    expect(missing).toEqual([]);
    const texts = operationNames.filter(({ kind }) => kind === "text").map(({ id }) => id);
    expect(texts.filter((id) => !(id in READ) && !(id in SUMS))).toEqual([]);
  });

  test("every other field with a similar name is listed with its meaning", () => {
    const like = /price|value|worth|unrealized|net_total|pnl|mtm/;
    const unknown = operationNames.flatMap(({ id, names }) =>
      names.filter((name) => like.test(name) && !CURRENT.has(name) && !(name in OTHER)).map((name) => `${id} ${name}`),
    );
    expect(unknown).toEqual([]);
  });
});
