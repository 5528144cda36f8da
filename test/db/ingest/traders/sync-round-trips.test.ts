import type { Pool } from "@neondatabase/serverless";
import { expect, test, vi } from "vitest";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { handleMessage } from "../../../../src/ingest/queue/handle-message.ts";
import { leaseWork } from "../../../../src/ingest/queue/work-leases.ts";
import type { IngestMessage } from "../../../../src/messages/ingest-message.ts";
import type { ProviderActivity } from "../../../../src/platform/provider.ts";
import { countMessages } from "../../../support/database/count-messages.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aProviderMarket } from "../../../support/ingest/provider/provider-markets.ts";
import { aComboTrade } from "../../../support/ingest/provider/provider-combos.ts";
import { aTrade, anActivity, asActivity, pageOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";
import {
  anActivityProvider,
  followTrader,
  makeDue,
  readActivity,
} from "../../../support/ingest/worlds/followed-trader.ts";

const NOON = new Date("2025-10-09T12:00:00Z");
const ROWS = Array.from({ length: 200 }, (_, n) =>
  asActivity(aTrade({ n: n + 1, market: 1 + (n % 20), atSeconds: 1_760_000_000 + n })),
);

/** A followed trader, read by processes that know no row ids. */
async function aFollowedTrader() {
  const { openPool } = await createTestDatabase();
  const pool = openPool();
  await followTrader(pool, 1);
  const provider = (rows: readonly ProviderActivity[]) =>
    anActivityProvider(1, [pageOf(rows)], [aProviderMarket(1), aProviderMarket(2)]);
  const read = async (rows: readonly ProviderActivity[]) => {
    await makeDue(pool, walletOf(1));
    return countMessages(() => readActivity(pool, provider(rows), 1, NOON));
  };
  return { pool, provider, read };
}

const readTier = async (pool: Pool): Promise<unknown> => (await pool.query("select tier from traders")).rows[0];

/*
 * Before the transaction: what the trader's last read left, the ids that are stored, and what is recorded of the page. In it: the
 * ledger lock with all reads, and the writes with the commit. A page without news is saved in one message without the ledger lock.
 */
test("a page of activity in known markets takes four round trips, with news five, and holds the ledger lock for one", async () => {
  const { pool, read } = await aFollowedTrader();
  await read(ROWS);
  expect(await read(ROWS)).toBe(4);
  const more = Array.from({ length: 100 }, (_, n) => asActivity(aTrade({ n: 500 + n, atSeconds: 1_760_010_000 + n })));
  expect(await read([...ROWS, ...more])).toBe(5);
  expect((await pool.query("select count(*)::int as entries from ledger_entries")).rows).toEqual([{ entries: 300 }]);
});

test("a page without rows takes two, and no look at ids", async () => {
  const { read } = await aFollowedTrader();
  await read(ROWS);
  expect(await read([])).toBe(2);
});

test("new markets take one round trip more, with the lock", async () => {
  const { read } = await aFollowedTrader();
  expect(await read(ROWS)).toBe(5);
});

test("rewards and deposits take one more, before the lock: they are compared after the trades", async () => {
  const { pool, read } = await aFollowedTrader();
  await read(ROWS);
  expect(await read([...ROWS, anActivity("REWARD"), anActivity("DEPOSIT")])).toBe(6);
  expect((await pool.query("select count(*)::int as others from trader_activity")).rows).toEqual([{ others: 2 }]);
});

test("a new name of the trader is stored, with the lock, for one round trip more", async () => {
  const { pool, read } = await aFollowedTrader();
  await read(ROWS);
  const [row] = ROWS;
  if (row?.kind !== "trade") throw new Error("the first row is no trade");
  const renamed = asActivity({ ...row.trade, trader: { ...row.trade.trader, username: "another" } });
  expect(await read([renamed])).toBe(5);
  expect((await pool.query("select username from traders")).rows).toEqual([{ username: "another" }]);
  expect(await read([renamed])).toBe(4);
});

test("a trader that is not due is not read", async () => {
  const { pool, read } = await aFollowedTrader();
  await read([]);
  await pool.query("update trader_syncs set due_at = now() + interval '1 minute'");
  await readActivity(pool, anActivityProvider(1, [pageOf(ROWS)]), 1, NOON);
  expect((await pool.query("select from ledger_entries")).rows).toEqual([]);
});

test("activity in combos takes one more than a recorded page; an unknown combo two more, with the lock", async () => {
  const { pool, read } = await aFollowedTrader();
  const combo = asActivity(aComboTrade({ market: 9_001, wallet: 1 }));
  await read([...ROWS, combo]);
  expect(await read([...ROWS, combo])).toBe(7);
  expect((await pool.query("select gaps from trader_syncs")).rows).toEqual([{ gaps: ["combination"] }]);
  await pool.query("update markets set hydrated_at = now()");
  await pool.query("update trader_syncs set gaps = '{}', combos_read_at = now()");
  expect(await read([...ROWS, combo])).toBe(5);
});

test("a transaction with the ledger lock names the news of a page, and not what is recorded", async () => {
  const { pool, provider, read } = await aFollowedTrader();
  await read(ROWS);
  const news = aTrade({ n: 500, atSeconds: 1_760_010_000 });
  await makeDue(pool, walletOf(1));
  const spy = vi.spyOn(WebSocket.prototype, "send");
  await readActivity(pool, provider([...ROWS, asActivity(news)]), 1, NOON);
  const sent = spy.mock.calls.map(([message]) => Buffer.from(message as Uint8Array).toString());
  spy.mockRestore();
  const locked = sent.slice(sent.findIndex((message) => message.includes("pg_advisory_xact_lock")));
  const named = (hash: string) => locked.some((message) => message.includes(hash.slice(2)));
  const recorded = ROWS.map((row) => (row.kind === "trade" ? row.trade.txHash : row.activity.txHash));
  expect([named(news.txHash), recorded.filter(named)]).toEqual([true, []]);
});

/** A message with a lease to read the activity of the trader, who is due. */
async function aLeasedMessage(pool: Pool): Promise<IngestMessage> {
  await makeDue(pool, walletOf(1));
  const [message] = await leaseWork(pool, [{ kind: "sync_trader", address: walletOf(1) }]);
  if (message === undefined) throw new Error("nothing was leased");
  return message;
}

const countLeases = async (pool: Pool): Promise<unknown> =>
  (await pool.query("select count(*)::int as n from work_leases")).rows[0]?.n;

test("a lease takes no round trip: it is claimed with the first read, and ends with the last page", async () => {
  const { pool, provider, read } = await aFollowedTrader();
  await read(ROWS);
  const news = asActivity(aTrade({ n: 500, atSeconds: 1_760_010_000 }));
  for (const [rows, messages] of [
    [ROWS, 4],
    [[...ROWS, news], 5],
  ] as const) {
    const message = await aLeasedMessage(pool);
    const settings = { pool, provider: provider(rows), rowIds: new RowIdCache(), now: () => NOON };
    expect(await countMessages(() => handleMessage(message, settings))).toBe(messages);
    expect(await countLeases(pool)).toBe(0);
  }
});

test("a lease lasts until what a page leaves pending is booked", async () => {
  const { pool, provider, read } = await aFollowedTrader();
  await read(ROWS);
  const message = await aLeasedMessage(pool);
  // Its market is not listed yet when the split is read.
  const given = provider([anActivity("SPLIT", { n: 300, market: 30, atSeconds: 1_760_010_000 })]);
  const leases: unknown[] = [];
  const findMarkets: typeof given.findMarkets = async () => {
    leases.push(await countLeases(pool));
    return pageOf(leases.length === 1 ? [] : [aProviderMarket(30)]);
  };
  const settings = { pool, provider: { ...given, findMarkets }, rowIds: new RowIdCache(), now: () => NOON };
  await handleMessage(message, settings);
  expect([leases, await countLeases(pool)]).toEqual([[1, 1], 0]);
  expect((await pool.query("select gaps from trader_syncs")).rows).toEqual([{ gaps: [] }]);
});

test("a lease that a failed commit would have ended is kept for the next attempt", async () => {
  const { pool, provider, read } = await aFollowedTrader();
  await read(ROWS);
  const message = await aLeasedMessage(pool);
  const settings = { pool, provider: provider(ROWS), rowIds: new RowIdCache(), now: () => NOON };
  await pool.query("alter table trader_syncs add constraint refused check (resume is not null) not valid");
  await expect(handleMessage(message, settings)).rejects.toThrow("refused");
  await pool.query("alter table trader_syncs drop constraint refused");
  expect(await countLeases(pool)).toBe(1);
  await handleMessage(message, settings);
  expect(await countLeases(pool)).toBe(0);
});

test("a lease is kept for the next attempt when the booking after a recorded page fails", async () => {
  const { pool, provider, read } = await aFollowedTrader();
  await read(ROWS);
  await pool.query("update trader_syncs set gaps = '{split}'");
  const message = await aLeasedMessage(pool);
  const settings = { pool, provider: provider(ROWS), rowIds: new RowIdCache(), now: () => NOON };
  // The booking closes the gap, because no split is pending.
  await pool.query("alter table trader_syncs add constraint refused check (gaps <> '{}')");
  await expect(handleMessage(message, settings)).rejects.toThrow("refused");
  expect(await countLeases(pool)).toBe(1);
});

test("the tier counts the trades of the page that is written with it", async () => {
  const { pool, read } = await aFollowedTrader();
  await read(ROWS);
  expect(await readTier(pool)).toEqual({ tier: "warm" });
});
