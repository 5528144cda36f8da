import { expect, test } from "vitest";
import { isDatabaseUnavailable } from "../../../src/db/is-database-unavailable.ts";

const shutdown = Object.assign(new Error("terminating connection"), { code: "57P01" });

test("unavailability is found in the causes of a wrapping error", () => {
  expect(isDatabaseUnavailable(new Error("query failed", { cause: new Error("and again", { cause: shutdown }) }))).toBe(
    true,
  );
  expect(isDatabaseUnavailable(new Error("query failed", { cause: new Error("duplicate key") }))).toBe(false);
});

test("a circular chain of causes terminates", () => {
  const first = new Error("first");
  first.cause = new Error("second", { cause: first });
  expect(isDatabaseUnavailable(first)).toBe(false);
});

test("a thrown value that is not an error does not mean an unavailable database", () => {
  for (const thrown of [null, undefined, "57P01", { code: "57P01" }]) expect(isDatabaseUnavailable(thrown)).toBe(false);
});
