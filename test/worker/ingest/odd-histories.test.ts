import type { Pool } from "@neondatabase/serverless";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { JOBS } from "../../../src/jobs/registry.ts";
import { API_OPERATIONS } from "../../../src/operations/index.ts";
import type { Provider, ProviderTrade } from "../../../src/platform/provider.ts";
import { openFreshApi, type FreshApi } from "../../support/api/fresh-api.ts";
import { fetchResults } from "../../support/ingest/fetch-results.ts";
import { aProviderMarket, aResolution } from "../../support/ingest/provider/provider-markets.ts";
import { letAnHourPass, runOneJob } from "../../support/ingest/run-one-job.ts";
import {
  aTrade,
  asActivity,
  conditionOf,
  pageOf,
  tokenOf,
  walletOf,
  type TradeFacts,
} from "../../support/ingest/provider/provider-trades.ts";
import { aPagedProvider } from "../../support/ingest/provider/paged-provider.ts";
import { registryRequestTo } from "../../support/registry/registry-requests.ts";

/*
 * One trader and one market through the histories of odd markets. After each step every job runs, every read
 * of the registry is requested for that trader and market, and the profit must equal that of a fold written
 * here.
 */

const START_SECONDS = Math.floor(Date.now() / 1000) - 3 * 86_400;
const WALLET = 1;

interface Fill {
  readonly outcome: 0 | 1;
  readonly side: "BUY" | "SELL";
  readonly shares: bigint;
  readonly price: string;
  /** Seconds after the first fill. */
  readonly at: number;
}

/** Prices of 0 and 1, sizes of a millionth, a large trade, sales of more than the open shares. */
const FILLS: readonly Fill[] = [
  { outcome: 0, side: "BUY", shares: 10_000_000n, price: "0", at: 0 },
  { outcome: 0, side: "BUY", shares: 1n, price: "1", at: 1 },
  { outcome: 1, side: "BUY", shares: 3_333_333n, price: "0.9", at: 2 },
  { outcome: 0, side: "SELL", shares: 1n, price: "1", at: 3 },
  { outcome: 0, side: "SELL", shares: 4_000_000n, price: "1", at: 4 },
  { outcome: 0, side: "BUY", shares: 20_000_000_000n, price: "0.5", at: 5 },
  { outcome: 1, side: "SELL", shares: 1n, price: "0", at: 6 },
  { outcome: 1, side: "SELL", shares: 9_000_000n, price: "0.25", at: 86_400 },
  { outcome: 1, side: "BUY", shares: 1n, price: "0", at: 90_000 },
];
const LATE: Fill = { outcome: 1, side: "BUY", shares: 7_000_001n, price: "0.1", at: 7 };

/**
 * What the provider reports of the market. `firstPpm` is the payout of the outcome with index 0; null until
 * resolved.
 */
interface MarketState {
  readonly title: string;
  readonly fills: readonly Fill[];
  /** False while fills have the placeholder index 999 and the market object has not been read. */
  readonly isDescribed: boolean;
  readonly labels: readonly [string, string];
  /** The outcome index of the first token. */
  readonly firstIndex: 0 | 1;
  readonly firstPpm: number | null;
}

const PLAIN: Omit<MarketState, "title"> = {
  fills: FILLS,
  isDescribed: true,
  labels: ["Yes", "No"],
  firstIndex: 0,
  firstPpm: null,
};
const WITH_LATE_FILL = { ...PLAIN, fills: [...FILLS, LATE] };
const STEPS: readonly MarketState[] = [
  { title: "the outcome indexes are unknown", ...PLAIN, isDescribed: false },
  { title: "the market object has the outcome indexes", ...PLAIN },
  { title: "the market resolves late to the first outcome", ...PLAIN, firstPpm: 1_000_000 },
  { title: "a fill arrives after the resolution", ...WITH_LATE_FILL, firstPpm: 1_000_000 },
  { title: "the resolution is reversed", ...WITH_LATE_FILL, firstPpm: 0 },
  { title: "the market pays half to each outcome", ...WITH_LATE_FILL, firstPpm: 500_000 },
  { title: "the market pays a third and two thirds", ...WITH_LATE_FILL, firstPpm: 333_333 },
  { title: "the resolution is withdrawn", ...WITH_LATE_FILL },
  { title: "the labels are swapped", ...WITH_LATE_FILL, labels: ["No", "Yes"], firstPpm: 1_000_000 },
  { title: "the outcome indexes are swapped", ...WITH_LATE_FILL, firstIndex: 1, firstPpm: 1_000_000 },
];

const READERS = ["read_taker_trades", "read_all_trades", "hydrate_markets", "sync_traders", "check_results"] as const;

let fresh: FreshApi;
beforeAll(async () => {
  fresh = await openFreshApi();
});
afterEach(() => void vi.restoreAllMocks());

function toTrade(
  { outcome, side, shares, price, at }: Fill,
  n: number,
  { isDescribed, firstIndex, labels }: MarketState,
): ProviderTrade {
  const facts: Partial<TradeFacts> = {
    n: n + 1,
    wallet: WALLET,
    outcome,
    side,
    sharesMicro: shares,
    price,
    atSeconds: START_SECONDS + at,
  };
  const trade = aTrade(facts);
  if (!isDescribed) return { ...trade, outcomeIndex: null, outcomeLabel: null };
  return { ...trade, outcomeIndex: outcome === 0 ? firstIndex : 1 - firstIndex, outcomeLabel: labels[outcome] };
}

function aProvider(state: MarketState): Provider {
  const { fills, isDescribed, labels, firstIndex, firstPpm } = state;
  const trades = fills
    .map((fill, n) => toTrade(fill, n, state))
    .sort((a, b) => b.tradedAt.getTime() - a.tradedAt.getTime());
  const market = aProviderMarket(1, {
    closed: true,
    closedAt: new Date((START_SECONDS + 100_000) * 1000),
    outcomes: ([0, 1] as const).map((token) => ({
      tokenId: tokenOf(1, token),
      outcomeIndex: token === 0 ? firstIndex : 1 - firstIndex,
      label: labels[token],
      price: null,
      lastTradePrice: "0.5",
      bestBid: "0",
      bestAsk: "1",
    })),
  });
  return aPagedProvider({
    takers: [pageOf(trades)],
    all: [pageOf(trades)],
    activity: {
      [walletOf(WALLET)]: [pageOf(trades.toReversed().map((trade) => asActivity({ ...trade, feeMicro: 1n })))],
    },
    markets: isDescribed ? [market] : [],
    resolutions: isDescribed ? [aResolution(1, firstPpm)] : [],
  });
}

/** Runs every job until nothing is due, as if a day had passed. The market is read again in full. */
async function runAllJobs(pool: Pool, state: MarketState): Promise<void> {
  await letAnHourPass(pool);
  await pool.query(
    `update markets set hydrated_at = null, hydrate_attempts = 0; update trader_syncs set due_at = now() - interval '1 hour', resume = null, covered_to = null`,
  );
  const work = { pool, provider: aProvider(state), now: Date.now() + 3_600_000 };
  // Market and resolution jobs run after the feeds, because fills name the market.
  const names = [...READERS, ...JOBS.map(({ name }) => name)];
  for (const name of names) {
    if (name === "check_results") await fetchResults(pool, work.provider, [conditionOf(1)], new Date(work.now));
    await runOneJob(name, { ...work, queue: [] });
  }
}

/** Outcome index and label of the first token, as stored. */
async function readOutcomes(pool: Pool): Promise<unknown[]> {
  const { rows } = await pool.query(`select outcome_index, label from outcomes where token_id = $1`, [tokenOf(1, 0)]);
  return Object.values(rows[0] ?? {});
}

/** a / b to the nearest integer, halves up. Neither is negative. */
const nearest = (a: bigint, b: bigint): bigint => (2n * a + b) / (2n * b);

/** Realized and settled profit less fees of one micro-dollar per fill, in micro-dollars. */
function expectedProfit({ fills, isDescribed, firstIndex, firstPpm }: MarketState): bigint {
  let profit = -BigInt(fills.length);
  for (const token of [0, 1]) {
    let [shares, cost] = [0n, 0n];
    for (const fill of fills.filter(({ outcome }) => outcome === token).toSorted((a, b) => a.at - b.at)) {
      const usd = nearest(fill.shares * BigInt(Math.round(Number(fill.price) * 100)), 100n);
      if (fill.side === "BUY") {
        shares += fill.shares;
        cost += usd;
        continue;
      }
      const sold = fill.shares < shares ? fill.shares : shares;
      if (sold === 0n) continue;
      const costOfSold = nearest(cost * sold, shares);
      profit += nearest(usd * sold, fill.shares) - costOfSold;
      shares -= sold;
      cost -= costOfSold;
    }
    if (!isDescribed || firstPpm === null) continue;
    const isFirst = (token === 0) === (firstIndex === 0);
    profit += nearest(shares * BigInt(isFirst ? firstPpm : 1_000_000 - firstPpm), 1_000_000n) - cost;
  }
  return profit;
}

const asDecimal = (micro: bigint): string => {
  const digits = String(micro < 0n ? -micro : micro).padStart(7, "0");
  return `${micro < 0n ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6)}`;
};

/** Paths of numbers in a value that JSON.stringify would write as null or 0: NaN, infinities and -0. */
function findOddNumbers(value: unknown, at = "$"): string[] {
  if (typeof value === "number")
    return Number.isFinite(value) && !Object.is(value, -0) ? [] : [`${at} is ${Object.is(value, -0) ? "-0" : value}`];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, one]) => findOddNumbers(one, `${at}.${key}`));
}

const ODD_TEXT = /\bNaN\b|\bInfinity\b|(?<![\w.-])-0(?:\.0+)?(?![\w.])/;

const READS = API_OPERATIONS.filter(
  ({ kind, method, scope }) =>
    !["redirect", "retired", "stream"].includes(kind) && method === "get" && scope !== "webhooks" && scope !== "export",
);

/** The parameters of the counterparty reads of a trade. */
async function namesOfTrade(id: string): Promise<{ snapshot_id: string; execution_id: string }> {
  const { body } = await fresh.api.get(`/api/v1/large-trades/${id}`);
  const { snapshot_id, unavailable_executions } = body.data.counterparty_analysis;
  return { snapshot_id, execution_id: unavailable_executions[0].id };
}

/** A combo that is not stored. */
const UNKNOWN_COMBO = `0x03${"0".repeat(60)}`;

/** Requests every read for the trader and the market. @returns the problems found */
async function walkReads(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ trade: string | null }>(`select max(id) as trade from large_trades`);
  const today = new Date().toISOString().slice(0, 10);
  const values: Record<string, string> = {
    address: walletOf(WALLET),
    trader: walletOf(WALLET),
    condition_id: conditionOf(1),
    id: rows[0]?.trade ?? "1",
    q: "market",
    as_of: new Date().toISOString(),
    granularity: "daily",
    period: today,
    date: today,
    month: today.slice(0, 7),
    cohort: "wider_holder",
    // Of neither kind is any stored.
    event_slug: "no-game",
    pick_id: "1",
    row_id: "wt_1",
    watchlist_id: "wl_1",
    ...(await namesOfTrade(rows[0]?.trade ?? "1")),
  };
  const stringify = JSON.stringify;
  const problems: string[] = [];
  const spy = vi.spyOn(JSON, "stringify").mockImplementation((value: unknown, ...rest: unknown[]) => {
    problems.push(...findOddNumbers(value));
    return (stringify as (...args: unknown[]) => string)(value, ...rest);
  });
  for (const operation of READS) {
    const { path } = registryRequestTo(
      operation,
      (name) =>
        name === "condition_id" && operation.path.startsWith("/api/v1/combos/") ? UNKNOWN_COMBO : values[name],
      (name, { path: of }) =>
        ({
          condition_id: conditionOf(1),
          wallet: walletOf(WALLET),
          min_size: "0",
          ...(of.endsWith("/weekly") ? { from: today, to: today } : {}),
        })[name],
    );
    const response = await fresh.api.get(path);
    // Allowed are 404 for absent flags and makers, and 503 for a scan that does not exist yet.
    if (response.status === 500 || response.status === 400)
      problems.push(`${path} returns ${response.status}: ${response.text}`);
    const odd = ODD_TEXT.exec(response.text);
    if (odd !== null)
      problems.push(`${path} contains ${response.text.slice(Math.max(0, odd.index - 60), odd.index + 20)}`);
  }
  if (spy.mock.calls.length < READS.length) problems.push("the responses were not written through JSON.stringify");
  vi.restoreAllMocks();
  return problems;
}

test("NaN, infinities and -0 are found in values and in texts", () => {
  expect(findOddNumbers({ a: [1, -0, Number.NaN], b: { c: Number.POSITIVE_INFINITY, d: 0, e: "-0" } })).toEqual([
    "$.a.1 is -0",
    "$.a.2 is NaN",
    "$.b.c is Infinity",
  ]);
  expect(["profit -0", '"-0.000000"', "NaN %", "-Infinity"].filter((text) => !ODD_TEXT.test(text))).toEqual([]);
  expect(["-0.01", "2026-01-0", "rank 10-0", "0x-0a"].filter((text) => ODD_TEXT.test(text))).toEqual([]);
});

test(
  "odd market histories have exact profits, and no response has NaN, an infinity or -0",
  { timeout: 240_000 },
  async () => {
    const pool = fresh.openPool();
    for (const state of STEPS) {
      await runAllJobs(pool, state);
      const odd = await walkReads(pool);
      const { body } = await fresh.api.get(`/api/v1/trader/${walletOf(WALLET)}`);
      expect({
        title: state.title,
        odd,
        outcome: await readOutcomes(pool),
        profit: body.data.pnl.exact.realized.value,
      }).toEqual({
        title: state.title,
        odd: [],
        outcome: state.isDescribed ? [state.firstIndex, state.labels[0]] : [null, null],
        profit: asDecimal(expectedProfit(state)),
      });
    }
  },
);
