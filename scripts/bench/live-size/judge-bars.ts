import { percentile } from "../engine/percentiles.ts";
import type { LiveSize } from "./live-size.ts";
import { REQUEST_BUDGETS, type BudgetName, type WindowCounts } from "./provider/request-windows.ts";
import type { Recovery } from "./live-faults.ts";
import type { RowComparison } from "./samples/compare-rows.ts";
import type { Lags } from "./samples/lags.ts";
import { RECORDING, type WorkFigures } from "./samples/statement-figures.ts";

export interface Bar {
  readonly name: string;
  readonly figure: string;
  readonly limit: string;
  /** Null when there was nothing to measure. */
  readonly isMet: boolean | null;
}

/** An age, and how great it may be, as `listAges` of src/measure-minute.ts has them. */
interface JudgedAge {
  readonly of: string;
  readonly age_ms: number;
  readonly allowed_ms: number;
}

export interface JudgedFigures {
  readonly size: Pick<LiveSize, "rttMs">;
  /** Due and queued items at each sample after the burst, oldest first. */
  readonly depthAfterBurst: readonly number[];
  readonly lags: Lags;
  readonly requests: Partial<Record<BudgetName, WindowCounts>>;
  readonly works: readonly WorkFigures[];
  /** For each list or job the greatest excess over its promise. */
  readonly ages: readonly JudgedAge[];
}

const MINUTE_MS = 60_000;
const LONGEST_STATEMENT_MS = 5_000;
/** What writes trades; every other work is a job. */
const TRADE_WORKS = new Set([RECORDING, "read_taker_trades", "read_all_trades"]);
/** A depth counts as flat when its trend over the time after the burst adds no more than this. */
const FLAT_SHARE = 0.05;
const FLAT_ITEMS = 50;
/** A short fault may take this long to recover from: two polls of the feeds and a back-off. */
const LEAST_RECOVERY_MS = 60_000;

export function judgeBars(figures: JudgedFigures): readonly Bar[] {
  const { size, lags, requests, works, ages } = figures;
  const lagLimitMs = size.rttMs > 5 ? 5_000 : 2_000;
  const longest = works.toSorted((a, b) => b.longestMs - a.longestMs)[0];
  const late = ages.toSorted((a, b) => b.age_ms / b.allowed_ms - a.age_ms / a.allowed_ms)[0];
  const wal = walOf(works);
  return [
    judgeDepth(figures.depthAfterBurst),
    judgeLag("page to readable, p99", percentile(lags.pageMs, 0.99), lagLimitMs),
    judgeLag("follow-up of hot traders, p99", percentile(lags.followUpMs.hot, 0.99), 2 * MINUTE_MS),
    judgeLag("follow-up of warm traders, p99", percentile(lags.followUpMs.warm, 0.99), 30 * MINUTE_MS),
    ...budgetBars(requests),
    {
      name: "longest statement",
      figure: longest === undefined ? "none" : `${seconds(longest.longestMs)} (${longest.work})`,
      limit: `at most ${seconds(LONGEST_STATEMENT_MS)}`,
      isMet: longest === undefined ? null : longest.longestMs <= LONGEST_STATEMENT_MS,
    },
    {
      name: "ages of lists and jobs",
      figure: late === undefined ? "none" : `${late.of}: ${seconds(late.age_ms)} of ${seconds(late.allowed_ms)}`,
      limit: "none older than its promise",
      isMet: late === undefined ? null : late.age_ms <= late.allowed_ms,
    },
    {
      name: "WAL of jobs",
      figure: `${megabytes(wal.jobs)} beside ${megabytes(wal.trades)} of trades`,
      limit: "no more than of trades",
      isMet: works.length === 0 ? null : wal.jobs <= wal.trades,
    },
  ];
}

/** What has to hold whatever goes wrong. */
export function judgeFaults(run: {
  readonly rows: Pick<RowComparison, "missing" | "unexpected">;
  readonly recoveries: readonly Recovery[];
  readonly differences: number | null;
  readonly requests: Partial<Record<BudgetName, WindowCounts>>;
}): readonly Bar[] {
  const { rows, recoveries, differences, requests } = run;
  return [
    {
      name: "rows",
      figure: `${rows.missing.length} missing, ${rows.unexpected.length} unexpected`,
      limit: "none",
      isMet: rows.missing.length === 0 && rows.unexpected.length === 0,
    },
    ...recoveries.map(({ fault, lastedMs, behindRows, caughtUpMs }) => ({
      name: `caught up after ${fault}`,
      figure: `${caughtUpMs === null ? "not" : seconds(caughtUpMs)}, from ${behindRows} rows behind`,
      limit: `at most twice the ${seconds(lastedMs)} that it lasted, or ${seconds(LEAST_RECOVERY_MS)}`,
      isMet: caughtUpMs !== null && caughtUpMs <= Math.max(2 * lastedMs, LEAST_RECOVERY_MS),
    })),
    {
      name: "figures that differ from a recompute",
      figure: `${differences ?? "not compared"}`,
      limit: "none",
      isMet: differences === null ? null : differences === 0,
    },
    ...budgetBars(requests),
  ];
}

/** The trend of the depth by least squares, as items added from the first to the last sample. */
export function addedItems(depths: readonly number[]): number {
  const middle = (depths.length - 1) / 2;
  const mean = depths.reduce((sum, depth) => sum + depth, 0) / depths.length;
  const covariance = depths.reduce((sum, depth, index) => sum + (index - middle) * (depth - mean), 0);
  const variance = depths.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  return (covariance / variance) * (depths.length - 1);
}

function judgeDepth(depths: readonly number[]): Bar {
  const mean = depths.reduce((sum, depth) => sum + depth, 0) / depths.length;
  const added = addedItems(depths);
  return {
    name: "depth after the burst",
    figure: depths.length < 3 ? "too few samples" : `${Math.round(mean)} items, trend ${signed(added)}`,
    limit: `trend at most ${FLAT_ITEMS} items, or ${FLAT_SHARE * 100} %`,
    isMet: depths.length < 3 ? null : added <= Math.max(FLAT_ITEMS, FLAT_SHARE * mean),
  };
}

const judgeLag = (name: string, figureMs: number, limitMs: number): Bar => ({
  name,
  figure: Number.isNaN(figureMs) ? "none" : seconds(figureMs),
  limit: `at most ${seconds(limitMs)}`,
  isMet: Number.isNaN(figureMs) ? null : figureMs <= limitMs,
});

const budgetBars = (requests: Partial<Record<BudgetName, WindowCounts>>): Bar[] =>
  Object.entries(REQUEST_BUDGETS).flatMap(([name, limit]) => {
    // Object.entries has no type for the keys of a constant.
    const counts = requests[name as BudgetName];
    return counts === undefined
      ? []
      : [
          {
            name: `requests in 10 s: ${name}`,
            figure: `${counts.most}`,
            limit: `at most ${limit}`,
            isMet: counts.most <= limit,
          },
        ];
  });

/** The WAL of statements, by what wrote it. */
export function walOf(works: readonly WorkFigures[]): { readonly trades: number; readonly jobs: number } {
  const sum = (rows: readonly WorkFigures[]) => rows.reduce((total, { walBytes }) => total + walBytes, 0);
  const trades = sum(works.filter(({ work }) => TRADE_WORKS.has(work)));
  return { trades, jobs: sum(works) - trades };
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 0)} s`;
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const signed = (value: number): string => `${value < 0 ? "" : "+"}${Math.round(value)}`;
