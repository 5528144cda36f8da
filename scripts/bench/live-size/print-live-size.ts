import { percentile } from "../engine/percentiles.ts";
import { judgeBars, judgeFaults, megabytes, type Bar } from "./judge-bars.ts";
import type { LiveSize } from "./live-size.ts";
import { REQUEST_BUDGETS, type BudgetName, type WindowCounts } from "./provider/request-windows.ts";
import { afterBurst, type LiveRun, type Sample } from "./run-live-size.ts";
import { JUDGED_DEPTH, type DepthSample } from "./samples/sample-database.ts";

/** Works in the table of statements. */
const MOST_WORKS = 25;

/** Due and queued items of the kinds whose depth is judged. A leased item of a trader is due as well, so the greater counts. */
export const depthOf = ({ due, leased }: DepthSample): number =>
  JUDGED_DEPTH.reduce((sum, kind) => sum + Math.max(due[kind] ?? 0, leased[kind] ?? 0), 0);

export const describeSize = (size: LiveSize): string =>
  `${size.markets} markets, ${size.traders} traders, ${size.fills} fills; ${size.rate} trades/s, ${size.burst} in the burst; ` +
  `${size.rttMs} ms round trip; ${size.minutes} minutes` +
  (size.faults.length === 0 ? "" : `; faults: ${size.faults.join(", ")}`);

export function describeSample({ elapsedMs, database, requests, ages, memoryBytes }: Sample): string {
  const nonZero = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => `${kind} ${count}`)
      .join(", ");
  const late = ages.filter(({ age_ms, allowed_ms }) => age_ms > allowed_ms).map(({ of }) => of);
  return [
    `${String(elapsedMs / 1_000).padStart(4)} s  depth ${depthOf(database)}`,
    `due: ${nonZero(database.due)}`,
    `leased: ${nonZero(database.leased)}`,
    `latest due trader, s: ${nonZero(database.lateSeconds)}`,
    `requests in 10 s: ${describeRequests(requests)}`,
    `lock waits ${database.lockWaits}, longest ${(database.longestLockWaitMs / 1_000).toFixed(1)} s; longest running ${(database.longestRunningMs / 1_000).toFixed(1)} s`,
    ...(memoryBytes === null ? [] : [`Worker process ${megabytes(memoryBytes)}`]),
    ...(late.length === 0 ? [] : [`too old: ${late.join(", ")}`]),
  ].join(" | ");
}

const describeRequests = (requests: Partial<Record<BudgetName, WindowCounts>>): string =>
  Object.entries(requests)
    .filter(([, { now }]) => now > 0)
    .map(([name, { now }]) => `${name} ${now}/${REQUEST_BUDGETS[name as BudgetName]}`)
    .join(", ");

/** The bars of a run: with faults, what has to hold all the same. */
export function judgeRun(run: LiveRun): readonly Bar[] {
  if (run.size.faults.length > 0) return judgeFaults(run);
  return judgeBars({
    ...{ size: run.size, lags: run.lags, requests: run.requests, works: run.works },
    depthAfterBurst: afterBurst(run).map(({ database }) => depthOf(database)),
    ages: [
      ...Map.groupBy(
        run.samples.flatMap(({ ages }) => ages),
        ({ of }) => of,
      ).values(),
    ].flatMap((ages) => ages.toSorted((a, b) => b.age_ms / b.allowed_ms - a.age_ms / a.allowed_ms).slice(0, 1)),
  });
}

/** The tables after a run: lags, works, bars. */
export function describeRun(run: LiveRun): readonly string[] {
  const { lags, works, ledgerLock, samples, size, rows, tiers } = run;
  const first = samples[0]?.database.walBytes ?? 0;
  const last = samples.at(-1)?.database.walBytes ?? 0;
  const minutes = Math.max(1, samples.length - 1) / 6;
  const tierCounts = ["hot", "warm", "cold"].map(
    (tier) => `${[...tiers.values()].filter((one) => one === tier).length} ${tier}`,
  );
  return [
    `live-size: ${describeSize(size)}`,
    `rows: ${rows.sent} traded, ${rows.stored} stored, ${rows.missing.length} missing, ${rows.unexpected.length} unexpected`,
    `followed traders: ${tierCounts.join(", ")}`,
    `page to readable: ${describeLags(lags.pageMs)}`,
    `feed to readable: ${describeLags(lags.feedMs)} (polled every 10 s)`,
    ...(["hot", "warm", "cold"] as const).map(
      (tier) => `follow-up of ${tier} traders: ${describeLags(lags.followUpMs[tier])}`,
    ),
    `WAL of everything: ${megabytes((last - first) / minutes)} a minute`,
    "a minute: calls, rows, WAL, time; longest statement",
    ...works
      .slice(0, MOST_WORKS)
      .map(
        ({ work, calls, rows: count, walBytes, totalMs, longestMs, longestText }) =>
          `  ${work.padEnd(24)} ${perMinute(calls)} ${perMinute(count)} ${megabytes(walBytes / size.minutes).padStart(9)} ` +
          `${(totalMs / size.minutes / 1_000).toFixed(1).padStart(6)} s; ${(longestMs / 1_000).toFixed(2)} s ${longestText}`,
      ),
    "the ledger lock, seconds a minute: waited for, held",
    ...ledgerLock.map(
      ({ work, waitedMs, heldMs }) => `  ${work.padEnd(24)} ${secondsPerMinute(waitedMs)} ${secondsPerMinute(heldMs)}`,
    ),
    "Objects of one Worker share a process: its memory is shown, that of an object cannot be read locally.",
    ...judgeRun(run).map(
      ({ name, figure, limit, isMet }) =>
        `${isMet === null ? "not measured" : isMet ? "met" : "MISSED"}: ${name}: ${figure} (${limit})`,
    ),
  ];

  function secondsPerMinute(ms: number): string {
    return (ms / size.minutes / 1_000).toFixed(2).padStart(8);
  }

  function perMinute(count: number): string {
    return String(Math.round(count / size.minutes)).padStart(8);
  }
}

function describeLags(lags: readonly number[]): string {
  if (lags.length === 0) return "none";
  const at = (share: number) => `${(percentile(lags, share) / 1_000).toFixed(2)} s`;
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)} (${lags.length} rows)`;
}
