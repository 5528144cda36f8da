import type { BudgetState } from "../../src/ports/meter.ts";

export const WINDOW_MS = 60_000;

/** One admission: its time in Unix milliseconds, and how many units it took, at least 1. */
export type Admission = readonly [atMs: number, units: number];

/** The admissions that may still count, oldest first; never more than the window's limit. */
export type WindowLog = readonly Admission[];

/**
 * The earliest time at which `units` more fit, should nothing else be admitted before.
 *
 * Every admission of the last minute is in the log, so any 60,000 ms, the first instant in and the last one out, hold at most `limit`
 * units. Two counters with the previous one carried forward would be smaller, and let through more than the limit after a quiet start.
 *
 * @param nowMs not before the log's last admission
 * @returns `nowMs` when they fit now; null when they are more than the limit, and so never fit
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

/** The log once `units` have been admitted at a time; what no longer counts is left out. */
export function spend(log: WindowLog, units: number, nowMs: number): WindowLog {
  const counted = listCounted(log, nowMs);
  return units === 0 ? counted : [...counted, [nowMs, units]];
}

/** The reset is when the oldest admission leaves and units come back; with none, when one made now would. */
export function describeWindow(log: WindowLog, limit: number, nowMs: number): BudgetState {
  const oldestMs = listCounted(log, nowMs)[0]?.[0] ?? nowMs;
  return { limit, remaining: limit - countUnits(log, nowMs), resetAtMs: oldestMs + WINDOW_MS };
}

/** An admission exactly one minute old counts no more. */
function listCounted(log: WindowLog, nowMs: number): WindowLog {
  return log.filter(([atMs]) => atMs > nowMs - WINDOW_MS);
}

function countUnits(log: WindowLog, nowMs: number): number {
  return listCounted(log, nowMs).reduce((sum, [, units]) => sum + units, 0);
}
