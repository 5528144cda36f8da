import type { MeterRequest, MeterVerdict } from "../../src/ports/meter.ts";
import { countIn, dayOf, describeQuota, monthOf, requestLimit, startOfNextDay, startOfNextMonth, type PeriodCount } from "./month.ts";
import { describeWindow, findFit, spend, type WindowLog } from "./window.ts";

/** A minute's requests of each window, and item units of the batch budget. */
export const WINDOW_LIMIT = 100;

/** Everything a user's budgets are decided from. */
export interface MeterState {
  /** Unix milliseconds of the last admission; 0 before the first. */
  readonly latestMs: number;
  readonly primary: WindowLog;
  readonly usage: WindowLog;
  readonly batch: WindowLog;
  /** Primary requests. */
  readonly month: PeriodCount;
  readonly day: PeriodCount;
}

export const NEW_METER: MeterState = {
  latestMs: 0,
  primary: [],
  usage: [],
  batch: [],
  month: { period: "", used: 0 },
  day: { period: "", used: 0 },
};

export interface AdmissionDecision {
  readonly verdict: Omit<MeterVerdict, "accounting">;
  /** The state with the request counted; null when it is refused, which spends nothing. */
  readonly next: MeterState | null;
}

/**
 * Decides every budget of a request at once: all of them are spent, or none.
 *
 * Of several budgets that refuse, the one that refuses longest is named, with its time. At that time the others have room too. A batch of
 * more units than the limit is refused for good: `retryAtMs` is then null.
 */
export function decideAdmission(state: MeterState, request: MeterRequest, nowMs: number): AdmissionDecision {
  // A clock that has gone back would reopen a minute, or begin a month again, that has been counted.
  const atMs = Math.max(nowMs, state.latestMs);
  const refusal = findRefusal(state, request, atMs);
  const next = refusal === null ? count(state, request, atMs) : null;
  const verdict = { refusedBy: refusal?.by ?? null, retryAtMs: refusal?.retryAtMs ?? null, ...describe(next ?? state, request, atMs) };
  return { verdict, next };
}

interface Refusal {
  readonly by: NonNullable<MeterVerdict["refusedBy"]>;
  readonly retryAtMs: number | null;
}

function findRefusal(state: MeterState, request: MeterRequest, atMs: number): Refusal | null {
  const quotaSpent = countIn(state.month, monthOf(atMs)) >= requestLimit(request.quota);
  const fits: Refusal[] = [
    { by: "window", retryAtMs: findFit(state[request.budget], 1, WINDOW_LIMIT, atMs) },
    { by: "batch", retryAtMs: findFit(state.batch, request.batchUnits ?? 0, WINDOW_LIMIT, atMs) },
    { by: "quota", retryAtMs: request.budget === "primary" && quotaSpent ? startOfNextMonth(atMs) : atMs },
  ];
  const endOf = ({ retryAtMs }: Refusal) => retryAtMs ?? Infinity;
  const longest = fits.reduce((left, right) => (endOf(right) > endOf(left) ? right : left));
  return longest.retryAtMs === atMs ? null : longest;
}

function count(state: MeterState, { budget, batchUnits }: MeterRequest, atMs: number): MeterState {
  const counted = { ...state, latestMs: atMs, [budget]: spend(state[budget], 1, atMs), batch: spend(state.batch, batchUnits ?? 0, atMs) };
  return budget === "usage" ? counted : { ...counted, month: addOne(state.month, monthOf(atMs)), day: addOne(state.day, dayOf(atMs)) };
}

const addOne = (before: PeriodCount, period: string): PeriodCount => ({ period, used: countIn(before, period) + 1 });

function describe(state: MeterState, { budget, batchUnits, quota }: MeterRequest, atMs: number) {
  return {
    window: describeWindow(state[budget], WINDOW_LIMIT, atMs),
    primary: describeWindow(state.primary, WINDOW_LIMIT, atMs),
    batch: batchUnits === null ? null : describeWindow(state.batch, WINDOW_LIMIT, atMs),
    quota: describeQuota(quota, countIn(state.month, monthOf(atMs)), atMs),
    day: { used: countIn(state.day, dayOf(atMs)), resetAtMs: startOfNextDay(atMs) },
  };
}
