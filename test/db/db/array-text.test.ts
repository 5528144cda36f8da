import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { z } from "zod";
import type { ArrayElement } from "../../../src/db/array-text.ts";
import { array, selectRows, type ArrayType } from "../../../src/db/sql.ts";
import { createTestDatabase } from "../../support/database/database.ts";

const { db } = await createTestDatabase();

const unnested = async (values: readonly ArrayElement[], type: ArrayType) =>
  (
    await selectRows(
      db,
      sql`select value::text as value from unnest(${array(values, type)}) with ordinality as t(value, n) order by n`,
      z.object({ value: z.string().nullable() }),
    )
  ).map(({ value }) => value);

test("texts with characters that have a meaning in an array arrive unchanged", async () => {
  const texts = [
    "",
    " a ",
    "NULL",
    "null",
    "a,b",
    '"',
    '\\"',
    "\\",
    "\\\\n",
    "{}",
    "{a",
    "line\nbreak",
    "ü €",
    "'",
    null,
  ];
  expect(await unnested(texts, "text")).toEqual(texts);
});

test("numbers arrive with all their digits", async () => {
  const edges = ["-9223372036854775808", "9223372036854775807", null];
  expect(await unnested(edges, "bigint")).toEqual(edges);
  expect(await unnested([9_007_199_254_740_993n], "bigint")).toEqual(["9007199254740993"]);
  expect(await unnested([0.1, -1e-300, 5e-324, 1e300], "float8")).toEqual(["0.1", "-1e-300", "5e-324", "1e+300"]);
  expect(await unnested(["0.1000000000000000055511", 12], "numeric")).toEqual(["0.1000000000000000055511", "12"]);
});

test("booleans, bytes, times and JSON arrive as their values", async () => {
  expect(await unnested([true, false, null], "boolean")).toEqual(["true", "false", null]);
  expect(await unnested(["\\x00ff5c22"], "bytea")).toEqual(["\\x00ff5c22"]);
  expect(await unnested(["2026-02-28"], "date")).toEqual(["2026-02-28"]);
  expect(await unnested([JSON.stringify({ a: '"\\,{}' }), null], "jsonb")).toEqual(['{"a": "\\"\\\\,{}"}', null]);
});

test("an empty array has no rows", async () => {
  expect(await unnested([], "text")).toEqual([]);
});
