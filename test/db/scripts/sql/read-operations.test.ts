import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SAMPLES } from "../../../../scripts/bench/operations/samples.ts";
import { parseSqlArguments } from "../../../../scripts/sql/arguments.ts";
import { findReadOperation, listReadOperations } from "../../../../scripts/sql/read-operations.ts";
import { explain, runRead } from "../../../../scripts/sql/run-read.ts";
import { API_OPERATIONS } from "../../../../src/operations/index.ts";
import { createTestDatabase } from "../../../support/database/database.ts";

let client: pg.Client;

beforeAll(async () => {
  const { databaseUrl } = await createTestDatabase();
  client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
});
afterAll(() => client.end());

test("the listing names every operation that only reads, and no other", () => {
  const listed = listReadOperations()
    .split("\n")
    .map((line) => line.split(" ")[0] ?? "");
  const gets = API_OPERATIONS.filter(({ kind, method }) => method === "get" && kind !== "stream").map(({ id }) => id);
  // The benchmark measures the registration of agents too, which sends no statement.
  const measured = Object.keys(SAMPLES).filter((id) => id !== "registerAgent");
  expect(new Set(listed)).toEqual(new Set([...gets, ...measured]));
});

test("the statements of an operation are those that its handler sends, with a plan each", async () => {
  const path = "/api/v1/trader/nobody";
  const operation = findReadOperation(path);
  expect(operation?.id).toBe("getTrader");
  if (operation === null) return;
  const { statements, error } = await runRead(operation, { path }, { client, variables: { DATABASE_URL: "unused" } });
  expect(error?.reason).toBe("not_found");
  expect(statements).toEqual([{ text: expect.stringContaining(`"traders" "t"`), params: expect.anything() }]);
  for (const statement of statements) {
    expect((await explain(client, statement)).join("\n")).toContain("Execution Time");
  }
});

test("an unknown operation and a path of another operation are refused", () => {
  expect(() => parseSqlArguments(["getNothing"])).toThrow("There is no read operation getNothing.");
  expect(() => parseSqlArguments(["getTrader", "--path", "/api/v1/positions"])).toThrow("--path must be a path of");
  expect(parseSqlArguments([])).toBeNull();
  expect(parseSqlArguments(["getTrader", "--path", "/api/v1/trader/a?expand=trust", "--explain"])).toMatchObject({
    path: "/api/v1/trader/a?expand=trust",
    withPlans: true,
  });
});
