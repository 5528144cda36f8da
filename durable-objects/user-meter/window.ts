import type { BudgetState } from "../../src/platform/objects/meter.ts";

export const WINDOW_MS = 60_000;

/** One admission: its time in Unix milliseconds, and its units, at least 1. */
export type Admission = readonly [atMs: number, units: number];

/** The admissions that may still count, oldest first; never more entries than the window's limit. */
export type WindowLog = readonly Admission[];

/**
 * The earliest time at which `units` more fit, if nothing else is admitted before.
 *
 * The log has every admission of the last minute, so any half-open interval of 60,000 ms has at most `limit`
 * units. Two weighted counters would need less storage, but admit more than the limit after a quiet period.
 *
 * @param nowMs not before the log's last admission
 * @returns `nowMs` when they fit now; null when they exceed the limit and never fit
 */
export function findFit(log: WindowLog, units: number, limit: number, nowMs: number): number | null {
  if (units > limit) return null;
  let free = limit - countUnits(log, nowMs);
  let fitsAtMs = nowMs;
  for (const [atMs, taken] of listCounted(log, nowMs)) {
    if (units <= free) break;
    free += taken;
    fitsAtMs = atMs + WINDOW_MS;
  }
  return fitsAtMs;
}

/** The log after admitting `units` at `nowMs`, without admissions that no longer count. */
export function spend(log: WindowLog, units: number, nowMs: number): WindowLog {
  const counted = listCounted(log, nowMs);
  return units === 0 ? counted : [...counted, [nowMs, units]];
}

/**
 * `resetAtMs` is when the oldest admission leaves the window; for an empty window, when an admission now
 * would leave.
 */
export function describeWindow(log: WindowLog, limit: number, nowMs: number): BudgetState {
  const oldestMs = listCounted(log, nowMs)[0]?.[0] ?? nowMs;
  return { limit, remaining: limit - countUnits(log, nowMs), resetAtMs: oldestMs + WINDOW_MS };
}

/** An admission that is exactly one minute old no longer counts. */
function listCounted(log: WindowLog, nowMs: number): WindowLog {
  const first = log.findIndex(([atMs]) => atMs > nowMs - WINDOW_MS);
  if (first === 0) return log;
  return first === -1 ? [] : log.slice(first);
}

function countUnits(log: WindowLog, nowMs: number): number {
  return listCounted(log, nowMs).reduce((sum, [, units]) => sum + units, 0);
}
