import { expect, test } from "vitest";
import { applyQuery } from "../../../../src/api/request/query-policy.ts";
import { listLargeTrades } from "../../../../src/operations/large-trades/list-large-trades.ts";

const QUERY = "limit=5&unpublished=1&category=sports";

test("a query that was accepted without strict mode is refused in strict mode, each time", () => {
  const check = () => {
    expect(applyQuery(listLargeTrades, QUERY, false).ignored).toEqual(["unpublished"]);
    expect(() => applyQuery(listLargeTrades, QUERY, true)).toThrow("This operation accepts");
  };
  check();
  check();
});

test("a repeated query is applied as the first time, beside others and after more than an operation remembers", () => {
  const apply = (limit: number) => applyQuery(listLargeTrades, `limit=${limit}`, false).values["limit"];
  const limits = Array.from({ length: 40 }, (_, index) => index + 1);
  expect([limits.map(apply), limits.map(apply)]).toEqual([limits, limits]);
});

test("a value that was refused is refused again", () => {
  const apply = () => applyQuery(listLargeTrades, "sort=sideways", false);
  expect(apply).toThrow(/^sort /);
  expect(apply).toThrow(/^sort /);
});
