import { afterEach, describe, expect, test } from "vitest";
import {
  decideAdmission,
  NEW_METER,
  type MeterState,
} from "../../../../durable-objects/user-meter/decide-admission.ts";
import { firstDayOfLastMonth } from "../../../../durable-objects/user-meter/month.ts";
import { aMeterRequest } from "../../../support/api/meter-requests.ts";

const at = (iso: string) => Date.parse(iso);
const payAsYouGo = { included: 250_000, ceiling: 1_000_000, payAsYouGo: true };

/** A meter that has counted this many requests, all of them today. */
const used = (requests: number, iso: string): MeterState => ({
  ...NEW_METER,
  month: { period: iso.slice(0, 7), used: requests },
  day: { period: iso.slice(0, 10), used: requests },
});

const NOON = "2026-11-21T12:00:00.000Z";

describe("the monthly quota", () => {
  test("the monthly quota serves 250,000 requests and refuses the next until the first of the next month", () => {
    const last = decideAdmission(used(249_999, NOON), aMeterRequest(), at(NOON));
    expect(last.verdict).toMatchObject({
      refusedBy: null,
      quota: { limit: 250_000, used: 250_000, remaining: 0, resetAtMs: at("2026-12-01T00:00:00Z") },
    });
    const refused = decideAdmission(last.next ?? NEW_METER, aMeterRequest(), at(NOON));
    expect(refused).toMatchObject({
      verdict: { refusedBy: "quota", retryAtMs: at("2026-12-01T00:00:00Z"), quota: { used: 250_000, remaining: 0 } },
      next: null,
    });
  });

  test("the monthly quota extends to the ceiling of 1,000,000 with pay-as-you-go", () => {
    const request = aMeterRequest({ quota: payAsYouGo });
    const beyond = decideAdmission(used(250_000, NOON), request, at(NOON));
    expect(beyond.verdict).toMatchObject({
      refusedBy: null,
      quota: { limit: 1_000_000, used: 250_001, remaining: 749_999 },
    });
    expect(decideAdmission(used(999_999, NOON), request, at(NOON)).verdict.refusedBy).toBeNull();
    expect(decideAdmission(used(1_000_000, NOON), request, at(NOON)).verdict.refusedBy).toBe("quota");
  });

  test("the monthly quota has zero remaining, not less, when pay-as-you-go is turned off beyond the included requests", () => {
    const { verdict } = decideAdmission(used(300_000, NOON), aMeterRequest(), at(NOON));
    expect(verdict).toMatchObject({ refusedBy: "quota", quota: { limit: 250_000, used: 300_000, remaining: 0 } });
  });

  test("usage reads neither check nor spend the monthly quota, but report it", () => {
    const usage = aMeterRequest({ budget: "usage", operation: "getUsage" });
    const { verdict, next } = decideAdmission(used(250_000, NOON), usage, at(NOON));
    expect(verdict).toMatchObject({ refusedBy: null, quota: { used: 250_000, remaining: 0 }, day: { used: 250_000 } });
    expect(next).toMatchObject({ month: { used: 250_000 }, day: { used: 250_000 } });
  });

  test("a request that the window refuses does not spend the monthly quota", () => {
    let state = NEW_METER;
    for (let sent = 0; sent < 150; sent++) state = decideAdmission(state, aMeterRequest(), at(NOON)).next ?? state;
    const { verdict } = decideAdmission(state, aMeterRequest(), at(NOON));
    expect(verdict).toMatchObject({ refusedBy: "window", quota: { used: 100 }, day: { used: 100 } });
  });

  test("a request that exceeds both the quota and the window is refused by the quota, whose reset is later", () => {
    let state = used(249_900, NOON);
    for (let sent = 0; sent < 100; sent++) state = decideAdmission(state, aMeterRequest(), at(NOON)).next ?? state;
    const { verdict } = decideAdmission(state, aMeterRequest({ batchUnits: 1 }), at(NOON));
    expect(verdict).toMatchObject({ refusedBy: "quota", retryAtMs: at("2026-12-01T00:00:00Z") });
    expect(
      decideAdmission(state, aMeterRequest({ batchUnits: 1 }), verdict.retryAtMs ?? 0).verdict.refusedBy,
    ).toBeNull();
  });

  test("a clock that goes back over the first of a month does not restart the monthly quota", () => {
    const instants = ["2026-12-01T00:00:01Z", "2026-11-30T23:59:59Z", "2026-12-01T00:00:02Z"];
    const state = instants.reduce(
      (before, iso) => decideAdmission(before, aMeterRequest(), at(iso)).next ?? before,
      NEW_METER,
    );
    expect(state).toMatchObject({ month: { period: "2026-12", used: 3 }, day: { period: "2026-12-01", used: 3 } });
  });

  test("a request near the end of a month is refused by the window, whose reset is later than the quota's", () => {
    const lateMs = at("2026-11-30T23:59:50Z");
    let state = used(249_900, "2026-11-30");
    for (let sent = 0; sent < 100; sent++) state = decideAdmission(state, aMeterRequest(), lateMs).next ?? state;
    const { verdict } = decideAdmission(state, aMeterRequest(), lateMs);
    expect(verdict).toMatchObject({ refusedBy: "window", retryAtMs: at("2026-12-01T00:00:50Z") });
    expect(decideAdmission(state, aMeterRequest(), verdict.retryAtMs ?? 0).verdict.refusedBy).toBeNull();
  });
});

describe.each(["UTC", "America/Los_Angeles", "Pacific/Kiritimati"])("days and months with the clock of %s", (zone) => {
  const home = process.env["TZ"];
  afterEach(() => {
    if (home === undefined) delete process.env["TZ"];
    else process.env["TZ"] = home;
  });

  test.each([
    ["2026-11-21T12:00:00.000Z", "2026-11-22", "2026-12-01"],
    ["2026-12-31T23:59:59.999Z", "2027-01-01", "2027-01-01"],
    ["2027-01-01T00:00:00.000Z", "2027-01-02", "2027-02-01"],
    ["2027-01-31T23:59:59.999Z", "2027-02-01", "2027-02-01"],
    ["2027-02-28T23:59:59.999Z", "2027-03-01", "2027-03-01"],
    ["2028-02-28T23:59:59.999Z", "2028-02-29", "2028-03-01"],
    ["2028-02-29T23:59:59.999Z", "2028-03-01", "2028-03-01"],
    ["2100-02-28T23:59:59.999Z", "2100-03-01", "2100-03-01"],
  ])("a meter at %s counts its UTC day until %s and its UTC month until %s", (now, nextDay, nextMonth) => {
    process.env["TZ"] = zone;
    const { verdict, next } = decideAdmission(used(7, now), aMeterRequest(), at(now));
    expect(verdict.day).toEqual({ used: 8, resetAtMs: at(`${nextDay}T00:00:00Z`) });
    expect(verdict.quota).toMatchObject({ used: 8, resetAtMs: at(`${nextMonth}T00:00:00Z`) });
    const dayLater = decideAdmission(next ?? NEW_METER, aMeterRequest(), verdict.day.resetAtMs).verdict;
    expect(dayLater).toMatchObject({ day: { used: 1 }, quota: { used: nextDay === nextMonth ? 1 : 9 } });
    const monthLater = decideAdmission(next ?? NEW_METER, aMeterRequest(), verdict.quota.resetAtMs).verdict;
    expect(monthLater).toMatchObject({ day: { used: 1 }, quota: { used: 1 } });
  });
});

test.each([
  ["2026-11-21T00:00:00.000Z", "2026-10-01"],
  ["2027-01-31T23:59:59.999Z", "2026-12-01"],
  ["2028-03-31T12:00:00.000Z", "2028-02-01"],
])("the retained days at %s begin with %s", (now, first) => {
  expect(firstDayOfLastMonth(at(now))).toBe(first);
});
