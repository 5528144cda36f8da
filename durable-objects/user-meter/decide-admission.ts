import { utcDate, utcMonth, startOfNextDay } from "../../src/scoring/utc-calendar.ts";
import type { MeterRequest, MeterVerdict } from "../../src/platform/objects/meter.ts";
import { countIn, describeQuota, requestLimit, startOfNextMonth, type PeriodCount } from "./month.ts";
import { describeWindow, findFit, spend, type WindowLog } from "./window.ts";

/** Requests per minute of each window, and units per minute of the batch budget. */
export const WINDOW_LIMIT = 100;

/** The state from which a user's budgets are decided. */
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
  /** The state after counting the request; null when it is refused, which spends nothing. */
  readonly next: MeterState | null;
}

/**
 * Decides all budgets of a request together: either all are spent or none.
 *
 * When several budgets refuse, the verdict names the one with the latest retry time; by then the others admit
 * the request as well. A batch with more units than the limit can never be admitted: `retryAtMs` is then
 * null.
 */
export function decideAdmission(state: MeterState, request: MeterRequest, nowMs: number): AdmissionDecision {
  // Never before the last admission: a clock that goes back would reopen a counted window or month.
  const atMs = Math.max(nowMs, state.latestMs);
  const refusal = findRefusal(state, request, atMs);
  const next = refusal === null ? count(state, request, atMs) : null;
  const verdict = {
    refusedBy: refusal?.by ?? null,
    retryAtMs: refusal?.retryAtMs ?? null,
    ...describe(next ?? state, request, atMs),
  };
  return { verdict, next };
}

interface Refusal {
  readonly by: NonNullable<MeterVerdict["refusedBy"]>;
  readonly retryAtMs: number | null;
}

function findRefusal(state: MeterState, request: MeterRequest, atMs: number): Refusal | null {
  const quotaSpent = countIn(state.month, utcMonth(atMs)) >= requestLimit(request.quota);
  const fits: Refusal[] = [
    { by: "window", retryAtMs: findFit(state[request.budget], 1, WINDOW_LIMIT, atMs) },
    { by: "batch", retryAtMs: findFit(state.batch, request.batchUnits ?? 0, WINDOW_LIMIT, atMs) },
    { by: "quota", retryAtMs: request.budget === "primary" && quotaSpent ? startOfNextMonth(atMs) : atMs },
  ];
  const endOf = ({ retryAtMs }: Refusal) => retryAtMs ?? Infinity;
  const latest = fits.reduce((left, right) => (endOf(right) > endOf(left) ? right : left));
  return latest.retryAtMs === atMs ? null : latest;
}

function count(state: MeterState, { budget, batchUnits }: MeterRequest, atMs: number): MeterState {
  const counted = {
    ...state,
    latestMs: atMs,
    [budget]: spend(state[budget], 1, atMs),
    batch: spend(state.batch, batchUnits ?? 0, atMs),
  };
  return budget === "usage"
    ? counted
    : { ...counted, month: addOne(state.month, utcMonth(atMs)), day: addOne(state.day, utcDate(atMs)) };
}

const addOne = (before: PeriodCount, period: string): PeriodCount => ({ period, used: countIn(before, period) + 1 });

function describe(state: MeterState, { budget, batchUnits, quota }: MeterRequest, atMs: number) {
  const primary = describeWindow(state.primary, WINDOW_LIMIT, atMs);
  return {
    window: budget === "primary" ? primary : describeWindow(state[budget], WINDOW_LIMIT, atMs),
    primary,
    batch: batchUnits === null ? null : describeWindow(state.batch, WINDOW_LIMIT, atMs),
    quota: describeQuota(quota, countIn(state.month, utcMonth(atMs)), atMs),
    day: { used: countIn(state.day, utcDate(atMs)), resetAtMs: startOfNextDay(atMs) },
  };
}
