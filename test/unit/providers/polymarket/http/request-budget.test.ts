import { describe, expect, test } from "vitest";
import { RequestBudget, type RouteClass } from "../../../../../src/providers/polymarket/http/request-budget.ts";

/** The most calls that start within any ten seconds, when as many as possible are made from the start on. */
function busiestWindow(route: RouteClass, calls: number): number {
  const budget = new RequestBudget();
  const starts = Array.from({ length: calls }, () => budget.reserve(route, 0, Infinity));
  return Math.max(...starts.map((from) => starts.filter((at) => at >= from && at < from + 10_000).length));
}

describe("no ten seconds hold more calls than the provider's limit", () => {
  test.each<[RouteClass, number]>([
    ["gamma.markets", 300],
    ["data.trades", 200],
    ["data.other", 400],
    ["clob.books", 500],
  ])("%s: %i", (route, limit) => {
    const busiest = busiestWindow(route, limit * 3);
    expect(busiest).toBeLessThanOrEqual(limit);
    // Nor is the budget left lying.
    expect(busiest).toBeGreaterThan(limit * 0.95);
  });
});

test("routes of one host share its limit", () => {
  const budget = new RequestBudget();
  for (let call = 0; call < 100; call++) budget.reserve("data.trades", 0, Infinity);
  for (let call = 0; call < 200; call++) budget.reserve("data.other", 0, Infinity);
  // 445 of 890 for the host, 100 and 200 for the routes: both routes are at their end, the host is not.
  expect(budget.reserve("data.other", 0, Infinity)).toBe(50);
  expect(budget.reserve("clob.books", 0, Infinity)).toBe(0);
});

test("a place too far away is not taken", () => {
  const budget = new RequestBudget();
  for (let call = 0; call < 100; call++) budget.reserve("data.trades", 0, Infinity);
  expect(budget.reserve("data.trades", 0, 10)).toBe(100);
  expect(budget.reserve("data.trades", 0, 10)).toBe(100);
  expect(budget.reserve("data.trades", 0, 100)).toBe(100);
  expect(budget.reserve("data.trades", 0, 1000)).toBe(200);
});

test("a bucket fills up while nobody calls, and no further than its size", () => {
  const budget = new RequestBudget();
  for (let call = 0; call < 100; call++) budget.reserve("data.trades", 0, Infinity);
  const waits = Array.from({ length: 101 }, () => budget.reserve("data.trades", 3_600_000, Infinity));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(100);
});

test("a host that asked for a rest gets it whole", () => {
  const budget = new RequestBudget();
  budget.hold("data.trades", 5000);
  budget.hold("data.trades", 3000);
  expect(budget.reserve("data.other", 1000, Infinity)).toBe(4000);
  expect(budget.reserve("gamma.markets", 1000, Infinity)).toBe(0);
  expect(budget.reserve("data.other", 5000, Infinity)).toBe(0);
});
