import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { BinaryRows } from "../../../../scripts/load/range/binary-rows.ts";
import { copyBinary } from "../../../../scripts/load/range/copy-rows.ts";
import { createTestDatabase } from "../../../support/database/database.ts";

test("Postgres reads binary rows as the values that they were written from", async () => {
  const { databaseUrl } = await createTestDatabase();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(
    `create temp table read (big bigint, small smallint, number int, at timestamptz, day date, price numeric, name text, hash bytea)`,
  );
  const prices = [
    "0",
    "1",
    "0.5",
    "0.05",
    "0.00001",
    "0.3333333333",
    "0.12345678901234567891",
    "0.0000000001",
    "12345.678",
  ];
  const rows = prices.map((price, index) => [
    BigInt(index) - 9_223_372_036_854_775_808n,
    index - 3,
    -2_147_483_648 + index,
    1_759_968_000_123 + index,
    "2025-10-09",
    price,
    index % 2 === 0 ? "buy" : null,
    Array.from({ length: index }, (_, word) => -1n - BigInt(word)),
  ]);
  const binary = new BinaryRows(["int8", "int2", "int4", "instant", "day", "numeric", "text", "words"]);
  // More than one buffer.
  const repeats = 1_000;
  for (let repeat = 0; repeat < repeats; repeat++) for (const row of rows) binary.add(row);
  await copyBinary(client, "read", [...binary.take(), ...binary.end()]);
  const { rows: read } = await client.query(
    `select big::text, small, number, (extract(epoch from at) * 1000)::bigint::text as at, day::text, price::text, name,
       encode(hash, 'hex') as hash, count(*)::int as count
     from read group by big, small, number, at, day, price, name, hash order by number`,
  );
  expect(read).toEqual(
    rows.map(([big, small, number, at, day, price, name, hash]) => ({
      big: String(big),
      small,
      number,
      at: String(at),
      day,
      price,
      name,
      hash: (hash as bigint[]).map((_, word) => `fffffffffffffff${(15 - word).toString(16)}`).join(""),
      count: repeats,
    })),
  );
});
