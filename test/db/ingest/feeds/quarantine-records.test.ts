import { beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../support/database/database.ts";
import { openIngest } from "../../../support/ingest/ingest-under-test.ts";
import { aTrade, pageOf } from "../../../support/ingest/provider/provider-trades.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

const invalidRecord = (record: unknown) => ({ record, reason: "proxy_wallet: expected a wallet address" });
const VALID = [aTrade({ n: 2 }), aTrade({ n: 1 })];

test("invalid records are quarantined in full with their reason, and the valid records of the page are stored", async () => {
  const pool = database.openPool();
  const { apply, state } = await openIngest(pool);
  await apply("takers", pageOf(VALID, [invalidRecord({ proxy_wallet: "nobody", size: 4.5 })]));
  const { rows } = await pool.query("select feed, reason, record from quarantined_records");
  expect(rows).toEqual([
    {
      feed: "trades:takers",
      reason: "proxy_wallet: expected a wallet address",
      record: { proxy_wallet: "nobody", size: 4.5 },
    },
  ]);
  expect((await state()).entries).toHaveLength(2);
});

test("a repeated invalid record is quarantined once, and a different one separately", async () => {
  const { apply, state } = await openIngest(database.openPool());
  await apply(
    "takers",
    pageOf(VALID, [invalidRecord({ a: 1, b: 2 }), invalidRecord({ b: 2, a: 1 }), invalidRecord(null)]),
  );
  await apply("takers", pageOf([], [invalidRecord({ a: 1, b: 2 }), invalidRecord({ a: 1, b: 3 })]));
  expect((await state()).quarantined.map((row) => row["record"])).toEqual([null, { a: 1, b: 2 }, { a: 1, b: 3 }]);
});

test.each([
  ["a NUL character", { name: "a\u0000b" }],
  ["a NUL character in a field's name", { "a\u0000b": 1 }],
  ["a lone surrogate", { name: "a\ud83d" }],
  ["an escaped backslash before an apparent escape", { name: "a\\u0000 \\ud83d" }],
  ["a number beyond every column", { size: 1e300 }],
  ["no content", undefined],
])("an invalid record with %s does not block its page", async (_, record) => {
  const { apply, state } = await openIngest(database.openPool());
  await apply("takers", pageOf(VALID, [invalidRecord(record)]));
  const { entries, quarantined } = await state();
  expect([entries.length, quarantined.length]).toEqual([2, 1]);
});

test("a valid record with a lone surrogate in its text is stored", async () => {
  const { apply, state } = await openIngest(database.openPool());
  const trade = aTrade();
  await apply("takers", pageOf([{ ...trade, trader: { ...trade.trader, username: "a\ud83d" } }]));
  const { entries, traders } = await state();
  expect([entries.length, traders[0]?.["username"]]).toEqual([1, "a\ufffd"]);
});
