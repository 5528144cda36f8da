import { describe, expect, test } from "vitest";
import {
  ProviderRequestBudget,
  type RouteClass,
} from "../../../../../src/providers/polymarket/http/provider-request-budget.ts";

/** The most calls that start within any ten seconds, when as many as possible are made from the start. */
function busiestWindow(route: RouteClass, calls: number): number {
  const budget = new ProviderRequestBudget();
  const starts = Array.from({ length: calls }, () => budget.reserve(route, 0, Infinity));
  return Math.max(...starts.map((from) => starts.filter((at) => at >= from && at < from + 10_000).length));
}

describe("the provider's limits over ten seconds", () => {
  test.each<[RouteClass, number]>([
    ["gamma.markets", 300],
    ["data.trades", 200],
    ["data.other", 400],
    ["clob.books", 500],
  ])("no ten seconds hold more %s calls than the limit of %i", (route, limit) => {
    const busiest = busiestWindow(route, limit * 3);
    expect(busiest).toBeLessThanOrEqual(limit);
    // The budget is also used to nearly its full size.
    expect(busiest).toBeGreaterThan(limit * 0.95);
  });
});

test("the routes of one host share its limit", () => {
  const budget = new ProviderRequestBudget();
  for (let call = 0; call < 40; call++) budget.reserve("data.trades", 0, Infinity);
  for (let call = 0; call < 80; call++) budget.reserve("data.other", 0, Infinity);
  // 445 of 890 for the host, 40 and 80 for the routes: both routes are at their limit, the host is not.
  expect(budget.reserve("data.other", 0, Infinity)).toBe(32);
  expect(budget.reserve("clob.books", 0, Infinity)).toBe(0);
});

test("a reservation beyond the maximum wait is not made", () => {
  const budget = new ProviderRequestBudget();
  for (let call = 0; call < 80; call++) budget.reserve("data.other", 0, Infinity);
  expect(budget.reserve("data.other", 0, 10)).toBe(32);
  expect(budget.reserve("data.other", 0, 10)).toBe(32);
  expect(budget.reserve("data.other", 0, 32)).toBe(32);
  expect(budget.reserve("data.other", 0, 1000)).toBe(63);
});

test("a bucket refills without calls, up to its size", () => {
  const budget = new ProviderRequestBudget();
  for (let call = 0; call < 80; call++) budget.reserve("data.other", 0, Infinity);
  const waits = Array.from({ length: 81 }, () => budget.reserve("data.other", 3_600_000, Infinity));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(80);
});

test("trade pages have a short burst and then 16 a second, so both feeds together catch up with 8,000 trades a second", () => {
  const budget = new ProviderRequestBudget();
  const starts = Array.from({ length: 40 + 160 }, () => budget.reserve("data.trades", 0, Infinity));
  expect(starts.filter((at) => at === 0)).toHaveLength(40);
  expect(starts.at(-1)).toBe(10_000);
});

test("reads of traders have a short burst and then 32 a second, as ten thousand followed ones need", () => {
  const budget = new ProviderRequestBudget();
  const starts = Array.from({ length: 80 + 320 }, () => budget.reserve("data.other", 0, Infinity));
  expect(starts.filter((at) => at === 0)).toHaveLength(80);
  expect(starts.at(-1)).toBe(10_000);
});

test("a host is paused for the longest requested time", () => {
  const budget = new ProviderRequestBudget();
  budget.hold("data.trades", 5000);
  budget.hold("data.trades", 3000);
  expect(budget.reserve("data.other", 1000, Infinity)).toBe(4000);
  expect(budget.reserve("gamma.markets", 1000, Infinity)).toBe(0);
  expect(budget.reserve("data.other", 5000, Infinity)).toBe(0);
});
