import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decideAdmission,
  NEW_METER,
  type MeterState,
} from "../../../../durable-objects/user-meter/decide-admission.ts";
import type { MeterRequest } from "../../../../src/platform/objects/meter.ts";
import { aMeterRequest } from "../../../support/api/meter-requests.ts";
import { MINUTE_MS } from "../../../../src/scoring/utc-calendar.ts";

const T0 = Date.parse("2026-11-21T09:00:00Z");

interface Arrival {
  readonly gapMs: number;
  readonly request: MeterRequest;
}

/**
 * Bursts, steady traffic and pauses around the window's length; batches of all sizes between plain requests
 * and usage reads.
 */
const arrival: fc.Arbitrary<Arrival> = fc.record({
  gapMs: fc.oneof(
    { weight: 6, arbitrary: fc.nat(20) },
    { weight: 3, arbitrary: fc.nat(1_500) },
    { weight: 1, arbitrary: fc.constantFrom(29_999, 59_999, MINUTE_MS, MINUTE_MS + 1) },
  ),
  request: fc
    .oneof(
      { weight: 5, arbitrary: fc.constant({}) },
      { weight: 2, arbitrary: fc.constant({ budget: "usage" as const, operation: "getUsage" }) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 100 }).map((batchUnits) => ({ batchUnits })) },
    )
    .map(aMeterRequest),
});
const arrivals = fc.array(arrival, { minLength: 1, maxLength: 400, size: "max" });

type AdmissionLog = readonly { readonly atMs: number; readonly units: number }[];

/** Units admitted after `fromMs` and not after `toMs`. */
function sumWithin(admitted: AdmissionLog, fromMs: number, toMs: number): number {
  let sum = 0;
  for (let index = admitted.length - 1; index >= 0; index--) {
    const { atMs, units } = admitted[index] ?? { atMs: fromMs, units: 0 };
    if (atMs <= fromMs) break;
    if (atMs <= toMs) sum += units;
  }
  return sum;
}

/**
 * The most units within any 60 seconds. The fullest span ends with an admission, so only those spans are
 * examined.
 */
const fullestMinute = (admitted: AdmissionLog) =>
  Math.max(0, ...admitted.map(({ atMs }) => sumWithin(admitted, atMs - MINUTE_MS, atMs)));

/** Simulates arrivals and calls `each` before every decision. @returns the admitted units */
function play(
  list: readonly Arrival[],
  each: (state: MeterState, request: MeterRequest, nowMs: number, history: History) => void,
): History {
  const history: History = { primary: [], usage: [], batch: [] };
  let state = NEW_METER;
  let nowMs = T0;
  for (const { gapMs, request } of list) {
    nowMs += gapMs;
    each(state, request, nowMs, history);
    const { next } = decideAdmission(state, request, nowMs);
    if (next === null) continue;
    state = next;
    history[request.budget].push({ atMs: nowMs, units: 1 });
    if (request.batchUnits !== null) history.batch.push({ atMs: nowMs, units: request.batchUnits });
  }
  return history;
}

interface History {
  readonly primary: { atMs: number; units: number }[];
  readonly usage: { atMs: number; units: number }[];
  readonly batch: { atMs: number; units: number }[];
}

describe("any order of arrivals", () => {
  test("no 60 seconds admit more than 100 requests, 100 usage reads or 100 batch units", () => {
    let fullest = 0;
    fc.assert(
      fc.property(arrivals, (list) => {
        const { primary, usage, batch } = play(list, () => undefined);
        const most = [primary, usage, batch].map(fullestMinute);
        fullest = Math.max(fullest, ...most);
        return most.every((units) => units <= 100);
      }),
    );
    // Otherwise the limit was never reached, and the test proves nothing.
    expect(fullest).toBe(100);
  });

  test("only a request above a limit is refused, and it is admitted at its retry time but not a millisecond before", () => {
    let refusals = 0;
    fc.assert(
      fc.property(arrivals, (list) => {
        play(list, (state, request, nowMs, history) => {
          const { verdict } = decideAdmission(state, request, nowMs);
          const requests = sumWithin(history[request.budget], nowMs - MINUTE_MS, nowMs) + 1;
          const units = sumWithin(history.batch, nowMs - MINUTE_MS, nowMs) + (request.batchUnits ?? 0);
          expect(verdict.refusedBy !== null).toBe(requests > 100 || (request.batchUnits !== null && units > 100));
          if (verdict.refusedBy === null) return;
          refusals++;
          const retryAtMs = verdict.retryAtMs ?? NaN;
          expect(retryAtMs).toBeGreaterThan(nowMs);
          expect(retryAtMs).toBeLessThanOrEqual(nowMs + MINUTE_MS);
          expect(decideAdmission(state, request, retryAtMs).verdict.refusedBy).toBeNull();
          expect(decideAdmission(state, request, retryAtMs - 1).verdict.refusedBy).not.toBeNull();
        });
      }),
    );
    expect(refusals).toBeGreaterThan(100);
  });

  test("a client that always waits for its retry time gets every request admitted at its first retry", () => {
    const sizes = fc.array(fc.option(fc.integer({ min: 1, max: 100 }), { nil: null }), {
      minLength: 101,
      maxLength: 300,
      size: "max",
    });
    fc.assert(
      fc.property(sizes, (units) => {
        let state = NEW_METER;
        let nowMs = T0;
        for (const batchUnits of units) {
          const request = aMeterRequest({ batchUnits });
          const first = decideAdmission(state, request, nowMs);
          nowMs = first.verdict.retryAtMs ?? nowMs;
          const { next } = first.next === null ? decideAdmission(state, request, nowMs) : first;
          if (next === null) return false;
          state = next;
        }
        return true;
      }),
    );
  });

  test("the reported remaining units are those that the last minute leaves", () => {
    fc.assert(
      fc.property(arrivals, (list) => {
        const reported: (number | null)[][] = [];
        const expected: (number | null)[][] = [];
        play(list, (state, request, nowMs, history) => {
          const { window, batch, primary, refusedBy } = decideAdmission(state, request, nowMs).verdict;
          const own = refusedBy === null ? 1 : 0;
          const used = sumWithin(history[request.budget], nowMs - MINUTE_MS, nowMs) + own;
          const ownPrimary = request.budget === "primary" ? own : 0;
          const units = sumWithin(history.batch, nowMs - MINUTE_MS, nowMs) + own * (request.batchUnits ?? 0);
          reported.push([window.remaining, primary.remaining, batch?.remaining ?? null]);
          expected.push([
            100 - used,
            100 - sumWithin(history.primary, nowMs - MINUTE_MS, nowMs) - ownPrimary,
            request.batchUnits === null ? null : 100 - units,
          ]);
        });
        expect(reported).toEqual(expected);
      }),
    );
  });
});

/** The state after requests at these seconds. */
const after = (seconds: readonly number[], request = aMeterRequest()) =>
  seconds.reduce((state, second) => decideAdmission(state, request, T0 + second * 1000).next ?? state, NEW_METER);
const repeat = (times: number, second: number) => Array.from({ length: times }, () => second);

test("the window resets and a plain request may be retried when the oldest request is a minute old", () => {
  const state = after([...repeat(1, 0), ...repeat(99, 30)]);
  const { verdict } = decideAdmission(state, aMeterRequest(), T0 + 40_000);
  expect(verdict).toMatchObject({
    refusedBy: "window",
    retryAtMs: T0 + 60_000,
    window: { remaining: 0, resetAtMs: T0 + 60_000 },
  });
  const { verdict: later } = decideAdmission(state, aMeterRequest(), T0 + 60_000);
  expect(later).toMatchObject({ refusedBy: null, window: { limit: 100, remaining: 0, resetAtMs: T0 + 90_000 } });
});

test("an unused window has its full limit and resets a minute later", () => {
  const { verdict } = decideAdmission(NEW_METER, aMeterRequest({ budget: "usage" }), T0);
  expect(verdict.primary).toEqual({ limit: 100, remaining: 100, resetAtMs: T0 + 60_000 });
});

test("a batch is refused until enough units are released: after 60 at 0 s and 30 at 10 s, 35 fit at 60 s and 75 at 70 s", () => {
  const first = after([0], aMeterRequest({ batchUnits: 60 }));
  const state = decideAdmission(first, aMeterRequest({ batchUnits: 30 }), T0 + 10_000).next ?? NEW_METER;
  const decide = (batchUnits: number) => decideAdmission(state, aMeterRequest({ batchUnits }), T0 + 20_000).verdict;
  expect(decide(10)).toMatchObject({ refusedBy: null, batch: { limit: 100, remaining: 0, resetAtMs: T0 + 60_000 } });
  expect(decide(35)).toMatchObject({
    refusedBy: "batch",
    retryAtMs: T0 + 60_000,
    batch: { remaining: 10 },
    window: { remaining: 98 },
  });
  expect(decide(75)).toMatchObject({ refusedBy: "batch", retryAtMs: T0 + 70_000 });
});

test("a batch of more units than the budget has is refused without a retry time, whatever else refuses it", () => {
  const request = aMeterRequest({ batchUnits: 101 });
  expect(decideAdmission(NEW_METER, request, T0)).toMatchObject({
    verdict: { refusedBy: "batch", retryAtMs: null },
    next: null,
  });
  expect(decideAdmission(after(repeat(100, 0)), request, T0).verdict).toMatchObject({
    refusedBy: "batch",
    retryAtMs: null,
  });
});

test("a clock that goes back releases nothing from the window early", () => {
  const state = after([...repeat(60, 30), ...repeat(40, -20)]);
  // By their own clock the 40 would be older than a minute at 45 s.
  const { verdict } = decideAdmission(state, aMeterRequest(), T0 + 45_000);
  expect(verdict).toMatchObject({ refusedBy: "window", retryAtMs: T0 + 90_000 });
});
