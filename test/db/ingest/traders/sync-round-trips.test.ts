import type { Pool } from "@neondatabase/serverless";
import { expect, test } from "vitest";
import { RowIdCache } from "../../../../src/ingest/feeds/row-id-cache.ts";
import { syncTrader } from "../../../../src/ingest/traders/sync-trader.ts";
import type { ProviderActivity } from "../../../../src/platform/provider.ts";
import { countMessages } from "../../../support/database/count-messages.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { aProviderMarket } from "../../../support/ingest/provider/provider-markets.ts";
import { aComboTrade } from "../../../support/ingest/provider/provider-combos.ts";
import { aTrade, anActivity, asActivity, pageOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";
import { anActivityProvider, followTrader, makeDue } from "../../../support/ingest/worlds/followed-trader.ts";

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
    return countMessages(() => syncTrader(pool, provider(rows), walletOf(1), new RowIdCache(), () => NOON));
  };
  return { pool, read };
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
  await syncTrader(pool, anActivityProvider(1, [pageOf(ROWS)]), walletOf(1), new RowIdCache(), () => NOON);
  expect((await pool.query("select from ledger_entries")).rows).toEqual([]);
});

test("activity in combos takes one more, because its gap follows from what the page has written", async () => {
  const { pool, read } = await aFollowedTrader();
  const combo = asActivity(aComboTrade({ market: 9_001, wallet: 1 }));
  await read([...ROWS, combo]);
  expect(await read([...ROWS, combo])).toBe(5);
  expect((await pool.query("select gaps from trader_syncs")).rows).toEqual([{ gaps: ["combination"] }]);
});

test("the tier counts the trades of the page that is written with it", async () => {
  const { pool, read } = await aFollowedTrader();
  await read(ROWS);
  expect(await readTier(pool)).toEqual({ tier: "warm" });
});
