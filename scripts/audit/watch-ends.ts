import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { expectOk, ApiReadError, type Api, type Json } from "./api.ts";
import { cents } from "./decimal.ts";
import { settledResult } from "./fold.ts";
import type { MarketFacts } from "./price.ts";
import { traderFiguresOf, historyOf, isCombination } from "./trader-audit-figures.ts";
import type { LedgerMirror } from "./ledger-mirror.ts";

/** The timings of one read of one ended market. Times are seconds; null is never. */
export interface ReadTimings {
  /** From the time the provider first showed the result to the time the read first showed it. */
  resultAfter: number | null;
  /**
   * From the end to the last time the read showed the market as active, or its price as fresh; 0 if never
   * after the end.
   */
  activeAfterEnd: number;
  freshAfterEnd: number;
}

export interface MarketEndTimings {
  readonly conditionId: string;
  readonly endedAt: string;
  /** When the provider first showed the result. */
  providerShownAt: string | null;
  readonly reads: Record<string, ReadTimings>;
}

/** How a read shows a market at one moment. */
interface MarketView {
  readonly showsResult: boolean;
  readonly isActive: boolean;
  readonly isFresh: boolean;
}

/** Reads of one market by name; reads that do not show the market are left out. */
type Reads = Record<string, () => Promise<MarketView>>;

const AIM_SECONDS = 30;
const TICK_MS = 2_000;
const BEFORE_END_MS = 15_000;
/** A read that has not shown a result after this time counts as never. */
const MOST_WATCHED_MS = 15 * 60_000;
const WATCHED_AT_ONCE = 6;

interface Watch {
  readonly market: MarketFacts;
  readonly endMs: number;
  readonly reads: Reads;
  readonly seen: MarketEndTimings;
  payouts: readonly number[] | null;
  shownMs: number | null;
}

const Resolutions = z.object({
  data: z.array(z.object({ condition_id: z.string(), status: z.string(), payouts: z.array(z.number()).optional() })),
});

/**
 * Watches markets that end while it runs and records when the provider first shows each result, and when each
 * of our reads does. It begins shortly before each end, with as many markets at once as WATCHED_AT_ONCE
 * allows.
 */
export async function watchEnds(
  api: Api,
  world: LedgerMirror,
  providerDataUrl: string,
  signal: AbortSignal,
): Promise<MarketEndTimings[]> {
  const watches = new Map<number, Watch>();
  while (!signal.aborted) {
    const startedMs = Date.now();
    await addWatches(api, world, watches);
    const watched = [...watches.values()].filter((watch) => isWatched(watch, startedMs));
    await askProvider(providerDataUrl, watched);
    await Promise.all(watched.map(recordViews));
    await sleep(Math.max(0, startedMs + TICK_MS - Date.now()));
  }
  return [...watches.values()].map(({ seen }) => seen);
}

const isWatched = ({ endMs, seen }: Watch, nowMs: number): boolean =>
  nowMs - endMs < MOST_WATCHED_MS && Object.values(seen.reads).some(({ resultAfter }) => resultAfter === null);

async function addWatches(api: Api, world: LedgerMirror, watches: Map<number, Watch>): Promise<void> {
  const moment = world.now();
  const nowMs = Date.now();
  for (const id of moment.marketIds) {
    const market = moment.market(id);
    if (market?.endMs == null || market.payoutsPpm !== null || isCombination(market) || watches.has(id)) continue;
    if (market.endMs < nowMs || market.endMs > nowMs + BEFORE_END_MS) continue;
    if ([...watches.values()].filter((watch) => isWatched(watch, nowMs)).length >= WATCHED_AT_ONCE) return;
    const watch: Watch = {
      ...{ market, endMs: market.endMs, reads: {}, payouts: null, shownMs: null },
      seen: {
        conditionId: market.conditionId,
        endedAt: new Date(market.endMs).toISOString(),
        providerShownAt: null,
        reads: {},
      },
    };
    Object.assign(watch.reads, await readsOf(api, world, watch));
    for (const name of Object.keys(watch.reads))
      watch.seen.reads[name] = { resultAfter: null, activeAfterEnd: 0, freshAfterEnd: 0 };
    watches.set(id, watch);
  }
}

async function askProvider(providerDataUrl: string, watched: readonly Watch[]): Promise<void> {
  const unknown = watched.filter(({ shownMs }) => shownMs === null);
  if (unknown.length === 0) return;
  const conditions = unknown.map(({ market }) => market.conditionId).join(",");
  const response = await fetch(`${providerDataUrl}/v2/resolutions?condition=${conditions}&_=${Date.now()}`);
  if (!response.ok) return;
  const { data } = Resolutions.parse(await response.json());
  for (const watch of unknown) {
    const found = data.find((row) => row.condition_id === watch.market.conditionId && row.status === "resolved");
    if (found?.payouts === undefined) continue;
    watch.payouts = found.payouts;
    watch.shownMs = Date.now();
    watch.seen.providerShownAt = new Date(watch.shownMs).toISOString();
  }
}

async function recordViews({ reads, seen, endMs, shownMs }: Watch): Promise<void> {
  await Promise.all(
    Object.entries(reads).map(async ([name, read]) => {
      const timings = seen.reads[name];
      if (timings === undefined || timings.resultAfter !== null) return;
      const shown = await read().catch(nullIfRefused);
      if (shown === null) return;
      const { showsResult, isActive, isFresh } = shown;
      const nowMs = Date.now();
      if (nowMs > endMs && isActive) timings.activeAfterEnd = (nowMs - endMs) / 1000;
      if (nowMs > endMs && isFresh) timings.freshAfterEnd = (nowMs - endMs) / 1000;
      if (shownMs !== null && showsResult) timings.resultAfter = Math.max(0, nowMs - shownMs) / 1000;
    }),
  );
}

/** A refused read shows nothing and is repeated at the next tick. */
function nullIfRefused(error: unknown): null {
  if (error instanceof ApiReadError) return null;
  throw error;
}

async function readsOf(api: Api, world: LedgerMirror, watch: Watch): Promise<Reads> {
  const { conditionId, title, id } = watch.market;
  const body = async (path: string) => expectOk(await api.get(path), path).body;
  const lists = {
    positions: `/api/v1/positions?condition_id=${conditionId}&min_size=0`,
    large_positions: `/api/v1/large-positions?condition_id=${conditionId}`,
  };
  const held = Object.entries(lists).map(async ([name, path]) =>
    (await body(path)).data?.length > 0 ? { [name]: () => viewOfList(body, path) } : {},
  );
  const holder = findHolder(world, id);
  return {
    snapshot: async () => {
      const { data } = await body(`/api/v1/market/${conditionId}/snapshot?expand=trust`);
      const prices = data.outcomes.map((outcome: Json) => outcome.current_price);
      const isFresh =
        data.freshness.top_of_book.status === "fresh" || data.trust.current_price.freshness.status === "fresh";
      return {
        showsResult: data.market.resolved_at !== null && arePayouts(prices, watch),
        isActive: data.market.status === "active",
        isFresh,
      };
    },
    explore: async () => {
      const { data } = await body(
        `/api/v1/markets/explore?limit=48&q=${encodeURIComponent((title ?? "").slice(0, 64))}`,
      );
      const rows = (data ?? []).flatMap((entry: Json) => (entry.type === "group" ? entry.markets : [entry.market]));
      const row = rows.find((one: Json) => one.condition_id === conditionId);
      return {
        showsResult: row !== undefined && arePayouts([row.last_price, row.no_last_price], watch),
        isActive: row?.status === "active",
        isFresh: false,
      };
    },
    holders: async () => {
      const { market } = await body(`/api/v1/market/${conditionId}/holders`);
      return { showsResult: market?.status === "resolved", isActive: market?.status === "open", isFresh: false };
    },
    ...Object.assign({}, ...(await Promise.all(held))),
    ...(holder === null ? {} : { trader: () => viewOfTrader(body, world, watch, holder) }),
  };
}

const arePayouts = (prices: readonly unknown[], { payouts }: Watch): boolean =>
  payouts !== null && payouts.every((ppm, index) => prices[index] === ppm / 1e6);

/** Open positions: a position disappears when its market pays out. */
async function viewOfList(body: (path: string) => Promise<Json>, path: string): Promise<MarketView> {
  const { data } = await body(path);
  return {
    showsResult: data?.length === 0,
    isActive: false,
    isFresh: (data ?? []).some((row: Json) => row.freshness === "fresh"),
  };
}

/** The trader with complete history and the highest open cost in the market. */
function findHolder(world: LedgerMirror, marketId: number): number | null {
  const moment = world.now();
  const holders = moment.tradersIn(marketId).flatMap((traderId) => {
    const figures = traderFiguresOf(moment, traderId);
    if (historyOf(moment, traderId, figures) !== "complete") return [];
    const cost = figures.open.reduce(
      (sum, { market, position }) => (market.id === marketId ? sum + position.cost : sum),
      0n,
    );
    return cost > 0n ? [{ traderId, cost }] : [];
  });
  return holders.toSorted((a, b) => (a.cost < b.cost ? 1 : -1))[0]?.traderId ?? null;
}

/** The trader's realized profit includes the result of the positions in the market. */
async function viewOfTrader(
  body: (path: string) => Promise<Json>,
  world: LedgerMirror,
  { market, payouts }: Watch,
  traderId: number,
): Promise<MarketView> {
  const { data } = await body(`/api/v1/trader/trd_${traderId}`);
  const moment = world.now();
  const isApplied = moment.market(market.id)?.payoutsPpm != null;
  const made = [...moment.fold(traderId).positions.values()].reduce((sum, holding) => {
    const index = market.outcomes.find(({ id }) => id === holding.outcomeId)?.index ?? null;
    const ppm = index === null ? undefined : payouts?.[index];
    return holding.marketId === market.id && ppm !== undefined ? sum + settledResult(holding, ppm) : sum;
  }, 0n);
  const realized = traderFiguresOf(moment, traderId).realized + (isApplied ? 0n : made);
  return { showsResult: payouts !== null && data.pnl.realized === cents(realized), isActive: false, isFresh: false };
}

/** The distribution of delays, one line a read, and how long each read still showed active or fresh. */
export function reportEnds(ends: readonly MarketEndTimings[]): string[] {
  const shown = ends.filter(({ providerShownAt }) => providerShownAt !== null);
  const lines = namesOf(shown).map((name) => {
    const reads = shown.flatMap((end) => end.reads[name] ?? []);
    const delays = delaysOf(shown, name);
    const late = reads.length - delays.length;
    const most = (of: (read: ReadTimings) => number) => Math.max(0, ...reads.map(of)).toFixed(0);
    const times = [0.5, 0.95, 0.99, 1].map((part) => quantile(delays, part)?.toFixed(1) ?? "-").join(" ");
    return `${name.padEnd(16)} ${String(delays.length).padStart(4)} shown, ${late} not  p50 p95 p99 max ${times} s  after the end active up to ${most((read) => read.activeAfterEnd)} s, fresh up to ${most((read) => read.freshAfterEnd)} s`;
  });
  return [
    `${shown.length} results of ${ends.length} watched markets; seconds from the provider showing a result to each read showing it (aim: p99 ${AIM_SECONDS} s)`,
    ...lines,
  ];
}

/** Reads that miss the aim. A read that never showed a result counts only where there was time for it. */
export const lateReads = (ends: readonly MarketEndTimings[]): string[] =>
  namesOf(ends).filter((name) => (quantile(delaysOf(ends, name), 0.99) ?? 0) > AIM_SECONDS);

const namesOf = (ends: readonly MarketEndTimings[]): string[] => [
  ...new Set(ends.flatMap(({ reads }) => Object.keys(reads))),
];

const delaysOf = (ends: readonly MarketEndTimings[], name: string): number[] =>
  ends.flatMap(({ reads }) => reads[name]?.resultAfter ?? []).toSorted((a, b) => a - b);

/** The smallest value with at least this fraction of the values at or below it. */
const quantile = (sorted: readonly number[], part: number): number | undefined =>
  sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
