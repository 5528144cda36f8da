import { expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { listDueWallets } from "../../../../src/ingest/due-work.ts";
import { buildTrending } from "../../../../src/ingest/read-models/trending.ts";
import { createTestDatabase } from "../../../support/database.ts";
import { aProviderBoard } from "../../../support/ingest/boards.ts";
import { generationsOf, trendingOf } from "../../../support/ingest/built-lists.ts";
import { readStoredState } from "../../../support/ingest/stored-state.ts";
import { walletOf } from "../../../support/ingest/trades.ts";
import { aWallet } from "../../../support/seed/wallets.ts";

const AT = new Date("2026-11-20T12:00:00Z");

test("the provider's order is kept, with its own profit and volume, whatever the figures and whoever was seen first", async () => {
  const { db, openPool } = await createTestDatabase();
  const [first, second, third] = [await aWallet(db), await aWallet(db), await aWallet(db)];
  const figures = [{ pnlUsd: "-5.25" }, { pnlUsd: "1234.567891", volumeShares: "99.5" }, { pnlUsd: "70" }];
  const board = aProviderBoard([second.address, third.address, first.address], figures);
  await inTransaction(openPool(), (session) => buildTrending(session, "week", board));
  const rows = await trendingOf(db, "trending:7d");
  expect(rows.map((row) => [row.rank, row.traderId, row.providerPnl, row.providerVolumeShares])).toEqual([
    [1, second.id, "-5.25", null],
    [2, third.id, "1234.567891", "99.5"],
    [3, first.id, "70", null],
  ]);
});

test("a wallet that the provider shows on two pages of its board is listed once, at its better place", async () => {
  const { db, openPool } = await createTestDatabase();
  const [first, moved, last] = [await aWallet(db), await aWallet(db), walletOf(98)];
  const figures = [{ pnlUsd: "60" }, { pnlUsd: "50" }, { pnlUsd: "40" }, { pnlUsd: "30" }];
  const board = aProviderBoard([first.address, moved.address, last, moved.address], figures);
  await inTransaction(openPool(), (session) => buildTrending(session, "week", board));
  const rows = await trendingOf(db, "trending:7d");
  expect(rows.map((row) => [row.rank, row.providerPnl])).toEqual([
    [1, "60"],
    [2, "50"],
    [3, "40"],
  ]);
});

test("the volume of a wallet is unknown until its activity has been read to the end, and then a number, 0 without trades", async () => {
  const { db, openPool } = await createTestDatabase();
  const [unseen, pending, whole] = [walletOf(99), await aWallet(db, { followed: true }), await aWallet(db, { completeAt: AT })];
  const board = aProviderBoard([unseen, pending.address, whole.address]);
  await inTransaction(openPool(), (session) => buildTrending(session, "month", board));
  expect((await trendingOf(db, "trending:30d")).map((row) => row.windowVolumeMicro)).toEqual([null, null, 0n]);
});

test("wallets on a board are followed closely from then on: new ones, those known from fills alone and those followed less", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  const [cold, warm, other] = [await aWallet(db), await aWallet(db, { followed: true }), await aWallet(db)];
  await pool.query("update traders set tier = 'warm' where id = $1", [warm.id]);
  const addresses = [walletOf(99), cold.address, warm.address];
  await inTransaction(pool, (session) => buildTrending(session, "week", aProviderBoard(addresses)));
  const { traders } = await readStoredState(pool);
  expect(Object.fromEntries(traders.map((row) => [row["address"], row["tier"]]))).toEqual({
    [walletOf(99)]: "hot",
    [cold.address]: "hot",
    [warm.address]: "hot",
    [other.address]: "cold",
  });
  const due = (await listDueWallets(pool, 200)).map((message) => ("address" in message ? message.address : null));
  expect(due.toSorted()).toEqual(addresses.toSorted());
});

test("a wallet that is on the board again keeps what was read of it", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  const wallet = await aWallet(db, { completeAt: AT });
  for (let turn = 0; turn < 2; turn++) {
    await inTransaction(pool, (session) => buildTrending(session, "week", aProviderBoard([wallet.address])));
  }
  expect((await readStoredState(pool)).traders).toMatchObject([{ address: wallet.address, tier: "hot", complete: true }]);
});

test("each build takes the place of the one before, of its own window only", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  const [left, stays] = [await aWallet(db), await aWallet(db)];
  const build = (period: "week" | "month", addresses: string[]) =>
    inTransaction(pool, (session) => buildTrending(session, period, aProviderBoard(addresses)));
  await build("month", [left.address]);
  await build("week", [left.address, stays.address]);
  await build("week", [stays.address]);
  const tradersOn = async (list: "trending:7d" | "trending:30d") => (await trendingOf(db, list)).map((row) => row.traderId);
  expect([await tradersOn("trending:7d"), await tradersOn("trending:30d")]).toEqual([[stays.id], [left.id]]);
  expect((await generationsOf(db, "trending:7d")).map((row) => row.rowCount)).toEqual([1, 2]);
});

test("rows of the board that do not fit are set aside, and the others are listed", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  const misfits = [{ record: { proxy_wallet: "nobody" }, reason: "proxy_wallet" }];
  const board = { ...aProviderBoard([walletOf(1)]), misfits };
  await inTransaction(pool, (session) => buildTrending(session, "week", board));
  expect(await trendingOf(db, "trending:7d")).toHaveLength(1);
  expect((await readStoredState(pool)).setAside).toEqual([{ feed: "board:week", record: { proxy_wallet: "nobody" } }]);
});

test("a board without rows replaces none: it is the list only where there was no other", async () => {
  const { db, openPool } = await createTestDatabase();
  const pool = openPool();
  const misfits = [{ record: { proxy_wallet: "nobody" }, reason: "proxy_wallet" }];
  const build = (addresses: string[]) =>
    inTransaction(pool, (session) => buildTrending(session, "week", { ...aProviderBoard(addresses), misfits }));
  await build([]);
  await build([]);
  expect((await generationsOf(db, "trending:7d")).map((row) => row.rowCount)).toEqual([0]);
  await build([walletOf(1)]);
  await build([]);
  expect((await generationsOf(db, "trending:7d")).map((row) => row.rowCount)).toEqual([1, 0]);
  expect((await readStoredState(pool)).setAside).toHaveLength(1);
});
