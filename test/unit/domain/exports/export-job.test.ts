import { describe, expect, test } from "vitest";
import { findRangeFault, findSizeFault, sizeText, toSizeCents } from "../../../../src/domain/exports/dataset-range.ts";
import {
  decideWork,
  isTerminal,
  JOB_STATES,
  nextAction,
  pollAfterSeconds,
  statesBefore,
  visibleState,
} from "../../../../src/domain/exports/export-job.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const LATER = new Date("2026-11-21T12:00:01Z");

describe("an owner's view of a job", () => {
  test.each([
    ["queued", "poll", 5],
    ["running", "poll", 5],
    ["cancel_requested", "poll", 5],
    ["reconcile_required", "poll", 300],
    ["ready", "download", null],
    ["failed", "resubmit", null],
    ["expired", "resubmit", null],
    ["cancelled", "resubmit", null],
  ] as const)("%s: next action %s, next poll after %s seconds", (state, action, seconds) => {
    expect(nextAction(state)).toBe(action);
    expect(pollAfterSeconds(state)).toBe(seconds);
    expect(isTerminal(state)).toBe(seconds === null);
  });

  test.each([
    ["ready", "expired"],
    ["queued", "failed"],
    ["running", "failed"],
    ["reconcile_required", "failed"],
    ["cancel_requested", "cancelled"],
    ["failed", "failed"],
    ["cancelled", "cancelled"],
  ] as const)("%s past its expiry is %s", (state, seen) => {
    expect(visibleState({ state, expiresAt: LATER }, NOW)).toBe(state);
    expect(visibleState({ state, expiresAt: NOW }, NOW)).toBe(seen);
  });
});

test("nothing leads out of failed, expired and cancelled, and ready leads only to expired", () => {
  const next = (from: string) =>
    (["running", "cancel_requested", "reconcile_required", "ready", "failed", "cancelled", "expired"] as const).filter(
      (to) => statesBefore(to).some((state) => state === from),
    );
  expect(JOB_STATES.map((state) => [state, next(state)])).toEqual([
    ["queued", ["running", "failed", "cancelled"]],
    ["running", ["running", "cancel_requested", "reconcile_required", "ready", "failed"]],
    ["cancel_requested", ["cancelled"]],
    ["reconcile_required", ["running", "cancel_requested", "failed"]],
    ["ready", ["expired"]],
    ["failed", []],
    ["expired", []],
    ["cancelled", []],
  ]);
});

test.each([
  ["cancel_requested", 9, NOW, "cancel"],
  ["running", 1, NOW, "fail_late"],
  ["running", 4, LATER, "fail_attempts"],
  ["running", 3, LATER, "extract"],
] as const)("a consumer that claims a job in %s at attempt %s decides", (state, attempt, expiresAt, work) => {
  expect(decideWork({ state, attempt, maxAttempts: 3, expiresAt }, NOW)).toBe(work);
});

describe("the filters of a dataset", () => {
  const at = (text: string) => new Date(text);
  test("a range of exactly 31 days that ends now is accepted", () => {
    expect(findRangeFault(at("2026-10-21T12:00:00Z"), NOW, NOW)).toBeNull();
    expect(findRangeFault(at("2026-10-21T11:59:59Z"), NOW, NOW)).toMatchObject({ param: "from" });
    expect(findRangeFault(at("2026-11-20T00:00:00Z"), LATER, NOW)).toMatchObject({ param: "to" });
  });

  test.each([
    [null, null],
    [0, null],
    [0.0049999, null],
    [0.005, 1],
    [25_000, 2_500_000],
    [0.285, 29],
  ])("a minimum of %s dollars is %s cents", (usd, cents) => {
    expect(toSizeCents(usd)).toBe(cents);
  });

  test("a floor is repeated to the replay as the same number of cents", () => {
    for (const cents of [1, 29, 1_001_481, 2_500_000, 99_999_999_999_999])
      expect(toSizeCents(Number(sizeText(cents)))).toBe(cents);
  });

  test("sizes below zero and beyond a trillion dollars are refused", () => {
    expect([findSizeFault(-1)?.param, findSizeFault(1e12), findSizeFault(1.1e12)?.param]).toEqual([
      "min_size",
      null,
      "min_size",
    ]);
  });
});
