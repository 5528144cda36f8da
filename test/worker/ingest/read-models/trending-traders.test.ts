import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { drizzle as openSession } from "drizzle-orm/neon-serverless";
import { lockLedger } from "../../../../src/ingest/ledger/record-ledger-entries.ts";
import { listDueTraders } from "../../../../src/ingest/queue/list-due-work.ts";
import { buildTrending } from "../../../../src/ingest/read-models/build-trending.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aProviderBoard } from "../../../support/ingest/provider/provider-boards.ts";
import { generationsOf, trendingOf } from "../../../support/ingest/worlds/built-lists.ts";
import { readStoredState } from "../../../support/ingest/stored-state.ts";
import { walletOf } from "../../../support/ingest/provider/provider-trades.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const AT = new Date("2026-11-20T12:00:00Z");

test("trending keeps the provider's order, profit and volume", async () => {
  const { db, openPool } = await createTestDatabase();
  const [first, second, third] = [await aSeededTrader(db), await aSeededTrader(db), await aSeededTrader(db)];
  const figures = [{ pnlUsd: "-5.25" }, { pnlUsd: "1234.567891", volumeShares: "99.5" }, { pnlUsd: "70" }];
  const board = aProviderBoard([second.address, third.address, first.address], figures);
  await buildTrending(openPool(), "week", board);
  const rows = await trendingOf(db, "trending:7d");
  expect(rows.map((row) => [row.rank, row.traderId, row.providerPnl, row.providerVolumeShares])).toEqual([
    [1, second.id, "-5.25", null],
    [2, third.id, "1234.567891", "99.5"],
    [3, first.id, "70", null],
  ]);
});

test("a trader that is listed on two pages of the provider's board appears once with its better rank", async () => {
  const { db, openPool } = await createTestDatabase();
  const [first, moved, last] = [await aSeededTrader(db), await aSeededTrader(db), walletOf(98)];
  const figures = [{ pnlUsd: "60" }, { pnlUsd: "50" }, { pnlUsd: "40" }, { pnlUsd: "30" }];
  const board = aProviderBoard([first.address, moved.address, last, moved.address], figures);
  await buildTrending(openPool(), "week", board);
  const rows = await trendingOf(db, "trending:7d");
  expect(rows.map((row) => [row.rank, row.providerPnl])).toEqual([
    [1, "60"],
    [2, "50"],
    [3, "40"],
  ]);
});

test("a board waits for a page that stores one of its traders at the same time", async () => {
  const { db, openPool } = await createTestDatabase();
  const address = walletOf(97);
  const page = await openPool().connect();
  await page.query("begin");
  // As a trade page does.
  await lockLedger(openSession({ client: page }));
  await page.query("insert into traders (address) values ($1)", [address]);
  const built = buildTrending(openPool(), "week", aProviderBoard([address], [{ pnlUsd: "7" }]));
  await vi.waitFor(async () => {
    const { rows } = await db.execute(sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database()`);
    expect(rows).toHaveLength(1);
  });
  await page.query("commit");
  page.release();
  await built;
  expect((await trendingOf(db, "trending:7d")).map((row) => row.providerPnl)).toEqual(["7"]);
});

test("the window volume is null until the history is complete, and then a number that may be 0", async () => {
  const { db, openPool } = await createTestDatabase();
  const [unknown, pending, whole] = [
    walletOf(99),
    await aSeededTrader(db, { isFollowed: true }),
    await aSeededTrader(db, { completeAt: AT }),
  ];
  const board = aProviderBoard([unknown, pending.address, whole.address]);
  await buildTrending(openPool(), "month", board);
  expect((await trendingOf(db, "trending:30d")).map((row) => row.windowVolumeMicro)).toEqual([null, null, 0n]);
});

test("every trader on a provider board becomes hot and due for a sync", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  const [cold, warm, other] = [
    await aSeededTrader(db),
    await aSeededTrader(db, { isFollowed: true }),
    await aSeededTrader(db),
  ];
  await pool.query("update traders set tier = 'warm' where id = $1", [warm.id]);
  const addresses = [walletOf(99), cold.address, warm.address];
  await buildTrending(pool, "week", aProviderBoard(addresses));
  const { traders } = await readStoredState(pool);
  expect(Object.fromEntries(traders.map((row) => [row["address"], row["tier"]]))).toEqual({
    [walletOf(99)]: "hot",
    [cold.address]: "hot",
    [warm.address]: "hot",
    [other.address]: "cold",
  });
  const due = (await listDueTraders(pool, 200)).map((message) => ("address" in message ? message.address : null));
  expect(due.toSorted()).toEqual(addresses.toSorted());
});

test("a trader that is on the board again keeps its sync state", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  const wallet = await aSeededTrader(db, { completeAt: AT });
  for (let turn = 0; turn < 2; turn++) {
    await buildTrending(pool, "week", aProviderBoard([wallet.address]));
  }
  expect((await readStoredState(pool)).traders).toMatchObject([
    { address: wallet.address, tier: "hot", complete: true },
  ]);
});

test("a new trending generation replaces the one of its own window only", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  const [left, remaining] = [await aSeededTrader(db), await aSeededTrader(db)];
  const build = (period: "week" | "month", addresses: string[]) =>
    buildTrending(pool, period, aProviderBoard(addresses));
  await build("month", [left.address]);
  await build("week", [left.address, remaining.address]);
  await build("week", [remaining.address]);
  const tradersOn = async (list: "trending:7d" | "trending:30d") =>
    (await trendingOf(db, list)).map((row) => row.traderId);
  expect([await tradersOn("trending:7d"), await tradersOn("trending:30d")]).toEqual([[remaining.id], [left.id]]);
  expect((await generationsOf(db, "trending:7d")).map((row) => row.rowCount)).toEqual([1, 2]);
});

test("invalid rows of the provider's board are quarantined, and the others are listed", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  const quarantined = [{ record: { proxy_wallet: "nobody" }, reason: "proxy_wallet" }];
  const board = { ...aProviderBoard([walletOf(1)]), quarantined };
  await buildTrending(pool, "week", board);
  expect(await trendingOf(db, "trending:7d")).toHaveLength(1);
  expect((await readStoredState(pool)).quarantined).toEqual([
    { feed: "board:week", record: { proxy_wallet: "nobody" } },
  ]);
});

test("an empty provider board replaces no list and is published only if there is none", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  const quarantined = [{ record: { proxy_wallet: "nobody" }, reason: "proxy_wallet" }];
  const build = (addresses: string[]) =>
    buildTrending(pool, "week", { ...aProviderBoard(addresses), quarantined: quarantined });
  await build([]);
  await build([]);
  expect((await generationsOf(db, "trending:7d")).map((row) => row.rowCount)).toEqual([0]);
  await build([walletOf(1)]);
  await build([]);
  expect((await generationsOf(db, "trending:7d")).map((row) => row.rowCount)).toEqual([1, 0]);
  expect((await readStoredState(pool)).quarantined).toHaveLength(1);
});
