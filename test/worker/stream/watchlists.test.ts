/// <reference types="@cloudflare/vitest-plugin/types" />
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, test, vi } from "vitest";
import type { Env } from "../../../src/env.ts";
import { deleteWatchlist } from "../../../src/queries/watchlists/delete-watchlist.ts";
import { insertWatchlist } from "../../../src/queries/watchlists/insert-watchlist.ts";
import { replaceWatchlist } from "../../../src/queries/watchlists/replace-watchlist.ts";
import { publishStreamEvents, runStreamAlarm, shardOfAccount, theShard } from "../../support/stream/open-stream.ts";
import { aKnownKey, openStreamApi, type StreamApi } from "../../support/stream/stream-api.ts";
import type { StreamReader } from "../../support/stream/stream-reader.ts";

const ANN = `0x${"a".repeat(40)}`;
const BOB = `0x${"b".repeat(40)}`;
const EVE = `0x${"e".repeat(40)}`;

let api: StreamApi;

beforeAll(async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  api = await openStreamApi();
});

let trades = 0;
const tradeOf = (wallet: string) => ({
  type: "large_trade_inserted_v2",
  payload: { whale_alert_id: ++trades, condition_id: `0x${"c".repeat(64)}`, wallet, grade: "B", size_usd: "25000" },
});

/** Publishes a trade of each wallet and lets the stream push them. */
async function trade(...wallets: string[]): Promise<void> {
  await publishStreamEvents(api.database, wallets.map(tradeOf));
  await runStreamAlarm(api.database);
}

/** Lets an account's shard look lists up in a database. */
const useDatabase = async (accountId: number, databaseUrl: string) =>
  runInDurableObject(theShard(await shardOfAccount(accountId)), (instance) => {
    Reflect.set(instance, "env", { ...(env as Env), DATABASE_URL: databaseUrl });
  });

/** A key whose shard looks lists up in the test's database. */
async function aReader() {
  const reader = await aKnownKey(api.database);
  await useDatabase(reader.accountId, api.database.databaseUrl);
  return reader;
}

async function aList(accountId: number, wallets: readonly string[]): Promise<number> {
  const row = await insertWatchlist(api.database.db, accountId, { name: "list", wallets }, 20, new Date());
  if (row === null) throw new Error("the account is full");
  return row.id;
}

const replace = (accountId: number, id: number, wallets: readonly string[]) =>
  replaceWatchlist(api.database.db, { accountId, id }, { name: "list", wallets }, new Date());

const walletsOf = (stream: StreamReader): string[] => stream.frames.map(({ data }) => data.wallet);

test("a stream gets the trades of the wallets in its list, and a replacement of the list applies at once", async () => {
  const { key, accountId } = await aReader();
  const id = await aList(accountId, [ANN, BOB]);
  const stream = await api.openStream(key, `?watchlist=wl_${id}`);
  const all = await api.openStream(key, "?event=LargeTradeInsertedV2");
  await trade(ANN, EVE, BOB);
  await stream.until(({ frames }) => frames.length === 2);
  await replace(accountId, id, [EVE]);
  await trade(ANN, EVE);
  await stream.until(({ frames }) => frames.length === 3);
  await replace(accountId, id, []);
  await trade(ANN, BOB, EVE);
  // The list is looked up when the frames are pushed.
  await all.until(({ frames }) => frames.length === 8);
  await replace(accountId, id, [BOB]);
  await trade(BOB);
  await stream.until(({ frames }) => frames.length === 4);
  await all.until(({ frames }) => frames.length === 9);
  expect(walletsOf(stream)).toEqual([ANN, BOB, EVE, BOB]);
  const [first = 0] = all.seqs;
  // A resumed stream reads the same frames, by the list as it is now.
  await replace(accountId, id, [ANN, BOB]);
  const resumed = await api.openStream(key, `?watchlist=wl_${id}`, first - 1);
  await resumed.until(({ frames }) => frames.length === 6);
  expect(walletsOf(resumed)).toEqual([ANN, BOB, ANN, ANN, BOB, BOB]);
  for (const one of [stream, all, resumed]) await one.stop();
});

test("streams with different lists each get exactly their trades, and several wallets filter as a list would", async () => {
  const [first, second] = [await aReader(), await aReader()];
  const wallets = Array.from({ length: 12 }, (_, n) => `0x${n.toString(16).padStart(40, "0")}`);
  const lists = [wallets.slice(0, 6), wallets.slice(4, 9), [], wallets.slice(11)];
  const streams: StreamReader[] = [];
  for (const [index, list] of lists.entries()) {
    const { key, accountId } = index % 2 === 0 ? first : second;
    streams.push(await api.openStream(key, `?watchlist=wl_${await aList(accountId, list)}`));
  }
  const named = await api.openStream(
    first.key,
    `?wallet=${wallets[2]?.toUpperCase().replace("0X", "0x")}&wallet=${wallets[11]}`,
  );
  const all = await api.openStream(second.key, "?event=LargeTradeInsertedV2");
  const traded = [...wallets, ...wallets.toReversed()];
  for (let from = 0; from < traded.length; from += 5) await trade(...traded.slice(from, from + 5));
  await all.until(({ frames }) => frames.length === traded.length);
  const expected = [...lists, [wallets[2], wallets[11]]].map((list) => traded.filter((one) => list.includes(one)));
  await vi.waitFor(() => expect([...streams, named].map(walletsOf)).toEqual(expected), { timeout: 5_000 });
  for (const one of [...streams, named, all]) await one.stop();
});

test("a stream with another account's list is refused byte for byte as one with an unknown list", async () => {
  const [owner, stranger] = [await aReader(), await aReader()];
  const id = await aList(owner.accountId, [ANN]);
  const ask = async (list: number) => {
    const response = await api.request(stranger.key, `/api/v1/stream?watchlist=wl_${list}`);
    return { status: response.status, text: (await response.text()).replaceAll(/req_[A-Za-z0-9_-]+/g, "req") };
  };
  const [foreign, absent] = [await ask(id), await ask(999_999_999)];
  expect(foreign).toEqual(absent);
  expect({ status: foreign.status, ...JSON.parse(foreign.text).error }).toMatchObject({
    status: 400,
    reason: "invalid_query",
    param: "watchlist",
  });
});

test("the deletion of a list ends its open stream with the error of a reconnect", async () => {
  const { key, accountId } = await aReader();
  const id = await aList(accountId, [ANN]);
  const stream = await api.openStream(key, `?watchlist=wl_${id}`);
  expect(await deleteWatchlist(api.database.db, { accountId, id })).toBe("deleted");
  // The next trade or heartbeat shows the shard that the list is gone.
  await trade(ANN);
  await stream.until(({ isEnded }) => isEnded);
  expect(stream.frames).toMatchObject([
    { event: "error", data: { type: "error", retry: false, error: { reason: "invalid_query", param: "watchlist" } } },
  ]);
});

test("a heartbeat alone ends the stream of a deleted list", async () => {
  const { key, accountId } = await aReader();
  const id = await aList(accountId, [ANN]);
  const stream = await api.openStream(key, `?watchlist=wl_${id}`);
  await deleteWatchlist(api.database.db, { accountId, id });
  const at = Number.MAX_SAFE_INTEGER - 1;
  await theShard(await shardOfAccount(accountId)).push({ after: at, to: at, frames: [], isHeartbeat: true });
  await stream.until(({ isEnded }) => isEnded);
  expect(stream.frames).toMatchObject([{ event: "error", data: { retry: false } }]);
});

test("trades during a failure of the look-up arrive once, in order, when it works again, and delay no other stream", async () => {
  const { key, accountId } = await aReader();
  const stream = await api.openStream(key, `?watchlist=wl_${await aList(accountId, [ANN, BOB])}`);
  const all = await api.openStream(key, "?event=LargeTradeInsertedV2");
  await trade(ANN);
  await stream.until(({ frames }) => frames.length === 1);
  await useDatabase(accountId, "postgres://postgres@127.0.0.1/no_such_database");
  await trade(BOB, EVE);
  await all.until(({ frames }) => frames.length === 3);
  expect(walletsOf(stream)).toEqual([ANN]);
  await useDatabase(accountId, api.database.databaseUrl);
  await trade(EVE, ANN);
  await stream.until(({ frames }) => frames.length === 3);
  expect(walletsOf(stream)).toEqual([ANN, BOB, ANN]);
  expect(stream.seqs).toEqual(stream.seqs.toSorted((a, b) => a - b));
  for (const one of [stream, all]) await one.stop();
});
