import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, test } from "vitest";
import { describeError } from "../../../src/lib/console-log.ts";

test("an error is told with its causes", () => {
  expect(describeError(new Error("not read", { cause: new TypeError("no answer") }))).toBe("Error: not read <- TypeError: no answer");
  expect(describeError("stopped")).toBe("stopped");
});

test("a failed statement is told without the values it was run with", () => {
  const failed = new DrizzleQueryError("select 1 from api_keys where key_hash = $1", ["hunter2"], new Error("connection lost"));
  expect(describeError(failed)).toBe("Error: failed query: select 1 from api_keys where key_hash = $1 <- Error: connection lost");
});

test("causes in a circle come to an end", () => {
  const first = new Error("first");
  first.cause = first;
  expect(describeError(first)).toBe("Error: first <- Error: first <- Error: first <- Error: first");
});
