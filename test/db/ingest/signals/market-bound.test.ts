import type { Pool } from "@neondatabase/serverless";
import { beforeEach, expect, test } from "vitest";
import type { Database, Session } from "../../../../src/db/client.ts";
import { readMarketShares } from "../../../../src/ingest/signals/market-shares.ts";
import { countMessages } from "../../../support/database/count-messages.ts";
import { openTestDatabase } from "../../../support/database/database.ts";
import { readsOf, rowsRead } from "../../../support/database/plan-reads.ts";
import { vacuumTables } from "../../../support/database/vacuum-tables.ts";
import { aFill, seedFills, seedWorld, withDueTrades } from "./seed-fills.ts";

const ENTRIES = 2_000;

let db: Database;
let pool: Pool;

/** One market. Every 100th entry is a large trade; each hour has 50 entries of one share, the first one 49. */
beforeEach(async () => {
  ({ db, pool } = await openTestDatabase());
  await seedWorld(pool);
  const ids = Array.from({ length: ENTRIES }, (_, index) => index + 1);
  await seedFills(
    pool,
    ids.map((id) => aFill(id, { shares: 1, hour: Math.floor(id / 50), isLarge: id % 100 === 0 })),
  );
});

const sharesUpTo = async (ids: (id: number) => boolean) => {
  const shares = new Map<string, bigint>();
  const messages = await withDueTrades(pool, async (session, trades) => {
    const asked = trades.filter(({ id }) => ids(Number(id)));
    return countMessages(async () => {
      for (const [id, sum] of await readMarketShares(session, asked, 500)) shares.set(id, sum);
    });
  });
  return { messages, shares: Object.fromEntries(shares) };
};

test("the bound of a market's entries applies to each trade, whatever trades are judged with it", async () => {
  // The trade 400 is in the hour of entry 449; the trade 500 in that of entry 549.
  expect(await sharesUpTo(() => true)).toEqual({
    messages: 2,
    shares: { 100: 149_000_000n, 200: 249_000_000n, 300: 349_000_000n, 400: 449_000_000n },
  });
  expect(await sharesUpTo((id) => id === 400)).toEqual({ messages: 2, shares: { 400: 449_000_000n } });
});

test("no entries are summed for trades beyond the bound", async () => {
  expect(await sharesUpTo((id) => id >= 500)).toEqual({ messages: 1, shares: {} });
});

test("entries are counted from the index alone, up to one beyond the bound", async () => {
  const due = await withDueTrades(pool, async (_session, trades) => trades);
  await vacuumTables(db);
  const reads = await readsOf(db, "ledger_entries", (explaining) =>
    readMarketShares(explaining as unknown as Session, due, 500),
  );
  expect(reads.map((read) => [read["Node Type"], read["Index Name"]])).toEqual([
    ["Index Only Scan", "ledger_entries_market"],
  ]);
  expect(rowsRead(reads)).toBe(501);
});
