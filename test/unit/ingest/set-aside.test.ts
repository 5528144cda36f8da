import { beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { openIngest } from "../../support/ingest/ingest-under-test.ts";
import { aTrade, pageOf } from "../../support/ingest/trades.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

const misfit = (record: unknown) => ({ record, reason: "proxy_wallet: expected a wallet address" });
const SOUND = [aTrade({ n: 2 }), aTrade({ n: 1 })];

test("records that do not fit are kept whole with their reason, and the page's good ones are stored", async () => {
  const pool = database.openPool();
  const { apply, state } = await openIngest(pool);
  await apply("takers", pageOf(SOUND, [misfit({ proxy_wallet: "nobody", size: 4.5 })]));
  const { rows } = await pool.query("select feed, reason, record from set_aside_records");
  expect(rows).toEqual([
    { feed: "trades:takers", reason: "proxy_wallet: expected a wallet address", record: { proxy_wallet: "nobody", size: 4.5 } },
  ]);
  expect((await state()).entries).toHaveLength(2);
});

test("a broken record that comes again, in its page or with another, is counted once; another one counts", async () => {
  const { apply, state } = await openIngest(database.openPool());
  await apply("takers", pageOf(SOUND, [misfit({ a: 1, b: 2 }), misfit({ b: 2, a: 1 }), misfit(null)]));
  await apply("takers", pageOf([], [misfit({ a: 1, b: 2 }), misfit({ a: 1, b: 3 })]));
  expect((await state()).setAside.map((row) => row["record"])).toEqual([null, { a: 1, b: 2 }, { a: 1, b: 3 }]);
});

test.each([
  ["a NUL character", { name: "a\u0000b" }],
  ["a NUL character in a field's name", { "a\u0000b": 1 }],
  ["half a surrogate pair", { name: "a\ud83d" }],
  ["a backslash before what looks like an escape", { name: "a\\u0000 \\ud83d" }],
  ["a number beyond every column", { size: 1e300 }],
  ["nothing at all", undefined],
])("a record with %s does not hold up its page", async (_, record) => {
  const { apply, state } = await openIngest(database.openPool());
  await apply("takers", pageOf(SOUND, [misfit(record)]));
  const { entries, setAside } = await state();
  expect([entries.length, setAside.length]).toEqual([2, 1]);
});

test("a sound record whose text holds half a surrogate pair is stored like any other", async () => {
  const { apply, state } = await openIngest(database.openPool());
  const trade = aTrade();
  await apply("takers", pageOf([{ ...trade, wallet: { ...trade.wallet, username: "a\ud83d" } }]));
  const { entries, traders } = await state();
  expect([entries.length, traders[0]?.["username"]]).toEqual([1, "a\ufffd"]);
});
