import { DrizzleQueryError } from "drizzle-orm/errors";
import { expect, test } from "vitest";
import { describeError } from "../../../../src/platform/log/console-log.ts";

test("a described error contains its causes", () => {
  expect(describeError(new Error("not read", { cause: new TypeError("no answer") }))).toBe(
    "Error: not read <- TypeError: no answer",
  );
  expect(describeError("stopped")).toBe("stopped");
});

test("a described database error contains the statement without its parameters", () => {
  const failed = new DrizzleQueryError(
    "select 1 from api_keys where key_hash = $1",
    ["hunter2"],
    new Error("connection lost"),
  );
  expect(describeError(failed)).toBe(
    "Error: failed query: select 1 from api_keys where key_hash = $1 <- Error: connection lost",
  );
});

const postgresError = (message: string, fields: object) =>
  Object.assign(new Error(message), { name: "NeonDbError", severity: "ERROR", ...fields });

test.each([
  ['invalid input syntax for type bigint: "hunter2"', 'invalid input syntax for type bigint: "..."'],
  ['invalid input syntax for type json: "say "hunter2" twice"', 'invalid input syntax for type json: "..."'],
  ['invalid input syntax for type date: "hunter2\n2"', 'invalid input syntax for type date: "..."'],
  ["division by zero", "division by zero"],
])("a described Postgres error has severity and SQLSTATE and no quoted value: %s", (message, described) => {
  expect(describeError(postgresError(message, { code: "22P02" }))).toBe(`NeonDbError: ERROR 22P02: ${described}`);
});

test("a described Postgres error names the constraint that was violated", () => {
  const failed = postgresError('duplicate key value violates unique constraint "accounts_email_key"', {
    code: "23505",
    constraint: "accounts_email_key",
    detail: "Key (email)=(hunter2) already exists.",
  });
  expect(describeError(failed)).toBe(
    'NeonDbError: ERROR 23505: duplicate key value violates unique constraint "..." (accounts_email_key)',
  );
});

test("a circular chain of causes is described up to a limit", () => {
  const first = new Error("first");
  first.cause = first;
  expect(describeError(first)).toBe("Error: first <- Error: first <- Error: first <- Error: first");
});
