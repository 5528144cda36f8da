import { expect, test } from "vitest";
import { isUnavailable } from "../../../src/db/is-unavailable.ts";

const shutdown = Object.assign(new Error("terminating connection"), { code: "57P01" });

test("what a wrapper says is looked up in its causes", () => {
  expect(isUnavailable(new Error("query failed", { cause: new Error("and again", { cause: shutdown }) }))).toBe(true);
  expect(isUnavailable(new Error("query failed", { cause: new Error("duplicate key") }))).toBe(false);
});

test("causes in a circle come to an end", () => {
  const first = new Error("first");
  first.cause = new Error("second", { cause: first });
  expect(isUnavailable(first)).toBe(false);
});

test("what is no error says nothing of the database", () => {
  for (const thrown of [null, undefined, "57P01", { code: "57P01" }]) expect(isUnavailable(thrown)).toBe(false);
});
