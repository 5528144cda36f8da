import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { sessionOf } from "../../../src/db/client.ts";
import { constantStatement } from "../../../src/db/constant-statement.ts";
import { constantRecordset } from "../../../src/db/fragments/recordset.ts";
import { renderSql, selectRows } from "../../../src/db/sql.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

interface Sale {
  readonly item: string | null;
  readonly pieces: bigint;
}

interface Sales {
  readonly shop: string;
  readonly sales: readonly Sale[];
}

const Row = z.object({ shop: z.string(), fixed: z.string(), item: z.string().nullable(), pieces: z.string() });

const counted = () => {
  let builds = 0;
  const statement = constantStatement<Sales>((parameters) => {
    builds += 1;
    const rows = constantRecordset(parameters, "t", ({ sales }: Sales) => sales, {
      item: ["text", ({ item }) => item],
      pieces: ["bigint", ({ pieces }) => pieces],
    });
    return sql`select ${parameters.value(({ shop }) => shop)}::text as shop, ${"fixed"}::text as fixed, item, pieces from ${rows}
      where pieces = any(${parameters.array(({ sales }) => sales.map(({ pieces }) => pieces), "bigint")})`;
  });
  return { statement, builds: () => builds };
};

test("a constant statement is rendered once and executed with the parameters of each input", async () => {
  const { statement, builds } = counted();
  const session = sessionOf(database.openPool());
  const first = {
    shop: "north",
    sales: [
      { item: 'a "b", {c}', pieces: 5n },
      { item: null, pieces: 2n ** 62n },
    ],
  };
  expect(await selectRows(session, statement(first), Row)).toEqual([
    { shop: "north", fixed: "fixed", item: 'a "b", {c}', pieces: "5" },
    { shop: "north", fixed: "fixed", item: null, pieces: String(2n ** 62n) },
  ]);
  expect(await selectRows(session, statement({ shop: "south", sales: [{ item: "d", pieces: 1n }] }), Row)).toEqual([
    { shop: "south", fixed: "fixed", item: "d", pieces: "1" },
  ]);
  expect(await selectRows(session, statement({ shop: "empty", sales: [] }), Row)).toEqual([]);
  expect(builds()).toBe(1);
});

test("statements of two inputs keep their own parameters", () => {
  const { statement } = counted();
  const [one, other] = [statement({ shop: "one", sales: [] }), statement({ shop: "other", sales: [] })];
  expect(renderSql(one).params).toEqual(["one", "fixed", "{}", "{}", "{}"]);
  expect(renderSql(other).params).toEqual(["other", "fixed", "{}", "{}", "{}"]);
  expect(renderSql(one).sql).toBe(renderSql(other).sql);
});

test("a constant statement is refused as a part of another statement", () => {
  const { statement } = counted();
  expect(() => renderSql(sql`select count(*) from (${statement({ shop: "one", sales: [] })}) t`)).toThrow(
    "a constant statement cannot be a part of another one",
  );
});
